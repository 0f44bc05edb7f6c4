"""Tables to play at: many at once, or one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _paishan
from .rules import AnyRules, as_rules

if TYPE_CHECKING:
    from typing_extensions import Self

# Found once, because `sample` is called in every step.
_add, _remainder = np.add, np.remainder

PADDING = 0xFFFF
"""Fills the rest of a row of ``Env.legal``."""


def _agents(agents: str | Sequence[str | None] | None, players: int) -> list[str | None]:
    if agents is None:
        return [None] * players
    if isinstance(agents, str):
        return [None] + [agents] * (players - 1)
    return list(agents)


class Env:
    """Many tables that are stepped together.

    Each step makes one decision at every table: ``step(actions)`` takes one action number for each table. Afterwards
    the arrays describe the next decision of each table. They are views of the same memory in every step: copy what you
    keep. They are read-only, because the next step moves planes that are there instead of writing them anew.

    Args:
        ruleset: The id of a built-in ruleset, or ``Rules``.
        tables: How many tables, 1 to 1,048,576.
        seed: A number below 2**64, or 64 hexadecimal digits. Table ``t`` plays the same matches whatever the number of
            tables and threads.
        options: Values of options of a built-in ruleset.
        agents: Names of built-in agents by player, ``None`` for players that you decide for: ``[None, "greedy",
            "greedy", "greedy"]``. A single name stands for all players but the first.
        episode: ``"match"``, or ``"deal"`` if every deal is a match of its own.
        mask: Write ``mask``.
        legal: Write ``legal`` and ``legal_len``.
        observe: Write ``planes`` and ``scalars``.
        threads: How many threads step the tables, the calling one included. More than one pays from some hundred tables
            on.

    Attributes:
        mask: ``uint8 [tables, actions]``, 1 for legal actions.
        legal: ``uint16 [tables, most_legal]``, the numbers of the legal actions, then ``PADDING``.
        legal_len: ``int64 [tables]``, how many actions are legal.
        planes: ``uint8 [tables, planes, kinds]``, see ``Observation``.
        scalars: ``float32 [tables, scalars]``, in natural units. Divide by ``observation.scales`` for networks.
        player: ``int8 [tables]``, the player who decides.
        reward: ``float32 [tables, players]``, the points that the last step brought each player. Not 0 only where a deal
            ended. The rewards of a match add up to the result minus the starting points.
        done: ``bool [tables]``, where the last step ended a match. The next match has begun.
        deal_done: ``bool [tables]``, where the last step ended a deal.
        scores: ``float64 [tables, players]``, the points of each player when the last deal of the table ended.
    """

    def __init__(
        self,
        ruleset: AnyRules,
        tables: int = 64,
        seed: int | str = 0,
        *,
        options: Mapping[str, Any] | None = None,
        agents: str | Sequence[str | None] | None = None,
        episode: str = "match",
        mask: bool = True,
        legal: bool = True,
        observe: bool = True,
        threads: int = 1,
    ) -> None:
        if episode not in ("match", "deal"):
            raise ValueError(f"episode must be 'match' or 'deal', not {episode!r}")
        self.rules = as_rules(ruleset, options)
        self.tables = tables
        names = _agents(agents, self.rules.players)
        self._arguments = (tables, seed, names, episode, mask, legal, observe, threads)
        self._core = core = _paishan.Env(
            self.rules, tables, seed, names, episode == "deal", mask, legal, observe, threads
        )
        self.action_space = core.action_space
        self.observation = core.observation
        self.mask: NDArray[np.uint8] = _locked(core.mask)
        self.legal: NDArray[np.uint16] = _locked(core.legal)
        self.legal_len: NDArray[np.int64] = _locked(core.legal_len)
        self.planes: NDArray[np.uint8] = _locked(core.planes)
        self.scalars: NDArray[np.float32] = _locked(core.scalars)
        self.player: NDArray[np.int8] = _locked(core.player)
        self.reward: NDArray[np.float32] = _locked(core.reward)
        self.scores: NDArray[np.float64] = _locked(core.scores)
        self.done: NDArray[np.bool_] = _locked(core.done.view(np.bool_))
        self.deal_done: NDArray[np.bool_] = _locked(core.deal_done.view(np.bool_))
        # What `sample` computes with, so that it allocates little.
        self._take = self.legal.reshape(-1).take
        self._rows = np.arange(tables) * self.legal.shape[1]
        self._lens = core.legal_len.view(np.uint64)
        self._places = np.empty(tables, dtype=np.uint64)
        self._signed_places = self._places.view(np.int64)
        self._chosen = np.empty(tables, dtype=np.uint16)
        self._rng: np.random.Generator | None = None
        self._draws: Iterator[NDArray[np.uint64]] = iter(())
        #: Makes one decision at each table. Takes a sequence or an array of uint16, int32 or int64, one action number for
        #: each table. Raises ``ActionError`` for an action that is not legal, and nothing has moved then.
        self.step = core.step

    def reset(self, seed: int | str | None = None) -> None:
        """Begins all tables anew, with another seed if one is given."""
        self._core.reset(seed)
        if seed is not None:
            self._arguments = (self._arguments[0], seed, *self._arguments[2:])

    def __reduce__(self) -> tuple[Any, ...]:
        """An environment is pickled as its arguments and the moves of its matches. ``reward`` and ``done`` are not."""
        return _resumed, (self.rules, self._arguments, self._core.save())

    def sample(self, rng: np.random.Generator) -> NDArray[np.uint16]:
        """One legal action for each table, drawn uniformly: ``uint16 [tables]``. The next call overwrites it.

        Numbers are drawn from ``rng`` for some steps ahead, so give ``sample`` a generator of its own. Needs ``legal=True``.
        """
        if rng is not self._rng:
            if not self.legal.size:
                raise ValueError("sample needs legal=True")
            self._rng, self._draws = rng, _draws(rng.bit_generator, self.tables)
        # The remainder of a large random number: a division by the few legal actions leaves no bias that matters.
        _remainder(next(self._draws), self._lens, self._places)
        places = self._signed_places
        _add(places, self._rows, places)
        return self._take(places, None, self._chosen, "clip")

    def moves(self, table: int) -> tuple[str, list[tuple[str, str]]]:
        """The seed of the match that a table plays, and its decisions so far: ``[(seat, action), ...]``."""
        return self._core.moves(table)

    def distance(self) -> NDArray[np.int8]:
        """The distance to completion of the hand of the player who decides: ``int8 [tables]``, a new array.

        0 for a ready hand, -1 for a complete one (shanten). Computed when called, for reward shaping.
        """
        return self._core.distance()

    def __repr__(self) -> str:
        return f"<Env {self.rules.id}, {self.tables} tables>"


def _draws(bits: np.random.BitGenerator, tables: int) -> Iterator[NDArray[np.uint64]]:
    """Random numbers below 2**32, one for each table. Drawn for many steps in one call, because a call costs more."""
    steps = 2 * max(1, 2048 // tables)
    while True:
        raw = bits.random_raw(steps // 2 * tables)
        yield from raw.view(np.uint32).astype(np.uint64).reshape(steps, tables)


def _locked(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


class Game(_paishan.Game):
    """One match, for loops in plain Python.

    >>> import random
    >>> game = Game("riichi-tenhou", seed=7)
    >>> while not game.done:
    ...     game.step(random.choice(game.legal))
    >>> len(game.points)
    4

    Actions are numbers; ``action_space`` has their names. A game can be copied (``copy.copy``) and pickled.

    Args:
        ruleset: The id of a built-in ruleset, or ``Rules``.
        seed: The seed of the match. ``Env.moves`` and logs tell it.
        options: Values of options of a built-in ruleset.
        agents: As in ``Env``.
        episode: As in ``Env``.
        agent_seed: The seed of the agents. Without it, it follows from the seed of the match.
    """

    rules: _paishan.Rules
    _arguments: tuple[int | str, list[str | None], int | str | None, str]

    def __new__(
        cls,
        ruleset: AnyRules,
        seed: int | str = 0,
        *,
        options: Mapping[str, Any] | None = None,
        agents: str | Sequence[str | None] | None = None,
        agent_seed: int | str | None = None,
        episode: str = "match",
    ) -> Self:
        if episode not in ("match", "deal"):
            raise ValueError(f"episode must be 'match' or 'deal', not {episode!r}")
        rules = as_rules(ruleset, options)
        names = _agents(agents, rules.players)
        game = super().__new__(cls, rules, seed, names, agent_seed, episode == "deal")
        game.rules = rules
        game._arguments = (seed, names, agent_seed, episode)
        return game

    def view(self, player: int | None = None) -> dict[str, Any]:
        """What a player may know, as a dict: hand, melds, discards, legal actions and more.

        Without ``player``: the one who decides.
        """
        view: dict[str, Any] = json.loads(self.snapshot(player))
        return view

    def __reduce__(self) -> tuple[Any, ...]:
        """A match is pickled as its arguments and its moves."""
        return _resumed_game, (type(self), self.rules, *self._arguments, self.save())

    def __copy__(self) -> Self:
        if any(self._arguments[1]):
            # What built-in agents remember cannot be copied; they play again what they have played.
            resume, arguments = self.__reduce__()
            return resume(*arguments)  # type: ignore[no-any-return]
        copied = type(self)(self.rules)
        copied.set_to(self)
        copied._arguments = self._arguments
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.__copy__()


def _resumed(rules: _paishan.Rules, arguments: tuple[Any, ...], saved: list[tuple[int, bytes]]) -> Env:
    tables, seed, agents, episode, mask, legal, observe, threads = arguments
    env = Env(
        rules,
        tables,
        seed,
        agents=agents,
        episode=episode,
        mask=mask,
        legal=legal,
        observe=observe,
        threads=threads,
    )
    env._core.restore(saved)
    return env


def _resumed_game(
    kind: type[Game],
    rules: _paishan.Rules,
    seed: int | str,
    agents: list[str | None],
    agent_seed: int | str | None,
    episode: str,
    saved: bytes,
) -> Game:
    game = kind(rules, seed, agents=agents, agent_seed=agent_seed, episode=episode)
    game.restore(saved)
    return game
