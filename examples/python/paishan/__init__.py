"""Mahjong for research: every ruleset, many tables at once.

>>> import numpy as np, paishan
>>> env = paishan.Env("woo", tables=64, seed=7)
>>> rng = np.random.default_rng(7)
>>> for _ in range(100):
...     env.step(env.sample(rng))
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _paishan
from ._paishan import ActionError, ActionSpace, LogError, Observation, RequestError, RulesError
from ._paishan import __version__, rulesets

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
    "rulesets",
]


class Rules(_paishan.Rules):
    """A ruleset with the values of its options.

    >>> Rules("riichi-tenhou", {"rounds": 1}).players
    4
    >>> Rules("woo", {"no-such-option": 1})
    Traceback (most recent call last):
    paishan.RulesError: unknown option `no-such-option`
    """

    def __new__(cls, ruleset: str, options: Mapping[str, Any] | None = None) -> Rules:
        return super().__new__(cls, ruleset, json.dumps(dict(options or {})))
