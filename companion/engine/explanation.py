"""What a game says of the way in which one of its figures came about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.engine.game import Position


@dataclass(frozen=True, slots=True)
class Change:
    """By how many dollars an event changed a figure, and the id of the rule behind it."""

    amount: int
    rule: str


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a figure of now is the sum of.

    ``kind`` says what it is, ``card`` which card, where it is one; ``count`` times ``each`` dollars are
    ``amount``, where it is counted.
    """

    kind: str
    amount: int
    rule: str
    card: str = ""
    count: int = 0
    each: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule comes from: lines of the rule texts (``004:537-541``) and rulings (``D38``)."""

    texts: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


class Explainer(Protocol):
    """What a game gives so that its figures can be explained: accounts of the ledger, and figures beside it."""

    def has(self, position: Position[Any], account: str) -> bool:
        """Say whether there is such an account or figure."""
        ...

    def hides(self, position: Position[Any], account: str, viewer: str) -> bool:
        """Say whether the rules keep it from a viewer now."""
        ...

    def figure(self, position: Position[Any], account: str) -> int:
        """Say what it amounts to, in dollars."""
        ...

    def parts(self, position: Position[Any], account: str) -> Sequence[Part]:
        """List what it is the sum of now; empty where only its history tells."""
        ...

    def changes(self, account: str, before: Position[Any] | None, event: Any, after: Position[Any]) -> Sequence[Change]:
        """Say how an event changed it."""
        ...

    def source(self, rule: str) -> Source:
        """Say where a rule comes from."""
        ...
