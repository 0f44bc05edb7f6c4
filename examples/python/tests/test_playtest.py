"""Play-tests: parts merge to the bytes of one process, and folders hold the report."""

import json

import pytest

import paishan

GAMES = 24


def part(i, n, **more):
    return paishan.playtest("woo", games=GAMES, seed=3, agents="greedy", part=(i, n), **more)


def test_parts_merge_to_the_bytes_of_one_process_in_any_order():
    whole = part(0, 1)
    for order in ([0, 1, 2], [2, 0, 1]):
        merged = paishan.merge("woo", [part(i, 3) for i in order])
        assert merged.data == whole.data
        assert merged.report == whole.report
    assert part(0, 1, threads=2).data == whole.data
    assert whole.summary["played"] == {"start": 0, "end": GAMES}
    assert whole.summary["statistics"]["summary"]["matches"] == GAMES
    assert str(whole).startswith("Simplified Mahjong (Woo): 24 games with greedy, seed 3")
    other = paishan.playtest("woo", games=GAMES, seed=4, agents="greedy")
    assert other.data != whole.data


def test_a_folder_gets_the_report(tmp_path):
    played = part(0, 1, folder=tmp_path / "one")
    merged = paishan.merge("woo", [part(1, 2).data, part(0, 2).data], folder=tmp_path / "two")
    for folder in ("one", "two"):
        files = {file.name for file in (tmp_path / folder).iterdir()} - {".lock"}
        assert files == {"report.html", "summary.json", "patterns.csv"}
        assert (tmp_path / folder / "summary.json").read_bytes() == played.data == merged.data


def test_options_and_own_rules_are_played():
    short = paishan.playtest("woo", games=2, agents="first", options={"rounds": 1})
    deals = short.summary["statistics"]["summary"]["deals"]
    assert deals < paishan.playtest("woo", games=2, agents="first").summary["statistics"]["summary"]["deals"]
    own = paishan.Rules.from_toml('[ruleset]\nid = "mine"\nextends = "woo"\n')
    assert paishan.playtest(own, games=2, agents="first").summary["job"]["ruleset"] == "mine"


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="by no part"):
        paishan.merge("woo", [part(0, 3), part(2, 3)])
    with pytest.raises(ValueError, match="twice"):
        paishan.merge("woo", [part(0, 2), part(0, 2)])
    with pytest.raises(ValueError, match="no parts"):
        paishan.merge("woo", [])
    with pytest.raises(ValueError, match="other rules"):
        paishan.merge("woo", [part(0, 1)], options={"flowers": 0})
    with pytest.raises(ValueError, match="different jobs"):
        other = paishan.playtest("woo", games=GAMES, seed=4, agents="greedy", part=(1, 2))
        paishan.merge("woo", [part(0, 2), other])
    damaged = json.dumps({**part(0, 1).summary, "played": {"start": 0, "end": 5}}).encode()
    with pytest.raises(ValueError, match="no record"):
        paishan.merge("woo", [damaged])
    with pytest.raises(ValueError, match="a shard is"):
        part(3, 3)
    with pytest.raises(ValueError, match="nobody"):
        paishan.playtest("woo", games=1, agents="nobody")
