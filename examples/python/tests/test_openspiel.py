"""The game for OpenSpiel passes its own simulation test and agrees with `Game`."""

import copy
import pickle
import random

import numpy as np
import pytest

import paishan

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import paishan.openspiel  # noqa: E402


def begun(game, seed):
    state = game.new_initial_state()
    for byte in seed.to_bytes(4, "big"):
        state.apply_action(byte)
    return state


@pytest.mark.parametrize("ruleset", paishan.rulesets())
def test_random_sim_test_accepts_every_ruleset(ruleset):
    game = pyspiel.load_game("paishan", {"ruleset": ruleset})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_random_sim_test_accepts_serialization_and_matches():
    game = pyspiel.load_game("paishan(ruleset=two-player)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    game = pyspiel.load_game("paishan(ruleset=woo,episode=match,options=rounds:1;flowers:0)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_a_playthrough_can_be_written_and_repeats():
    name = "paishan(ruleset=two-player)"
    text = generate_playthrough.playthrough(name, None, seed=5)
    assert "IsTerminal() = True" in text
    assert text == generate_playthrough.playthrough(name, None, seed=5)


def test_the_seed_decides_the_match():
    game = pyspiel.load_game("paishan(ruleset=riichi-tenhou)")
    state = begun(game, 0x01020304)
    plain = paishan.Game("riichi-tenhou", 0x01020304, episode="deal")
    rng = random.Random(1)
    while not plain.done:
        assert state.current_player() == plain.player
        assert state.legal_actions() == sorted(plain.legal)
        action = rng.choice(plain.legal)
        assert state.action_to_string(action) == plain.action_space[action]
        before = plain.points
        plain.step(action)
        state.apply_action(action)
        assert state.rewards() == [a - b for a, b in zip(plain.points, before, strict=True)]
    assert state.is_terminal()
    assert state.returns() == [points - 25000 for points in plain.points]


def test_clones_and_pickles_play_on_alone():
    game = pyspiel.load_game("paishan(ruleset=woo)")
    state = begun(game, 7)
    rng = random.Random(2)
    for _ in range(30):
        state.apply_action(rng.choice(state.legal_actions()))
    shown = str(state)
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    action = state.legal_actions()[0]
    for copied in copies:
        assert str(copied) == shown
        copied.apply_action(action)
        assert str(copied) != shown
    assert str(state) == shown
    state.apply_action(action)
    assert {str(copied) for copied in copies} == {str(state)}


def test_observations_are_those_of_the_player():
    game = pyspiel.load_game("paishan(ruleset=woo)")
    observer = make_observation(game)
    state = begun(game, 3)
    plain = paishan.Game("woo", 3, episode="deal")
    for player in range(4):
        observer.set_from(state, player)
        planes, scalars = plain.observe(player)
        assert (observer.dict["planes"] == planes).all()
        scales = np.array(plain.action_space and paishan.Observation(plain.rules).scales, "f4")
        assert np.allclose(observer.dict["scalars"] * scales, scalars)
        assert observer.string_from(state, player) == plain.snapshot(player)
