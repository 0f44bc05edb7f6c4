"""A game for OpenSpiel (PyPI ``open_spiel``): turn-based, with chance nodes for the seed.

>>> import pyspiel, paishan.openspiel
>>> game = pyspiel.load_game("paishan(ruleset=woo,episode=deal)")
>>> state = game.new_initial_state()

Importing the module registers the game ``paishan``. Its parameters:

- ``ruleset``: the id of a built-in ruleset.
- ``episode``: ``deal`` or ``match``.
- ``options``: values of options as ``name:value;name:value``.

All chance of a match follows from its seed. The four chance nodes at the beginning draw it byte by byte, uniformly, so
a history determines everything, and OpenSpiel's serialization works. Where several players may claim a discard, they
answer one after another without seeing the answers of the others.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import pyspiel
except ImportError as error:
    raise ImportError("paishan.openspiel needs OpenSpiel: pip install open_spiel") from error

from . import _paishan
from .env import Game
from .rules import Rules

__all__ = ["MahjongGame", "MahjongObserver", "MahjongState"]

_SEED_BYTES = 4
_BYTE = [(outcome, 1 / 256) for outcome in range(256)]
# OpenSpiel asks for bounds. No ruleset comes near them; they are not tight.
_MOST_POINTS = 1e7
_LONGEST_DEAL = 4_000
_LONGEST_MATCH = 1_000_000

_GAME_TYPE = pyspiel.GameType(
    short_name="paishan",
    long_name="Mahjong (paishan)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "woo", "episode": "deal", "options": ""},
)


def _options(text: str) -> dict[str, Any]:
    """Reads ``name:value;name:value``."""
    options: dict[str, Any] = {}
    for part in filter(None, text.split(";")):
        name, _, value = part.partition(":")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


class _Shared:
    """What all states of a game use. Never copied with a state."""

    def __init__(self, rules: Rules, episode: str) -> None:
        self.rules = rules
        self.episode = episode
        self.actions = _paishan.ActionSpace(rules)
        self.observation = _paishan.Observation(rules)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Shared, (self.rules, self.episode)


class MahjongGame(pyspiel.Game):
    """Mahjong by a ruleset. Utilities are points."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        rules = Rules(params.get("ruleset", "woo"), _options(params.get("options", "")))
        self._shared = _Shared(rules, params.get("episode", "deal"))
        if self._shared.episode not in ("deal", "match"):
            raise ValueError(f"episode must be 'deal' or 'match', not {self._shared.episode!r}")
        is_deal = self._shared.episode == "deal"
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self._shared.actions),
            max_chance_outcomes=256,
            num_players=rules.players,
            min_utility=-_MOST_POINTS,
            max_utility=_MOST_POINTS,
            max_game_length=_LONGEST_DEAL if is_deal else _LONGEST_MATCH,
        )
        super().__init__(_GAME_TYPE, info, params)

    def new_initial_state(self) -> MahjongState:
        """A game whose seed is not drawn yet."""
        return MahjongState(self, self._shared)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> MahjongObserver:
        """An observer of what one player may know. It does not recall what is no longer seen."""
        if params:
            raise ValueError(f"the observer has no parameters; passed {params}")
        return MahjongObserver(self._shared)


class MahjongState(pyspiel.State):
    """A match or a deal, or the drawing of its seed."""

    def __init__(self, game: MahjongGame, shared: _Shared) -> None:
        super().__init__(game)
        self._shared = shared
        self._seed: list[int] = []
        self._game: Game | None = None
        self._start = [0.0] * shared.rules.players
        self._points = self._start
        self._gained = self._start

    def current_player(self) -> int:
        """Who decides: a player, chance or nobody."""
        if self._game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self._game.done else self._game.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The values of the next byte of the seed."""
        return _BYTE

    def _legal_actions(self, player: int) -> list[int]:
        if self._game is None or self._game.done or player != self._game.player:
            return []
        return sorted(self._game.legal)

    def _apply_action(self, action: int) -> None:
        if self._game is not None:
            self._game.step(action)
            points = self._game.points
            self._gained = [now - before for now, before in zip(points, self._points, strict=True)]
            self._points = points
            return
        self._seed = [*self._seed, action]
        if len(self._seed) == _SEED_BYTES:
            seed = int.from_bytes(bytes(self._seed), "big")
            self._game = Game(self._shared.rules, seed, episode=self._shared.episode)
            self._start = self._points = self._game.points

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        return self._shared.actions[action]

    def is_terminal(self) -> bool:
        """True when the deal or the match is over."""
        return self._game is not None and self._game.done

    def rewards(self) -> list[float]:
        """The points that the last action brought each player."""
        return list(self._gained)

    def returns(self) -> list[float]:
        """The points that the game has brought each player so far."""
        return [now - start for now, start in zip(self._points, self._start, strict=True)]

    def __str__(self) -> str:
        if self._game is None:
            return f"seed {bytes(self._seed).hex()}"
        moves = (f"{seat} {action}" for seat, action in self._game.moves()[1])
        return f"seed {bytes(self._seed).hex()}: {', '.join(moves)}"


class MahjongObserver:
    """Writes what one player may know: ``planes`` and ``scalars`` of ``paishan.Observation``.

    Attributes:
        tensor: ``float32 [planes * kinds + scalars]``. Scalars are divided by ``Observation.scales``.
        dict: Views of it: ``planes [planes, kinds]`` and ``scalars [scalars]``.
    """

    def __init__(self, shared: _Shared) -> None:
        observation = shared.observation
        planes, kinds = len(observation.planes), len(observation.kinds)
        self._scales = np.array(observation.scales, dtype=np.float32)
        self.tensor: NDArray[np.float32] = np.zeros(planes * kinds + len(self._scales), dtype=np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {
            "planes": self.tensor[: planes * kinds].reshape(planes, kinds),
            "scalars": self.tensor[planes * kinds :],
        }

    def set_from(self, state: MahjongState, player: int) -> None:
        """Writes what a player may know now. All 0 before the seed is drawn."""
        game = state._game
        if game is None:
            self.tensor.fill(0)
            return
        planes, scalars = game.observe(player)
        self.dict["planes"][:] = planes
        np.divide(scalars, self._scales, out=self.dict["scalars"])

    def string_from(self, state: MahjongState, player: int) -> str:
        """The same as JSON text."""
        return "{}" if state._game is None else state._game.snapshot(player)


if "paishan" not in pyspiel.registered_names():
    pyspiel.register_game(_GAME_TYPE, MahjongGame)
