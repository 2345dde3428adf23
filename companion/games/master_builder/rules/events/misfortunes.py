"""Phase 3, event cards and what they do."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Holds, Person
from companion.games.master_builder.rules.catalog import Lasting
from companion.games.master_builder.rules.fields import Dollars, EventId, WorkerId


@dataclass(frozen=True, slots=True)
class EventsPhaseBegan:
    """Phase 3."""


@dataclass(frozen=True, slots=True)
class EventTurned:
    """An event, and whom it comes to in which order."""

    card: EventId
    order: tuple[Person, ...]
    from_hand: bool = False


@dataclass(frozen=True, slots=True)
class NextEventDue:
    """The card is carried out, and a second one is to be turned."""


@dataclass(frozen=True, slots=True)
class EventReached:
    """The event has come to this player."""

    player: Person


@dataclass(frozen=True, slots=True)
class WorkersMadeUnavailable:
    """Workers lie face down until the building phase is over."""

    player: Person
    workers: tuple[WorkerId, ...]


@dataclass(frozen=True, slots=True)
class WorkersDismissed:
    """Workers left their owner because of an event."""

    player: Person
    workers: tuple[WorkerId, ...]


@dataclass(frozen=True, slots=True)
class WageChange:
    """By how much one worker's wage changed now, and what it is from now on.

    ``wage`` is his wage for the game, ``extra`` what comes on top of it, or off it, in this round only.
    """

    worker: str
    amount: int
    wage: int
    extra: int


@dataclass(frozen=True, slots=True)
class WagesChanged:
    """Wages changed, for the round or for the game."""

    player: Person
    changes: Annotated[tuple[WageChange, ...], Holds("record", "changes")]
    lasting: Lasting


@dataclass(frozen=True, slots=True)
class EventPaid:
    """An event took money."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class EventReceived:
    """An event gave money."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class Razed:
    """Sections of one contract that came down."""

    contract: str
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SectionsRazed:
    """An event took sections down."""

    player: Person
    sites: Annotated[tuple[Razed, ...], Holds("record", "sites")]


@dataclass(frozen=True, slots=True)
class EffectLeftToBanker:
    """An effect that only the table can carry out."""

    player: Person
