"""Compares the speed of this package with PyPI `riichienv`, in turns in one run, on one core.

    pip install riichienv
    python benches/compare.py

Actions are chosen in Python or numpy from what the environments return. Prints medians of several turns and ratios.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import paishan


def step_rate(ruleset: str, tables: int, observe: bool, threads: int = 1) -> Callable[[float], float]:
    """Steps a second of random legal actions."""
    env = paishan.Env(ruleset, tables=tables, seed=7, observe=observe, threads=threads)
    rng = np.random.default_rng(1)
    for _ in range(300):
        env.step(env.sample(rng))

    def measure(seconds: float) -> float:
        steps, end, begin = 0, 0.0, time.perf_counter()
        while end - begin < seconds:
            for _ in range(100):
                env.step(env.sample(rng))
            steps += 100 * tables
            end = time.perf_counter()
        return steps / (end - begin)

    return measure


def game_rate(ruleset: str) -> Callable[[float], float]:
    """Steps a second of one table in a plain Python loop."""
    seed = 0

    def measure(seconds: float) -> float:
        nonlocal seed
        steps, end, begin = 0, 0.0, time.perf_counter()
        choose = random.choice
        while end - begin < seconds:
            seed += 1
            game = paishan.Game(ruleset, seed)
            step = game.step
            while not game.done:
                step(choose(game.legal))
                steps += 1
            end = time.perf_counter()
        return steps / (end - begin)

    return measure


def riichienv_rate(encode: bool) -> Callable[[float], float]:
    """Steps a second of riichienv's own loop, one round a game."""
    from riichienv import RiichiEnv

    env = RiichiEnv(game_mode="4p-red-single")

    def measure(seconds: float) -> float:
        steps, end, begin = 0, 0.0, time.perf_counter()
        while end - begin < seconds:
            observations = env.reset()
            while not env.done():
                actions = {}
                for player, observation in observations.items():
                    if encode:
                        np.frombuffer(observation.encode(), dtype=np.float32).reshape(74, 34)
                    actions[player] = random.choice(observation.legal_actions())
                    steps += 1
                observations = env.step(actions)
            end = time.perf_counter()
        return steps / (end - begin)

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5, help="turns of each measurement")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds of a turn")
    chosen = parser.parse_args()
    riichi = "riichi-tenhou"
    rates: dict[str, Callable[[float], float]] = {
        "riichienv": riichienv_rate(False),
        "riichienv, encode": riichienv_rate(True),
        "riichi, masks, 64 tables": step_rate(riichi, 64, False),
        "riichi, observations, 64 tables": step_rate(riichi, 64, True),
        "riichi, masks, 1,024 tables": step_rate(riichi, 1024, False),
        "riichi, masks, 1,024 tables, 2 threads": step_rate(riichi, 1024, False, 2),
        "riichi, observations, 1,024 tables": step_rate(riichi, 1024, True),
        "riichi, observations, 1,024 tables, 2 threads": step_rate(riichi, 1024, True, 2),
        "riichi, one table, plain loop": game_rate(riichi),
    }
    for ruleset in ("woo", "traditional", "uzje", "mcr", "sichuan", "taiwanese", "malaysian"):
        rates[f"{ruleset}, masks, 64 tables"] = step_rate(ruleset, 64, False)
    measured: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(chosen.turns):
        for name, rate in rates.items():
            measured[name].append(rate(chosen.seconds))
    medians = {name: statistics.median(turns) for name, turns in measured.items()}
    print(f"{'work':46} {'steps/s':>12} {'x riichienv':>12} {'x its encode':>13}")
    for name, median in medians.items():
        plain, encoded = median / medians["riichienv"], median / medians["riichienv, encode"]
        print(f"{name:46} {median:12,.0f} {plain:12.1f} {encoded:13.1f}")
    for kind in ("masks", "observations"):
        name = f"riichi, {kind}, 1,024 tables"
        print(f"two threads, {kind}: {medians[name + ', 2 threads'] / medians[name]:.2f} x one")


if __name__ == "__main__":
    main()
