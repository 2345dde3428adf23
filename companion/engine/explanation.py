"""Explanations of a figure: its parts, the changes that led to it, and the sources of the rules behind them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.engine.game import Position


@dataclass(frozen=True, slots=True)
class Change:
    """The amount in dollars by which an event changed a figure, and the id of the rule behind it."""

    amount: int
    rule: str


@dataclass(frozen=True, slots=True)
class Part:
    """One addend of a figure.

    ``kind`` is what it stands for, ``card`` the id of its card (empty if none); where items are counted, ``amount`` is
    ``count`` times ``each`` dollars.
    """

    kind: str
    amount: int
    rule: str
    card: str = ""
    count: int = 0
    each: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a rule: lines of the rule texts (``004:537-541``) and rulings (``D38``)."""

    texts: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


class Explainer(Protocol):
    """The functions by which a game explains its figures: accounts of the ledger, and derived figures."""

    def has(self, position: Position[Any], account: str) -> bool:
        """Return whether there is such an account or figure."""
        ...

    def hides(self, position: Position[Any], account: str, viewer: str) -> bool:
        """Return whether the rules hide it from a viewer now."""
        ...

    def figure(self, position: Position[Any], account: str) -> int:
        """Return its value in dollars."""
        ...

    def parts(self, position: Position[Any], account: str) -> Sequence[Part]:
        """Return its addends now; empty where only its history explains it."""
        ...

    def changes(self, account: str, before: Position[Any] | None, event: Any, after: Position[Any]) -> Sequence[Change]:
        """Return how an event changed it."""
        ...

    def source(self, rule: str) -> Source:
        """Return the source of a rule."""
        ...
