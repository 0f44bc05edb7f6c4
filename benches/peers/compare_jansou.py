#!/usr/bin/env python3
"""Compare the points of Riichi presets with the Python package `jansou`.

The package (https://pypi.org/project/jansou/, MIT licence) has presets of its own for two servers,
professional associations and a league; the rules of EMA and WRC are set here.  The script makes random
winning hands, asks both for han, fu and points under each, and prints every hand on which they differ.

    python3 -m venv venv && venv/bin/pip install jansou==0.14.0
    cargo build --release -p paishan-cli
    venv/bin/python benches/peers/compare_jansou.py 100000 1 target/release/paishan

Arguments: how many hands, the seed, the program `paishan`.  The exit status is 0 when every difference
is explained by a line of KNOWN, where texts about the rules and the package disagree; 1 otherwise.

Not compared: wins in the first turn, the responsibility for limit hands, and robbed concealed kans.
"""

import collections
import json
import random
import subprocess
import sys

from jansou.core.hand import CallSource, Hand, Meld, MeldType
from jansou.core.notation import parse_mpsz
from jansou.core.rules import Rules, preset
from jansou.core.tiles import Wind
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError, score

# By preset of the package: our ruleset, and the options that give its scores.
WITHOUT_LUCK = {"ura-dora": False, "kan-dora": False, "ippatsu": False}
PRESETS = {
    "tenhou": ("riichi-tenhou", {}),
    "mahjong-soul": ("riichi-mahjong-soul", {}),
    "m-league": ("riichi-m-league", {}),
    "renmei": ("riichi-jpml", {}),
    "saikouisen": ("riichi-saikouisen", {}),
    "saikouisen-classic": ("riichi-saikouisen", WITHOUT_LUCK | {"rounded-up-mangan": False}),
    "kyokai": ("riichi-saikouisen", {}),
    "saikyosen": ("riichi-saikouisen", {}),
    "mu": ("riichi-saikouisen", WITHOUT_LUCK | {"rounded-up-mangan": False, "multiple-limits": False, "honba-points": 0}),
    "rmu": ("riichi-rmu", {}),
    "tenhou-3p": ("riichi-sanma", {}),
    "mahjong-soul-3p": ("riichi-mahjong-soul-sanma", {}),
}
# The same for rules without a preset.
WITHOUT_REDS = {"aka_dora": False, "double_yakuman": False}
OTHERS = {
    "ema": ("riichi-ema", {}, Rules(multiple_yakuman=False, kazoe_yakuman=False, **WITHOUT_REDS)),
    "wrc": ("riichi-wrc", {}, Rules(kiriage_mangan=True, double_wind_fu=2, **WITHOUT_REDS)),
}
ALL = {name: (*ours, preset(name)) for name, ours in PRESETS.items()} | OTHERS
# By preset: what the package does otherwise, in options of ours, and why.
KNOWN = {
    "renmei": ({"counted-limit": "limit"}, "counted yakuman: dic.pixiv.net has none since 2023"),
    "rmu": ({"counted-limit": "limit"}, "counted yakuman: top3776.hatenablog.com has none (2022)"),
}
SANMA = {"tenhou-3p", "mahjong-soul-3p"}
WINDS = {"E": Wind.EAST, "S": Wind.SOUTH, "W": Wind.WEST, "N": Wind.NORTH}
SUITS = "mpsz"


def kinds(three):
    return [k for k in range(34) if not (three and 1 <= k <= 7)]


def text(tiles):
    return "".join(f"{0 if red else k % 9 + 1}{SUITS[k // 9]}" for k, red in tiles)


def group(rng, three, theme):
    """Kinds of a group, within the theme: a set of kinds."""
    while True:
        k = rng.choice(theme)
        if rng.random() < 0.45:
            return [k] * (4 if rng.random() < 0.15 else 3)
        if k < 27 and k % 9 < 7 and not (three and k < 9) and k + 1 in theme and k + 2 in theme:
            return [k, k + 1, k + 2]


def random_hand(rng, three):
    """Groups, the pair or a special form; no kind more than four times."""
    all_kinds = kinds(three)
    orphans = [k for k in all_kinds if k >= 27 or k % 9 in (0, 8)]
    suit = rng.randrange(1 if three else 0, 3)
    themes = [all_kinds, all_kinds, [k for k in all_kinds if k // 9 == suit],
              [k for k in all_kinds if k // 9 in (suit, 3)], [k for k in all_kinds if k not in orphans],
              orphans, [k for k in all_kinds if k >= 27]]
    while True:
        theme = rng.choice(themes)
        form = rng.random()
        if form < 0.05:
            return [], orphans + [rng.choice(orphans)]
        if form < 0.12 and len(theme) >= 7:
            return [], [k for k in rng.sample(theme, 7) for _ in range(2)]
        groups = [group(rng, three, theme) for _ in range(4)]
        pair = [rng.choice(theme)] * 2
        count = collections.Counter(k for g in groups + [pair] for k in g)
        if max(count.values()) <= 4:
            return groups, pair


def one(rng, name):
    three = name in SANMA
    ruleset, options, rules = ALL[name]
    groups, rest = random_hand(rng, three)
    seats = "ESW" if three else "ESWN"
    seat, closed_only = rng.choice(seats), rng.random() < 0.5
    held = collections.Counter(k for g in groups + [rest] for k in g)
    reds = {k: rules.aka_dora and (rng.random() < 0.3 or held[k] == 4) for k in (4, 13, 22)}

    def physical(ks):
        tiles = []
        for k in sorted(ks):
            tiles.append((k, reds.pop(k, False)))
        return tiles

    concealed, melds = list(rest), []
    for g in groups:
        kan, run = len(g) == 4, g[0] != g[1]
        if not kan and (closed_only or rng.random() < 0.5) or run and three:
            concealed += g
        else:
            melds.append((g, not (kan and (closed_only or rng.random() < 0.5))))
    theirs, ours, by_seat = [], [], seats[seats.index(seat) - 1]
    for g, is_open in melds:
        tiles = physical(g)
        member = {"tiles": text(tiles), "open": is_open}
        if is_open:
            member["from"] = by_seat
        ours.append(member)
        parsed = parse_mpsz(text(tiles))
        if not is_open:
            theirs.append(Meld(MeldType.ANKAN, parsed))
        else:
            kind = MeldType.DAIMINKAN if len(g) == 4 else MeldType.CHII if g[0] != g[1] else MeldType.PON
            theirs.append(Meld(kind, parsed, parsed[0], CallSource.KAMICHA))
    hand = physical(concealed)
    win = rng.choice(hand)
    hand.remove(win)
    closed = all(not is_open for _, is_open in melds)
    kans = any(len(g) == 4 for g, _ in melds)
    way = rng.choice(["discard", "discard", "wall", "wall"] + ["replacement"] * kans)
    used = collections.Counter(k for k in [k for k, _ in hand + [win]] + [k for g, _ in melds for k in g])
    if way == "discard" and used[win[0]] == 1 and win[0] not in (4, 13, 22, 30) and rng.random() < 0.2:
        way = "robbed-kong"
    flags = []
    if closed and rng.random() < 0.6:
        flags.append(rng.choice(["riichi", "riichi", "double-riichi"]))
        if way != "replacement" and rng.random() < 0.3:
            flags.append("ippatsu")
    if way in ("discard", "wall") and rng.random() < 0.1:
        flags.append("last-tile")
    norths = rng.choice([0, 0, 1, 2, 3]) if three else 0
    norths = min(norths, 4 - used[30])
    used[30] += norths
    if way == "robbed-kong":
        used[win[0]] += 3
    indicators = []
    for _ in range(rng.choice([1, 1, 2, 4]) * 2):
        k = rng.choice([k for k in kinds(three) if used[k] < 4 - (k in (4, 13, 22))])  # a red five may be unused
        used[k] += 1
        indicators.append((k, False))
    dora, ura = indicators[::2], indicators[1::2]
    riichi = bool(flags) and flags[0] != "last-tile"
    table = {"round": rng.choice("ES"), "dora": text(dora)}
    if riichi:
        table["ura"] = text(ura)
    player = {"seat": seat, "hand": text(hand), "melds": ours}
    if norths:
        player["set_aside"] = "4z" * norths
    told = {"tile": text([win]), "by": way, "flags": flags + ["after-kong"] * (way == "replacement")}
    if way in ("discard", "robbed-kong"):
        told["from"] = by_seat
    request = {"type": "score", "ruleset": ruleset, "notation": "mpsz", "player": player, "win": told, **table}
    request["options"] = options
    context = WinContext(
        rules=rules, round_wind=WINDS[table["round"]], seat_wind=WINDS[seat], is_tsumo=way in ("wall", "replacement"),
        riichi="riichi" in flags, double_riichi="double-riichi" in flags, ippatsu=rules.ippatsu and "ippatsu" in flags,
        haitei="last-tile" in flags and way == "wall", houtei="last-tile" in flags and way == "discard",
        rinshan=way == "replacement", chankan=way == "robbed-kong", dora_indicators=tuple(parse_mpsz(text(dora))),
        ura_indicators=tuple(parse_mpsz(text(ura))) if riichi and rules.ura_dora else (), nuki_count=norths)
    tile = parse_mpsz(text([win]))[0]
    try:
        result = score(Hand(tuple(parse_mpsz(text(hand + [win]))), tuple(theirs)), tile, context)
        limits = sum(y.value for y in result.yaku) if result.is_yakuman else 0
        package = {"points": result.payment.total, "limits": limits}
        if not limits:
            package |= {"han": result.han, "fu": result.fu.total}
    except ScoringError as fault:
        package = {"error": str(fault)}
    return name, request, package


def ask(program, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    out = subprocess.run([program, "jsonl"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def differs(package, answer):
    if "error" in package:
        return answer["ok"] or answer["error"]["code"] != "below-minimum"
    return not answer["ok"] or any(package[key] != answer[key] for key in package)


def main():
    count, seed, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    tally, unexplained = collections.Counter(), 0
    hands = [one(rng, rng.choice(list(ALL))) for _ in range(count)]
    answers = ask(program, [request for _, request, _ in hands])
    for (name, request, package), answer in zip(hands, answers, strict=True):
        tally[name, "hands"] += 1
        if not differs(package, answer):
            continue
        options, why = KNOWN.get(name, ({}, None))
        if why and not differs(package, ask(program, [request | {"options": request["options"] | options}])[0]):
            tally[name, why] += 1
            continue
        unexplained += 1
        if unexplained <= 10:
            print(json.dumps(request), "package", package, "engine", json.dumps(answer), sep="\n  ")
    for (name, what), number in sorted(tally.items()):
        print(f"{number:9} {name}: {what}")
    print(f"{unexplained:9} unexplained")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
