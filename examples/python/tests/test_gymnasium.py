"""The environments for gymnasium pass its own checks and agree with `Game` and `Env`."""

import warnings

import numpy as np
import pytest

import paishan

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from paishan.gym import MahjongEnv, MahjongVectorEnv  # noqa: E402


@pytest.mark.parametrize("ruleset", paishan.rulesets())
def test_check_env_accepts_every_ruleset(ruleset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The bounds of scalars are open, since points have none.
        warnings.filterwarnings("ignore", message=".*(infinity|normalize|symmetric).*")
        check_env(gymnasium.make(f"paishan/{ruleset}-v0").unwrapped)


@pytest.mark.parametrize("ruleset", ["woo", "riichi-sanma", "two-player"])
def test_registered_ids_make_single_and_vector_environments(ruleset):
    env = gymnasium.make(f"paishan/{ruleset}-v0", agents="first")
    env.reset(seed=1)
    assert env.unwrapped.rules.id == ruleset
    many = gymnasium.make_vec(f"paishan/{ruleset}-v0", num_envs=3, agents="first")
    observation, info = many.reset(seed=1)
    assert many.observation_space.contains(observation)
    assert info["action_mask"].shape == (3, env.action_space.n)


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_rewards_add_up_to_the_points_of_the_match(episode):
    env = MahjongEnv("riichi-tenhou", agents="greedy", player=2, episode=episode)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        total, ended = info["points"][2], False
        while not ended:
            action = env.action_space.sample(info["action_mask"])
            _, reward, ended, truncated, info = env.step(action)
            total += reward
            assert not truncated
        assert total == info["points"][2]
        assert not info["action_mask"].any()


def test_an_episode_of_a_deal_is_the_first_deal_of_the_match():
    def rewards(episode):
        env = MahjongEnv("woo", agents="greedy", episode=episode)
        rng = np.random.default_rng(5)
        _, info = env.reset(seed=11)
        while True:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, reward, ended, _, info = env.step(action)
            yield reward
            if ended:
                return

    of_deal, of_match = list(rewards("deal")), list(rewards("match"))
    assert of_deal == of_match[: len(of_deal)]
    assert len(of_deal) < len(of_match)


def test_the_mask_is_that_of_the_player_and_other_actions_are_refused():
    env = MahjongEnv("woo", agents="greedy", player=1, illegal_reward=None)
    _, info = env.reset(seed=3)
    assert env.game.player == 1
    mask = info["action_mask"]
    assert mask.sum() == len(env.game.legal) and mask[env.game.legal].all()
    assert (env.action_masks() == mask).all()
    before = env.game.moves()
    with pytest.raises(paishan.ActionError):
        env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.game.moves() == before
    assert all(mask[env.action_space.sample()] for _ in range(50))
    with pytest.raises(gymnasium.error.ResetNeeded):
        MahjongEnv("woo").step(0)


def test_an_illegal_action_ends_the_episode():
    env = MahjongEnv("woo", agents="greedy", illegal_reward=-7.0)
    _, info = env.reset(seed=3)
    assert not info["illegal"]
    before = env.game.moves()
    _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, truncated, info["illegal"]) == (-7.0, True, False, True)
    assert not info["action_mask"].any()
    assert env.game.moves() == before
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.game.legal[0])


def test_the_view_is_rendered_as_text():
    env = MahjongEnv("woo", render_mode="ansi")
    env.reset(seed=1)
    assert "hand: " in env.render()
    with pytest.raises(ValueError, match="render_mode"):
        MahjongEnv("woo", render_mode="human")


def test_the_company_must_fit_the_table():
    with pytest.raises(ValueError, match="3 other players"):
        MahjongEnv("woo", agents=["greedy"])
    with pytest.raises(ValueError, match="from 0 to 2"):
        MahjongEnv("riichi-sanma", player=3)
    with pytest.raises(ValueError, match="nobody"):
        MahjongEnv("woo", agents="nobody").reset()


def test_the_vector_environment_plays_what_env_plays():
    many = MahjongVectorEnv("woo", agents="greedy", player=1, num_envs=5)
    _, info = many.reset(seed=4)
    again = MahjongVectorEnv("woo", agents="greedy", player=1, num_envs=5, copy=False)
    again.reset(seed=4)
    # The seed of the tables is the first that the generator draws.
    seed = int(np.random.Generator(np.random.PCG64(4)).integers(2**63))
    env = paishan.Env("woo", tables=5, seed=seed, agents=["greedy", None, "greedy", "greedy"])
    rng = np.random.default_rng(2)
    ends = 0
    for _ in range(600):
        actions = env.sample(rng)
        assert (info["action_mask"] == env.mask).all()
        env.step(actions)
        observation, reward, done, truncated, info = many.step(actions.astype(np.int64))
        assert (observation["planes"] == env.planes).all()
        assert (observation["scalars"] == env.scalars).all()
        assert (reward == env.reward[:, 1]).all()
        assert (done == env.done).all() and not truncated.any()
        shown, *_ = again.step(actions.astype(np.int64))
        assert (shown["planes"] == observation["planes"]).all()
        assert not shown["planes"].flags.writeable and observation["planes"].flags.writeable
        ends += done.sum()
    assert ends > 0
    assert many.observation_space.contains(observation)
    assert (np.take_along_axis(info["action_mask"], many.sample()[:, None].astype(int), 1) == 1).all()


def test_games_that_end_before_the_player_decides_are_skipped():
    # Agents abort a deal with nine terminals and honours.
    more = {"agents": "first", "player": 3, "episode": "deal"}
    ended = [
        paishan.Game("riichi-tenhou", seed, agents=["first"] * 3 + [None], episode="deal").done
        for seed in range(600)
    ]
    assert any(ended)
    many = MahjongVectorEnv("riichi-tenhou", num_envs=600, **more)
    _, info = many.reset(seed=1)
    assert info["action_mask"].any(axis=1).all()
    env = MahjongEnv("riichi-tenhou", **more)
    for _ in range(600):
        _, info = env.reset()
        assert info["action_mask"].any()
