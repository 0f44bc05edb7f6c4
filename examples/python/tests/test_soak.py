"""Memory stays flat. PAISHAN_SOAK says for how many seconds."""

import gc
import os
import time
from pathlib import Path

import numpy as np
import pytest

import paishan

SECONDS = float(os.environ.get("PAISHAN_SOAK", "4"))


def resident():
    """The memory of the process in bytes."""
    status = Path("/proc/self/statm")
    if not status.exists():
        pytest.skip("the system does not tell the memory of a process")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("ruleset", ["riichi-tenhou", "woo"])
def test_memory_is_flat_while_tables_step(ruleset):
    env = paishan.Env(ruleset, tables=64, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(3000):
        env.step(env.sample(rng))
    before, end = resident(), time.monotonic() + SECONDS / 2
    while time.monotonic() < end:
        for _ in range(100):
            env.step(env.sample(rng))
    assert resident() - before < 8 << 20


def test_tables_and_views_are_freed():
    def use(seed):
        env = paishan.Env("woo", tables=16, seed=seed)
        env.step(env.legal[:, 0])
        game = paishan.Game("woo", seed)
        game.observe()
        game.view()
        return env.planes

    for seed in range(30):
        use(seed)
    gc.collect()
    before = resident()
    for seed in range(300):
        use(seed)
    gc.collect()
    assert resident() - before < 8 << 20
