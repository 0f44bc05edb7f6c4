"""Bots that speak mjai."""

import random

import pytest

import paishan


class Bot:
    """Answers any of the messages that it may answer."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.heard = []
        self.decided = 0

    def react(self, messages):
        self.heard += messages
        possible = messages[-1].get("possible_actions")
        if possible is None:
            return {"type": "none"}
        self.decided += 1
        return self.rng.choice(possible)


def test_bots_hear_what_their_player_may_know():
    bots = [Bot(seed) for seed in range(4)]
    points = paishan.play("riichi-tenhou", bots, seed=11)
    deals = {sum(message["type"] == "start_kyoku" for message in bot.heard) for bot in bots}
    assert len(deals) == 1 and deals.pop() >= 4
    for player, bot in enumerate(bots):
        start, *between, end = bot.heard
        assert (start["type"], start["id"]) == ("start_game", player)
        assert end["type"] == "end_game" and end["scores"] == points
        assert bot.decided > 20
        kinds = {message["type"] for message in between}
        assert {"start_kyoku", "tsumo", "dahai", "pon", "chi"} <= kinds
        for message in between:
            if message["type"] == "tsumo":
                assert (message["pai"] == "?") == (message["actor"] != player)
            if message["type"] == "start_kyoku":
                hidden = ["?" in hand for hand in message["tehais"]]
                assert hidden == [other != player for other in range(4)]
    # All of them hear the same discards.
    discards = [[message for message in bot.heard if message["type"] == "dahai"] for bot in bots]
    for heard in discards:
        for message in heard:
            message.pop("possible_actions", None)
    assert all(heard == discards[0] for heard in discards)


def test_bots_sit_beside_agents_of_all_kinds_and_rulesets():
    class First:
        def decide(self, view):
            return view["legal"][0]["action"]

    for ruleset in ("woo", "riichi-sanma"):
        players = paishan.Rules(ruleset).players
        agents = [Bot(1), First(), "greedy", "random"][:players]
        points = paishan.play(ruleset, agents, seed=2)
        assert agents[0].heard[-1]["scores"] == points


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "none"},
        {"type": "dahai", "actor": 0, "pai": "?", "tsumogiri": False},
        {"type": "hora", "actor": 0, "target": 0},
    ],
)
def test_an_answer_that_is_not_legal_is_refused(answer):
    class Wrong:
        def react(self, messages):
            return answer

    with pytest.raises(paishan.ActionError, match="is not legal; legal are .*dahai"):
        paishan.play("riichi-tenhou", [Wrong(), "first", "first", "first"], seed=11)


def test_an_answer_that_is_no_message_is_refused():
    class Wrong:
        def react(self, messages):
            return {"answer": 5}

    with pytest.raises(ValueError, match="type"):
        paishan.play("riichi-tenhou", [Wrong(), "first", "first", "first"], seed=11)
