"""An environment for PettingZoo: every player is an agent of its own, one decides at a time.

>>> from paishan.pettingzoo import env
>>> table = env("woo")
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, terminated, truncated, info = table.last()
...     done = terminated or truncated
...     action = None if done else table.action_space(agent).sample(observation["action_mask"])
...     table.step(action)

There is no parallel environment. At most decisions one player alone may act, and claims are answered one after
another: in a parallel step all others would be asked for actions that do not exist, and
``pettingzoo.utils.aec_to_parallel`` refuses such games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("paishan.pettingzoo needs pettingzoo: pip install pettingzoo") from error

from . import _paishan
from ._spaces import observation_space
from .env import Game
from .rules import AnyRules, as_rules

__all__ = ["MahjongAEC", "env", "raw_env"]


class MahjongAEC(AECEnv[str, dict[str, Any], int | None]):
    """A match or a deal for agents ``player_0``, ``player_1``, ...

    An observation is a dict: ``observation`` with ``planes`` (``uint8 [planes, kinds]``) and ``scalars``
    (``float32 [scalars]``, natural units), and ``action_mask``, ``int8 [actions]``, 1 for legal actions, all 0 for an
    agent that does not decide now. Rewards are points. Where several players may claim a discard, they answer one
    after another without seeing the answers of the others.

    A step with an illegal action raises ``paishan.ActionError`` and moves nothing.

    Args:
        ruleset: The id of a built-in ruleset, or ``Rules``.
        options: Values of options of a built-in ruleset.
        episode: ``"match"``, or ``"deal"`` for episodes of one deal.
    """

    metadata = {
        "name": "paishan_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        ruleset: AnyRules = "woo",
        *,
        options: Mapping[str, Any] | None = None,
        episode: str = "match",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.rules = as_rules(ruleset, options)
        self.episode = episode
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(self.rules.players)]
        self.agents: list[str] = []
        self._player = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._actions = len(_paishan.ActionSpace(self.rules))
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self._player}
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation_space(self.rules), "action_mask": mask})
            for agent in self._player
        }
        self._rng: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of all actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. ``seed`` seeds the generator that draws the seeds of this game and of those after it."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self.game = Game(self.rules, int(self._rng.integers(2**63)), episode=self.episode)
        self._points = self.game.points
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.player]

    def step(self, action: int | None) -> None:
        """Makes the decision of ``agent_selection``. ``None`` for an agent whose game has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise _paishan.ActionError(f"{agent} has to decide")
        self.game.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        points = self.game.points
        for other, player in self._player.items():
            self.rewards[other] = points[player] - self._points[player]
        self._points = points
        self._accumulate_rewards()
        if self.game.done:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.game.player]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know now."""
        player = self._player[agent]
        planes, scalars = self.game.observe(player)
        mask: NDArray[np.int8] = np.zeros(self._actions, dtype=np.int8)
        if not self.game.done and player == self.game.player:
            mask[self.game.legal] = 1
        return {"observation": {"planes": planes, "scalars": scalars}, "action_mask": mask}

    def render(self) -> str | None:
        """What the player who decides sees, as text: one fact a line."""
        if self.render_mode is None:
            return None
        return "\n".join(f"{name}: {value}" for name, value in self.game.view().items())

    def close(self) -> None:
        """Does nothing: there is no window."""


def raw_env(ruleset: AnyRules = "woo", **more: Any) -> MahjongAEC:
    """The environment without wrappers. Arguments as for ``MahjongAEC``."""
    return MahjongAEC(ruleset, **more)


def env(ruleset: AnyRules = "woo", **more: Any) -> AECEnv:
    """The environment with PettingZoo's check of the order of calls. Arguments as for ``MahjongAEC``."""
    return wrappers.OrderEnforcingWrapper(raw_env(ruleset, **more))
