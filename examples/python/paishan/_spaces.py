"""What the adapters to ``gymnasium`` and ``pettingzoo`` share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from . import _paishan

Mask = NDArray[np.int8]


class LegalDiscrete(spaces.Discrete):
    """The numbers of all actions. ``sample()`` without a mask draws from the actions that are legal now.

    Attributes:
        legal: ``int8 [actions]``, 1 for legal actions. All are 0 until a game begins.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.legal: Mask = np.zeros(n, dtype=np.int8)

    def sample(self, mask: Mask | None = None, probability: Any = None) -> np.int64:
        """Draws an action: of the mask, by the probabilities (``float64 [actions]``), or else a legal one."""
        if mask is None and probability is None and self.legal.any():
            mask = self.legal
        return super().sample(mask, probability)


def observation_space(rules: _paishan.Rules) -> spaces.Dict:
    """``planes`` and ``scalars`` of ``Observation``, scalars in natural units."""
    observation = _paishan.Observation(rules)
    shape = len(observation.planes), len(observation.kinds)
    return spaces.Dict(
        {
            "planes": spaces.Box(0, 255, shape, np.uint8),
            "scalars": spaces.Box(-np.inf, np.inf, (len(observation.scalars),), np.float32),
        }
    )
