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
    Decisions,
    LogError,
    Observation,
    RequestError,
    RulesError,
    __version__,
    rulesets,
)
from .env import Env, Game
from .play import Agent, MjaiBot, play
from .playtest import Playtest, merge, playtest
from .records import Batch, batches, decisions, record
from .rules import Rules
from .scoring import Hand, Tile, accepts, distance, explain, lint, request, score, settle

__all__ = [
    "ActionError",
    "ActionSpace",
    "Agent",
    "Batch",
    "Decisions",
    "Env",
    "Game",
    "Hand",
    "LogError",
    "MjaiBot",
    "Observation",
    "Playtest",
    "RequestError",
    "Rules",
    "RulesError",
    "Tile",
    "__version__",
    "accepts",
    "batches",
    "decisions",
    "distance",
    "explain",
    "lint",
    "merge",
    "play",
    "playtest",
    "record",
    "request",
    "rulesets",
    "score",
    "settle",
]
