"""Play-tests: many games of built-in agents, and what the patterns and seats of a ruleset are worth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from . import _paishan
from .rules import AnyRules, as_rules


@dataclass(frozen=True)
class Playtest:
    """What was played, in one piece or a part of it.

    Attributes:
        data: The bytes of ``summary.json``, which ``paishan playtest`` writes. The same ruleset, agents, seed and games
            give the same bytes, in one process or merged from parts.
        report: The short form of the report, as text.
    """

    data: bytes
    report: str

    @property
    def summary(self) -> dict[str, Any]:
        """The content of ``data``."""
        summary: dict[str, Any] = json.loads(self.data)
        return summary

    def __str__(self) -> str:
        return self.report


def _playtest(texts: tuple[str, str]) -> Playtest:
    data, report = texts
    return Playtest(data.encode(), report)


def playtest(
    ruleset: AnyRules,
    games: int | None = None,
    *,
    seed: int = 1,
    agents: str = "value",
    options: Mapping[str, Any] | None = None,
    part: tuple[int, int] = (0, 1),
    threads: int = 1,
    folder: str | PathLike[str] | None = None,
) -> Playtest:
    """Plays a ruleset many times. The GIL is released meanwhile.

    >>> print(playtest("woo", games=20, agents="greedy"))
    Simplified Mahjong...

    Args:
        ruleset: An id, or ``Rules``.
        games: How many matches. By default 10,000, or 2,000 where runs are other than three ranks in a row.
        seed: Where all chance comes from.
        agents: One built-in agent for all players, or one for each, separated by commas.
        options: Values of options of a built-in ruleset.
        part: ``(i, n)`` plays only part ``i`` of ``n``, counted from 0, for ``merge``.
        threads: How many threads play; as many as the machine has cores, for 0.
        folder: Writes ``report.html``, ``summary.json`` and ``patterns.csv`` into this folder. After an interruption, the same
            call goes on where it was.
    """
    rules = as_rules(ruleset, options)
    path = None if folder is None else str(folder)
    return _playtest(_paishan.playtest(rules, games, seed, agents, *part, threads, path))


def merge(
    ruleset: AnyRules,
    parts: Iterable[Playtest | bytes],
    *,
    options: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
) -> Playtest:
    """Puts the parts of a play-test together, in any order. The bytes are those of one process.

    Raises ``ValueError`` if games are missing, were played twice, or belong to another job or other rules.
    """
    rules = as_rules(ruleset, options)
    texts = [(part.data if isinstance(part, Playtest) else part).decode() for part in parts]
    path = None if folder is None else str(folder)
    return _playtest(_paishan.merge(rules, texts, path))
