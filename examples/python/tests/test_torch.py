"""Tensors and DLPack share the memory of the arrays."""

import numpy as np
import pytest

import paishan


def test_numpy_reads_the_arrays_by_dlpack_without_copying():
    if np.lib.NumpyVersion(np.__version__) < "2.1.0":
        pytest.skip("DLPack of read-only arrays needs numpy 2.1")
    env = paishan.Env("woo", tables=4)
    for name in ("mask", "legal", "planes", "scalars", "player", "reward", "done", "scores"):
        array = getattr(env, name)
        read = np.from_dlpack(array)
        assert read.ctypes.data == array.ctypes.data, name
        assert not read.flags.writeable


def test_tensors_share_the_memory_and_follow_the_steps():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from paishan.torch import tensors

    env = paishan.Env("woo", tables=8, seed=5)
    shared = tensors(env)
    rng = np.random.default_rng(1)
    for _ in range(200):
        env.step(env.sample(rng))
        for name, tensor in vars(shared).items():
            array = getattr(env, name)
            assert tensor.data_ptr() == array.ctypes.data, name
            if array.dtype == np.uint16:
                array = array.astype(np.int16)
            assert (tensor.numpy() == array).all(), name
    assert shared.mask.dtype == torch.bool
    # They keep the environment alive.
    planes = env.planes.copy()
    del env
    assert (shared.planes.numpy() == planes).all()
