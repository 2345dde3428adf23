"""What a game is to the engine: pure functions from positions and commands to events.

``decide`` holds every rule, ``evolve`` none: a saved game is a fold over its events and never asks the
rules of a later version.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from companion.engine.errors import Detail
from companion.engine.journal import Json
from companion.engine.ledger import Ledger, Transaction
from companion.engine.placement import Placement

# --- overview
# What every screen and service may know of any game, without knowing the game.


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: id, name, and how many have left this seat to somebody else."""

    id: str
    name: str
    sitter: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the final standings; ``figures`` are the game's own columns by name, the deciding one first.

    Ranks count from 1; equal players share one.
    """

    player: str
    rank: int
    figures: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """The outline of a position; it holds nothing secret.

    ``players`` run in turn order, ``seats`` clockwise; ``expects`` are the kinds of commands that would move the
    game on; ``round`` is ``None`` in a game without rounds; ``standings`` are empty before the end.
    """

    phase: str
    players: tuple[Seat, ...]
    seats: tuple[str, ...]
    waiting_for: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    round: int | None = None
    finished: bool = False
    standings: tuple[Place, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """What the players are called, by id in turn order."""
        return {seat.id: seat.name for seat in self.players}

    def sitter(self, player: str) -> int:
        """Count who has left a player's seat; 0 where nobody has, or there is no such player."""
        return next((seat.sitter for seat in self.players if seat.id == player), 0)


# --- offers
# What may be done now: a command whose open fields say what they may hold.

Site: TypeAlias = "tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of these ids."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Between ``least`` and ``most`` different ids of these."""

    values: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Amount:
    """Whole dollars from ``least`` to ``most`` in steps."""

    least: int
    most: int
    step: int = 1_000


@dataclass(frozen=True, slots=True)
class Bag:
    """Some of each of several kinds: no more of a kind than is said with it, and ``least`` to ``most`` altogether.

    A mapping of kinds to numbers above nothing; ``most`` of 0: as many as there are.
    """

    kinds: tuple[tuple[str, int], ...]
    least: int
    most: int = 0


@dataclass(frozen=True, slots=True)
class Dice:
    """What so many dice show: a list of numbers from 1 to ``faces``."""

    count: int = 2
    faces: int = 6


@dataclass(frozen=True, slots=True)
class AnyOfThese:
    """One of these whole values, each a mapping of a card to ids on it."""

    values: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


@dataclass(frozen=True, slots=True)
class AnySet:
    """One of these whole sets of ids."""

    values: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """Workers to open places: any subset of ``sites`` that the rules find sound.

    ``sites``: per card its open places, each with the teams' codes; ``workers``: ids with their rank code.
    Leaving everything empty is always possible.
    """

    sites: tuple[Site, ...]
    workers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A mapping whose parts are fields of their own; each may be left out where it holds nothing."""

    parts: "tuple[tuple[str, Field], ...]"


Field: TypeAlias = "OneOf | SomeOf | Amount | Bag | Dice | AnyOfThese | AnySet | Assignment | Parts"
Urgency: TypeAlias = Literal["due", "possible"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that a player could give now.

    ``do`` and ``given`` are its settled fields, ``fields`` what is still to be chosen.  ``due`` offers move
    the game on; ``possible`` ones may be taken at any moment (repaying a loan).  ``addressed``: the command
    itself names the player; otherwise he is merely the one who may give it (turning a card), or the banker alone may
    where ``player`` is ``BANKER`` (letting the hammer fall).
    """

    do: str
    player: str
    given: tuple[tuple[str, str | bool], ...] = ()
    fields: tuple[tuple[str, Field], ...] = ()
    urgency: Urgency = "due"
    addressed: bool = True


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
