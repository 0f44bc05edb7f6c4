"""Recorded matches as arrays for learning: own logs, mjai, and Tenhou's records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from . import _paishan
from ._paishan import Decisions, LogError
from .rules import AnyRules, as_rules


@dataclass(frozen=True)
class Batch:
    """Decisions of one ruleset, ``n`` of them.

    Attributes:
        planes: ``uint8 [n, planes, kinds]``.
        scalars: ``float32 [n, scalars]``.
        mask: ``uint8 [n, actions]``, 1 for legal actions.
        action: ``uint16 [n]``, the action that was chosen. It is always in the mask.
        value: ``float32 [n]``, what the deal or the match brought the player who decided, in points.
    """

    planes: NDArray[np.uint8]
    scalars: NDArray[np.float32]
    mask: NDArray[np.uint8]
    action: NDArray[np.uint16]
    value: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.action)


def _matches(text: str) -> Iterator[str]:
    """The texts of the matches in a log of lines."""
    lines: list[str] = []
    for line in text.splitlines():
        lines.append(line)
        if '"end_game"' in line:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def decisions(
    record: str,
    rules: AnyRules | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    faulty: str = "raise",
) -> Iterator[Decisions]:
    """Replays the text of a record and yields the decisions of each match in it.

    ``Decisions.part`` has the planes and masks of some decisions. ``Decisions.planes`` and ``Decisions.mask`` hold those
    of all in memory, 3 kB a decision.

    Args:
        record: The text of a log of this project (JSON Lines), of a log in plain mjai, or of a record of Tenhou (XML).
        rules: The rules of a log in plain mjai; ``"riichi-mcgill"`` without it. Other records name their rules, but a
            log under rules of your own needs them.
        options: Values of options that were in force and that the record does not name.
        faulty: ``"raise"``, or ``"keep"`` for the decisions before the first fault of a record. ``Decisions.fault`` says
            what it is.

    Raises:
        LogError: The record cannot be read, or does not follow the rules. The text names the line or the tag.
    """
    if faulty not in ("raise", "keep"):
        raise ValueError(f"faulty must be 'raise' or 'keep', not {faulty!r}")
    keeps, more = faulty == "keep", json.dumps(dict(options or {}))
    if record.lstrip().startswith("<"):
        try:
            root = ElementTree.fromstring(record)
        except ElementTree.ParseError as error:
            raise LogError(f"no XML: {error}") from None
        tags = [(tag.tag, list(tag.items())) for tag in (root, *root)]
        yield _paishan.tenhou(tags, more, keeps)
        return
    for match in _matches(record):
        first = match.split("\n", 1)[0]
        if '"ruleset"' in first and '"notation"' in first:
            own = None if rules is None else as_rules(rules)
            yield _paishan.own_log(match, own, more, keeps)
        else:
            known = as_rules(rules or "riichi-mcgill", options if rules is None else None)
            yield _paishan.plain_log(match, known, keeps)


def batches(
    paths: Iterable[str | PathLike[str]],
    size: int = 1024,
    *,
    rules: AnyRules | None = None,
    rulesets: Iterable[str] | None = None,
    players: Iterable[int] | None = None,
    places: Iterable[int] | None = None,
    value: str = "deal",
    options: Mapping[str, Any] | None = None,
    faulty: str = "raise",
) -> Iterator[Batch]:
    """Reads records and yields their decisions in batches.

    A batch holds decisions of one ruleset with the same options, so the last batch of a ruleset may be short.

    Args:
        paths: Files with records, as ``decisions`` reads them.
        size: Decisions in a batch.
        rules: The rules of logs in plain mjai.
        rulesets: Ids of rulesets. Matches of others are left out.
        players: Players, from 0 in the order of the first deal. Decisions of others are left out.
        places: Places at the end of the match, from 1. Decisions of players who came elsewhere are left out.
        value: ``"deal"`` for the points that the deal brought the player, ``"match"`` for those of the match above the
            mean of all players. NaN where a record breaks off before.
        options: As for ``decisions``.
        faulty: As for ``decisions``.
    """
    if value not in ("deal", "match"):
        raise ValueError(f"value must be 'deal' or 'match', not {value!r}")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    wanted_rulesets = None if rulesets is None else set(rulesets)
    wanted_players = None if players is None else set(players)
    wanted_places = None if places is None else set(places)
    kept: list[Batch] = []
    hash_of_kept = ""
    for path in paths:
        text = Path(path).read_text(encoding="utf-8")
        for match in decisions(text, rules, options=options, faulty=faulty):
            if wanted_rulesets is not None and match.rules.id not in wanted_rulesets:
                continue
            if match.rules.hash != hash_of_kept:
                yield from _rest(kept)
                kept, hash_of_kept = [], match.rules.hash
            rows, values = _select(match, wanted_players, wanted_places, value)
            while len(rows):
                # No more than a batch is unpacked at once.
                room = size - sum(map(len, kept))
                now, rows = rows[:room], rows[room:]
                planes, mask = match.part(now.tolist())
                kept.append(Batch(planes, match.scalars[now], mask, match.action[now], values[now]))
                if len(now) == room:
                    yield _joined(kept)
                    kept = []
    yield from _rest(kept)


def _select(
    match: Decisions, players: set[int] | None, places: set[int] | None, value: str
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The numbers of the decisions that are wanted, and the values of all."""
    keep = np.ones(len(match.action), dtype=bool)
    if players is not None:
        keep &= np.isin(match.player, list(players))
    if places is not None:
        # The places of a record that breaks off are unknown.
        of_player = match.places or [0] * match.rules.players
        keep &= np.isin(np.asarray(of_player)[match.player], list(places))
    if value == "deal":
        values = np.take_along_axis(match.deal_points, match.player[:, None].astype(np.intp), 1)[:, 0]
    else:
        points = np.asarray(match.points or [np.nan] * match.rules.players, dtype=np.float32)
        values = (points - points.mean())[match.player]
    return np.flatnonzero(keep), values.astype(np.float32)


def _joined(batches: list[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    fields = ("planes", "scalars", "mask", "action", "value")
    return Batch(*(np.concatenate([getattr(one, name) for one in batches]) for name in fields))


def _rest(kept: list[Batch]) -> Iterator[Batch]:
    if kept and sum(map(len, kept)):
        yield _joined(kept)


def record(
    ruleset: AnyRules,
    agents: str | Sequence[str] = "greedy",
    seed: int | str = 0,
    *,
    options: Mapping[str, Any] | None = None,
    game: int = 0,
) -> str:
    """Plays a match with built-in agents and returns its log, as ``paishan simulate`` writes it.

    >>> [match] = decisions(record("woo", "random", seed=7))
    >>> match.rules.id
    'woo'

    Args:
        ruleset: An id, or ``Rules``.
        agents: The name of an agent for all players, or one for each.
        seed: The seed of the run.
        game: The number of the match in the run.
    """
    rules = as_rules(ruleset, options)
    names = [agents] * rules.players if isinstance(agents, str) else list(agents)
    return _paishan.record(rules, names, seed, game)
