"""Phase 1, hire and fire."""

from dataclasses import dataclass

from companion.game_api.fields import Count, Person
from companion.games.master_builder.rules.fields import Dollars, TypeOfWorker, WorkerId


@dataclass(frozen=True, slots=True)
class WorkerHired:
    """A worker entered a player's service."""

    player: Person
    worker: WorkerId
    wage: Dollars


@dataclass(frozen=True, slots=True)
class WorkerFired:
    """A worker went back under his pile."""

    player: Person
    worker: WorkerId


@dataclass(frozen=True, slots=True)
class PileLookedThrough:
    """A player paid to choose from a whole pile."""

    player: Person
    type: TypeOfWorker
    fee: Dollars


@dataclass(frozen=True, slots=True)
class OpportunityPassed:
    """A player let an opportunity go, or with ``rest`` all he had left."""

    player: Person
    rest: bool


@dataclass(frozen=True, slots=True)
class OpportunityLapsed:
    """Round 1, and nobody in the supply fits under the wage limit."""

    player: Person


@dataclass(frozen=True, slots=True)
class OpportunityCame:
    """It is this player's opportunity."""

    player: Person
    lap: Count
