#!/usr/bin/env python3
"""Compare the scores of `mcr` with the Python package `PyMahjongGB`.

The package (https://pypi.org/project/PyMahjongGB/, Peking University) counts the fan of a winning hand by the
Mahjong Competition Rules and is independent of this engine.  The script makes winning hands of every kind: near
each pattern and at random, with melds, kongs, flowers, winds and all circumstances.  It asks both for the fan and
compares totals and lists.

Install and run (standard library and `PyMahjongGB` only; written against 1.4.0):

    python3 -m venv venv && venv/bin/pip install PyMahjongGB==1.4.0
    cargo build --release -p paishan-cli
    venv/bin/python benches/peers/compare_guobiao.py 100000 1 target/release/paishan

Arguments: how many hands, the seed, the program `paishan`.  The exit status is
0 if all totals are equal.  Lists may differ where other melds combine to fan of the same worth, or another reading of
the hand has the same total.

Where published readings differ, the options of `mcr` stand as the package counts: a wait for a fifth tile is a wait
(`exhausted-waits`), hands that cannot be open count as self-drawn (`fully-concealed-forms`).  `last-copy` is the
caller's to say, but the package also finds it in a hand with three of the tile in open melds; so does the script.
"""

import collections
import json
import random
import subprocess
import sys

from MahjongGB import MahjongFanCalculator

SUITS = {"t": "B", "s": "T", "m": "W"}
HONOURS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
KINDS = [f"{rank}{suit}" for suit in "tsm" for rank in range(1, 10)] + list(HONOURS)
CLAIMS = {"pung": "PENG", "kong": "GANG", "chow": "CHI"}
CODE = {kind: HONOURS.get(kind) or SUITS[kind[1]] + kind[0] for kind in KINDS}

NAMES = {
    "All Five": "all-fives",
    "Two Dragons Pungs": "two-dragon-pungs",
    "Concealed Kong and Melded Kong": "concealed-and-melded-kong",
    "Last Tile": "last-tile-of-its-kind",
}


def id_of(name):
    """The id of a pattern, from the package's English name."""
    words = name.lower().replace("honors", "honours").replace("'", "").replace("-", " ").split()
    return NAMES.get(name) or "-".join(words)


# ---------------------------------------------------------------- hands


def chow(rank, suit):
    return ("chow", [f"{rank + i}{suit}" for i in range(3)])


def pung(kind, rng):
    return ("kong", [kind] * 4) if rng.random() < 0.25 else ("pung", [kind] * 3)


def groups_of(rng):
    """Four groups and a pair, near some pattern."""
    suits = rng.sample("tsm", 3)
    way = rng.randrange(16)
    low = rng.randrange(1, 8)
    near = lambda most: min(most, max(1, low + rng.choice([-2, -1, 0, 0, 1, 2, 3])))
    some = lambda: rng.choice(suits[: rng.choice([1, 1, 2, 3])])
    number = lambda ranks: f"{rng.choice(ranks)}{some()}"
    any_pair = lambda: rng.choice(KINDS)
    if way < 3:
        step = rng.choice([0, 1, 1, 2, 3])
        groups = [chow(min(7, low + step * i) if rng.random() < 0.7 else near(7), some()) for i in range(4)]
        return groups, rng.choice([any_pair(), f"{near(9)}{some()}", f"5{suits[2]}"])
    if way < 5:
        groups = [pung(f"{min(9, low + rng.choice([0, i, i]))}{some()}", rng) for i in range(4)]
        return groups, rng.choice([any_pair(), f"{near(9)}{some()}"])
    if way == 5:
        kinds = rng.sample(list(HONOURS), 5) if rng.random() < 0.5 else rng.sample(["E", "S", "W", "N", "C", "F", "P"], 5)
        groups = [pung(kind, rng) for kind in kinds[:4]]
        for i in range(rng.randrange(3)):
            groups[i] = rng.choice([chow(near(7), some()), pung(f"{near(9)}{some()}", rng)])
        return groups, kinds[4]
    if way == 6:
        ends = [f"{rank}{suit}" for rank in (1, 9) for suit in "tsm"] + list(HONOURS)
        groups = [pung(rng.choice(ends), rng) for _ in range(4)]
        for i in range(rng.randrange(3)):
            groups[i] = chow(rng.choice([1, 7]), some())
        return groups, rng.choice(ends)
    if way == 7:
        first, second = (suits[0], suits[0]) if rng.random() < 0.5 else suits[:2]
        groups = [chow(1, first), chow(7, first), chow(1, second), chow(7, second)]
        return groups, f"5{rng.choice([first, suits[2]])}"
    if way == 8:
        groups = [rng.choice([chow(2, "s"), pung(rng.choice(["2s", "3s", "4s", "6s", "8s", "F"]), rng)]) for _ in range(4)]
        return groups, rng.choice(["2s", "3s", "4s", "6s", "8s", "F"])
    if way == 9:
        kinds = [f"{rank}{suit}" for rank, suit in zip("123458924568", "tttttttsssss")] + ["9s", "P"]
        groups = [pung(rng.choice(kinds), rng) for _ in range(4)]
        for i in range(rng.randrange(4)):
            groups[i] = chow(rng.choice([1, 2, 3]), "t") if rng.random() < 0.6 else chow(4, "s")
        return groups, rng.choice(kinds)
    if way == 10:
        ranks = rng.choice([[7, 8, 9], [4, 5, 6], [1, 2, 3], [6, 7, 8, 9], [1, 2, 3, 4], [2, 4, 6, 8]])
        runs = [rank for rank in ranks if rank + 1 in ranks and rank + 2 in ranks]
        groups = []
        for _ in range(4):
            is_run = runs and rng.random() < 0.7
            groups.append(chow(rng.choice(runs), some()) if is_run else pung(number(ranks), rng))
        return groups, number(ranks)
    if way == 11:
        groups = [rng.choice([chow(rng.choice([3, 4, 5]), some()), pung(f"5{some()}", rng)]) for _ in range(4)]
        return groups, f"5{some()}"
    if way == 12:
        groups = [chow(rank, suit) for rank, suit in zip((1, 4, 7), rng.choice([suits, suits[:1] * 3]))]
        return groups + [rng.choice([chow(near(7), some()), pung(any_pair(), rng)])], any_pair()
    if way == 13:
        groups = [chow(low, suits[i % 3]) for i in range(3)]
        return groups + [rng.choice([chow(near(7), some()), pung(any_pair(), rng)])], any_pair()
    if way == 14:
        step = rng.choice([0, 1])
        groups = [pung(f"{min(9, low + step * i)}{suits[i % 3]}", rng) for i in range(3)]
        return groups + [rng.choice([chow(near(7), some()), pung(any_pair(), rng)])], any_pair()
    groups = [rng.choice([chow(rng.randrange(1, 8), rng.choice("tsm")), pung(any_pair(), rng)]) for _ in range(4)]
    return groups, any_pair()


def knitted(rng):
    suits = rng.sample("tsm", 3)
    return [f"{rank}{suit}" for ranks, suit in zip(("147", "258", "369"), suits) for rank in ranks]


def special(rng):
    """A hand without four groups: its concealed tiles, and its declared groups."""
    way = rng.randrange(6)
    if way == 0:
        orphans = [f"{rank}{suit}" for rank in (1, 9) for suit in "tsm"] + list(HONOURS)
        return orphans + [rng.choice(orphans)], []
    if way == 1:
        return rng.sample(knitted(rng) + list(HONOURS), 14), []
    if way == 2:
        return rng.sample(knitted(rng), 7) + list(HONOURS), []
    if way == 3:
        suit = rng.choice("tsm")
        first = rng.randrange(1, 4)
        return [f"{rank}{suit}" for rank in range(first, first + 7)] * 2, []
    if way == 4:
        pool = rng.choice([KINDS, KINDS[:9], KINDS[:9] + KINDS[27:], KINDS[1:8] + KINDS[10:17]])
        kinds = [rng.choice(pool) for _ in range(7)]
        return kinds * 2, []
    suit = rng.choice("tsm")
    nine = [f"{rank}{suit}" for rank in (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9)]
    return nine + [f"{rng.randrange(1, 10)}{suit}"], []


def make(rng):
    """A winning hand with its circumstances. `None` if the set has too few tiles."""
    kind = rng.random()
    melds = []
    if kind < 0.08:
        concealed, _ = special(rng)
    elif kind < 0.13:
        group = rng.choice([chow(rng.randrange(1, 8), rng.choice("tsm")), pung(rng.choice(KINDS), rng)])
        concealed = knitted(rng) + [rng.choice(KINDS)] * 2
        concealed[-1] = concealed[-2]
        if group[0] == "kong" or rng.random() < 0.4:
            melds.append((group, group[0] != "kong" or rng.random() < 0.5))
        else:
            concealed += group[1]
    else:
        groups, pair = groups_of(rng)
        claims = rng.choice([0, 0, 0.4, 0.7, 1])
        concealed = [pair, pair]
        for group in groups:
            if group[0] == "kong":
                melds.append((group, rng.random() < max(claims, 0.3)))
            elif rng.random() < claims:
                melds.append((group, True))
            else:
                concealed += group[1]
    count = collections.Counter(concealed)
    for (_, tiles), _ in melds:
        count.update(tiles)
    if max(count.values()) > 4:
        return None
    last = rng.choice(concealed)
    concealed.remove(last)
    drawn = rng.random() < 0.5
    may_be_last = last not in concealed
    in_sight = sum(tiles.count(last) for (_, tiles), is_open in melds if is_open)
    has_kong = any(name == "kong" for (name, _), _ in melds)
    return {
        "concealed": sorted(concealed),
        "melds": melds,
        "last": last,
        "drawn": drawn,
        "fourth": in_sight == 3 or may_be_last and rng.random() < 0.2,
        "kong": rng.random() < 0.15 and (has_kong if drawn else count[last] == 1),
        "end": rng.random() < 0.1,
        "seat": rng.randrange(4),
        "round": rng.randrange(4),
        "flowers": rng.choice([0, 0, 1, 2, 8]),
    }


# ---------------------------------------------------------------- both programs


def request(number, hand):
    """The question to the engine."""
    winds = "ESWN"
    seat = winds[hand["seat"]]
    before = winds[hand["seat"] - 1]
    melds = []
    for (name, tiles), is_open in hand["melds"]:
        text = "".join(tile[0] for tile in tiles) + tiles[0][1:]
        meld = {"open": is_open, "tiles": text}
        if is_open:
            meld["from"] = before
        melds.append(meld)
    flags = ["last-copy"] if hand["fourth"] else []
    if hand["drawn"]:
        by = "replacement" if hand["kong"] else "wall"
        flags += ["after-kong"] * hand["kong"] + ["last-tile"] * hand["end"]
    else:
        by = "robbed-kong" if hand["kong"] else "discard"
        flags += ["last-discard"] if hand["end"] and not hand["kong"] else []
    win = {"tile": hand["last"], "by": by, "flags": flags}
    if not hand["drawn"]:
        win["from"] = before
    return {
        "id": number,
        "type": "score",
        "ruleset": "mcr",
        "options": {"minimum": 0},
        "round": winds[hand["round"]],
        "player": {
            "seat": seat,
            "hand": "".join(hand["concealed"]),
            "melds": melds,
            "flowers": "hijkopqr"[: hand["flowers"]],
        },
        "win": win,
    }


def package(hand):
    """The fan as the package counts them, by id."""
    packs = []
    for (name, tiles), is_open in hand["melds"]:
        middle = tiles[1]
        offer = 0 if not is_open else 1
        packs.append((CLAIMS[name], CODE[middle], offer))
    is_robbed = hand["kong"] and not hand["drawn"]
    found = MahjongFanCalculator(
        tuple(packs),
        tuple(CODE[tile] for tile in hand["concealed"]),
        CODE[hand["last"]],
        hand["flowers"],
        hand["drawn"],
        hand["fourth"],
        hand["kong"],
        hand["end"] and not is_robbed,
        hand["seat"],
        hand["round"],
        verbose=True,
    )
    fan = collections.Counter()
    for each, times, _, name in found:
        fan[id_of(name)] += each * times
    return fan


def main():
    hands, seed, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    made = []
    while len(made) < hands:
        hand = make(rng)
        if hand:
            made.append(hand)
    lines = "\n".join(json.dumps(request(number, hand)) for number, hand in enumerate(made))
    run = subprocess.run([program, "jsonl"], input=lines + "\n", capture_output=True, text=True, check=True)
    answers = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
    seen, classes, ties = (collections.Counter() for _ in range(3))
    examples = collections.defaultdict(list)
    for number, hand in enumerate(made):
        answer = answers[number]
        if not answer["ok"]:
            key = "refused: " + json.dumps(answer.get("error"))
            classes[key] += 1
            examples[key].append((hand, answer, None))
            continue
        ours = collections.Counter()
        for pattern in answer["patterns"]:
            ours[pattern["id"]] += pattern["value"]
        theirs = package(hand)
        seen.update(ours.keys())
        if sum(ours.values()) == sum(theirs.values()):
            if ours != theirs:
                more, fewer = ours - theirs, theirs - ours
                # Other melds combined with the same worth, or another reading of the same total.
                same_fan = sorted(more.values()) == sorted(fewer.values())
                ties["melds" if same_fan else "readings"] += 1
            continue
        key = f"more {dict(ours - theirs)}, fewer {dict(theirs - ours)}"
        classes[key] += 1
        examples[key].append((hand, dict(ours), dict(theirs)))
    print(f"{hands} hands, {len(seen)} fan seen; totals equal but for the classes below; other lists of the same total:")
    print(f"{ties['melds']} combine other melds for fan of the same worth, {ties['readings']} are read in another way")
    for key, times in classes.most_common():
        print(f"{times:6} {key}")
        hand, ours, theirs = examples[key][0]
        print("       ", json.dumps(request(0, hand)["player"]), json.dumps(request(0, hand)["win"]), "round", "ESWN"[hand["round"]])
        if "-v" in sys.argv:
            print("        ours  ", ours)
            print("        theirs", theirs)
    return 1 if classes else 0


if __name__ == "__main__":
    sys.exit(main())
