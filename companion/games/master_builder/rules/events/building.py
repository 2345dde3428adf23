"""Phase 4, plans and buildings."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from companion.game_api.fields import Holds, Person
from companion.games.master_builder.rules.fields import Dollars, WorkerId
from companion.games.master_builder.rules.state import Job

Work: TypeAlias = Annotated[tuple[Job, ...], Holds("record", "sites")]


@dataclass(frozen=True, slots=True)
class BuildPhaseBegan:
    """Phase 4."""


@dataclass(frozen=True, slots=True)
class PlanLocked:
    """A player has planned."""

    player: Person
    work: Work
    secret: bool = True


@dataclass(frozen=True, slots=True)
class WorkerLent:
    """A worker serves another player until the phase is over."""

    owner: Person
    worker: WorkerId
    borrower: Person
    price: Dollars


@dataclass(frozen=True, slots=True)
class PlanVoided:
    """A correction made a plan illegal."""

    player: Person


@dataclass(frozen=True, slots=True)
class SectionsBuilt:
    """A plan was revealed and carried out."""

    player: Person
    work: Work


@dataclass(frozen=True, slots=True)
class WorkersReturned:
    """All workers are before their owners again, face up."""
