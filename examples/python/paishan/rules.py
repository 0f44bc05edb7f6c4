"""Rulesets with the values of their options."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _paishan

if TYPE_CHECKING:
    from typing_extensions import Self


class Rules(_paishan.Rules):
    """A ruleset with the values of its options.

    >>> Rules("riichi-tenhou", {"rounds": 1}).players
    4
    >>> Rules("woo", {"deels": 1})
    Traceback (most recent call last):
    paishan.RulesError: unknown option `deels`
    """

    def __new__(cls, ruleset: str, options: Mapping[str, Any] | None = None) -> Self:
        return super().__new__(cls, ruleset, json.dumps(dict(options or {})))

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, (self.id, options_of(self))

    @classmethod
    def from_toml(
        cls, text: str, options: Mapping[str, Any] | None = None, *, file: str = "rules.toml"
    ) -> OwnRules:
        """Reads a ruleset from TOML text. ``file`` is the name that errors show.

        Raises ``RulesError`` with file, line and column.
        """
        return OwnRules(text, options, file)

    @classmethod
    def from_file(cls, path: str | PathLike[str], options: Mapping[str, Any] | None = None) -> _paishan.Rules:
        """Reads a ruleset from a TOML file."""
        path = Path(path)
        return cls.from_toml(path.read_text(encoding="utf-8"), options, file=path.name)


class OwnRules(_paishan.Rules):
    """A ruleset from TOML text (``Rules.from_toml``)."""

    def __new__(cls, text: str, options: Mapping[str, Any] | None = None, file: str = "rules.toml") -> Self:
        return super().__new__(cls, file, json.dumps(dict(options or {})), text)

    def __reduce__(self) -> tuple[Any, ...]:
        return OwnRules, (self.text, options_of(self))


AnyRules = str | _paishan.Rules


@functools.lru_cache(maxsize=32)
def _known(ruleset: str, options: str) -> Rules:
    """Rules that were loaded before."""
    return Rules(ruleset, json.loads(options))


def as_rules(ruleset: AnyRules, options: Mapping[str, Any] | None = None) -> _paishan.Rules:
    """The rules of an id, or the rules themselves."""
    if isinstance(ruleset, _paishan.Rules):
        if options:
            raise TypeError("give options to Rules, not beside it")
        return ruleset
    return _known(ruleset, json.dumps(dict(options or {})))


def options_of(rules: _paishan.Rules) -> dict[str, Any]:
    """The options of rules with their values in force."""
    values: dict[str, Any] = json.loads(rules.options)
    return values
