"""Tables: same bytes everywhere, refused actions, rewards, secrets."""

import itertools
import json
import os
import pickle
import random
import threading

import numpy as np
import pytest

import paishan

RULESETS = paishan.rulesets()


def play(env, steps):
    """Everything that the arrays of an environment show in some steps, as bytes by table.

    What is chosen at a table depends on the step and on its legal actions alone.
    """
    rng = random.Random(5)
    tables = np.arange(env.tables)
    shown = [[] for _ in range(env.tables)]
    for _ in range(steps):
        env.step(env.legal[tables, rng.getrandbits(32) % env.legal_len])
        for table in range(env.tables):
            shown[table].append(
                b"".join(
                    array[table].tobytes()
                    for array in (
                        env.mask,
                        env.legal,
                        env.planes,
                        env.scalars,
                        env.player,
                        env.reward,
                        env.done,
                        env.scores,
                    )
                )
            )
    return shown


@pytest.mark.parametrize("ruleset", RULESETS)
def test_masks_lists_and_names_agree(ruleset):
    env = paishan.Env(ruleset, tables=3, seed=3)
    space = env.action_space
    rng = np.random.default_rng(1)
    assert len(space) == env.mask.shape[1]
    for _ in range(300):
        for table in range(3):
            listed = env.legal[table, : env.legal_len[table]]
            assert sorted(listed) == list(np.flatnonzero(env.mask[table]))
            assert (env.legal[table, env.legal_len[table] :] == 0xFFFF).all()
            assert len(listed) > 0
        env.step(env.sample(rng))
    for number in range(len(space)):
        assert space.number(space[number]) == number


def test_a_table_plays_the_same_whatever_the_number_of_tables_and_threads():
    alone = play(paishan.Env("riichi-tenhou", tables=1, seed=9), 1500)
    many = play(paishan.Env("riichi-tenhou", tables=5, seed=9), 1500)
    threaded = play(paishan.Env("riichi-tenhou", tables=5, seed=9, threads=3), 1500)
    assert alone[0] == many[0]
    assert many == threaded
    other = play(paishan.Env("riichi-tenhou", tables=1, seed=10), 20)
    assert other[0] != alone[0][:20]


def test_samples_are_legal_and_uniform_and_follow_from_the_generator():
    envs = [paishan.Env("woo", tables=500, seed=2, observe=False) for _ in range(2)]
    rngs = [np.random.default_rng(3) for _ in range(2)]
    places = []
    for _ in range(100):
        one, other = (env.sample(rng) for env, rng in zip(envs, rngs, strict=True))
        assert (one == other).all()
        discards = envs[0].legal_len == 14
        places += list(np.argmax(envs[0].legal == one[:, None], axis=1)[discards])
        for env, actions in zip(envs, (one, other), strict=True):
            env.step(actions)
    counts = np.bincount(places, minlength=14)
    assert (abs(counts - counts.mean()) < 5 * counts.mean() ** 0.5).all()
    for _ in range(2):
        with pytest.raises(AttributeError):
            envs[0].sample("no generator")


def test_the_last_table_of_1024_plays_as_it_does_among_fewer():
    seed = paishan.Env("woo", tables=1024, seed=4, observe=False).moves(1023)[0]
    assert seed == paishan.Env("woo", tables=1030, seed=4, observe=False).moves(1023)[0]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_matches_from_python_equal_the_logs_of_the_library(ruleset):
    """Decisions of logs, made again from Python, have the same legal actions and end with the points of the logs.

    PAISHAN_GAMES says of how many games, of at most twenty million decisions: random matches of some rulesets have a million.
    """
    games, decisions = int(os.environ.get("PAISHAN_GAMES", "3")), 20_000_000
    for seed in itertools.count():
        # Few enough decisions that their masks fit into memory.
        matches = []
        while games and decisions > 0 and len(matches) < 128 and sum(map(len, matches)) < 200_000:
            log = paishan.record(ruleset, "random", seed=seed, game=len(matches))
            matches += paishan.decisions(log)
            games -= 1
            decisions -= len(matches[-1])
        if not matches:
            break
        follow(paishan.Env(ruleset, tables=len(matches), seed=seed, observe=False), matches)


def follow(env, matches):
    """Makes the decisions of matches at as many tables."""
    # Before the first turn of a deal players choose at the same time, so only the order of each player's own decisions is
    # fixed.
    players = np.arange(len(matches[0].points))
    own = [np.flatnonzero(match.player == player) for match in matches for player in players]
    row = np.cumsum([0, *map(len, own)])[:-1].reshape(len(matches), len(players))
    own = np.array_split(np.concatenate(own), row[1:, 0])
    mask = np.concatenate([match.mask[order] for match, order in zip(matches, own, strict=True)])
    action = np.concatenate([match.action[order] for match, order in zip(matches, own, strict=True)])
    points = np.array([match.points for match in matches])
    left = np.array([len(match) for match in matches])
    tables = np.arange(len(matches))
    while left.any():
        going = tables[left > 0]
        at = row[going, env.player[going]]
        assert np.array_equal(env.mask[going], mask[at])
        chosen = env.legal[:, 0].copy()
        chosen[going] = action[at]
        row[going, env.player[going]] += 1
        left[going] -= 1
        env.step(chosen)
        ended = going[left[going] == 0]
        assert env.done[ended].all()
        assert not env.done[left > 0].any()
        assert env.scores[ended] == pytest.approx(points[ended])


def start(log):
    """The first line of a log."""
    return json.loads(log.split("\n", 1)[0])


def test_observations_of_records_are_those_of_the_table():
    log = paishan.record("riichi-tenhou", "greedy", seed=2)
    [match] = paishan.decisions(log)
    game = paishan.Game("riichi-tenhou", start(log)["game_seed"])
    for place, action in enumerate(match.action[:300]):
        planes, scalars = game.observe()
        assert (planes == match.planes[place]).all()
        assert (scalars == match.scalars[place]).all()
        game.step(int(action))


def test_an_illegal_action_moves_nothing():
    env = paishan.Env("uzje", tables=4, seed=1)
    rng = np.random.default_rng(2)
    for _ in range(50):
        env.step(env.sample(rng))
    before = [array.copy() for array in (env.planes, env.mask, env.player)]
    actions = env.sample(rng).copy()
    actions[2] = np.flatnonzero(env.mask[2] == 0)[-1]
    with pytest.raises(paishan.ActionError, match="table 2: action .* is not legal; legal are"):
        env.step(actions)
    for array, old in zip((env.planes, env.mask, env.player), before, strict=True):
        assert (array == old).all()
    with pytest.raises(paishan.ActionError, match="table 0: action 99999"):
        env.step([99999, 0, 0, 0])
    with pytest.raises(paishan.ActionError):
        env.step([-1, 0, 0, 0])
    with pytest.raises(ValueError, match="3 actions for 4 tables"):
        env.step([0, 0, 0])
    with pytest.raises(TypeError):
        env.step("abcd")


def test_actions_may_be_of_several_types():
    for kind in (np.uint16, np.int32, np.int64, list):
        env = paishan.Env("woo", tables=4, seed=1)
        chosen = env.legal[:, 0]
        env.step(chosen.tolist() if kind is list else chosen.astype(kind))
        assert len(env.moves(0)[1]) == 1


@pytest.mark.parametrize("ruleset", ["riichi-tenhou", "woo", "sichuan", "malaysian"])
def test_rewards_add_up_to_results(ruleset):
    env = paishan.Env(ruleset, tables=8, seed=3, observe=False)
    rng = np.random.default_rng(4)
    sums = np.zeros_like(env.scores)
    start = env.scores.copy()
    ended = 0
    for _ in range(6000):
        env.step(env.sample(rng))
        sums += env.reward
        assert (env.reward[~env.deal_done] == 0).all()
        for table in np.flatnonzero(env.done):
            ended += 1
            assert sums[table] == pytest.approx(env.scores[table] - start[table], abs=0.1)
            sums[table] = 0
    assert ended > 4


def test_deals_may_be_episodes():
    env = paishan.Env("riichi-tenhou", tables=2, seed=3, episode="deal", observe=False)
    rng = np.random.default_rng(4)
    for _ in range(2000):
        env.step(env.sample(rng))
        assert (env.done == env.deal_done).all()


def test_agents_take_seats():
    env = paishan.Env("woo", tables=4, seed=3, agents="greedy")
    rng = np.random.default_rng(4)
    for _ in range(300):
        assert (env.player == 0).all()
        env.step(env.sample(rng))
    log = paishan.record("woo", "greedy", seed=3)
    [match] = paishan.decisions(log)
    # A Python player who decides as the first agent did meets the same match.
    seeds = start(log)
    game = paishan.Game("woo", seeds["game_seed"], agents="greedy", agent_seed=seeds["agent_seed"])
    for action in match.action[match.player == 0]:
        game.step(int(action))
    assert game.done
    assert game.points == match.points


def test_arrays_are_views_that_cannot_be_written():
    env = paishan.Env("woo", tables=2, seed=3)
    for array in (env.mask, env.legal, env.planes, env.scalars, env.reward, env.done):
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[0] = 1
    planes = env.planes
    del env
    assert planes.sum() > 0


def test_reset_begins_anew():
    env = paishan.Env("woo", tables=2, seed=3)
    first = env.planes.copy()
    rng = np.random.default_rng(4)
    for _ in range(30):
        env.step(env.sample(rng))
    env.reset()
    assert (env.planes == first).all() and len(env.moves(0)[1]) == 0
    env.reset(4)
    assert not (env.planes == first).all()


def test_arguments_are_checked():
    with pytest.raises(paishan.RulesError, match="did you mean `woo`"):
        paishan.Env("wooo")
    with pytest.raises(ValueError, match="tables must be"):
        paishan.Env("woo", tables=0)
    with pytest.raises(ValueError, match="3 agents for 4 players"):
        paishan.Env("woo", agents=[None, None, None])
    with pytest.raises(ValueError, match="leave at least one None"):
        paishan.Env("woo", agents=["greedy"] * 4)
    with pytest.raises(ValueError, match="unknown agent `timid`"):
        paishan.Env("woo", agents="timid")
    with pytest.raises(ValueError, match="episode"):
        paishan.Env("woo", episode="hand")
    with pytest.raises(TypeError, match="a seed is"):
        paishan.Env("woo", seed=1.5)
    with pytest.raises(ValueError):
        paishan.Env("woo", seed="xyz")


def test_threads_of_python_run_while_tables_step():
    """The interpreter is free during a step."""
    env = paishan.Env("uzje", tables=512, seed=1)
    rng = np.random.default_rng(1)
    counted = 0
    stop = threading.Event()

    def count():
        nonlocal counted
        while not stop.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    for _ in range(50):
        env.step(env.sample(rng))
    stop.set()
    thread.join()
    assert counted > 0


def test_a_game_ends_and_then_refuses_actions():
    game = paishan.Game("riichi-tenhou", seed=7, options={"rounds": 1})
    rng = random.Random(1)
    steps = 0
    while not game.done:
        assert game.view()["legal"][0]["action"] in {game.action_space[i] for i in game.legal}
        game.step(rng.choice(game.legal))
        steps += 1
    assert game.legal == [] and steps > 100
    with pytest.raises(paishan.ActionError, match="the match is over"):
        game.step(0)
    seed, moves = game.moves()
    assert int(seed[:2], 16) == 7
    again = paishan.Game("riichi-tenhou", seed=seed, options={"rounds": 1})
    for _, action in moves:
        again.step(again.action_space.number(action))
    assert again.points == game.points


@pytest.mark.parametrize("agents", [None, "random"])
def test_environments_and_games_are_pickled(agents):
    env = paishan.Env("riichi-tenhou", tables=3, seed=5, agents=agents)
    rng = np.random.default_rng(3)
    for _ in range(2000):
        env.step(env.sample(rng))
    again = pickle.loads(pickle.dumps(env))
    for _ in range(200):
        for name in ("planes", "scalars", "mask", "player", "scores"):
            assert (getattr(env, name) == getattr(again, name)).all(), name
        actions = env.sample(rng)
        env.step(actions)
        again.step(actions)
        assert (env.reward == again.reward).all()
    game = paishan.Game("woo", 3, agents=agents)
    for _ in range(30):
        game.step(game.legal[-1])
    copy = pickle.loads(pickle.dumps(game))
    assert (copy.legal, copy.moves()) == (game.legal, game.moves())
    with pytest.raises(ValueError, match="damaged"):
        game.restore(game.save()[:-1])


def test_rules_are_pickled():
    for rules in (
        paishan.Rules("woo", {"flowers": 1}),
        paishan.Rules.from_toml("[ruleset]\nid = 'x'\nname = 'x'\nextends = 'woo'\n"),
    ):
        assert pickle.loads(pickle.dumps(rules)).hash == rules.hash
