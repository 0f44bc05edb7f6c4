"""The environment for PettingZoo passes its own checks and agrees with `Game`."""

import warnings

import numpy as np
import pytest

import paishan

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel

from paishan.pettingzoo import env, raw_env


@pytest.mark.parametrize("ruleset", paishan.rulesets())
def test_api_test_accepts_every_ruleset(ruleset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        # Observations are dicts, and points have no bounds.
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(env(ruleset), num_cycles=400)


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_seed_test_accepts(episode):
    seed_test(lambda: env("woo", episode=episode), num_cycles=300)


def played(table, seed, choose):
    """Plays a match. Returns the sum of the rewards of each agent."""
    table.reset(seed=seed)
    sums = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        sums[agent] += reward
        assert not truncated
        table.step(None if terminated else choose(table, observation))
    assert table.agents == []
    return sums


@pytest.mark.parametrize("ruleset", ["woo", "riichi-sanma", "sichuan"])
def test_rewards_add_up_to_the_points_of_the_match(ruleset):
    rng = np.random.default_rng(3)
    table = raw_env(ruleset)

    def choose(table, observation):
        assert list(np.flatnonzero(observation["action_mask"])) == sorted(table.game.legal)
        return rng.choice(np.flatnonzero(observation["action_mask"]))

    for seed in range(2):
        start = None
        table.reset(seed=seed)
        start = table.game.points
        sums = played(table, seed, choose)
        points = [after - before for after, before in zip(table.game.points, start, strict=True)]
        assert list(sums.values()) == points


def test_only_the_player_who_decides_has_legal_actions():
    table = raw_env("woo")
    table.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(200):
        masks = {agent: table.observe(agent)["action_mask"] for agent in table.agents}
        assert [agent for agent, mask in masks.items() if mask.any()] == [table.agent_selection]
        table.step(rng.choice(np.flatnonzero(masks[table.agent_selection])))


def test_an_illegal_action_moves_nothing():
    table = raw_env("woo")
    table.reset(seed=1)
    mask = table.observe(table.agent_selection)["action_mask"]
    for action in (None, int(np.flatnonzero(mask == 0)[0])):
        with pytest.raises(paishan.ActionError):
            table.step(action)
    assert table.game.moves()[1] == []


def test_no_parallel_environment_can_be_made():
    with pytest.raises(AssertionError, match="parallel"):
        aec_to_parallel(raw_env("woo"))
