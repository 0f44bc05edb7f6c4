from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

__version__: str

class RulesError(ValueError):
    """Raised for a ruleset or an option that cannot be loaded. The text names file, line and column."""

class ActionError(ValueError):
    """Raised for an action that is not legal. Nothing has moved."""

class LogError(ValueError):
    """Raised for a record that cannot be read or replayed. The text names the line."""

class RequestError(ValueError):
    """Raised for a request that is refused."""

    code: str
    answer: dict[str, Any]

def rulesets() -> list[str]:
    """The ids of the built-in rulesets."""

class Rules:
    """A ruleset with the values of its options."""

    def __new__(cls, ruleset: str, options: str, text: str | None = None) -> Self: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def hash(self) -> str: ...
    @property
    def options(self) -> str: ...
    @property
    def text(self) -> str | None: ...
    @property
    def doc(self) -> str: ...

class ActionSpace:
    """A number for every action of a ruleset, from 0. The numbers are stable as long as ``Rules.hash`` is."""

    def __new__(cls, rules: Rules) -> Self: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> str:
        """The action with a number, in the words of the log: ``"dahai 5t"``, ``"pon EEE"``."""

    def number(self, action: str) -> int:
        """The number of an action in the words of the log."""

    @property
    def most_legal(self) -> int:
        """An upper bound on the number of legal actions of one player."""

    @property
    def blocks(self) -> list[tuple[str, int, int]]:
        """The blocks of like actions: ``[(name, first, one after the last), ...]``."""

class Observation:
    """What a player may know, as arrays: planes by kind of tile, and scalars."""

    def __new__(cls, rules: Rules) -> Self: ...
    @property
    def version(self) -> int: ...
    @property
    def planes(self) -> list[str]:
        """The names of the planes. ``"discard+1"`` is of the next player in turn order, ``"hand.2"`` the second of several."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of tiles, one column each."""

    @property
    def scalars(self) -> list[str]:
        """The names of the scalars."""

    @property
    def scales(self) -> list[float]:
        """A typical magnitude of each scalar, to divide by."""

class Env:
    def __new__(
        cls,
        rules: Rules,
        tables: int,
        seed: int | str,
        agents: list[str | None],
        single_deals: bool,
        mask: bool,
        legal: bool,
        observe: bool,
        threads: int,
    ) -> Self: ...
    def reset(self, seed: int | str | None = None) -> None: ...
    def step(self, actions: Any) -> None: ...
    def moves(self, table: int) -> tuple[str, list[tuple[str, str]]]: ...
    def distance(self) -> NDArray[np.int8]: ...
    def save(self) -> list[tuple[int, bytes]]: ...
    def restore(self, saved: list[tuple[int, bytes]]) -> None: ...
    @property
    def action_space(self) -> ActionSpace: ...
    @property
    def observation(self) -> Observation: ...
    @property
    def mask(self) -> NDArray[np.uint8]: ...
    @property
    def legal(self) -> NDArray[np.uint16]: ...
    @property
    def legal_len(self) -> NDArray[np.int64]: ...
    @property
    def planes(self) -> NDArray[np.uint8]: ...
    @property
    def scalars(self) -> NDArray[np.float32]: ...
    @property
    def player(self) -> NDArray[np.int8]: ...
    @property
    def reward(self) -> NDArray[np.float32]: ...
    @property
    def scores(self) -> NDArray[np.float64]: ...
    @property
    def done(self) -> NDArray[np.uint8]: ...
    @property
    def deal_done(self) -> NDArray[np.uint8]: ...

class Game:
    def __new__(
        cls,
        rules: Rules,
        seed: int | str,
        agents: list[str | None],
        agent_seed: int | str | None = None,
        single_deal: bool = False,
    ) -> Self: ...
    @property
    def action_space(self) -> ActionSpace: ...
    @property
    def done(self) -> bool:
        """True when the match is over."""

    @property
    def deal_done(self) -> bool:
        """True when the last decision ended a deal."""

    @property
    def player(self) -> int:
        """The player who decides, from 0."""

    @property
    def legal(self) -> list[int]:
        """The numbers of the legal actions. Empty when the match is over."""

    @property
    def points(self) -> list[float]:
        """The points of each player."""

    def step(self, action: int) -> None:
        """Makes a decision. Raises ``ActionError`` if the action is not legal."""

    def moves(self) -> tuple[str, list[tuple[str, str]]]:
        """The seed of the match as 64 hexadecimal digits, and the decisions so far."""

    def save(self) -> bytes:
        """The moves of the match as bytes."""

    def restore(self, saved: bytes) -> None:
        """Plays the match again up to where it was saved."""

    def set_to(self, other: Game) -> None:
        """Sets the match to that of another game without built-in agents, which stays as it is."""

    def snapshot(self, player: int | None = None) -> str:
        """What a player may know, as JSON text. Without a player: the one who decides."""

    def mjai(self, player: int, told: int) -> list[str]:
        """What a player may know of the match, as messages of mjai in JSON that follow the first ``told`` ones."""

    def possible_messages(self) -> list[str]:
        """The messages of mjai, in JSON, that the player who decides may answer."""

    def number_of_message(self, message: str) -> int:
        """The number of the action that an answer in mjai means, in JSON.

        Raises ``ValueError`` for a text that is no message and ``ActionError`` for one that is not legal.
        """

    def observe(self, player: int | None = None) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """New arrays with what a player may know: planes and scalars. Without a player: the one who decides."""

class Decisions:
    """The decisions of one match as arrays, ``n`` of them.

    Planes and masks are kept packed. ``planes`` and ``mask`` unpack those of all decisions when they are read first, and
    keep them: 3 kB a decision, and a match may have 100,000. ``part`` unpacks some of them.
    """

    def __len__(self) -> int: ...
    def part(self, rows: Sequence[int]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """New arrays with planes and masks of some decisions: ``uint8 [len(rows), planes, kinds]`` and
        ``uint8 [len(rows), actions]``. Raises ``IndexError`` for a decision that the match does not have.
        """

    @property
    def rules(self) -> Rules: ...
    @property
    def action_space(self) -> ActionSpace: ...
    @property
    def planes(self) -> NDArray[np.uint8]:
        """``uint8 [n, planes, kinds]``."""

    @property
    def scalars(self) -> NDArray[np.float32]:
        """``float32 [n, scalars]``."""

    @property
    def mask(self) -> NDArray[np.uint8]:
        """``uint8 [n, actions]``, 1 for legal actions."""

    @property
    def action(self) -> NDArray[np.uint16]:
        """``uint16 [n]``, the numbers of the actions that were chosen."""

    @property
    def player(self) -> NDArray[np.int8]:
        """``int8 [n]``, the players who decided."""

    @property
    def deal(self) -> NDArray[np.int32]:
        """``int32 [n]``, the deals of the decisions, from 1."""

    @property
    def deal_points(self) -> NDArray[np.float32]:
        """``float32 [n, players]``, what the deal of the decision brought each player, in points."""

    @property
    def points(self) -> list[float]:
        """The points of each player at the end, with everything that the match adds."""

    @property
    def places(self) -> list[int]:
        """The place of each player, from 1."""

    @property
    def fault(self) -> str | None:
        """Why the replay stopped before the end of the record. ``None`` for a whole record."""

class Responder:
    def __new__(cls) -> Self: ...
    def answer(self, request: str) -> str: ...
    def register(self, text: str, file: str) -> str: ...

def lint(text: str, file: str) -> list[str]: ...
def tiles(text: str) -> list[str]: ...
def hand(text: str, last: str | None = None) -> tuple[str, str]: ...
def own_log(text: str, rules: Rules | None, options: str, keeps: bool) -> Decisions: ...
def record(rules: Rules, agents: list[str], seed: int | str, game: int) -> str: ...
def plain_log(text: str, rules: Rules, keeps: bool) -> Decisions: ...
def tenhou(tags: list[tuple[str, list[tuple[str, str]]]], options: str, keeps: bool) -> Decisions: ...
def playtest(
    rules: Rules,
    games: int | None,
    seed: int,
    agents: str,
    part: int,
    parts: int,
    threads: int,
    folder: str | None,
) -> tuple[str, str]: ...
def merge(rules: Rules, parts: list[str], folder: str | None) -> tuple[str, str]: ...
