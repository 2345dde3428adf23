"""What a game is to the engine: pure functions from positions and commands to events.

``decide`` holds every rule, ``evolve`` none: a saved game is a fold over its events and never asks the
rules of a later version.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from companion.engine.errors import Detail
from companion.engine.json_values import Json
from companion.engine.ledger import Ledger, Transaction
from companion.engine.offers import Offer
from companion.engine.overview import Overview
from companion.engine.placement import Placement

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


BANKER = "banker"
SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """State and money at one version."""

    state: S
    ledger: Ledger


class Told(tuple[E, ...]):  # noqa: SLOT001 - a tuple of any length can have no slots
    """Events of a game that records each before it thinks of the next, with the position that they lead to.

    Any sequence will do for ``decide`` and ``follow_up``; what comes with its position is not recorded twice.
    """

    position: Position[Any]


def told(events: Sequence[E], position: Position[Any]) -> Told[E]:
    """Take events, and the position that folding them gave."""
    found: Told[E] = Told(events)
    found.position = position
    return found


@dataclass(frozen=True, slots=True)
class Question:
    """A card was understood, but it leads to nothing by itself: the rule's id and what its sentence names.

    ``yes`` and ``no``: the commands that these answers would give, where they give any.
    """

    card: str
    rule: str
    details: tuple[tuple[str, Detail], ...] = ()
    yes: Any = None
    no: Any = None


class Game(Protocol[S, C, E]):
    """The functions a game gives.  None of them reads a clock, draws lots or touches the world."""

    name: str
    label_code: str

    def decide(self, position: Position[S] | None, command: C) -> Sequence[E]:
        """Answer a command with events, or raise ``Refused``.  ``None``: not started yet."""
        ...

    def follow_up(self, position: Position[S]) -> Sequence[E]:
        """Say what happens next unasked; empty when the game waits for somebody."""
        ...

    def evolve(self, state: S | None, event: E) -> S:
        """Record an event.  No rule, no look-up of prices."""
        ...

    def account_for(self, event: E) -> Transaction | None:
        """Say which money the event moved."""
        ...

    def offers(self, position: Position[S], player: str) -> Sequence[Offer]:
        """Say what a player may do now."""
        ...

    def read(self, position: Position[S], placement: Placement) -> C | Question | None:
        """Say what a card laid there means now; ``None``: nothing."""
        ...

    def view(self, position: Position[S], viewer: str) -> Json:
        """Show the position to a player id, ``banker`` or ``spectator``."""
        ...

    def overview(self, position: Position[S]) -> Overview:
        """Outline the position, without anything secret."""
        ...

    def players(self, position: Position[S]) -> Sequence[str]:
        """Name the players in turn order."""
        ...

    def author(self, position: Position[S] | None, command: C) -> str | None:
        """Say which player alone may give a command; ``None``: only the banker."""
        ...

    def secret_of(self, event: E) -> str | None:
        """Name the player who alone may see an event's content until it is revealed; ``None``: anybody."""
        ...

    def overtakes(self, command: C, event: E) -> bool:
        """Say whether a command is as good as before, though its sender has not seen this event."""
        ...
