"""Games can be copied, and show each player its own view."""

import copy
import pickle
import random

import pytest

import paishan


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_copied_and_pickled_games_play_on_alone(episode):
    game = paishan.Game("woo", seed=5, episode=episode)
    rng = random.Random(1)
    for _ in range(40):
        game.step(rng.choice(game.legal))
    before = game.moves()
    copies = [copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    while not game.done:
        assert all(copied.legal == game.legal for copied in copies)
        assert all(copied.snapshot() == game.snapshot() for copied in copies)
        action = rng.choice(game.legal)
        for played in (*copies, game):
            played.step(action)
    assert before != game.moves()
    for copied in copies:
        assert copied.done and copied.points == game.points and copied.moves() == game.moves()
        # A copy can be copied again, whichever way it was made.
        assert pickle.loads(pickle.dumps(copied)).points == game.points


@pytest.mark.parametrize("agents", ["greedy", "random"])
def test_a_copied_game_has_agents_that_remember(agents):
    game = paishan.Game("woo", seed=5, agents=agents)
    for _ in range(20):
        game.step(game.legal[0])
    copied = copy.copy(game)
    while not game.done:
        action = game.legal[-1]
        game.step(action)
        copied.step(action)
        assert copied.moves() == game.moves()


def test_each_player_sees_its_own_hand():
    game = paishan.Game("woo", seed=5)
    hands = [game.view(player)["hand"] for player in range(4)]
    assert len(set(hands)) == 4
    assert game.view() == game.view(game.player)
    planes = [game.observe(player)[0][:4].sum() for player in range(4)]
    assert planes[game.player] == max(planes)
    with pytest.raises(IndexError):
        game.observe(4)


def test_distances_are_those_of_the_hands_that_decide():
    compared = set()
    for seed in range(12):
        env = paishan.Env("riichi-tenhou", tables=1, seed=seed)
        game = paishan.Game("riichi-tenhou", seed=env.moves(0)[0])
        for _ in range(40):
            distance = int(env.distance()[0])
            assert distance == paishan.distance("riichi-tenhou", game.view()["hand"])
            compared.add(distance)
            # The first legal action claims nothing, so hands have no melds.
            action = game.legal[0]
            game.step(action)
            env.step([action])
    assert len(compared) > 3
