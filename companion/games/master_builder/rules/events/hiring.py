"""Phase 1, hire and fire."""

from dataclasses import dataclass

from companion.games.master_builder.rules.catalog import WorkerType


@dataclass(frozen=True, slots=True)
class WorkerHired:
    """A worker entered a player's service."""

    player: str
    worker: str
    wage: int


@dataclass(frozen=True, slots=True)
class WorkerFired:
    """A worker went back under his pile."""

    player: str
    worker: str


@dataclass(frozen=True, slots=True)
class PileLookedThrough:
    """A player paid to choose from a whole pile."""

    player: str
    type: WorkerType
    fee: int


@dataclass(frozen=True, slots=True)
class OpportunityPassed:
    """A player let an opportunity go, or with ``rest`` all he had left."""

    player: str
    rest: bool


@dataclass(frozen=True, slots=True)
class OpportunityLapsed:
    """Round 1, and nobody in the supply fits under the wage limit."""

    player: str


@dataclass(frozen=True, slots=True)
class OpportunityCame:
    """It is this player's opportunity."""

    player: str
    lap: int
