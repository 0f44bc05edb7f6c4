"""Records as batches."""

import os
from pathlib import Path

import numpy as np
import pytest

import paishan


def logs(tmp_path, ruleset, games, agents="greedy"):
    path = tmp_path / f"{ruleset}.jsonl"
    texts = [paishan.record(ruleset, agents, seed=1, game=game) for game in range(games)]
    path.write_text("".join(texts), encoding="utf-8")
    return path


def test_chosen_actions_are_in_the_mask(tmp_path):
    for ruleset in ("woo", "riichi-tenhou", "malaysian", "sichuan", "uzje"):
        for batch in paishan.batches([logs(tmp_path, ruleset, 1)], 256):
            assert batch.mask[np.arange(len(batch)), batch.action].all()
            assert np.isfinite(batch.value).all()


def test_batches_have_their_size_and_one_ruleset(tmp_path):
    paths = [logs(tmp_path, "woo", 2), logs(tmp_path, "riichi-tenhou", 1)]
    sizes = [(len(batch), batch.mask.shape[1]) for batch in paishan.batches(paths, 100)]
    woo, riichi = (len(paishan.ActionSpace(paishan.Rules(id))) for id in ("woo", "riichi-tenhou"))
    assert {actions for _, actions in sizes} == {woo, riichi}
    for actions in (woo, riichi):
        own = [size for size, has in sizes if has == actions]
        assert all(size == 100 for size in own[:-1]) and 0 < own[-1] <= 100
    only = list(paishan.batches(paths, 100, rulesets=["woo"]))
    assert {batch.mask.shape[1] for batch in only} == {woo}


def test_batches_hold_the_arrays_of_the_match(tmp_path):
    path = logs(tmp_path, "riichi-tenhou", 1)
    [match] = paishan.decisions(path.read_text(encoding="utf-8"))
    batches = list(paishan.batches([path], 100))
    for name in ("planes", "scalars", "mask", "action"):
        joined = np.concatenate([getattr(batch, name) for batch in batches])
        assert np.array_equal(joined, getattr(match, name))
    with pytest.raises(ValueError, match="size"):
        next(paishan.batches([path], 0))


def test_part_has_the_planes_and_masks_of_some_decisions():
    [match] = paishan.decisions(paishan.record("uzje", "random", seed=1))
    rows = [len(match) - 1, 0, 7, 7]
    planes, mask = match.part(rows)
    assert match.planes is match.planes and match.mask is match.mask
    assert np.array_equal(planes, match.planes[rows]) and np.array_equal(mask, match.mask[rows])
    assert len(match) == len(match.action) == len(match.planes) == len(match.mask)
    # The hand of the first decision: plane k has the kinds with at least k tiles.
    assert match.planes[0, :4].sum() == 14
    assert match.part([])[0].shape == (0, *match.planes.shape[1:])
    with pytest.raises(IndexError, match=f"there are {len(match)}"):
        match.part([len(match)])


def test_filters_choose_players_and_places(tmp_path):
    path = logs(tmp_path, "riichi-tenhou", 1)
    [match] = paishan.decisions(path.read_text(encoding="utf-8"))
    first = match.places.index(1)
    own = (match.player == first).sum()
    assert sum(map(len, paishan.batches([path], players=[first]))) == own
    assert sum(map(len, paishan.batches([path], places=[1]))) == own
    values = np.concatenate([b.value for b in paishan.batches([path], places=[1], value="match")])
    mean = sum(match.points) / 4
    assert np.allclose(values, match.points[first] - mean)
    # What deals brought adds up to the result without what the match adds at its end.
    deals = {deal: match.deal_points[match.deal == deal][0] for deal in set(match.deal)}
    assert sum(deals.values()).sum() == pytest.approx(0, abs=1000)


def test_faults_of_records_are_told():
    log = paishan.record("woo", "random", seed=1)
    lines = log.splitlines()
    with pytest.raises(paishan.LogError, match="line 4"):
        list(paishan.decisions("\n".join([*lines[:3], "{", *lines[4:]])))
    broken = "\n".join(lines[: len(lines) // 2])
    with pytest.raises(paishan.LogError):
        list(paishan.decisions(broken))
    [match] = paishan.decisions(broken, faulty="keep")
    assert match.fault and len(match.action) > 20
    assert np.isnan(match.deal_points[-1]).all()
    with pytest.raises(paishan.LogError, match="no XML"):
        list(paishan.decisions("<mjloggm><INIT"))
    with pytest.raises(ValueError, match="faulty"):
        list(paishan.decisions(log, faulty="ignore"))


def test_records_of_a_folder_turn_into_batches():
    folder = os.environ.get("PAISHAN_RECORDS")
    if not folder:
        pytest.skip("PAISHAN_RECORDS names no folder")
    paths = sorted(Path(folder).glob("*.mjlog"))
    assert paths
    decisions = 0
    for batch in paishan.batches(paths, faulty="keep"):
        decisions += len(batch)
        assert batch.mask[np.arange(len(batch)), batch.action].all()
    assert decisions > 100 * len(paths)
