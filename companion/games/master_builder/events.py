"""What happened, in the past tense.  Every amount is written down here, so that replay needs no price list.

Class names are stored in journals: renaming one is a migration.
"""

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.master_builder.catalog import Catalog, Lasting
from companion.games.master_builder.commands import Loan
from companion.games.master_builder.rules import Rules
from companion.games.master_builder.state import Job


@dataclass(frozen=True, slots=True)
class Seated:
    """A player at the table."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table is set: ``money`` in the box, ``cash`` for each, cards in the two decks."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: tuple[Seated, ...]
    first: str
    money: int
    cash: int
    contracts: int
    economy: int
    laps: int


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


@dataclass(frozen=True, slots=True)
class ContractsPhaseBegan:
    """Phase 2."""

    economy_due: bool
    reveal_due: int


@dataclass(frozen=True, slots=True)
class EconomyTurned:
    """The economic situation, and how many contracts come up."""

    card: str
    reveal_due: int


@dataclass(frozen=True, slots=True)
class ContractsRevealed:
    """Contracts lie on display."""

    contracts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChoiceDeclined:
    """A player does not choose a contract in this phase any more."""

    player: str


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A lot came under the hammer."""

    player: str
    contract: str
    bid: int
    bidders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BidRaised:
    """A higher bid."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidderLeft:
    """Out of this auction; ``forced``: he could not have raised."""

    player: str
    forced: bool


@dataclass(frozen=True, slots=True)
class ContractSold:
    """A contract was paid for, and what lay on it went to the buyer."""

    player: str
    contract: str
    paid: int
    premium: int


@dataclass(frozen=True, slots=True)
class PremiumLaid:
    """Nobody wanted a contract: money lies on it."""

    contract: str
    amount: int


@dataclass(frozen=True, slots=True)
class ContractRemoved:
    """Unwanted twice: out of the game, what lay on it back to the bank."""

    contract: str
    premium: int


@dataclass(frozen=True, slots=True)
class LastRoundFixed:
    """No contract is left to award: the game ends after this round."""

    round: int


@dataclass(frozen=True, slots=True)
class EventsPhaseBegan:
    """Phase 3."""


@dataclass(frozen=True, slots=True)
class EventTurned:
    """An event, and whom it comes to in which order."""

    card: str
    order: tuple[str, ...]


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
    """By how much one worker's wage changed."""

    worker: str
    amount: int


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


@dataclass(frozen=True, slots=True)
class BuildPhaseBegan:
    """Phase 4."""


@dataclass(frozen=True, slots=True)
class PlanLocked:
    """A player has planned."""

    player: str
    work: tuple[Job, ...]


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


@dataclass(frozen=True, slots=True)
class IncomePhaseBegan:
    """Phase 5."""


@dataclass(frozen=True, slots=True)
class PricePaid:
    """A finished building was paid."""

    player: str
    contract: str
    price: int


@dataclass(frozen=True, slots=True)
class WagesPaid:
    """A player paid his workers."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class LoanTaken:
    """Money lent by the bank."""

    player: str
    loan: Loan
    amount: int


@dataclass(frozen=True, slots=True)
class LoanRepaid:
    """A loan paid back, interest included."""

    player: str
    loan: Loan
    amount: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A new round: the mallet moved left, wages for the round lapsed."""

    round: int
    start: str
    laps: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is over.  The reckoning moves no money."""

    round: int


@dataclass(frozen=True, slots=True)
class MoneyCorrected:
    """The banker put the books right."""

    from_: str
    to: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class WorkerCorrected:
    """The banker put a worker to where he belongs; ``to`` a player or ``supply``."""

    worker: str
    to: str
    wage: int
    reason: str


@dataclass(frozen=True, slots=True)
class ContractCorrected:
    """The banker put a contract to where it belongs; ``premium`` on it went to the bank."""

    contract: str
    origin: str
    to: str
    premium: int
    reason: str


@dataclass(frozen=True, slots=True)
class CashCounted:
    """What was counted, and by how much it differs from the books (counted less booked)."""

    player: str
    counted: int
    booked: int
    difference: int


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player is called otherwise."""

    player: str
    name: str


Event: TypeAlias = (
    GameStarted
    | WorkerHired
    | WorkerFired
    | OpportunityPassed
    | OpportunityLapsed
    | OpportunityCame
    | ContractsPhaseBegan
    | EconomyTurned
    | ContractsRevealed
    | ChoiceDeclined
    | AuctionOpened
    | BidRaised
    | BidderLeft
    | ContractSold
    | PremiumLaid
    | ContractRemoved
    | LastRoundFixed
    | EventsPhaseBegan
    | EventTurned
    | EventReached
    | WorkersMadeUnavailable
    | WorkersDismissed
    | WagesChanged
    | EventPaid
    | EventReceived
    | SectionsRazed
    | EffectLeftToBanker
    | BuildPhaseBegan
    | PlanLocked
    | PlanVoided
    | SectionsBuilt
    | WorkersReturned
    | IncomePhaseBegan
    | PricePaid
    | WagesPaid
    | LoanTaken
    | LoanRepaid
    | RoundBegan
    | GameEnded
    | MoneyCorrected
    | WorkerCorrected
    | ContractCorrected
    | CashCounted
    | PlayerRenamed
)
