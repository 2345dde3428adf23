"""Explanations of a figure: its parts, the changes that led to it, and the sources of the rules behind them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Position


@dataclass(frozen=True, slots=True)
class Change:
    """The amount in dollars by which an event changed a figure, and the id of the rule behind it; empty: none."""

    amount: int
    rule: str


@dataclass(frozen=True, slots=True)
class Addend:
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


@dataclass(frozen=True, slots=True)
class Explainer:
    """The functions by which a game explains its figures: accounts of the ledger, and derived figures.

    Attributes:
        has: ``(position, account)``: whether there is such an account or figure.
        hides: ``(position, account, viewer)``: whether the rules keep it from a viewer now.
        figure: ``(position, account)``: its amount in dollars.
        parts: ``(position, account)``: what it is the sum of now; empty where only its history explains it.
        changes: ``(account, before, event, after)``: how an event changed it.
        source: Where a rule comes from, by the rule's id.
    """

    has: Callable[[Position[Any], str], bool]
    hides: Callable[[Position[Any], str, str], bool]
    figure: Callable[[Position[Any], str], int]
    parts: Callable[[Position[Any], str], Sequence[Addend]]
    changes: Callable[[str, Position[Any] | None, Any, Position[Any]], Sequence[Change]]
    source: Callable[[str], Source]
