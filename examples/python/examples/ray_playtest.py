"""A play-test on a Ray cluster: each task plays a part of the games, the parts merge to the bytes of one process.

    pip install ray
    python examples/ray_playtest.py woo --games 10000 --parts 16 --report out/

Without a cluster, Ray starts workers on this machine. A task that fails is played again by Ray; the result is the same.
"""

from __future__ import annotations

import argparse

import paishan


def playtest(
    ruleset: str,
    games: int,
    *,
    seed: int = 1,
    agents: str = "value",
    parts: int = 8,
    folder: str | None = None,
) -> paishan.Playtest:
    """Plays ``games`` matches in ``parts`` Ray tasks. Arguments as for ``paishan.playtest``."""
    import ray

    @ray.remote
    def play(part: int) -> bytes:
        played = paishan.playtest(ruleset, games, seed=seed, agents=agents, part=(part, parts))
        return played.data

    return paishan.merge(ruleset, ray.get([play.remote(part) for part in range(parts)]), folder=folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ruleset", help="the id of a built-in ruleset")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agents", default="value")
    parser.add_argument("--parts", type=int, default=8, help="how many tasks")
    parser.add_argument("--report", metavar="FOLDER", help="writes the report into this folder")
    args = parser.parse_args()
    print(
        playtest(
            args.ruleset,
            args.games,
            seed=args.seed,
            agents=args.agents,
            parts=args.parts,
            folder=args.report,
        )
    )


if __name__ == "__main__":
    main()
