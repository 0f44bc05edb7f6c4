"""Scores, payments, distances and explanations. Tiles are text in the notation ``ujmj``: ``"123s456s789sEECC"``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _paishan
from ._paishan import RequestError
from .rules import AnyRules

_responder = _paishan.Responder()


@dataclass(frozen=True, order=True)
class Tile:
    """A tile: ``Tile("5t")``, ``Tile("E")``, ``Tile("Rs")`` for a red five.

    Raises ``ValueError`` for a text that is not one tile.
    """

    text: str

    def __post_init__(self) -> None:
        tiles = _paishan.tiles(self.text)
        if len(tiles) != 1:
            raise ValueError(f"{self.text!r} is {len(tiles)} tiles, not one")
        object.__setattr__(self, "text", tiles[0])

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Hand:
    """A hand as text: concealed tiles, then melds and flowers. Notebooks draw it.

    >>> Hand("123s456s789sCCCEE")
    Hand('123456789sEECCC')

    Attributes:
        text: The hand in standard form.
        last: The tile that came last. It is drawn apart.
    """

    text: str
    last: str | None = None
    _svg: str = field(default="", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        text, svg = _paishan.hand(self.text, self.last)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "_svg", svg)

    def __repr__(self) -> str:
        last = f", last={self.last!r}" if self.last else ""
        return f"Hand({self.text!r}{last})"

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self._svg


def request(message: Mapping[str, Any]) -> dict[str, Any]:
    """Answers a request of the JSON interface, as ``paishan jsonl`` does.

    >>> request({"type": "parse", "ruleset": "woo", "tiles": "hCE9s1t"})["tiles"]
    '1t9sECh'

    Raises:
        RequestError: The request is refused. ``code`` has the code, ``answer`` the whole answer.
    """
    answer: dict[str, Any] = json.loads(_responder.answer(json.dumps(dict(message))))
    if not answer.pop("ok"):
        fault = answer["error"]
        error = RequestError(f"{fault['code']}: {fault['message']}")
        error.code = fault["code"]
        error.answer = answer
        raise error
    answer.pop("id")
    return answer


def _ruleset(rules: AnyRules) -> dict[str, Any]:
    if isinstance(rules, str):
        return {"ruleset": rules}
    named = {"ruleset": rules.id} if rules.text is None else {"rules": rules.text}
    return {**named, "options": json.loads(rules.options)}


def _player(
    hand: str | Hand, seat: str, melds: Sequence[str | Mapping[str, Any]], flowers: str
) -> dict[str, Any]:
    as_meld = [{"tiles": meld} if isinstance(meld, str) else dict(meld) for meld in melds]
    player: dict[str, Any] = {"seat": seat, "hand": str(hand)}
    if as_meld:
        player["melds"] = as_meld
    if flowers:
        player["flowers"] = flowers
    return player


def score(
    rules: AnyRules,
    hand: str | Hand,
    win: str | None,
    *,
    by: str = "wall",
    from_: str | None = None,
    seat: str = "S",
    round: str = "E",
    melds: Sequence[str | Mapping[str, Any]] = (),
    flowers: str = "",
    flags: Sequence[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """Scores one hand.

    >>> answer = score("riichi-mcgill", "234t456s3467899m", "5m", by="discard", flags=["riichi"], dora="3m", ura="P")
    >>> answer["points"], answer["han"], answer["fu"]
    (3900, 3, 30)

    Args:
        rules: An id, or ``Rules``.
        hand: The concealed tiles, without the winning tile.
        win: The winning tile, ``None`` for the hand of a loser where losers score.
        by: ``"wall"``, ``"replacement"``, ``"discard"``,
            ``"robbed-kong"`` or ``"turned"``.
        from_: The seat that the tile came from.
        seat: The seat, ``"E"`` is the dealer.
        round: The wind of the round.
        melds: Declared melds: ``"456t"``, or a mapping with ``tiles``, ``open``, ``from``, ``added``.
        flowers: Bonus tiles laid down.
        flags: Circumstances of the win, by id.
        more: Other members of the request: ``dora``, ``ura``, ``honba``, ``why_not``, ``lang`` and so on.

    Returns:
        The answer: ``points``, ``patterns`` with ``id`` and ``value``, ``arrangement``, and what the ruleset adds.

    Raises:
        RequestError: The hand does not win, or the request is wrong.
    """
    won = None
    if win is not None:
        won = {"tile": win, "by": by, "flags": list(flags)}
        if from_ is not None:
            won["from"] = from_
    player = _player(hand, seat, melds, flowers)
    message = {**_ruleset(rules), "type": "score", "round": round, "player": player, "win": won}
    return request({**message, **more})


def explain(rules: AnyRules, hand: str | Hand, win: str | None, **keywords: Any) -> dict[str, Any]:
    """Explains the score of a hand: why each pattern counts, and how the points come about. Takes what ``score`` takes."""
    explanation: dict[str, Any] = score(rules, hand, win, explain=True, **keywords)["explanation"]
    return explanation


def settle(
    rules: AnyRules,
    players: Sequence[Mapping[str, Any]],
    wins: Sequence[Mapping[str, Any]] = (),
    *,
    round: str = "E",
    **more: Any,
) -> dict[str, Any]:
    """Settles a table. ``players`` and ``wins`` are those of the request ``settle``.

    Returns:
        The answer: ``scores`` and ``deltas`` by seat.
    """
    message = {**_ruleset(rules), "type": "settle", "round": round}
    players, wins = [dict(one) for one in players], [dict(one) for one in wins]
    return request({**message, "players": players, "wins": wins, **more})


def distance(rules: AnyRules, hand: str | Hand, **more: Any) -> int:
    """The distance of a hand to completion: 0 for a ready hand, -1 for a complete one (shanten).

    >>> distance("woo", "1112345678999s")
    0
    """
    message = {**_ruleset(rules), "type": "distance", "hand": str(hand)}
    return int(request({**message, **more})["distance"])


def accepts(rules: AnyRules, hand: str | Hand, **more: Any) -> list[str] | dict[str, list[str]]:
    """The tiles that lower the distance of a hand.

    With a tile more than a hand has before its turn, the tiles for each discard that keeps the distance.

    >>> accepts("woo", "123t456s78mEESSW")
    ['6m', '9m', 'E', 'S']
    """
    message = {**_ruleset(rules), "type": "distance", "hand": str(hand)}
    answer = request({**message, **more})
    if "accepts" in answer:
        return list(answer["accepts"])
    return {one["tile"]: one["accepts"] for one in answer["discards"]}


def lint(text: str, *, file: str = "rules.toml") -> list[str]:
    """Looks for what loads but looks wrong in the TOML text of a ruleset. One text for each finding.

    Raises:
        RulesError: The text does not load.
    """
    return _paishan.lint(text, file)
