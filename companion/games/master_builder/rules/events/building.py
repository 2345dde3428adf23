"""Phase 4, plans and buildings."""

from dataclasses import dataclass

from companion.games.master_builder.rules.state import Job


@dataclass(frozen=True, slots=True)
class BuildPhaseBegan:
    """Phase 4."""


@dataclass(frozen=True, slots=True)
class PlanLocked:
    """A player has planned."""

    player: str
    work: tuple[Job, ...]
    secret: bool = True


@dataclass(frozen=True, slots=True)
class WorkerLent:
    """A worker serves another player until the phase is over."""

    owner: str
    worker: str
    borrower: str
    price: int


@dataclass(frozen=True, slots=True)
class PlanVoided:
    """A correction made a plan illegal."""

    player: str


@dataclass(frozen=True, slots=True)
class SectionsBuilt:
    """A plan was revealed and carried out."""

    player: str
    work: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class WorkersReturned:
    """All workers are before their owners again, face up."""
