"""Mahjong for research: every ruleset, many tables at once.

>>> import numpy as np, paishan
>>> env = paishan.Env("woo", tables=64, seed=7)
>>> rng = np.random.default_rng(7)
>>> for _ in range(100):
...     env.step(env.sample(rng))
"""

from ._paishan import (
    ActionError,
    ActionSpace,
    LogError,
    Observation,
    RequestError,
    RulesError,
    __version__,
    rulesets,
)
from .env import Env, Game
from .rules import Rules

__all__ = [
    "ActionError",
    "ActionSpace",
    "Env",
    "Game",
    "LogError",
    "Observation",
    "RequestError",
    "Rules",
    "RulesError",
    "__version__",
    "rulesets",
]
