#!/usr/bin/env python3
"""Compare the faan of Hong Kong hands with the Python package `python-mahjong`.

The package (https://pypi.org/project/python-mahjong/, LGPL) plays Hong Kong mahjong.  The script makes random
winning hands with melds, kongs, bonus tiles, winds and circumstances, asks the package for the faan of every
arrangement and `hong-kong-old-style` for those of the hand, and compares the best.  Finding the arrangements may take
the package a second a hand, so its own search is compared with the engine's on one hand in EVERY only.

    python3 -m venv venv && venv/bin/pip install python-mahjong==1.0.0
    cargo build --release -p paishan-cli
    venv/bin/python benches/peers/compare_python_mahjong.py 100000 1 target/release/paishan

Arguments: how many hands, the seed, the program `paishan`.  The environment must not have the package `mahjong`,
which has the same module name.  The exit status is 0 if every hand has the same faan once the corrections of KNOWN are
made, and the arrangements agree; 1 otherwise.  13 faan and a limit are compared as the same.

Not compared: a win after two kongs in a row (8 faan in the package).
"""

import collections
import importlib.util
import json
import random
import subprocess
import sys
import types

# Python from 3.9 on cannot import the package, because of its module of whole games. The others are loaded alone.
PACKAGE = importlib.util.find_spec("mahjong")
sys.modules["mahjong"] = types.ModuleType("mahjong")
sys.modules["mahjong"].__path__ = PACKAGE.submodule_search_locations

from mahjong.melds import Chow, Eyes, Kong, Pong, Wu, WuFlag
from mahjong.players import Player
from mahjong.tiles import BonusTile, Bonuses, Honors, Simples, Tile

RULESET = "hong-kong-old-style"
# What the package counts, in options of ours.
OPTIONS = {"minimum": 0, "limit": 8192, "little-dragons": 5, "great-dragons": "faan", "mixed-terminals": True,
           "concealed-pungs-off-discard": False}
LIMIT = 13
EVERY = 500
SUITS = {"t": Simples.TONG, "s": Simples.ZHU, "m": Simples.WAN}
HONOURS = {**{wind: (Honors.FENG, i) for i, wind in enumerate("ESWN")},
           **{dragon: (Honors.LONG, i) for i, dragon in enumerate("CFP")}}
KINDS = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + list(HONOURS)
ORPHANS = [kind for kind in KINDS if kind in HONOURS or kind[0] in "19"]
TILE = {kind: Tile(*HONOURS[kind]) if kind in HONOURS else Tile(SUITS[kind[1]], int(kind[0]) - 1) for kind in KINDS}
BONUS = {**{tile: (Bonuses.GUI, i) for i, tile in enumerate("hijk")},
         **{tile: (Bonuses.HUA, i) for i, tile in enumerate("opqr")}}
FLAGS = {"first-draw": WuFlag.HEAVENLY, "first-discard": WuFlag.EARTHLY, "last-tile": WuFlag.LAST_CATCH,
         "last-discard": WuFlag.LAST_CATCH, "after-kong": WuFlag.BY_KONG, "after-flower": WuFlag(0)}


# ---------------------------------------------------------------------------------------------
# Hands.

def themes(rng):
    suit = rng.choice("tsm")
    ranks = [kind for kind in KINDS if kind[1:] == suit]
    return [KINDS, KINDS, ranks, ranks + list(HONOURS), ranks + list("CFP"), [k for k in KINDS if k not in ORPHANS],
            ORPHANS, list(HONOURS), list("ESWN"), list("CFP"), [kind for kind in ORPHANS if kind not in HONOURS]]


def random_group(rng, theme):
    while True:
        kind = rng.choice(theme)
        if rng.random() < 0.4:
            return [kind] * (4 if rng.random() < 0.2 else 3)
        run = [f"{int(kind[0]) + i}{kind[1]}" for i in range(3)] if kind not in HONOURS else [None]
        if all(other in theme for other in run):
            return run


def random_hand(rng):
    hand = {"melds": [], "seat": rng.choice("ESWN"), "round": rng.choice("ESWN")}
    form = rng.random()
    if form < 0.02:
        hand["concealed"] = ORPHANS + [rng.choice(ORPHANS)]
    elif form < 0.04:
        suit = rng.choice("tsm")
        hand["concealed"] = [f"{rank}{suit}" for rank in "1112345678999" + rng.choice("123456789")]
    else:
        while True:
            theme = rng.choice(themes(rng))
            groups = [random_group(rng, theme) for _ in range(4)]
            if rng.random() < 0.3:
                groups[0] = random_group(rng, KINDS)
            pair = [rng.choice(theme)] * 2
            if max(collections.Counter(sum(groups, pair)).values()) <= 4:
                break
        closed, hand["concealed"] = rng.random() < 0.4, pair
        for group in groups:
            is_open = not closed and rng.random() < 0.5
            if len(group) == 4 or is_open:
                hand["melds"].append((group, is_open))
            else:
                hand["concealed"] = hand["concealed"] + group
    hand["win"] = rng.choice(hand["concealed"])
    share = rng.choice([0, 0.1, 0.3, 0.6, 0.9])
    hand["flowers"] = "".join(tile for tile in BONUS if rng.random() < share)
    circumstances(rng, hand)
    return hand


def circumstances(rng, hand):
    held = collections.Counter(sum((group for group, _ in hand["melds"]), hand["concealed"]))
    kongs = any(len(group) == 4 for group, _ in hand["melds"])
    way = rng.choice(["discard"] * 2 + ["wall"] * 2 + ["after-kong"] * kongs + ["after-flower"] * bool(hand["flowers"])
                     + ["robbed-kong"] * (held[hand["win"]] == 1))
    hand["drawn"] = way not in ("discard", "robbed-kong")
    hand["by"] = "replacement" if way.startswith("after") else way
    hand["flags"] = [way] if way.startswith("after") else []
    if not hand["drawn"]:
        hand["from"] = rng.choice([seat for seat in "ESWN" if seat != hand["seat"]])
    if way != "robbed-kong" and rng.random() < 0.1:
        hand["flags"].append("last-tile" if hand["drawn"] else "last-discard")
    elif not hand["melds"] and rng.random() < 0.05:
        if hand["drawn"] and hand["seat"] == "E":
            hand["flags"].append("first-draw")
        elif hand.get("from") == "E" and way == "discard":
            hand["flags"].append("first-discard")


def melds_of(hand):
    return [{"tiles": "".join(group), "open": is_open} for group, is_open in hand["melds"]]


def request(hand):
    rest = list(hand["concealed"])
    rest.remove(hand["win"])
    return {"type": "score", "ruleset": RULESET, "options": OPTIONS, "round": hand["round"],
            "player": {"seat": hand["seat"], "hand": "".join(rest), "melds": melds_of(hand),
                       "flowers": hand["flowers"]},
            "win": {"tile": hand["win"], "by": hand["by"], "from": hand.get("from"), "flags": hand["flags"]}}


def ask(program, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    out = subprocess.run([program, "jsonl"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


# ---------------------------------------------------------------------------------------------
# The package.

class Hand(Wu):
    """A winning hand whose arrangements are given, not searched."""

    def check_meld(self):
        pass


def meld_of(group):
    size = {2: Eyes, 4: Kong}
    kind = size.get(len(group)) or (Pong if group[0] == group[1] else Chow)
    return kind([TILE[tile] for tile in group])


def readings(count, groups=()):
    """Every way to split counts of tiles into groups and a pair."""
    kind = next((kind for kind in KINDS if count[kind]), None)
    if kind is None:
        return [groups] if any(len(group) == 2 for group in groups) else []
    found, ways = [], [(kind,) * 3]
    if not any(len(group) == 2 for group in groups):
        ways.append((kind,) * 2)
    if kind not in HONOURS and int(kind[0]) < 8:
        ways.append(tuple(f"{int(kind[0]) + i}{kind[1]}" for i in range(3)))
    for way in ways:
        if not collections.Counter(way) - count:
            found += readings(count - collections.Counter(way), (*groups, way))
    return found


def is_orphans(hand):
    return len(hand["concealed"]) == 14 and set(hand["concealed"]) == set(ORPHANS)


def bonus_faan(hand):
    player = Player("ESWN".index(hand["seat"]))
    player.bonus = [BonusTile(*BONUS[tile]) for tile in hand["flowers"]]
    return player.bonus_faan()


def package_faan(hand, corrections):
    """The best faan, and what was corrected in that arrangement."""
    flags = WuFlag.SELF_DRAW if hand["drawn"] else WuFlag(0)
    for flag in hand["flags"]:
        flags |= FLAGS[flag]
    if hand["by"] == "robbed-kong":
        flags |= WuFlag.ROBBING_KONG
    melds = [meld_of(group) for group, _ in hand["melds"]]
    wu = Hand([TILE[tile] for tile in hand["concealed"]], melds, None, flags)
    winds = ("ESWN".index(hand["seat"]), "ESWN".index(hand["round"]))
    choices = [[wu]] if is_orphans(hand) else [
        melds + [meld_of(group) for group in reading] for reading in readings(collections.Counter(hand["concealed"]))]
    best = None
    for choice in choices:
        faan, held = wu.faan(choice, winds)
        faan += bonus_faan(hand)
        changes = {why: change(hand, choice, held) for why, change in corrections}
        value = min(LIMIT, faan + sum(changes.values()))
        if best is None or value > best[0]:
            best = value, [why for why, change in changes.items() if change]
    return best


def closed(hand):
    return not any(is_open for _, is_open in hand["melds"])


def valued_pairs(hand, choice, flags):
    valued = [TILE[kind] for kind in "CFP"] + [TILE[hand["seat"]], TILE[hand["round"]]]
    return -sum(tile == meld.tiles[0] for meld in choice if isinstance(meld, Eyes) for tile in valued)


def concealed_kongs(hand, choice, flags):
    if not hand["melds"] or not closed(hand):
        return 0
    pungs = WuFlag.ALL_IN_TRIPLETS in flags and hand["drawn"]
    return 1 + (LIMIT if pungs else 0)


def nine_gates(hand, choice, flags):
    tiles = "".join(sorted(tile[0] for tile in hand["concealed"]))
    one_suit = not hand["melds"] and WuFlag.ALL_ONE_SUIT in flags
    return LIMIT if one_suit and not collections.Counter("1112345678999") - collections.Counter(tiles) else 0


# Where the package departs from the sources of the ruleset: what and why, and how many faan that makes.
KNOWN = [
    ("the package counts a pair of dragons or of the own winds as a pung of them", valued_pairs),
    ("big three dragons: 8 faan in all in the source, 8 beside the three pungs in the package",
     lambda hand, choice, flags: -3 * (WuFlag.GREAT_DRAGONS in flags)),
    ("little three dragons: 5 faan in all (`little-dragons`), 5 beside the two pungs in the package",
     lambda hand, choice, flags: -2 * (WuFlag.SMALL_DRAGONS in flags)),
    ("little four winds: 6 faan in the source, 10 in the package",
     lambda hand, choice, flags: -4 * (WuFlag.SMALL_WINDS in flags)),
    ("terminals alone: a limit in the source, 7 faan beside the pungs in the package",
     lambda hand, choice, flags: LIMIT * (WuFlag.ORPHANS in flags)),
    ("nine gates: a limit in the source; the package never finds them", nine_gates),
    ("a concealed kong opens the hand in the package", concealed_kongs),
    ("six or more bonus tiles: 1 or 3 faan on the club's page; in the package none, and 8 for all eight",
     lambda hand, choice, flags: {6: 1, 7: 3, 8: 3 - 8}.get(len(hand["flowers"]), 0)),
]


# ---------------------------------------------------------------------------------------------
# The comparison.

def our_faan(answer):
    if not answer["ok"]:
        return answer["error"]["message"]
    return LIMIT if answer["limit"] else answer["doubles"]


def arrangements(hand):
    """What the package's search and the engine's grammar find, as sorted texts."""
    try:
        found = Wu([TILE[tile] for tile in hand["concealed"]], [meld_of(group) for group, _ in hand["melds"]]).melds
    except ValueError:
        found = []
    return sorted({" ".join(sorted(map(str, choice))) for choice in found})


def engine_arrangements(hand, answer):
    melds = [str(meld_of(group)) for group, _ in hand["melds"]]
    found = []
    for groups in answer["arrangements"]:
        split = [list(group) if group[0] in HONOURS else [rank + group[-1] for rank in group[:-1]] for group in groups]
        found.append(" ".join(sorted(melds + [str(meld_of(group)) for group in split])))
    return sorted(found)


def main():
    count, seed, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    tally, seen = collections.Counter(), collections.Counter()
    hands = [random_hand(rng) for _ in range(count)]
    unexplained = 0
    for hand, answer in zip(hands, ask(program, map(request, hands)), strict=True):
        seen.update({pattern["id"] for pattern in answer.get("patterns", [])})
        package, _ = package_faan(hand, [])
        value, why = package_faan(hand, KNOWN)
        if value != our_faan(answer):
            unexplained += 1
            if unexplained <= 10:
                print(json.dumps(request(hand)), f"package {package}, corrected {value}", json.dumps(answer),
                      sep="\n  ")
        elif package != value:
            tally["with a difference"] += 1
            tally.update(why)
    sample = [hand for hand in hands[::EVERY] if not is_orphans(hand)]
    decompose = [{"type": "decompose", "ruleset": RULESET, "hand": "".join(hand["concealed"]), "melds": melds_of(hand)}
                 for hand in sample]
    for hand, answer in zip(sample, ask(program, decompose), strict=True):
        if arrangements(hand) == engine_arrangements(hand, answer):
            tally["arrangements agree with the package's search"] += 1
        else:
            unexplained += 1
            print("arrangements", "".join(hand["concealed"]), arrangements(hand), engine_arrangements(hand, answer))
    print("patterns seen:")
    for name, number in sorted(seen.items()):
        print(f"{number:9} {name}")
    print(f"{count:9} hands")
    for name, number in sorted(tally.items()):
        print(f"{number:9} {name}")
    print(f"{unexplained:9} unexplained")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
