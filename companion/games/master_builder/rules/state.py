"""The state of Master Builder, and the questions that many rules ask of it first."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, TypeVar

from companion.engine.game import Auction, Position, Refused, clockwise_order, copy_with
from companion.engine.ledger import player_account
from companion.game_api.messages import Holds
from companion.game_api.seating import SeatedPlayers
from companion.games.master_builder.rules.catalog import (
    Catalog,
    ContractCard,
    EconomyCard,
    EventCard,
    WorkerCard,
    WorkerType,
)
from companion.games.master_builder.rules.house_rules import Rules

# The position of a game of Master Builder apart from its money, which the ledger holds.

LAST_ROUND = 6
ECONOMY_DECK = 5
"""Economy cards of a game."""
EVENT_HAND = 2
"""Event cards dealt to each player in the variant ``selective_events``."""
FIRST_LAPS = 5
"""Laps of hiring in round 1."""


FEWEST, MOST = 2, 4
"""How many may play."""


@dataclass(frozen=True, slots=True)
class Employed:
    """A worker in somebody's service: ``wage`` for the game, ``extra`` on top for this round only."""

    id: str
    wage: int
    extra: int = 0
    face_up: bool = True

    @property
    def due(self) -> int:
        """Return the worker's wage in this round, in dollars."""
        return self.wage + self.extra


@dataclass(frozen=True, slots=True)
class BuildingSite:
    """A contract not paid yet, and its sections that stand, sorted."""

    contract: str
    built: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """A player with cards and loans, without money.  ``sitter`` counts how often the seat changed hands."""

    id: str
    name: str
    crew: tuple[Employed, ...] = ()
    sites: tuple[BuildingSite, ...] = ()
    completed: tuple[str, ...] = ()
    small: int = 0
    large: int = 0
    event_hand: int = 0
    sitter: int = 0

    @property
    def wages(self) -> int:
        """The true wage total in dollars, also above the end of the wage track."""
        return sum(worker.due for worker in self.crew)

    @property
    def contracts(self) -> int:
        """Return the number of the player's contracts, finished ones too."""
        return len(self.sites) + len(self.completed)

    def employs(self, worker: str) -> bool:
        """Return whether a worker is the player's."""
        return any(employed.id == worker for employed in self.crew)

    def site(self, contract: str) -> BuildingSite | None:
        """Return the player's unpaid contract of an id; ``None`` if there is none."""
        return next((site for site in self.sites if site.contract == contract), None)


@dataclass(frozen=True, slots=True)
class Hire:
    """Phase 1: whose opportunity it is, in which lap of how many, and who passed all that were left.

    ``passes`` counts those in a row, ``looked`` is the pile that was looked through at this opportunity.
    """

    player: str
    lap: int
    laps: int
    rested: tuple[str, ...] = ()
    used: bool = False
    passes: int = 0
    looked: WorkerType | None = None


@dataclass(frozen=True, slots=True)
class Contracts:
    """Phase 2: cards still to be turned, who declined to choose, the lot under the hammer."""

    economy_due: bool
    reveal_due: int
    declined: tuple[str, ...] = ()
    auction: Auction | None = None
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Events:
    """Phase 3: the card, whom it has come to and who follows, its effect in hand, whom it hit so far."""

    card: str | None = None
    player: str | None = None
    rest: tuple[str, ...] = ()
    step: int = 0
    hit: tuple[str, ...] = ()
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """Workers on one section."""

    contract: str
    section: str
    workers: tuple[str, ...]


Work: TypeAlias = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Workers by section by contract: a plan as commands have it."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A player's locked plan."""

    player: str
    work: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class Lent:
    """A worker who serves somebody else in this phase."""

    worker: str
    owner: str
    borrower: str


@dataclass(frozen=True, slots=True)
class Build:
    """Phase 4: workers hired out, the plans locked so far; ``closed``: no more hiring out."""

    plans: tuple[Planned, ...] = ()
    lent: tuple[Lent, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Earned:
    """A price paid in this phase."""

    player: str
    contract: str
    price: int


@dataclass(frozen=True, slots=True)
class WagesOf:
    """Wages paid in this phase."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Income:
    """Phase 5: prices paid, wages paid."""

    earned: tuple[Earned, ...] = ()
    paid: tuple[WagesOf, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """After the last round."""


Phase: TypeAlias = Hire | Contracts | Events | Build | Income | Finished
PhaseName: TypeAlias = Literal["hire", "contracts", "events", "build", "income", "finished"]
PHASE_NAMES: Mapping[type, PhaseName] = {
    Hire: "hire",
    Contracts: "contracts",
    Events: "events",
    Build: "build",
    Income: "income",
    Finished: "finished",
}
"""Names of the phases in positions and commands."""


def phase_name(phase: Phase) -> PhaseName:
    """Return what a phase is called."""
    return PHASE_NAMES[type(phase)]


@dataclass(frozen=True, slots=True)
class Moment:
    """A phase as it stands, under its own name; with none of them the game is over."""

    hire: Hire | None = None
    contracts: Contracts | None = None
    events: Events | None = None
    build: Build | None = None
    income: Income | None = None


def moment_of(phase: Phase) -> Moment:
    """Return a phase as events hold it."""
    match phase:
        case Hire():
            return Moment(hire=phase)
        case Contracts():
            return Moment(contracts=phase)
        case Events():
            return Moment(events=phase)
        case Build():
            return Moment(build=phase)
        case Income():
            return Moment(income=phase)
        case _:
            return Moment()


def phase_in(moment: Moment) -> Phase:
    """Return the phase that an event holds."""
    phases = (moment.hire, moment.contracts, moment.events, moment.build, moment.income)
    return next((phase for phase in phases if phase is not None), Finished())


@dataclass(frozen=True, slots=True)
class MoneyPlace:
    """Money in dollars that a player holds, or that lies on a contract."""

    by: str
    amount: int


@dataclass(frozen=True, slots=True)
class State(SeatedPlayers[Player]):
    """Everything on the table but money.  ``deck`` and ``economy`` count face-down cards.

    ``laid``: on these contracts money has been laid in this round.  ``played_by``: from whose hand the event under way
    was played; ``None``: from the deck.  ``by_crews``: phase 1 of round 1 began in its middle, and passes over whoever
    has a worker for each lap.
    """

    catalog: Catalog
    catalog_name: str
    rules: Rules
    variants: tuple[str, ...]
    players: tuple[Player, ...]
    start: str
    phase: Phase
    deck: int
    economy: int
    round: int = 1
    last_round: int = LAST_ROUND
    end_found: bool = False
    display: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    turned_economy: tuple[str, ...] = ()
    turned_events: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    played_by: str | None = None
    by_crews: bool = False

    @property
    def turn_order(self) -> tuple[str, ...]:
        """Player ids from the start player clockwise."""
        return clockwise_order(self.seats, self.start)

    @property
    def money_is_hidden(self) -> bool:
        """Return whether players may not see each other's money now (house rule ``money``, D40)."""
        return self.rules.money == "hidden" and not isinstance(self.phase, Finished)

    def with_phase(self, phase: Phase) -> "State":
        """Return the state with another phase value."""
        return copy_with(self, phase=phase)

    def employer(self, worker: str) -> Player | None:
        """Find whose worker this is; ``None``: in the supply."""
        return next((player for player in self.players if player.employs(worker)), None)


def event_is_from_hand(state: State) -> bool:
    """Return whether the event under way must be from a hand: as many were played from hands as rounds have begun."""
    if not isinstance(state.phase, Events) or state.phase.card is None or "selective_events" not in state.variants:
        return False
    played = sum(EVENT_HAND - player.event_hand for player in state.players)
    return state.phase.drawn == 1 and played == state.round


GamePosition: TypeAlias = Position[State]
"""A position of this game."""


PlayerId: TypeAlias = Literal["red", "blue", "yellow", "green"]
Loan: TypeAlias = Literal["small", "large"]

Dollars: TypeAlias = Annotated[int, Holds("money", "1000")]
"""Money of this game, in its smallest notes."""
WorkerId: TypeAlias = Annotated[str, Holds("card", "workers")]
ContractId: TypeAlias = Annotated[str, Holds("card", "contracts")]
EventId: TypeAlias = Annotated[str, Holds("card", "events")]
EconomyId: TypeAlias = Annotated[str, Holds("card", "economy")]
SectionId: TypeAlias = Annotated[str, Holds("choice", "section")]
TypeOfWorker: TypeAlias = Annotated[WorkerType, Holds("choice", "workers")]
NameOfPhase: TypeAlias = Annotated[PhaseName, Holds("choice", "phase")]
KindOfLoan: TypeAlias = Annotated[Loan, Holds("choice", "loan")]
Payer: TypeAlias = Annotated[str, Holds("place", "bank")]
"""A player, or the bank."""
CardPlace: TypeAlias = Annotated[str, Holds("place", "supply display deck removed")]
"""Where a card lies: with a player, or at one of the places on the table."""


# The phase that an event belongs to; an event recorded in another phase is a torn journal.

P = TypeVar("P", bound=Phase)


class MisplacedEventError(ValueError):
    """An event in a phase in which it cannot have happened."""


def phase_of(state: State, kind: type[P]) -> P:
    """Return the phase as the kind that it must be."""
    if not isinstance(state.phase, kind):
        message = f"an event of {kind.__name__} in {type(state.phase).__name__}"
        raise MisplacedEventError(message)
    return state.phase


def auction_of(state: State) -> Auction:
    """Return the auction that must be running."""
    auction = phase_of(state, Contracts).auction
    if auction is None:
        message = "an event of an auction where none is running"
        raise MisplacedEventError(message)
    return auction


THOUSAND = 1_000
WAGE_LIMIT = 30_000
"""The wage track ends here (rules, phase 1)."""


def validate_amount(amount: int) -> None:
    """Check that an amount can be paid in notes: whole thousands, not below nothing."""
    if amount < 0 or amount % THOUSAND:
        raise Refused("not_whole_thousands", amount=amount)


def worker_card(state: State, worker: str) -> WorkerCard:
    """Find a worker of the deck in use."""
    for card in state.catalog.workers:
        if card.id == worker:
            return card
    raise Refused("unknown_worker", card=worker)


def contract_card(state: State, contract: str) -> ContractCard:
    """Find a contract of the deck in use."""
    for card in state.catalog.contracts:
        if card.id == contract:
            return card
    raise Refused("unknown_contract", card=contract)


def event_card(state: State, event: str) -> EventCard:
    """Find an event of the deck in use."""
    for card in state.catalog.events:
        if card.id == event:
            return card
    raise Refused("unknown_event", card=event)


def economy_card(state: State, economy: str) -> EconomyCard:
    """Find an economic situation of the deck in use."""
    for card in state.catalog.economy:
        if card.id == economy:
            return card
    raise Refused("unknown_economy", card=economy)


def require_distinct_cards(cards: Collection[str]) -> None:
    """Check that no card is named twice."""
    if len(set(cards)) != len(cards):
        raise Refused("named_twice", cards=tuple(cards))


def contract_account(contract: str) -> str:
    """Return the name of the account for money on a contract card."""
    return f"contract:{contract}"


def cash(position: GamePosition, player: str) -> int:
    """Return what a player holds, in dollars."""
    return position.ledger.balance(player_account(player))
