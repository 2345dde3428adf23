"""The events, in the past tense.  Every amount is stored in them, so that replay needs no price list.

Class names are stored in journals: renaming one is a migration.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Count, Holds, Person, Text, added
from companion.game_api.messages import Event, PlayerEvent
from companion.games.master_builder.rules.catalog import Catalog, Lasting
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import (
    CardPlace,
    ContractId,
    Dollars,
    EconomyId,
    EventId,
    Held,
    Job,
    KindOfLoan,
    Moment,
    NameOfPhase,
    Payer,
    Player,
    TypeOfWorker,
    WorkerId,
)


@dataclass(frozen=True, slots=True)
class Seated:
    """A player at the table."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The table is set: ``money`` in the box, ``cash`` for each, cards in the two decks."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Annotated[tuple[Seated, ...], Holds("seat")]
    first: Person
    money: Dollars
    cash: Dollars
    contracts: Count
    economy: Count
    laps: int
    event_hand: int = 0


@dataclass(frozen=True, slots=True)
class GameTakenOver(Event):
    """A game begun elsewhere goes on here: everything that lies on the table, as it was entered.

    ``money`` in the box, of it ``cash`` with players and ``on_contracts``, the rest with the bank; ``seen``
    contracts have come up so far; ``end_found``: the last round stands fast.
    """

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Annotated[tuple[Player, ...], Holds("seat")]
    start: Person
    round: Count
    last_round: Count
    end_found: bool
    phase: NameOfPhase
    moment: Moment
    money: Dollars
    cash: tuple[Held, ...]
    on_contracts: tuple[Held, ...]
    deck: int
    economy: int
    display: tuple[ContractId, ...]
    removed: tuple[str, ...]
    seen: tuple[str, ...]
    turned_economy: tuple[str, ...]
    turned_events: tuple[str, ...]
    reason: Text


# Phase 1, hire and fire.


@dataclass(frozen=True, slots=True)
class WorkerHired(PlayerEvent):
    """A worker entered a player's service."""

    worker: WorkerId
    wage: Dollars


@dataclass(frozen=True, slots=True)
class WorkerFired(PlayerEvent):
    """A worker went back under his pile."""

    worker: WorkerId


@dataclass(frozen=True, slots=True)
class PileLookedThrough(PlayerEvent):
    """A player paid to choose from a whole pile."""

    type: TypeOfWorker
    fee: Dollars


@dataclass(frozen=True, slots=True)
class OpportunityPassed(PlayerEvent):
    """A player let an opportunity go, or with ``rest`` all he had left."""

    rest: bool


@dataclass(frozen=True, slots=True)
class OpportunityLapsed(PlayerEvent):
    """Round 1, and nobody in the supply fits under the wage limit."""


@dataclass(frozen=True, slots=True)
class OpportunityCame(PlayerEvent):
    """It is this player's opportunity."""

    lap: Count


# Phase 2, contracts and their auctions.


@dataclass(frozen=True, slots=True)
class ContractsPhaseBegan(Event):
    """Phase 2."""

    economy_due: bool
    reveal_due: Count


@dataclass(frozen=True, slots=True)
class EconomyTurned(Event):
    """The economic situation, and how many contracts come up."""

    card: EconomyId
    reveal_due: Count


@dataclass(frozen=True, slots=True)
class ContractsRevealed(Event):
    """Contracts lie on display."""

    contracts: tuple[ContractId, ...]


@dataclass(frozen=True, slots=True)
class ChoiceDeclined(PlayerEvent):
    """A player does not choose a contract in this phase any more."""


@dataclass(frozen=True, slots=True)
class AuctionOpened(PlayerEvent):
    """A lot came under the hammer."""

    contract: ContractId
    bid: Dollars
    bidders: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidRaised(PlayerEvent):
    """A higher bid."""

    amount: Dollars


@dataclass(frozen=True, slots=True)
class BidderLeft(PlayerEvent):
    """Out of this auction; ``forced``: he could not have raised."""

    forced: bool


@dataclass(frozen=True, slots=True)
class ContractSold(PlayerEvent):
    """A contract was paid for, and what lay on it went to the buyer."""

    contract: ContractId
    paid: Dollars
    premium: Dollars


@dataclass(frozen=True, slots=True)
class ChoiceReturned(Event):
    """After a sale everybody may choose again, also who had declined."""


@dataclass(frozen=True, slots=True)
class PremiumLaid(Event):
    """Nobody wanted a contract: money lies on it."""

    contract: ContractId
    amount: Dollars


@dataclass(frozen=True, slots=True)
class ContractRemoved(Event):
    """Unwanted twice: out of the game, what lay on it back to the bank."""

    contract: ContractId
    premium: Dollars


@dataclass(frozen=True, slots=True)
class LastRoundFixed(Event):
    """No contract is left to award: the game ends after this round."""

    round: Count


# Phase 3, event cards and what they do.


@dataclass(frozen=True, slots=True)
class EventsPhaseBegan(Event):
    """Phase 3."""


@dataclass(frozen=True, slots=True)
class EventTurned(Event):
    """An event, and whom it comes to in which order."""

    card: EventId
    order: tuple[Person, ...]
    from_hand: bool = False


@dataclass(frozen=True, slots=True)
class NextEventDue(Event):
    """The card is carried out, and a second one is to be turned."""


@dataclass(frozen=True, slots=True)
class EventReached(PlayerEvent):
    """The event has come to this player."""


@dataclass(frozen=True, slots=True)
class WorkersMadeUnavailable(PlayerEvent):
    """Workers lie face down until the building phase is over."""

    workers: tuple[WorkerId, ...]


@dataclass(frozen=True, slots=True)
class WorkersDismissed(PlayerEvent):
    """Workers left their owner because of an event."""

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
class WagesChanged(PlayerEvent):
    """Wages changed, for the round or for the game."""

    changes: Annotated[tuple[WageChange, ...], Holds("record", "changes")]
    lasting: Lasting


@dataclass(frozen=True, slots=True)
class EventPaid(PlayerEvent):
    """An event took money."""

    amount: Dollars


@dataclass(frozen=True, slots=True)
class EventReceived(PlayerEvent):
    """An event gave money."""

    amount: Dollars


@dataclass(frozen=True, slots=True)
class Razed:
    """Sections of one contract that came down."""

    contract: str
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SectionsRazed(PlayerEvent):
    """An event took sections down."""

    sites: Annotated[tuple[Razed, ...], Holds("record", "sites")]


@dataclass(frozen=True, slots=True)
class EffectLeftToBanker(PlayerEvent):
    """An effect that only the table can carry out."""


# Phase 4, plans and buildings.

PlannedJobs: TypeAlias = Annotated[tuple[Job, ...], Holds("record", "sites")]


@dataclass(frozen=True, slots=True)
class BuildPhaseBegan(Event):
    """Phase 4."""


@dataclass(frozen=True, slots=True)
class PlanLocked(PlayerEvent):
    """A player has planned."""

    work: PlannedJobs
    secret: bool = True


@dataclass(frozen=True, slots=True)
class WorkerLent(Event):
    """A worker serves another player until the phase is over."""

    owner: Person
    worker: WorkerId
    borrower: Person
    price: Dollars


@dataclass(frozen=True, slots=True)
class PlanVoided(PlayerEvent):
    """A correction made a plan illegal."""


@dataclass(frozen=True, slots=True)
class SectionsBuilt(PlayerEvent):
    """A plan was revealed and carried out."""

    work: PlannedJobs


@dataclass(frozen=True, slots=True)
class WorkersReturned(Event):
    """All workers are before their owners again, face up."""


# Phase 5, income, wages and loans; the next round, or the end.


@dataclass(frozen=True, slots=True)
class IncomePhaseBegan(Event):
    """Phase 5."""


@dataclass(frozen=True, slots=True)
class PricePaid(PlayerEvent):
    """A finished building was paid."""

    contract: ContractId
    price: Dollars


@dataclass(frozen=True, slots=True)
class WagesPaid(PlayerEvent):
    """A player paid his workers."""

    amount: Dollars


@dataclass(frozen=True, slots=True)
class LoanTaken(PlayerEvent):
    """Money lent by the bank."""

    loan: KindOfLoan
    amount: Dollars


@dataclass(frozen=True, slots=True)
class LoanRepaid(PlayerEvent):
    """A loan paid back, interest included."""

    loan: KindOfLoan
    amount: Dollars


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """A new round: the mallet moved left, wages for the round lapsed."""

    round: Count
    start: Person
    laps: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The last round is over.  The reckoning moves no money."""

    round: Count


# What the banker puts right.


@dataclass(frozen=True, slots=True)
class MoneyCorrected(Event):
    """The banker put the books right."""

    from_: Payer
    to: Payer
    amount: Dollars
    reason: Text


@dataclass(frozen=True, slots=True)
class WorkerCorrected(Event):
    """The banker put a worker to where he belongs; ``to`` a player or ``supply``."""

    worker: WorkerId
    to: CardPlace
    wage: Dollars
    reason: Text


@dataclass(frozen=True, slots=True)
class ContractCorrected(Event):
    """The banker put a contract to where it belongs; ``premium`` on it went to the bank."""

    contract: ContractId
    origin: CardPlace
    to: CardPlace
    premium: Dollars
    reason: Text


CalledOff: TypeAlias = Literal["", "auction", "event", "plans"]


@dataclass(frozen=True, slots=True)
class TurnCorrected(Event):
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


@dataclass(frozen=True, slots=True)
class CashCounted(PlayerEvent):
    """The amount that was counted, and its difference from the books (counted less booked).

    ``secret``: money is hidden, and the count is the business of the player and the banker alone.
    """

    counted: Dollars
    booked: Dollars
    difference: Annotated[int, Holds("record", "difference")]
    secret: bool = added(default=False)


@dataclass(frozen=True, slots=True)
class PlayerReplaced(PlayerEvent):
    """Somebody else plays on in this seat; ``former`` is what the one before was called."""

    name: Text
    former: Text
