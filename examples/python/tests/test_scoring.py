"""Scores, payments, distances and explanations."""

import doctest
import importlib
import json

import pytest

import paishan


@pytest.mark.parametrize("name", ["", ".rules", ".env", ".scoring", ".play", ".records"])
def test_examples_in_docstrings(name):
    results = doctest.testmod(importlib.import_module("paishan" + name))
    assert results.failed == 0


def test_a_hand_is_scored_and_explained():
    answer = paishan.score("woo", "123s456s789sCCCE", "E", by="wall", seat="S", flags=["last-tile"])
    assert answer["points"] > 0 and answer["patterns"]
    told = paishan.explain("riichi-mcgill", "234t456s3467899m", "5m", flags=["riichi"])
    assert "riichi" in json.dumps(told)


def test_refusals_have_codes():
    with pytest.raises(paishan.RequestError) as raised:
        paishan.score("woo", "123s456s789sCCCE", "W")
    assert raised.value.code == "not-a-win"
    assert raised.value.answer["error"]["code"] == "not-a-win"
    with pytest.raises(paishan.RequestError, match="bad-tile"):
        paishan.distance("woo", "123q")


def test_a_table_is_settled():
    players = [
        {"seat": "E", "hand": "234t456s3467899m"},
        {"seat": "S", "hand": "369t147s258mESWN"},
        {"seat": "W", "hand": "247t258s369mESWC"},
        {"seat": "N", "hand": "1357t1357s1357mP"},
    ]
    wins = [{"seat": "E", "tile": "5m", "by": "discard", "from": "W", "flags": ["riichi"]}]
    answer = paishan.settle("riichi-mcgill", players, wins, dora="3m", honba=1, deposits=1)
    assert sum(answer["deltas"]) == 1000
    assert answer["deltas"][2] < 0 < answer["deltas"][0]


OWN = """
[ruleset]
id = "my-woo"
name = "My woo"
extends = "woo"
"""


def test_rules_of_ones_own_score_and_play():
    rules = paishan.Rules.from_toml(OWN)
    assert (rules.id, rules.players) == ("my-woo", 4)
    plain = paishan.score("woo", "123s456s789sCCCE", "E")
    assert paishan.score(rules, "123s456s789sCCCE", "E") == plain
    env = paishan.Env(rules, tables=2)
    env.step(env.legal[:, 0])
    assert paishan.lint(OWN) == paishan.lint(OWN, file="x.toml")
    log = paishan.record(rules, "random", seed=1)
    [match] = paishan.decisions(log, rules)
    assert match.rules.hash == rules.hash


def test_faults_of_rules_have_a_place():
    with pytest.raises(paishan.RulesError, match=r"mine.toml:6:1"):
        paishan.Rules.from_toml(OWN + 'naem = "y"', file="mine.toml")
    with pytest.raises(paishan.RulesError, match="unknown option"):
        paishan.Rules("woo", {"deels": 1})
    with pytest.raises(TypeError, match="give options to Rules"):
        paishan.Env(paishan.Rules("woo"), options={"x": 1})


def test_options_are_values_of_any_type():
    rules = paishan.Rules("riichi-mcgill", {"red-fives": [1, 1, 2], "start-points": 30000})
    options = paishan.rules.options_of(rules)
    assert options["red-fives"] == [1, 1, 2] and options["start-points"] == 30000
    assert rules.hash != paishan.Rules("riichi-mcgill").hash


def test_tiles_and_hands_are_values():
    assert paishan.Tile("E") == paishan.Tile("E")
    assert str(paishan.Tile("Rs")) == "Rs"
    with pytest.raises(ValueError, match="2 tiles, not one"):
        paishan.Tile("12s")
    hand = paishan.Hand("CCC123s", last="C")
    assert repr(hand) == "Hand('123sCCC', last='C')"
    assert hand._repr_svg_().startswith("<svg")
    with pytest.raises(ValueError):
        paishan.Hand("12q")


def test_python_agents_play():
    class Last:
        def decide(self, view):
            return view["legal"][-1]["action"]

    # Everybody begins with 3,000 points.
    points = paishan.play("traditional", [Last(), "random", Last(), "greedy"], seed=3)
    assert len(points) == 4 and sum(points) == 12000

    class Wrong:
        def decide(self, view):
            return "dahai 9t" if view["legal"][0]["action"] != "dahai 9t" else "hora"

    with pytest.raises(paishan.ActionError):
        paishan.play("woo", [Wrong()] * 4, seed=3)
