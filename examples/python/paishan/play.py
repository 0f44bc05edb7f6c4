"""Matches between Python agents and built-in ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

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


def play(
    ruleset: AnyRules,
    agents: Sequence[Agent | str],
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
        agents: An agent for each player, or the name of a built-in one.
        seed: The seed of the match.

    Raises:
        ActionError: An agent chose an action that is not legal.
    """
    names = [agent if isinstance(agent, str) else None for agent in agents]
    game = Game(ruleset, seed, options=options, agents=names)
    while not game.done:
        agent = agents[game.player]
        assert not isinstance(agent, str)
        game.step(game.action_space.number(agent.decide(game.view())))
    return game.points
