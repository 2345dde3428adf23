"""The interface of a game: pure functions from positions and commands to events, and the values they exchange.

``decide`` holds every rule, ``evolve`` none: a saved game is a fold over its events and never depends on the rules of a
later version.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from companion.engine.journal import Json
from companion.engine.ledger import Ledger, Transaction
from companion.engine.placement import Placement

Detail: TypeAlias = "str | int | tuple[str, ...] | tuple[Mapping[str, object], ...]"
"""A number, an id, several ids; under ``faults`` several refusals in one, each ``{"rule", "details"}``."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer of the rules, not an error of the program
    """A command is not possible now.

    ``rule`` is a language-neutral id such as ``cannot_pay``; ``details`` are the figures and ids that its sentence
    contains.  The sentences themselves are in the translations.
    """

    def __init__(self, rule: str, /, **details: Detail) -> None:
        """Store the id of the rule and the details of its sentence."""
        super().__init__(rule)
        self.rule = rule
        self.details: Mapping[str, Detail] = MappingProxyType(details)

    def __str__(self) -> str:
        """Return rule and details, for logs and test failures; people see the translated sentence."""
        figures = ", ".join(f"{key}={value}" for key, value in self.details.items())
        return f"{self.rule} ({figures})" if figures else self.rule


# Game-independent summary of a position


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: id, name, and the generation of the seat (how many players have handed it over)."""

    id: str
    name: str
    seat_generation: int = 0


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the final standings; ``figures`` are the game's columns by name, the deciding one first.

    Ranks count from 1; players who are equal share a rank.
    """

    player: str
    rank: int
    figures: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """Summary of a position for any game: phase, seats, who must act, standings.  It holds nothing secret.

    ``players`` are in turn order, ``seats`` clockwise; ``expects`` are the kinds of commands that would advance the
    game; ``round`` is ``None`` in a game without rounds; ``standings`` are empty before the end.
    """

    phase: str
    players: tuple[Seat, ...]
    seats: tuple[str, ...]
    waiting_for: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    round: int | None = None
    finished: bool = False
    standings: tuple[StandingsRow, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """Names of the players by id, in turn order."""
        return {seat.id: seat.name for seat in self.players}

    def seat_generation(self, player: str) -> int:
        """Return how often a player's seat was handed over; 0 if never, or if there is no such player."""
        return next((seat.seat_generation for seat in self.players if seat.id == player), 0)


# Offers: commands that may be given now; each open field describes its possible values

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
    """A mapping of kinds to positive counts.

    ``kinds``: each kind with its highest count; ``least`` and ``most`` bound the sum, ``most`` 0 means no bound.
    """

    kinds: tuple[tuple[str, int], ...]
    least: int
    most: int = 0


@dataclass(frozen=True, slots=True)
class Dice:
    """The result of ``count`` dice: a list of numbers from 1 to ``faces``."""

    count: int = 2
    faces: int = 6


@dataclass(frozen=True, slots=True)
class AnyOfThese:
    """Exactly one of these values, each a mapping from a card to the ids on it."""

    values: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


@dataclass(frozen=True, slots=True)
class AnySet:
    """Exactly one of these sets of ids."""

    values: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment of cards to open places: any subset of ``sites`` that the rules accept.

    ``sites``: for each card its open places, each with the codes of the teams that fit; ``workers``: ids with their
    rank code.  The empty assignment is always possible.
    """

    sites: tuple[Site, ...]
    workers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A mapping whose parts are themselves fields; a part may be omitted where it may be empty."""

    parts: "tuple[tuple[str, Field], ...]"


Field: TypeAlias = "OneOf | SomeOf | Amount | Bag | Dice | AnyOfThese | AnySet | Assignment | Parts"
Urgency: TypeAlias = Literal["due", "possible"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that a player could give now.

    ``do`` and ``given`` are its fixed fields, ``fields`` those still to be chosen.  ``due`` offers advance the game;
    ``possible`` ones may be taken at any time (paying a debt back).  ``addressed``: the command names the player;
    otherwise the player is only the one who may give it (turning a card), or the banker alone may where ``player`` is
    ``BANKER`` (letting the hammer fall).
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
    """State and ledger of a game at one version."""

    state: S
    ledger: Ledger


class FoldedEvents(tuple[E, ...]):  # noqa: SLOT001 - a tuple of any length can have no slots
    """Events together with the position after folding them, so that the engine need not fold them again.

    ``decide`` and ``follow_up`` may return any sequence; a game that folds each event before it decides the next
    returns this one.
    """

    position: Position[Any]


def folded_events(events: Sequence[E], position: Position[Any]) -> FoldedEvents[E]:
    """Return events with the position that they lead to."""
    folded: FoldedEvents[E] = FoldedEvents(events)
    folded.position = position
    return folded


@dataclass(frozen=True, slots=True)
class Question:
    """A card that was recognised but is no command by itself: the id of the rule and the details of its sentence.

    ``yes`` and ``no``: the commands that these answers would give; ``None`` where an answer gives none.
    """

    card: str
    rule: str
    details: tuple[tuple[str, Detail], ...] = ()
    yes: Any = None
    no: Any = None


class Game(Protocol[S, C, E]):
    """The functions of a game.  They are pure: no clock, no random numbers, no input or output."""

    name: str
    label_code: str

    def decide(self, position: Position[S] | None, command: C) -> Sequence[E]:
        """Return the events of a command, or raise ``Refused``.  ``position`` is ``None`` before the start."""
        ...

    def follow_up(self, position: Position[S]) -> Sequence[E]:
        """Return the events that follow without a command; empty when the game waits for somebody."""
        ...

    def evolve(self, state: S | None, event: E) -> S:
        """Return the state after an event.  Applies no rule and looks up no price: both are in the event."""
        ...

    def account_for(self, event: E) -> Transaction | None:
        """Return the transaction of an event; ``None`` if it moves no money."""
        ...

    def offers(self, position: Position[S], player: str) -> Sequence[Offer]:
        """Return the commands that a player could give now."""
        ...

    def read(self, position: Position[S], placement: Placement) -> C | Question | None:
        """Return the command or question that a placed card stands for now; ``None`` if it has no meaning."""
        ...

    def view(self, position: Position[S], viewer: str) -> Json:
        """Return what a viewer may see of the position: a player id, ``BANKER`` or ``SPECTATOR``."""
        ...

    def overview(self, position: Position[S]) -> Overview:
        """Return the game-independent summary of the position, without anything secret."""
        ...

    def players(self, position: Position[S]) -> Sequence[str]:
        """Return the ids of the players in turn order."""
        ...

    def author(self, position: Position[S] | None, command: C) -> str | None:
        """Return the only player who may give a command; ``None`` if only the banker may."""
        ...

    def secret_of(self, event: E) -> str | None:
        """Return the only player who may see an event until it is revealed; ``None`` if everybody may."""
        ...

    def overtakes(self, command: C, event: E) -> bool:
        """Return whether a command remains valid although its sender has not seen this event."""
        ...
