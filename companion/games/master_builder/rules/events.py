"""The events, in the past tense.  Every amount is stored in them, so that replay needs no price list.

Class names are stored in journals: renaming one is a migration.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.messages import Count, Event, Holds, Person, PlayerEvent, Text, added
from companion.games.master_builder.rules.catalog import Catalog, Lasting
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import (
    CardPlace,
    ContractId,
    Dollars,
    EconomyId,
    EventId,
    Job,
    KindOfLoan,
    Moment,
    MoneyPlace,
    NameOfPhase,
    Payer,
    Player,
    TypeOfWorker,
    WorkerId,
)


@dataclass(frozen=True, slots=True)
class StartingPlayer:
    """A player at the table."""

    id: str
    name: str


class GameStarted(Event):
    """The table is set: ``money`` in the box, ``cash`` for each, cards in the two decks."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Annotated[tuple[StartingPlayer, ...], Holds("seat")]
    first: Person
    money: Dollars
    cash: Dollars
    contracts: Count
    economy: Count
    laps: int
    event_hand: int = 0


class GameTakenOver(Event):
    """A game begun elsewhere goes on here: everything that lies on the table, as it was entered.

    ``money`` in the box, of it ``cash`` with players and ``on_contracts``, the rest with the bank; ``seen``
    contracts have come up so far; ``end_found``: the last round stands fast; ``by_crews``: phase 1 of round 1 passes
    over whoever has a worker for each lap.
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
    cash: tuple[MoneyPlace, ...]
    on_contracts: tuple[MoneyPlace, ...]
    deck: int
    economy: int
    display: tuple[ContractId, ...]
    removed: tuple[str, ...]
    seen: tuple[str, ...]
    turned_economy: tuple[str, ...]
    turned_events: tuple[str, ...]
    reason: Text
    by_crews: bool = added(default=False)


# Phase 1, hire and fire.


class WorkerHired(PlayerEvent):
    """A worker entered a player's service."""

    worker: WorkerId
    wage: Dollars


class WorkerFired(PlayerEvent):
    """A worker went back under the pile; ``wage``: what they earned, where it was not their printed wage."""

    worker: WorkerId
    wage: Dollars | None = added(None)


class PileLookedThrough(PlayerEvent):
    """A player paid to choose from a whole pile."""

    type: TypeOfWorker
    fee: Dollars


class OpportunityPassed(PlayerEvent):
    """A player let an opportunity go, or with ``rest`` all that were left."""

    rest: bool


class OpportunityLapsed(PlayerEvent):
    """Round 1, and nobody in the supply fits under the wage limit."""


class OpportunityCame(PlayerEvent):
    """It is this player's opportunity."""

    lap: Count


# Phase 2, contracts and their auctions.


class ContractsPhaseBegan(Event):
    """Phase 2."""

    economy_due: bool
    reveal_due: Count


class EconomyTurned(Event):
    """The economic situation, and how many contracts come up."""

    card: EconomyId
    reveal_due: Count


class ContractsRevealed(Event):
    """Contracts lie on display."""

    contracts: tuple[ContractId, ...]


class ChoiceDeclined(PlayerEvent):
    """A player does not choose a contract in this phase any more."""


class AuctionOpened(PlayerEvent):
    """A lot came under the hammer."""

    contract: ContractId
    bid: Dollars
    bidders: tuple[Person, ...]


class BidRaised(PlayerEvent):
    """A higher bid."""

    amount: Dollars


class BidderLeft(PlayerEvent):
    """Out of this auction; ``forced``: the player could not have raised."""

    forced: bool


class ContractSold(PlayerEvent):
    """A contract was paid for, and what lay on it went to the buyer."""

    contract: ContractId
    paid: Dollars
    premium: Dollars


class ChoiceReturned(Event):
    """After a sale everybody may choose again, also who had declined."""


class PremiumLaid(Event):
    """Nobody wanted a contract: money lies on it."""

    contract: ContractId
    amount: Dollars


class ContractRemoved(Event):
    """Unwanted twice: out of the game, what lay on it back to the bank."""

    contract: ContractId
    premium: Dollars


class LastRoundFixed(Event):
    """No contract is left to award: the game ends after this round."""

    round: Count


# Phase 3, event cards and what they do.


class EventsPhaseBegan(Event):
    """Phase 3."""


class EventTurned(Event):
    """An event, and whom it comes to in which order."""

    card: EventId
    order: tuple[Person, ...]
    from_hand: bool = False


class NextEventDue(Event):
    """The card is carried out, and a second one is to be turned."""


class EventReached(PlayerEvent):
    """The event has come to this player."""


class WorkersMadeUnavailable(PlayerEvent):
    """Workers lie face down until the building phase is over."""

    workers: tuple[WorkerId, ...]


class WorkersDismissed(PlayerEvent):
    """Workers left their owner because of an event."""

    workers: tuple[WorkerId, ...]


@dataclass(frozen=True, slots=True)
class WageChange:
    """By how much one worker's wage changed now, and what it is from now on.

    ``wage`` is the worker's wage for the game, ``extra`` what comes on top of it, or off it, in this round only.
    """

    worker: str
    amount: int
    wage: int
    extra: int


class WagesChanged(PlayerEvent):
    """Wages changed, for the round or for the game."""

    changes: Annotated[tuple[WageChange, ...], Holds("record", "changes")]
    lasting: Lasting


class EventPaid(PlayerEvent):
    """An event took money."""

    amount: Dollars


class EventReceived(PlayerEvent):
    """An event gave money."""

    amount: Dollars


@dataclass(frozen=True, slots=True)
class Razed:
    """Sections of one contract that came down."""

    contract: str
    sections: tuple[str, ...]


class SectionsRazed(PlayerEvent):
    """An event took sections down."""

    sites: Annotated[tuple[Razed, ...], Holds("record", "sites")]


class EffectLeftToBanker(PlayerEvent):
    """An effect that only the table can carry out."""


# Phase 4, plans and buildings.

PlannedJobs: TypeAlias = Annotated[tuple[Job, ...], Holds("record", "sites")]


class BuildPhaseBegan(Event):
    """Phase 4."""


class PlanLocked(PlayerEvent):
    """A player has planned."""

    work: PlannedJobs
    secret: bool = True


class WorkerLent(Event):
    """A worker serves another player until the phase is over."""

    owner: Person
    worker: WorkerId
    borrower: Person
    price: Dollars


class PlanVoided(PlayerEvent):
    """A correction made a plan illegal."""


class SectionsBuilt(PlayerEvent):
    """A plan was revealed and carried out."""

    work: PlannedJobs


class WorkersReturned(Event):
    """All workers are before their owners again, face up."""


# Phase 5, income, wages and loans; the next round, or the end.


class IncomePhaseBegan(Event):
    """Phase 5."""


class PricePaid(PlayerEvent):
    """A finished building was paid."""

    contract: ContractId
    price: Dollars


class WagesPaid(PlayerEvent):
    """A player paid wages."""

    amount: Dollars


class LoanTaken(PlayerEvent):
    """Money lent by the bank."""

    loan: KindOfLoan
    amount: Dollars


class LoanRepaid(PlayerEvent):
    """A loan paid back, interest included."""

    loan: KindOfLoan
    amount: Dollars


class RoundBegan(Event):
    """A new round: the mallet moved left, wages for the round lapsed."""

    round: Count
    start: Person
    laps: int


class GameEnded(Event):
    """The last round is over.  The reckoning moves no money."""

    round: Count


# What the banker puts right.


class MoneyCorrected(Event):
    """The banker put the books right."""

    from_: Payer
    to: Payer
    amount: Dollars
    reason: Text


class WorkerCorrected(Event):
    """The banker put a worker in the right place; ``to`` a player or ``supply``."""

    worker: WorkerId
    to: CardPlace
    wage: Dollars
    reason: Text


class ContractCorrected(Event):
    """The banker put a contract to where it belongs; ``premium`` on it went to the bank."""

    contract: ContractId
    origin: CardPlace
    to: CardPlace
    premium: Dollars
    reason: Text


CalledOff: TypeAlias = Literal["", "auction", "event", "plans"]


class TurnCorrected(Event):
    """The banker put round, start player, phase or turn to where the table is.

    ``moment`` is the phase from now on (``None``: the phase stays as it was), ``waiting`` whom the table waits
    for then; ``called_off`` says what was left half-done.  ``wages_lapse``: what was for the old round only is
    forgotten.  ``returned``: this event counts as not turned; it goes back to ``hand`` if it was played from there.
    ``by_crews``: phase 1 of round 1 passes over whoever has a worker for each lap.
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
    hand: Person | None = added(None)
    by_crews: bool = added(default=False)


class CashCounted(PlayerEvent):
    """The amount that was counted, and its difference from the books (counted less booked).

    ``secret``: money is hidden, and the count is the business of the player and the banker alone.
    """

    counted: Dollars
    booked: Dollars
    difference: Annotated[int, Holds("record", "difference")]
    secret: bool = added(default=False)


class PlayerReplaced(PlayerEvent):
    """Somebody else plays on in this seat; ``former`` is what the one before was called."""

    name: Text
    former: Text
