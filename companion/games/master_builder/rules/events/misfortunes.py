"""Phase 3, event cards and what they do."""

from dataclasses import dataclass

from companion.games.master_builder.rules.catalog import Lasting


@dataclass(frozen=True, slots=True)
class EventsPhaseBegan:
    """Phase 3."""


@dataclass(frozen=True, slots=True)
class EventTurned:
    """An event, and whom it comes to in which order."""

    card: str
    order: tuple[str, ...]
    from_hand: bool = False


@dataclass(frozen=True, slots=True)
class NextEventDue:
    """The card is carried out, and a second one is to be turned."""


@dataclass(frozen=True, slots=True)
class EventReached:
    """The event has come to this player."""

    player: str


@dataclass(frozen=True, slots=True)
class WorkersMadeUnavailable:
    """Workers lie face down until the building phase is over."""

    player: str
    workers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkersDismissed:
    """Workers left their owner because of an event."""

    player: str
    workers: tuple[str, ...]


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

    player: str
    changes: tuple[WageChange, ...]
    lasting: Lasting


@dataclass(frozen=True, slots=True)
class EventPaid:
    """An event took money."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class EventReceived:
    """An event gave money."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Razed:
    """Sections of one contract that came down."""

    contract: str
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SectionsRazed:
    """An event took sections down."""

    player: str
    sites: tuple[Razed, ...]


@dataclass(frozen=True, slots=True)
class EffectLeftToBanker:
    """An effect that only the table can carry out."""

    player: str
