"""Environments for ``gymnasium``: one player decides, built-in agents play the others.

>>> import gymnasium, paishan.gym
>>> env = gymnasium.make("paishan/woo-v0", agents="greedy")
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Importing the module registers ``paishan/<ruleset>-v0`` for every built-in ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("paishan.gym needs gymnasium 1.1 or later: pip install gymnasium") from error

from . import _paishan
from ._spaces import LegalDiscrete, Mask, observation_space
from .env import Env, Game
from .rules import AnyRules, as_rules

__all__ = ["MahjongEnv", "MahjongVectorEnv", "register"]

Observed = dict[str, NDArray[Any]]
_SEEDS = 2**63


def _company(rules: _paishan.Rules, player: int, agents: str | Sequence[str]) -> list[str | None]:
    """The agents by player, with ``None`` for the player that Python decides for."""
    others = rules.players - 1
    if not 0 <= player <= others:
        raise ValueError(f"player must be from 0 to {others}, not {player}")
    names: list[str | None] = [agents] * others if isinstance(agents, str) else list(agents)
    if len(names) != others:
        raise ValueError(f"{len(names)} agents for {others} other players")
    return names[:player] + [None] + names[player:]


class MahjongEnv(gymnasium.Env[Observed, np.int64]):
    """One player against built-in agents.

    An observation is a dict: ``planes``, ``uint8 [planes, kinds]``, and ``scalars``, ``float32 [scalars]`` in natural
    units; see ``paishan.Observation``. An action is a number of ``paishan.ActionSpace``. The reward of a step is the
    points that it brought the player, 0 unless a deal has ended.

    ``info["action_mask"]`` is ``int8 [actions]``, 1 for legal actions, and ``info["points"]`` is ``float64 [players]``.
    ``action_space.sample()`` draws a legal action. An illegal action ends the episode, as PettingZoo's
    ``TerminateIllegalWrapper`` does; ``info["illegal"]`` is true then.

    Args:
        ruleset: The id of a built-in ruleset, or ``Rules``.
        agents: The name of a built-in agent for all others, or a name for each of them.
        player: The player that decides here, from 0. Player 0 deals first, unless the rules draw the first dealer.
        options: Values of options of a built-in ruleset.
        episode: ``"match"``, or ``"deal"`` for episodes of one deal.
        illegal_reward: The reward of an illegal action. ``None`` raises ``paishan.ActionError`` instead, and nothing moves.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        ruleset: AnyRules = "woo",
        agents: str | Sequence[str] = "greedy",
        player: int = 0,
        *,
        options: Mapping[str, Any] | None = None,
        episode: str = "match",
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.rules = as_rules(ruleset, options)
        self.player = player
        self.episode = episode
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self._agents = _company(self.rules, player, agents)
        self._actions = LegalDiscrete(len(_paishan.ActionSpace(self.rules)))
        self.action_space = self._actions
        self.observation_space = observation_space(self.rules)  # type: ignore[assignment]
        self._game: Game | None = None
        self._points = 0.0
        self._is_over = True

    @property
    def game(self) -> Game:
        """The game that is played."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("call reset first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins a game. ``seed`` seeds the generator that draws the seeds of this game and of those after it."""
        super().reset(seed=seed)
        while True:
            drawn = int(self.np_random.integers(_SEEDS))
            game = Game(self.rules, drawn, agents=self._agents, episode=self.episode)
            # Agents may have ended a deal before the player decides anything.
            if not game.done:
                break
        self._game = game
        self._is_over = False
        self._points = game.points[self.player]
        self._write_mask()
        return self._observed(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Makes a decision, and lets the agents play until the next one or the end."""
        game = self.game
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the game is over; call reset")
        try:
            game.step(int(action))
        except _paishan.ActionError:
            if self.illegal_reward is None:
                raise
            self._is_over = True
            self._actions.legal[:] = 0
            return self._observed(), self.illegal_reward, True, False, self._info(illegal=True)
        self._is_over = game.done
        points = game.points[self.player]
        reward, self._points = points - self._points, points
        self._write_mask()
        return self._observed(), reward, game.done, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: ``bool [actions]``, as ``sb3_contrib.MaskablePPO`` asks for them."""
        return self._actions.legal.astype(np.bool_)

    def render(self) -> str | None:
        """What the player sees, as text: one fact a line."""
        if self.render_mode is None:
            return None
        return "\n".join(f"{name}: {value}" for name, value in self.game.view(self.player).items())

    def _write_mask(self) -> None:
        self._actions.legal[:] = 0
        self._actions.legal[self.game.legal] = 1

    def _observed(self) -> Observed:
        planes, scalars = self.game.observe(self.player)
        return {"planes": planes, "scalars": scalars}

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {
            "action_mask": self._actions.legal.copy(),
            "points": np.array(self.game.points),
            "illegal": illegal,
        }


class MahjongVectorEnv(VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """Many tables at once, each one player against built-in agents, over ``paishan.Env``.

    Observations, actions, rewards and ``info`` as in ``MahjongEnv``, with the tables as the first axis. A table whose game
    has ended shows the beginning of the next one in the same step (``AutoresetMode.SAME_STEP``); the last observation
    of a game, after which nobody decides, is not kept.

    Args:
        ruleset, agents, player, options, episode: As in ``MahjongEnv``. An illegal action always raises an error.
        num_envs: How many tables.
        threads: How many threads step them.
        copy: Return copies of the arrays. Without, observations are read-only views that the next step overwrites.
    """

    metadata = {
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        ruleset: AnyRules = "woo",
        agents: str | Sequence[str] = "greedy",
        player: int = 0,
        *,
        num_envs: int = 64,
        options: Mapping[str, Any] | None = None,
        episode: str = "match",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.rules = as_rules(ruleset, options)
        self.player = player
        self.num_envs = num_envs
        self._copy = copy
        self._env = Env(
            self.rules,
            num_envs,
            agents=_company(self.rules, player, agents),
            episode=episode,
            threads=threads,
        )
        self.single_action_space = spaces.Discrete(len(self._env.action_space))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = observation_space(self.rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._never = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins all tables anew."""
        super().reset(seed=seed)
        self._env.reset(int(self.np_random.integers(_SEEDS)))
        return self._observed(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observed, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes one decision at each table. ``ActionError`` for an illegal one, and no table has moved then."""
        self._env.step(np.ascontiguousarray(actions, dtype=np.int64))
        reward = self._env.reward[:, self.player].copy()
        done = self._env.done.copy()
        return self._observed(), reward, done, self._never.copy(), self._info()

    def sample(self) -> NDArray[np.uint16]:
        """One legal action for each table: ``uint16 [tables]``."""
        return self._env.sample(self.np_random).copy()

    def action_masks(self) -> Mask:
        """The legal actions: ``int8 [tables, actions]``, 1 for legal ones."""
        mask = self._env.mask.view(np.int8)
        return mask.copy() if self._copy else mask

    def _observed(self) -> Observed:
        shown: Observed = {"planes": self._env.planes, "scalars": self._env.scalars}
        return {name: array.copy() for name, array in shown.items()} if self._copy else shown

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "points": self._env.scores.copy()}


def register() -> None:
    """Registers ``paishan/<ruleset>-v0`` for every built-in ruleset. Done when the module is imported."""
    for ruleset in _paishan.rulesets():
        name = f"paishan/{ruleset}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="paishan.gym:MahjongEnv",
                vector_entry_point="paishan.gym:MahjongVectorEnv",
                kwargs={"ruleset": ruleset},
            )


register()
