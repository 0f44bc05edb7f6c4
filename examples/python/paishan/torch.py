"""Torch tensors over the arrays of ``paishan.Env``, without copying.

>>> import paishan, paishan.torch
>>> env = paishan.Env("woo", tables=64)
>>> tensors = paishan.torch.tensors(env)
>>> tensors.planes.data_ptr() == env.planes.ctypes.data
True

Every library that takes DLPack can read the arrays as they are, such as ``jax.dlpack.from_dlpack(env.planes)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

try:
    import torch
except ImportError as error:
    raise ImportError("paishan.torch needs torch: pip install torch") from error

from .env import Env

__all__ = ["Tensors", "tensors"]


@dataclass(frozen=True)
class Tensors:
    """The arrays of an environment as tensors of the same memory.

    Every step overwrites them. Read them, clone what you keep, and never write to them: torch has no read-only tensors.

    Attributes:
        mask: ``bool [tables, actions]``, true for legal actions.
        legal: ``int16 [tables, most_legal]``, the numbers of the legal actions, then -1.
        legal_len: ``int64 [tables]``, how many actions are legal.
        planes: ``uint8 [tables, planes, kinds]``.
        scalars: ``float32 [tables, scalars]``, in natural units.
        player: ``int8 [tables]``, the player who decides.
        reward: ``float32 [tables, players]``, in points.
        done: ``bool [tables]``.
        deal_done: ``bool [tables]``.
        scores: ``float64 [tables, players]``, in points.
    """

    mask: torch.Tensor
    legal: torch.Tensor
    legal_len: torch.Tensor
    planes: torch.Tensor
    scalars: torch.Tensor
    player: torch.Tensor
    reward: torch.Tensor
    done: torch.Tensor
    deal_done: torch.Tensor
    scores: torch.Tensor


def tensors(env: Env) -> Tensors:
    """The arrays of an environment as CPU tensors of the same memory. They keep the environment alive."""
    core = env._core
    # The getters give new views, which are not locked as those of `Env` are.
    bits: NDArray[np.uint8] = core.mask
    return Tensors(
        mask=torch.from_numpy(bits.view(np.bool_)),
        # No ruleset has 32,768 actions, so signed numbers say the same; PADDING becomes -1.
        legal=torch.from_numpy(core.legal.view(np.int16)),
        legal_len=torch.from_numpy(core.legal_len),
        planes=torch.from_numpy(core.planes),
        scalars=torch.from_numpy(core.scalars),
        player=torch.from_numpy(core.player),
        reward=torch.from_numpy(core.reward),
        done=torch.from_numpy(core.done.view(np.bool_)),
        deal_done=torch.from_numpy(core.deal_done.view(np.bool_)),
        scores=torch.from_numpy(core.scores),
    )
