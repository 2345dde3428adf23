"""The banker's hand on the turn."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Count, Holds, Person, Text
from companion.games.master_builder.rules.catalog import Lasting
from companion.games.master_builder.rules.state import (
    Build,
    ContractId,
    Contracts,
    Dollars,
    EconomyId,
    EventId,
    Events,
    Hire,
    Income,
    Job,
    KindOfLoan,
    NameOfPhase,
    TypeOfWorker,
    WorkerId,
)

CalledOff: TypeAlias = Literal["", "auction", "event", "plans"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A phase as it stands, under its own name; with none of them the game is over."""

    hire: Hire | None = None
    contracts: Contracts | None = None
    events: Events | None = None
    build: Build | None = None
    income: Income | None = None


@dataclass(frozen=True, slots=True)
class TurnCorrected:
    """The banker put round, start player, phase or turn to where the table is.

    ``moment`` is the phase from now on (``None``: the phase stays as it was), ``waiting`` whom the table waits
    for then; ``called_off`` says what was left half-done.  ``wages_lapse``: what was for the old round only is
    forgotten.  ``returned``: this event counts as not turned.
    """

    round: Count
    start: Person
    phase: NameOfPhase
    waiting: tuple[Person, ...]
    moment: Moment | None
    called_off: CalledOff
    wages_lapse: bool
    returned: str | None
    reason: Text


# Phase 1, hire and fire.


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


# Phase 2, contracts and their auctions.


@dataclass(frozen=True, slots=True)
class ContractsPhaseBegan:
    """Phase 2."""

    economy_due: bool
    reveal_due: Count


@dataclass(frozen=True, slots=True)
class EconomyTurned:
    """The economic situation, and how many contracts come up."""

    card: EconomyId
    reveal_due: Count


@dataclass(frozen=True, slots=True)
class ContractsRevealed:
    """Contracts lie on display."""

    contracts: tuple[ContractId, ...]


@dataclass(frozen=True, slots=True)
class ChoiceDeclined:
    """A player does not choose a contract in this phase any more."""

    player: Person


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A lot came under the hammer."""

    player: Person
    contract: ContractId
    bid: Dollars
    bidders: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidRaised:
    """A higher bid."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class BidderLeft:
    """Out of this auction; ``forced``: he could not have raised."""

    player: Person
    forced: bool


@dataclass(frozen=True, slots=True)
class ContractSold:
    """A contract was paid for, and what lay on it went to the buyer."""

    player: Person
    contract: ContractId
    paid: Dollars
    premium: Dollars


@dataclass(frozen=True, slots=True)
class ChoiceReturned:
    """After a sale everybody may choose again, also who had declined."""


@dataclass(frozen=True, slots=True)
class PremiumLaid:
    """Nobody wanted a contract: money lies on it."""

    contract: ContractId
    amount: Dollars


@dataclass(frozen=True, slots=True)
class ContractRemoved:
    """Unwanted twice: out of the game, what lay on it back to the bank."""

    contract: ContractId
    premium: Dollars


@dataclass(frozen=True, slots=True)
class LastRoundFixed:
    """No contract is left to award: the game ends after this round."""

    round: Count


# Phase 4, plans and buildings.

PlannedJobs: TypeAlias = Annotated[tuple[Job, ...], Holds("record", "sites")]


@dataclass(frozen=True, slots=True)
class BuildPhaseBegan:
    """Phase 4."""


@dataclass(frozen=True, slots=True)
class PlanLocked:
    """A player has planned."""

    player: Person
    work: PlannedJobs
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
    work: PlannedJobs


@dataclass(frozen=True, slots=True)
class WorkersReturned:
    """All workers are before their owners again, face up."""


# Phase 3, event cards and what they do.


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


# Phase 5, income, wages and loans.


@dataclass(frozen=True, slots=True)
class IncomePhaseBegan:
    """Phase 5."""


@dataclass(frozen=True, slots=True)
class PricePaid:
    """A finished building was paid."""

    player: Person
    contract: ContractId
    price: Dollars


@dataclass(frozen=True, slots=True)
class WagesPaid:
    """A player paid his workers."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class LoanTaken:
    """Money lent by the bank."""

    player: Person
    loan: KindOfLoan
    amount: Dollars


@dataclass(frozen=True, slots=True)
class LoanRepaid:
    """A loan paid back, interest included."""

    player: Person
    loan: KindOfLoan
    amount: Dollars
