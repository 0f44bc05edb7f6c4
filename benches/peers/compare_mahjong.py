#!/usr/bin/env python3
"""Compare the Riichi scoring of the engine with the Python package `mahjong`.

The package (https://pypi.org/project/mahjong/, MIT licence, written after the rules of
tenhou.net) is independent of this engine.  The script makes random winning hands, asks both
for their value and compares han, fu, limits, points, name, the yaku with their values, and the
arrangement of the tiles; for a part of the hands also the payments of a whole table (`settle`).
Hands which both have to refuse (no form, no yaku, contradictory flags) are among them.

Install and run (standard library and `mahjong` only; written against mahjong 2.1.0):

    python3 -m venv venv && venv/bin/pip install mahjong==2.1.0
    cargo build --release -p paishan-cli
    venv/bin/python benches/peers/compare_mahjong.py 100000 1 target/release/paishan

Arguments: how many hands, the seed, the program `paishan`.  The exit status is 0 when every
difference belongs to a class of KNOWN below, in which the package departs from our specification
(and the engine gave what the specification asks for); 1 otherwise, after the first differences of
each class have been printed.

How the two are made to follow one rule set
-------------------------------------------
Most hands use the Tenhou-like options TENHOU, the rest vary every option which both sides have:

    engine                             package
    rounded-up-mangan                  kiriage
    open-all-simples                   has_open_tanyao
    pinfu-self-pick                    not fu_for_pinfu_tsumo
    open-pinfu-fu 30 / 20              fu_for_open_pinfu
    counted-limit                      kazoe_limit
    double-limit-hands                 has_double_yakuman
    gift-of-man limit / none           renhou_as_yakuman / is_renhou not given
    the-chariot, big-seven-stars       has_daisharin, has_daichisei
    eight-dealer-keeps                 paarenchan=1, paarenchan_needs_yaku=False
    red-fives [1,1,1] / [0,0,0]        has_aka_dora
    ippatsu, ura-dora                  is_ippatsu, ura_dora_indicators not given
    double-wind-pair-fu 4 / 2          2: `valued_tiles` without repeats (a wrapper, see below)
    responsibility-kan-replacement     true: the package has no such win; it is computed as a
                                       win off a discard with chankan in the place of rinshan

Seven pairs of honors: the package lists daichisei beside tsuuiisou, one limit each; ours is
`big-seven-stars` alone, two limits.  They are taken as equal (NAME has the mapping).
The package does not say which reading it chose, so it is asked once for each reading
(`HandDivider` is replaced for that); the `arrangement` of the engine has to be the first in byte
order among the readings of the highest value, as the specification has it.
"""

import argparse
import collections
import contextlib
import json
import random
import subprocess
import sys

import mahjong.hand_calculating.hand as hand_module
from mahjong.constants import EAST
from mahjong.hand_calculating.fu import FuCalculator
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.meld import Meld

RULESET = "riichi-mcgill"
SEATS = "ESWN"
RED_FIVES = (16, 52, 88)  # man, pin, sou in the package's 136 numbers
HONORS = list(range(27, 34))
DRAGONS = [31, 32, 33]
WINDS = [27, 28, 29, 30]
TERMINALS = [0, 8, 9, 17, 18, 26]
GREEN = [19, 20, 21, 23, 25, 32]

# The package's class of a yaku and our id, in the order of the specification (9.1, 9.2, 9.3).
NAME = {
    "Riichi": "riichi", "DaburuRiichi": "double-riichi", "Ippatsu": "ippatsu",
    "Tsumo": "concealed-self-pick", "Pinfu": "pinfu", "Tanyao": "all-simples",
    "Iipeiko": "identical-chiis",
    **{f"SeatWind{wind}": "seat-wind" for wind in ("East", "South", "West", "North")},
    **{f"RoundWind{wind}": "round-wind" for wind in ("East", "South", "West", "North")},
    "Chun": "red-dragon", "Hatsu": "green-dragon",
    "Haku": "white-dragon", "Haitei": "last-tile-self-pick", "Houtei": "last-tile-discard",
    "Rinshan": "win-off-a-kan-replacement", "Chankan": "robbed-kan",
    "Chiitoitsu": "seven-pairs", "Sanshoku": "mixed-chiis", "Ittsu": "full-straight",
    "SanshokuDoukou": "mixed-pons", "Toitoi": "all-pons", "Sanankou": "three-concealed-pons",
    "SanKantsu": "three-kans", "Chantai": "outside-hand", "Honroto": "all-terminals-and-honors",
    "Shosangen": "little-three-dragons", "Honitsu": "half-flush",
    "Junchan": "pure-outside-hand", "Ryanpeikou": "double-identical-chiis",
    "Chinitsu": "full-flush", "Dora": "dora", "UraDora": "ura-dora", "AkaDora": "red-five",
    "Tenhou": "gift-of-heaven", "Chiihou": "gift-of-earth", "RenhouYakuman": "gift-of-man",
    "Paarenchan": "eight-dealer-keeps", "KokushiMusou": "thirteen-orphans",
    "DaburuKokushiMusou": "thirteen-way-thirteen-orphans", "ChuurenPoutou": "nine-gates",
    "DaburuChuurenPoutou": "pure-nine-gates", "Suuankou": "four-concealed-pons",
    "SuuankouTanki": "pair-wait-on-four-concealed-pons", "Daisangen": "big-three-dragons",
    "Shousuushii": "little-four-winds", "DaiSuushii": "big-four-winds",
    "Tsuuiisou": "all-honors", "Daichisei": "big-seven-stars", "Chinroutou": "all-terminals",
    "Ryuuiisou": "perfect-green", "Suukantsu": "four-kans", "Daisharin": "the-chariot",
}
ORDER = list(dict.fromkeys(NAME.values()))

VALUE = ("points", "limits", "han", "fu")  # by which readings are ranked (8)

# What the engine has to say where the package refuses; for everything else `bad-request`.
REFUSAL = {
    HandCalculator.ERR_HAND_NOT_WINNING: {"not-a-win", "too-many-copies", "wrong-tile-count"},
    HandCalculator.ERR_NO_YAKU: {"below-minimum"},
}

TENHOU = {
    "rounded-up-mangan": False, "open-all-simples": True, "pinfu-self-pick": True,
    "open-pinfu-fu": 30, "double-wind-pair-fu": 4, "counted-limit": "limit",
    "double-limit-hands": [], "gift-of-man": "none", "eight-dealer-keeps": False,
    "the-chariot": False, "big-seven-stars": False, "red-fives": [1, 1, 1], "ippatsu": True,
    "ura-dora": True, "responsibility": [], "responsibility-kan-replacement": False,
}
DOUBLE = ["thirteen-way-thirteen-orphans", "pure-nine-gates",
          "pair-wait-on-four-concealed-pons", "big-four-winds"]


def random_options(rng):
    """The Tenhou-like options, or a random variation of what both sides can do."""
    options = dict(TENHOU)
    if rng.random() < 0.4:
        return options
    flip = rng.choice([0.15, 0.5])
    for name in ("rounded-up-mangan", "open-all-simples", "pinfu-self-pick", "eight-dealer-keeps",
                 "the-chariot", "big-seven-stars", "ippatsu", "ura-dora",
                 "responsibility-kan-replacement"):
        if rng.random() < flip:
            options[name] = not options[name]
    for name, value in (("open-pinfu-fu", 20), ("double-wind-pair-fu", 2),
                        ("counted-limit", "triple-mangan"), ("gift-of-man", "limit"),
                        ("red-fives", [0, 0, 0]), ("double-limit-hands", DOUBLE)):
        if rng.random() < flip:
            options[name] = value
    if options["big-seven-stars"]:  # the package always has two limits for it
        options["double-limit-hands"] = options["double-limit-hands"] + ["big-seven-stars"]
    return options


# ---------------------------------------------------------------------------------------------
# Tiles.  Kinds are 0–33 as in the package: man, pin, sou, E S W N, white, green, red.

def write_tiles(tiles, notation):
    """Physical tiles (0–135), or negative numbers -1-kind for tiles written without red."""
    out = []
    for tile in tiles:
        kind, red = (tile // 4, tile in RED_FIVES) if tile >= 0 else (-1 - tile, False)
        suit, rank = divmod(kind, 9)
        if notation == "mpsz":
            out.append(f"{rank + 1}z" if suit == 3 else f"{0 if red else rank + 1}{'mps'[suit]}")
        elif suit == 3:
            out.append("ESWNPFC"[rank])
        else:
            out.append(f"{'R' if red else rank + 1}{'mts'[suit]}")
    return "".join(out)


def write_group(kinds, notation):
    """A group in canonical notation: kinds in order, one suit letter at the end."""
    order = {"ujmj": "tsm", "mpsz": "psm"}[notation]
    text = ""
    for letter in order:
        suit = {"m": 0, "t": 1, "p": 1, "s": 2}[letter]
        ranks = sorted(kind % 9 + 1 for kind in kinds if kind < 27 and kind // 9 == suit)
        text += "".join(map(str, ranks)) + (letter if ranks else "")
    honors = [kind - 27 for kind in (27, 28, 29, 30, 33, 32, 31) for k in kinds if k == kind]
    if notation == "mpsz":
        return text + "".join(str(h + 1) for h in honors) + ("z" if honors else "")
    return text + "".join("ESWNPFC"[h] for h in honors)


# ---------------------------------------------------------------------------------------------
# Random hands.

class Hand:
    """A hand in physical tiles with the circumstances of its win."""

    def __init__(self):
        self.concealed = []      # with the winning tile
        self.melds = []          # dicts: type, tiles, open, from, added
        self.win = None
        self.by = "discard"
        self.win_from = None
        self.flags = []
        self.seat = "E"
        self.round = "E"
        self.dora = []
        self.ura = []
        self.honba = 0
        self.deposits = 0
        self.options = {}
        self.pool = None         # tiles left, for the hands of the others
        self.robbed = []         # the other three tiles of a robbed kan
        self.no_red = False      # red fives are written as plain ones

    @property
    def open(self):
        return any(meld["open"] for meld in self.melds)

    def tiles(self):
        return self.concealed + [tile for meld in self.melds for tile in meld["tiles"]]


def chi(rng, suit=None, ranks=range(7)):
    first = (rng.randrange(3) if suit is None else suit) * 9 + rng.choice(list(ranks))
    return [first, first + 1, first + 2]


def pon(rng, kinds):
    return [rng.choice(kinds)] * 3


def random_group(rng, style, suit):
    in_suit = list(range(suit * 9, suit * 9 + 9))
    if style == "flush":
        return chi(rng, suit) if rng.random() < 0.65 else pon(rng, in_suit)
    if style == "narrow":  # many copies in few kinds: ambiguous readings
        low = suit * 9
        return chi(rng, suit, range(2, 5)) if rng.random() < 0.65 else pon(rng, in_suit[1:6])
    if style == "half-flush":
        return random_group(rng, "flush", suit) if rng.random() < 0.65 else pon(rng, HONORS)
    if style == "simples":
        if rng.random() < 0.65:
            return chi(rng, None, range(1, 6))
        return [rng.randrange(3) * 9 + rng.randrange(1, 8)] * 3
    if style == "outside":
        if rng.random() < 0.6:
            return chi(rng, None, (0, 6))
        return pon(rng, TERMINALS + HONORS)
    if style == "pure-outside":
        return chi(rng, None, (0, 6)) if rng.random() < 0.7 else pon(rng, TERMINALS)
    if style == "pons":
        return pon(rng, range(34))
    if style == "chis":
        return chi(rng)
    if style == "orphan-pons":
        return pon(rng, TERMINALS + HONORS)
    if style == "honors":
        return pon(rng, HONORS)
    if style == "terminals":
        return pon(rng, TERMINALS)
    if style == "winds":
        return pon(rng, WINDS) if rng.random() < 0.85 else random_group(rng, "any", suit)
    if style == "dragons":
        return pon(rng, DRAGONS) if rng.random() < 0.75 else random_group(rng, "any", suit)
    if style == "green":
        return [19, 20, 21] if rng.random() < 0.5 else pon(rng, GREEN)
    return chi(rng) if rng.random() < 0.6 else pon(rng, range(34))


def random_pair(rng, style, suit):
    kinds = {
        "flush": range(suit * 9, suit * 9 + 9), "narrow": range(suit * 9, suit * 9 + 9),
        "half-flush": list(range(suit * 9, suit * 9 + 9)) + HONORS,
        "simples": [k for k in range(27) if 0 < k % 9 < 8], "outside": TERMINALS + HONORS,
        "pure-outside": TERMINALS, "orphan-pons": TERMINALS + HONORS, "honors": HONORS,
        "terminals": TERMINALS, "winds": WINDS + [0, 13], "dragons": DRAGONS + [5], "green": GREEN,
    }.get(style, range(34))
    return [rng.choice(list(kinds))] * 2


STYLES = ["any"] * 6 + ["chis"] * 3 + [
    "flush", "flush", "narrow", "narrow", "half-flush", "half-flush", "simples", "simples",
    "outside", "outside", "pure-outside", "pons", "orphan-pons", "honors", "terminals", "winds",
    "winds", "dragons", "green"]


def forced_groups(rng, suit):
    """Groups of a yaku that seldom comes by chance."""
    which = rng.randrange(9)
    rank = rng.randrange(7)
    if which == 0:  # mixed chiis
        return [[s * 9 + rank + i for i in range(3)] for s in range(3)]
    if which == 1:  # mixed pons
        rank = rng.randrange(9)
        return [[s * 9 + rank] * 3 for s in range(3)]
    if which == 2:  # full straight
        return [[suit * 9 + first + i for i in range(3)] for first in (0, 3, 6)]
    first = suit * 9 + rank
    run = [first, first + 1, first + 2]
    if which == 3:  # identical chiis, two to four
        return [run] * rng.choice([2, 3, 4])
    if which == 4:  # two pairs of identical chiis
        other = chi(rng)
        return [run, run, other, other]
    if which == 5:  # dragons
        return [[dragon] * 3 for dragon in rng.sample(DRAGONS, rng.choice([2, 3]))]
    if which == 6:  # winds
        return [[wind] * 3 for wind in rng.sample(WINDS, rng.choice([2, 3, 4]))]
    if which == 7:  # a chariot in some suit, with a pair of 2, 5 or 8
        firsts = rng.choice([(3, 3, 6, 6), (2, 2, 6, 6), (2, 2, 5, 5)])
        return [[suit * 9 + first + i for i in (-1, 0, 1)] for first in firsts]
    rank = rng.randrange(6)  # three pons in a row, which are three equal chiis too
    return [[suit * 9 + rank + i] * 3 for i in range(3)]


def standard_form(rng):
    """Four groups and a pair, as kinds."""
    while True:
        style, suit = rng.choice(STYLES), rng.randrange(3)
        if style == "narrow":
            suit = rng.choice([suit, 1])
        groups = forced_groups(rng, suit) if rng.random() < 0.3 else []
        while len(groups) < 4:
            groups.append(random_group(rng, style, suit))
        pair = random_pair(rng, style, suit)
        missing = [kind for kind in DRAGONS + WINDS if [kind] * 3 not in groups]
        if groups[0][0] > 26 and groups[1][0] > 26 and missing and rng.random() < 0.5:
            pair = [rng.choice(missing)] * 2
        elif (len(set(map(tuple, groups))) == 2 and groups[0][0] < 27
              and rng.random() < 0.5):
            pair = [groups[0][0] // 9 * 9 + rng.choice([1, 4, 7])] * 2
        count = collections.Counter(kind for group in groups + [pair] for kind in group)
        if max(count.values()) <= 4:
            return groups, pair, count


def special_form(rng):
    """Concealed forms: fourteen kinds."""
    which = rng.random()
    suit = rng.randrange(3)
    if which < 0.25:  # thirteen orphans
        return TERMINALS + HONORS + [rng.choice(TERMINALS + HONORS)]
    if which < 0.45:  # nine gates
        extra = rng.randrange(9)
        return [suit * 9 + rank for rank in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, extra)]
    kinds = rng.choice([
        range(34), range(34), range(suit * 9, suit * 9 + 9), TERMINALS + HONORS, HONORS,
        list(range(suit * 9, suit * 9 + 9)) + HONORS, range(suit * 9 + 1, suit * 9 + 8),
        [k for k in range(27) if 0 < k % 9 < 8], [k for k in range(27) if k % 9 < 4]])
    return [kind for kind in rng.sample(list(kinds), 7) for _ in range(2)]


def random_hand(rng):
    """A complete hand; its win may still lack a yaku."""
    hand = Hand()
    hand.options = random_options(rng)
    hand.seat, hand.round = rng.choice(SEATS), rng.choice(SEATS)
    copies = {kind: rng.sample(range(kind * 4, kind * 4 + 4), 4) for kind in range(34)}

    def take(kinds):
        return sorted(copies[kind].pop() for kind in kinds)

    others = [seat for seat in SEATS if seat != hand.seat]
    left = SEATS[(SEATS.index(hand.seat) + 3) % 4]
    if rng.random() < 0.13:
        hand.concealed = take(special_form(rng))
    else:
        groups, pair, count = standard_form(rng)
        wind = 27 + SEATS.index(hand.seat)
        if count[wind] == 0 and rng.random() < 0.05:  # a pair of a wind that is both
            hand.round, pair = hand.seat, [wind, wind]
        hand.concealed = take(pair)
        exposed = rng.choice([0, 0, 0, 0.3, 0.6, 1])       # chance of a claimed meld
        kans = rng.choice([0, 0, 0.2, 0.2, 0.5, 1])        # chance of a kan
        rng.shuffle(groups)
        for group in groups:
            is_pon = group[0] == group[1]
            if is_pon and count[group[0]] == 3 and rng.random() < kans:
                meld = {"type": Meld.KAN, "tiles": take(group + group[:1]), "open": False}
                if rng.random() < exposed:
                    meld |= {"open": True, "from": rng.choice(others)}
                    if rng.random() < 0.5:
                        meld |= {"type": Meld.SHOUMINKAN, "added": True}
                hand.melds.append(meld)
            elif rng.random() < exposed:
                hand.melds.append({
                    "type": Meld.PON if is_pon else Meld.CHI, "tiles": take(group), "open": True,
                    "from": rng.choice(others) if is_pon else left})
            else:
                hand.concealed += take(group)
    hand.win = rng.choice(hand.concealed)
    random_circumstances(rng, hand, others)

    # The rest of the set: indicators, and hands for the others.
    used = set(hand.tiles())
    if hand.by == "robbed-kong":
        kind = hand.win // 4
        hand.robbed = [t for t in range(kind * 4, kind * 4 + 4) if t != hand.win]
        used |= set(hand.robbed)
    pool = [tile for tile in range(136) if tile not in used]
    rng.shuffle(pool)
    if rng.random() < 0.35:  # some indicators of tiles in the hand
        kinds = {tile // 4 for tile in hand.tiles()}
        lucky = [tile for tile in pool if next_kind(tile // 4) in kinds][:rng.randrange(1, 8)]
        pool = lucky + [tile for tile in pool if tile not in lucky]
    for _ in range(rng.randrange(6)):
        hand.dora.append(pool.pop(0))
    if rng.random() < 0.8:
        hand.ura = [pool.pop(0) for _ in range(len(hand.dora))]
    hand.pool = pool
    hand.no_red = hand.options["red-fives"] == [0, 0, 0]
    hand.honba, hand.deposits = rng.choice([0, 0, 1, 2, 7]), rng.choice([0, 0, 1, 3])
    return hand


def random_circumstances(rng, hand, others):
    """How it was won, and the flags, within the rules."""
    closed = not hand.open
    kans = [meld for meld in hand.melds if len(meld["tiles"]) == 4]
    ways = ["discard"] * 4 + ["wall"] * 4
    if kans:
        ways += ["replacement"] * 3
    if sum(tile // 4 == hand.win // 4 for tile in hand.tiles()) == 1:
        ways += ["robbed-kong"]
    hand.by = rng.choice(ways)
    if hand.by in ("discard", "robbed-kong"):
        hand.win_from = rng.choice(others)
    flags = hand.flags
    if closed and rng.random() < 0.45:
        flags += rng.choice([["riichi"]] * 3 + [["double-riichi"], ["riichi", "double-riichi"]])
        if hand.by != "replacement" and rng.random() < 0.3:
            flags.append("ippatsu")
    if hand.by in ("wall", "discard") and rng.random() < 0.1:
        flags.append("last-tile")
    if hand.by == "replacement":
        if rng.random() < 0.5:
            flags.append("after-kong")
        if kans[-1]["open"] and "added" not in kans[-1] and rng.random() < 0.5:
            hand.win_from = kans[-1]["from"]
    if not flags and not hand.melds and rng.random() < 0.08 and (
            hand.by == "wall" or hand.by == "discard" and hand.seat != "E"):
        flags.append("first-turn")
    if hand.seat == "E" and rng.random() < 0.1:
        flags.append("eight-dealer-keeps")
    rng.shuffle(flags)


def next_kind(kind):
    if kind < 27:
        return kind // 9 * 9 + (kind + 1) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


def spoil(rng, hand):
    """Make a hand that has to be refused (or that another form saves); say how."""
    ways = ["tile", "tile", "ippatsu", "fifth", "short"]
    if hand.open:
        ways += ["riichi", "riichi"]
    if hand.melds:
        ways += ["first-turn"]
    if hand.by in ("replacement", "robbed-kong"):
        ways += ["last-tile"] * 3
    if hand.seat == "E" and hand.by == "discard" and not hand.melds:
        ways += ["gift"] * 2
    way = rng.choice(ways)
    if way == "tile":
        index = rng.randrange(len(hand.concealed))
        if hand.concealed[index] == hand.win:
            index = (index + 1) % len(hand.concealed)
        new = hand.pool.pop(0)
        hand.pool.append(hand.concealed[index])
        hand.concealed[index] = new
    elif way == "ippatsu":
        hand.flags = [f for f in hand.flags if f not in ("riichi", "double-riichi", "ippatsu")]
        hand.flags = [f for f in hand.flags if f != "first-turn"] + ["ippatsu"]
    elif way == "fifth":  # a tile twice
        full = [tile for tile in hand.concealed
                if sum(other // 4 == tile // 4 for other in hand.tiles()) == 4]
        free = [index for index, tile in enumerate(hand.concealed)
                if full and tile != hand.win and tile // 4 != full[0] // 4]
        if free:
            hand.concealed[free[0]] = full[0]
    elif way == "short":
        index = next(i for i, t in enumerate(hand.concealed) if t != hand.win)
        del hand.concealed[index]
    elif way == "riichi":
        hand.flags = [f for f in hand.flags if f != "first-turn"]
        hand.flags.append(rng.choice(["riichi", "double-riichi"]))
    elif way == "last-tile":
        hand.flags.append("last-tile")
    elif way in ("first-turn", "gift"):
        hand.flags = ["first-turn"]
        if way == "first-turn":
            hand.by = rng.choice(["wall"] if hand.seat == "E" else ["wall", "discard"])
            hand.win_from = None
    return way


# ---------------------------------------------------------------------------------------------
# The engine.

def player_json(hand, notation, rng):
    def text(tiles):
        if hand.no_red:
            tiles = [-1 - tile // 4 for tile in tiles]
        return write_tiles(tiles, notation)

    concealed = list(hand.concealed)
    concealed.remove(hand.win)
    rng.shuffle(concealed)
    melds = []
    for meld in hand.melds:
        entry = {"tiles": text(rng.sample(meld["tiles"], len(meld["tiles"]))),
                 "open": meld["open"]}
        entry |= {key: meld[key] for key in ("from", "added") if key in meld}
        melds.append(entry)
    return {"seat": hand.seat, "hand": text(concealed), "melds": melds}, text


def score_request(hand, identity, notation, rng):
    player, text = player_json(hand, notation, rng)
    win = {"tile": text([hand.win]), "by": hand.by, "flags": hand.flags}
    if hand.win_from:
        win["from"] = hand.win_from
    options = {name: value for name, value in hand.options.items() if name in TENHOU}
    request = {"id": str(identity), "type": "score", "ruleset": RULESET, "options": options,
               "round": hand.round, "player": player, "win": win, "dora": text(hand.dora),
               "ura": text(hand.ura), "honba": hand.honba, "deposits": hand.deposits}
    if notation != "ujmj":
        request["notation"] = notation
    return request


def settle_request(hand, score, rng):
    """The same win at a whole table; the others have random tiles of the rest."""
    notation = score.get("notation", "ujmj")
    _, text = player_json(hand, notation, rng)
    pool, players = list(hand.pool), []
    for seat in SEATS:
        if seat == hand.seat:
            players.append(score["player"])
            continue
        melds, count = [], 13
        if hand.robbed and seat == hand.win_from:
            melds = [{"tiles": text(hand.robbed + [hand.win]), "open": True, "added": True}]
            count = 10
        players.append({"seat": seat, "hand": text(pool[:count]), "melds": melds})
        del pool[:count]
    request = {key: value for key, value in score.items() if key not in ("player", "win")}
    return request | {"id": score["id"] + "s", "type": "settle", "players": players,
                      "wins": [{"seat": hand.seat} | score["win"]]}


def ask(engine, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    out = subprocess.run([engine, "jsonl"], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in out.stdout.splitlines()]
    if len(answers) != len(requests):
        sys.exit(f"{len(requests)} requests, {len(answers)} answers")
    return answers


# ---------------------------------------------------------------------------------------------
# The package.

@contextlib.contextmanager
def only_reading(reading):
    """Let the package see one division of the hand only."""
    class One:
        @staticmethod
        def divide_hand(tiles_34, melds=None):
            return [reading]

    real, hand_module.HandDivider = hand_module.HandDivider, One
    try:
        yield
    finally:
        hand_module.HandDivider = real


class PairOnce(FuCalculator):
    """double-wind-pair-fu 2: a wind that is both counts once."""

    @staticmethod
    def calculate_fu(hand, win_tile, win_group, config, valued_tiles=None, melds=None):
        return FuCalculator.calculate_fu(
            hand, win_tile, win_group, config, list(dict.fromkeys(valued_tiles)), melds)


def peer_value(hand, corrections=()):
    """What the package says: (error, readings, own), a reading being a comparable dict."""
    options, flags = hand.options, hand.flags
    rules = OptionalRules(
        has_open_tanyao=options["open-all-simples"],
        has_aka_dora=options["red-fives"] == [1, 1, 1],
        has_double_yakuman=DOUBLE[0] in options["double-limit-hands"],
        kazoe_limit=(HandConstants.KAZOE_LIMITED if options["counted-limit"] == "limit"
                     else HandConstants.KAZOE_SANBAIMAN),
        kiriage=options["rounded-up-mangan"],
        fu_for_open_pinfu=(options["open-pinfu-fu"] == 30
                           or "open-fu" in corrections and hand.by in ("wall", "replacement")),
        fu_for_pinfu_tsumo=not options["pinfu-self-pick"],
        renhou_as_yakuman=True,
        has_daisharin=options["the-chariot"] and not (
            "chariot" in corrections and hand.open),
        has_daichisei=options["big-seven-stars"], limit_to_sextuple_yakuman=False,
        paarenchan_needs_yaku=False)
    first, last = "first-turn" in flags, "last-tile" in flags
    fed = (hand.by == "replacement" and hand.win_from is not None
           and options["responsibility-kan-replacement"])
    tsumo = hand.by in ("wall", "replacement") and not fed
    given = dict(
        is_tsumo=tsumo, is_riichi="riichi" in flags, is_daburu_riichi="double-riichi" in flags,
        is_ippatsu="ippatsu" in flags, is_rinshan=hand.by == "replacement" and not fed,
        is_chankan=hand.by == "robbed-kong" or fed,
        is_haitei=last and tsumo, is_houtei=last and not tsumo,
        is_tenhou=first and tsumo and hand.seat == "E",
        is_chiihou=first and tsumo and hand.seat != "E",
        is_renhou=first and not tsumo,
        paarenchan=int("eight-dealer-keeps" in flags and options["eight-dealer-keeps"]),
        player_wind=EAST + SEATS.index(hand.seat), round_wind=EAST + SEATS.index(hand.round),
        tsumi_number=hand.honba, kyoutaku_number=hand.deposits)
    if not options["ippatsu"] and ("riichi" in flags or "double-riichi" in flags):
        given["is_ippatsu"] = False
    if options["gift-of-man"] == "none" and hand.seat != "E" and not hand.melds:
        given["is_renhou"] = False
    melds = [Meld(meld["type"], meld["tiles"], meld["open"]) for meld in hand.melds]
    tiles = hand.tiles()
    ura = hand.ura if options["ura-dora"] else []

    def estimate():
        config = HandConfig(options=rules, **given)
        answer = HandCalculator.estimate_hand_value(
            tiles, hand.win, melds, hand.dora, config, ura_dora_indicators=ura)
        if answer.error:
            return answer.error, None
        value = peer_answer(answer, hand, fed)
        if "level" in corrections and value["name"] is None and value["points"] >= (
                12000 if hand.seat == "E" else 8000):
            value["name"] = "mangan"
        return None, value

    fu_calculator = FuCalculator if options["double-wind-pair-fu"] == 4 else PairOnce
    hand_module.FuCalculator = fu_calculator
    try:
        error, own = estimate()
        if error:
            return error, [], None
        counts = [0] * 34
        for tile in tiles:
            counts[tile // 4] += 1
        divisions = hand_module.HandDivider.divide_hand(counts, melds)
        if not divisions:  # thirteen orphans
            return None, [own | {"arrangement": [sorted(tile // 4 for tile in tiles)]}], own
        readings = []
        for division in divisions:
            with only_reading(division):
                error, value = (None, own) if len(divisions) == 1 else estimate()
            if not error:
                readings.append(value | {"arrangement": division})
        return None, readings, own
    finally:
        hand_module.FuCalculator = FuCalculator


def peer_answer(answer, hand, fed):
    """The package's answer in the engine's words."""
    yaku, limits = {}, 0
    for item in answer.yaku:
        han = item.han_open if hand.open and item.han_open else item.han_closed
        if item.is_yakuman:
            limits += han // 13
            han //= 13
        yaku[NAME[type(item).__name__]] = han
    if "big-seven-stars" in yaku:
        yaku["big-seven-stars"] += yaku.pop("all-honors", 0)
    if fed and "robbed-kan" in yaku:
        yaku["win-off-a-kan-replacement"] = yaku.pop("robbed-kan")
    cost = answer.cost
    level = cost["yaku_level"].replace("kiriage ", "")
    if level.endswith("yakuman"):
        level = "yakuman" if limits else "kazoe-yakuman"
    return {
        "points": cost["main"] + 2 * cost["additional"], "limits": limits,
        "han": 0 if limits else answer.han, "fu": 0 if limits else answer.fu,
        "name": level or None, "patterns": yaku, "cost": cost}


def best_arrangement(readings, notation):
    """The specification's choice: points, limits, han, fu, then byte order."""
    def written(reading):
        return sorted(write_group(group, notation) for group in reading["arrangement"])

    def value(reading):
        return tuple(reading[key] for key in VALUE)

    best = max(map(value, readings))
    return min((written(r), i) for i, r in enumerate(readings) if value(r) == best)


# ---------------------------------------------------------------------------------------------
# The comparison.

# Where the package departs from the specification: (correction, what it does, ruling).  A
# difference is of such a class when nothing is left of it after the package has been made to
# follow the specification in that one point.
KNOWN = [
    ("chariot", "the package gives daisharin to an open hand too",
     "9.3, the-chariot: `closed 22334455667788 of tongs`"),
    ("open-fu", "open-pinfu-fu 20: the package gives an open hand of four chiis 20 fu by self-pick",
     "10: `+2 self-pick, unless pinfu`, and pinfu is closed: 22 fu, rounded up to 30"),
    ("level", "kiriage: the package leaves the name of every other mangan below 5 han empty",
     "11: base >= 1920 or 5 han is `mangan`"),
]


def differences(peer, engine, notation):
    """A list of (class, what the package says, what the engine says)."""
    error, readings, own = peer
    if error or not engine["ok"]:
        code = None if engine["ok"] else engine["error"]["code"]
        if error and code in REFUSAL.get(error, {"bad-request"}):
            return []
        return [("refusal", error or "a win", code or "a win")]
    found = []
    written, index = best_arrangement(readings, notation)
    best = readings[index]
    patterns = {item["id"]: item["value"] for item in engine["patterns"]}
    if len(patterns) != len(engine["patterns"]):
        found.append(("pattern twice", None, engine["patterns"]))
    for key in VALUE:
        if own[key] != engine[key] or best[key] != engine[key]:
            found.append((key, own[key], engine[key]))
    if best["patterns"] != patterns:
        found.append(("patterns", best["patterns"], patterns))
    if sorted(patterns, key=ORDER.index) != list(patterns):
        found.append(("order of patterns", None, list(patterns)))
    if best["name"] != engine["name"]:
        found.append(("name", best["name"], engine["name"]))
    if written != engine["arrangement"]:
        found.append(("arrangement", written, engine["arrangement"]))
    return found


def known_class(hand, engine, notation):
    """The class of a difference that the specification decides against the package, or None."""
    for correction, text, _ in KNOWN:
        if not differences(peer_value(hand, [correction]), engine, notation):
            return text
    every = [correction for correction, _, _ in KNOWN]
    if not differences(peer_value(hand, every), engine, notation):
        return "several of the known classes at once"
    return None


def settle_differences(hand, own, answer):
    if not answer["ok"]:
        return [("settle", "a win", answer["error"])]
    cost, winner = own["cost"], SEATS.index(hand.seat)
    deltas = [0, 0, 0, 0]
    if hand.by in ("discard", "robbed-kong") or (
            hand.win_from and hand.options["responsibility-kan-replacement"]):
        deltas[SEATS.index(hand.win_from)] -= cost["main"] + cost["main_bonus"]
    else:
        for seat in range(4):
            if seat != winner:
                part = "main" if seat == 0 or winner == 0 else "additional"
                deltas[seat] -= cost[part] + cost[part + "_bonus"]
    deltas[winner] = cost["total"]
    return [] if deltas == answer["deltas"] else [("settle", deltas, answer["deltas"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="how many hands")
    parser.add_argument("seed", type=int)
    parser.add_argument("engine", help="the program `paishan`")
    parser.add_argument("--batch", type=int, default=20000, help="hands for one run of the engine")
    parser.add_argument("--settle", type=float, default=0.2, help="part asked as a table too")
    parser.add_argument("--show", type=int, default=3, help="examples printed of each class")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    tally, classes, seen = collections.Counter(), collections.Counter(), collections.Counter()
    unexplained, done = 0, 0
    while done < arguments.count:
        batch = []
        for number in range(min(arguments.batch, arguments.count - done)):
            hand = random_hand(rng)
            if rng.random() < 0.05:
                tally["spoiled"] += 1
                spoil(rng, hand)
            notation = rng.choice(["ujmj", "ujmj", "mpsz"])
            batch.append((hand, notation, score_request(hand, done + number, notation, rng)))
        done += len(batch)
        requests = [request for _, _, request in batch]
        settled = [(index, settle_request(hand, request, rng))
                   for index, (hand, _, request) in enumerate(batch)
                   if rng.random() < arguments.settle]
        answers = ask(arguments.engine, requests + [request for _, request in settled])
        tables = {index: (request, answer)
                  for (index, request), answer in zip(settled, answers[len(batch):])}
        for index, (hand, notation, request) in enumerate(batch):
            peer, engine = peer_value(hand), answers[index]
            found = differences(peer, engine, notation)
            tally["compared"] += 1
            tally["wins" if not peer[0] else "refused: " + peer[0]] += 1
            if not peer[0]:
                seen.update(peer[2]["patterns"].keys())
                if len(peer[1]) > 1:
                    tally["wins with several readings"] += 1
                    worth = [tuple(r[key] for key in VALUE) for r in peer[1]]
                    tally["wins with several best readings"] += worth.count(max(worth)) > 1
            if not found and index in tables and not peer[0]:
                request, engine = tables[index]
                found = settle_differences(hand, peer[2], engine)
                tally["tables"] += 1
            if not found:
                tally["agree"] += 1
                continue
            name = found[0][0] != "settle" and known_class(hand, engine, notation)
            if not name:
                unexplained += 1
                name = "UNEXPLAINED " + ", ".join(what for what, _, _ in found)
            classes[name] += 1
            if classes[name] <= arguments.show:
                print(f"--- {name}")
                for what, package, ours in found:
                    print(f"    {what}: package {package}; engine {ours}")
                print("    " + json.dumps(request))
                print("    " + json.dumps(engine))
        print(f"{done} hands", file=sys.stderr)
    for key, value in sorted(tally.items()):
        print(f"{value:9} {key}")
    print("patterns seen (in the package's answers):")
    for name in ORDER:
        print(f"{seen[name]:9} {name}")
    print("differences by class:" if classes else "no differences")
    for name, value in classes.most_common():
        print(f"{value:9} {name}")
        for _, known, ruling in KNOWN:
            if known == name:
                print(f"          {ruling}")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
