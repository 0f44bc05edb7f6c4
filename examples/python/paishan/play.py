"""Matches between Python agents, bots that speak mjai, and built-in agents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from .env import Game
from .rules import AnyRules


class Agent(Protocol):
    """Decides for a player."""

    def decide(self, view: dict[str, Any]) -> str:
        """Chooses one of the legal actions.

        Args:
            view: What the player may know: ``hand``, ``drawn``, ``melds``, ``discards``, ``points`` and more.
                ``view["legal"]`` lists the legal actions, each with ``action`` and ``words``.

        Returns:
            The text of an action, ``view["legal"][i]["action"]``.
        """
        ...


@runtime_checkable
class MjaiBot(Protocol):
    """Plays in the messages of mjai, as bots for Riichi do."""

    def react(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """Hears what has happened and answers the last message.

        Args:
            messages: What the player may know and has not been told yet, from ``start_game``, whose ``id`` is the player,
                to ``end_game``. Where the bot decides, the last message lists its choices as ``possible_actions``.

        Returns:
            A message: one of ``possible_actions``, or ``{"type": "none"}``. Riichi is two answers, ``reach`` and then the
            discard. The answer to ``end_game`` is ignored.
        """
        ...


class _Seat:
    """A bot with what it has been told."""

    def __init__(self, bot: MjaiBot, player: int) -> None:
        self.bot = bot
        self.player = player
        self.told = 0

    def _hear(self, game: Game, possible: list[str] | None) -> dict[str, Any]:
        messages = [json.loads(message) for message in game.mjai(self.player, self.told)]
        self.told += len(messages)
        if possible is not None and messages:
            messages[-1]["possible_actions"] = [json.loads(message) for message in possible]
        return self.bot.react(messages)

    def choose(self, game: Game) -> int:
        end = game.action_space.number("end")
        if end in game.legal:
            # mjai has no word for ending a match by choice. The match ends if the bot leads.
            return end
        return game.number_of_message(json.dumps(self._hear(game, game.possible_messages())))

    def end(self, game: Game) -> None:
        self._hear(game, None)


def play(
    ruleset: AnyRules,
    agents: Sequence[Agent | MjaiBot | str],
    seed: int | str = 0,
    *,
    options: Mapping[str, Any] | None = None,
) -> list[float]:
    """Plays a match and returns the points of each player.

    >>> class First:
    ...     def decide(self, view):
    ...         return view["legal"][0]["action"]
    >>> points = play("woo", [First(), "greedy", "greedy", "greedy"], seed=7)

    Args:
        ruleset: An id, or ``Rules``.
        agents: An agent or a bot for each player, or the name of a built-in agent.
        seed: The seed of the match.

    Raises:
        ActionError: An agent or a bot chose an action that is not legal.
    """
    names = [agent if isinstance(agent, str) else None for agent in agents]
    game = Game(ruleset, seed, options=options, agents=names)
    seats = [
        _Seat(agent, player) if isinstance(agent, MjaiBot) else agent for player, agent in enumerate(agents)
    ]
    while not game.done:
        agent = seats[game.player]
        assert not isinstance(agent, str)
        if isinstance(agent, _Seat):
            game.step(agent.choose(game))
        else:
            game.step(game.action_space.number(agent.decide(game.view())))
    for seat in seats:
        if isinstance(seat, _Seat):
            seat.end(game)
    return game.points
