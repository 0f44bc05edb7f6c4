"""Plays the games from which a build with `maturin build --pgo` learns which branches are usual.

Random legal actions in games of every kind, with and without observations, at many tables and at one.
"""

from __future__ import annotations

import random

import numpy as np

import paishan

RULESETS = ("riichi-tenhou", "woo", "traditional", "uzje", "mcr", "sichuan", "taiwanese", "malaysian")


def main() -> None:
    rng, choose = np.random.default_rng(1), random.Random(1).choice
    for ruleset in RULESETS:
        for observe in (False, True):
            env = paishan.Env(ruleset, tables=64, seed=7, observe=observe)
            for _ in range(1000):
                env.step(env.sample(rng))
        game = paishan.Game(ruleset, seed=7)
        while not game.done:
            game.step(choose(game.legal))


if __name__ == "__main__":
    main()
