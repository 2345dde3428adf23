"""A position as somebody enters it: the shape of ``take_over``.

It is the position that play files and the interface show, so that what a game shows can be taken over as it is.
What is ``None`` here was left out.  Left out, it follows from the rest; given, it must agree with the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from companion.game_api.messages import Actor, Command, Count, Holds, Person, PlayerCommand, Text
from companion.game_api.seating import UNNAMED
from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.state import (
    CardPlace,
    ContractId,
    Dollars,
    Earned,
    EconomyId,
    EventId,
    KindOfLoan,
    Lent,
    NameOfPhase,
    Payer,
    PhaseName,
    PlayerId,
    TypeOfWorker,
    Work,
    WorkerId,
)

Sections = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenLoans:
    """IOUs before a player."""

    small: int = 0
    large: int = 0


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """What lies before one player; of ``contracts``, which are not paid yet, the sections that stand."""

    cash: int
    name: str = UNNAMED
    workers: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    contracts: Mapping[str, Sections] = field(default_factory=dict[str, Sections])
    completed: tuple[str, ...] = ()
    loans: TakenLoans = TakenLoans()
    event_hand: int | None = None
    wages: int | None = None
    owes: int | None = None


@dataclass(frozen=True, slots=True)
class TakenDeck:
    """Cards that lie face down."""

    contracts: int | None = None
    economy: int | None = None


@dataclass(frozen=True, slots=True)
class TakenTurned:
    """Cards that were turned in this game, as far as anybody remembers."""

    economy: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenHire:
    """Phase ``hire``: the lap, and who passed all opportunities left."""

    lap: int = 1
    laps: int | None = None
    looked: WorkerType | None = None
    rested: tuple[str, ...] = ()
    passes: int = 0


@dataclass(frozen=True, slots=True)
class TakenAuction:
    """Phase ``contracts``: the lot under the hammer."""

    contract: str
    bid: int
    leader: str
    still_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenEvent:
    """Phase ``events``: the card, to whom it has come, which effect is on, who is still to meet it."""

    card: str
    player: str | None = None
    effect: int = 0
    rest: tuple[str, ...] | None = None
    hit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenSettlement:
    """Phase ``income``: prices paid, and whose wages."""

    earned: tuple[Earned, ...] = ()
    paid: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A game as it lies on the table."""

    game: Literal["master_builder"]
    round: int
    phase: PhaseName
    start_player: str
    players: Mapping[PlayerId, TakenPlayer]
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()
    seats: tuple[str, ...] | None = None
    last_round: int | None = None
    display: Mapping[str, int] = field(default_factory=dict[str, int])
    removed: tuple[str, ...] = ()
    deck: TakenDeck = TakenDeck()
    turned: TakenTurned = TakenTurned()
    workers: Mapping[str, int] = field(default_factory=dict[str, int])
    round_wages: Mapping[str, int] = field(default_factory=dict[str, int])
    waiting_for: tuple[str, ...] | None = None
    hire: TakenHire | None = None
    economy_due: bool | None = None
    reveal_due: int | None = None
    declined: tuple[str, ...] | None = None
    auction: TakenAuction | None = None
    raised: bool | None = None
    event: TakenEvent | None = None
    drawn: int | None = None
    planned: tuple[str, ...] | None = None
    plan: Work | None = None
    plans: Mapping[str, Work] | None = None
    lent: tuple[Lent, ...] | None = None
    settlement: TakenSettlement | None = None
    bank: int | None = None
    on_contracts: int | None = None
    money_in_play: int | None = None
    wage_limit: int | None = None
    loans_late: bool | None = None
    finished: bool | None = None
    expects: tuple[str, ...] | None = None
    standings: tuple[Mapping[str, int | str], ...] | None = None


# What may be asked for, in the imperative. Field names are those of play files (``from_`` is ``from``).


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A player's seat; a player without a name is called by the colour."""

    id: PlayerId
    name: str = UNNAMED


class StartGame(Command):
    """Set the table: players in clockwise seating, ``first`` holds the mallet in round 1."""

    game: Literal["master_builder"]
    players: tuple[SeatChoice, ...]
    first: Person
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()


class TakeOver(Command):
    """Go on with a game that was begun without the companion, or on another one."""

    position: TakenPosition
    reason: Text = ""


class HireWorker(Command):
    """Take a worker from the supply."""

    player: Person
    worker: WorkerId


class FireWorker(Command):
    """Put a worker back to the supply."""

    player: Person
    worker: WorkerId


class Pass(PlayerCommand):
    """Let an opportunity, an auction or the choice of a contract go; ``rest``: all opportunities left."""

    rest: bool = False


class LookThrough(PlayerCommand):
    """Pay to look through a pile and choose from it (variant ``choosing_workers``)."""

    type: TypeOfWorker


class TurnEconomy(Command):
    """The economic situation card that was turned."""

    card: EconomyId


class RevealContracts(Command):
    """Contracts that were turned up."""

    contracts: tuple[ContractId, ...]


class OpenAuction(PlayerCommand):
    """Choose a contract and bid for it first."""

    contract: ContractId
    bid: Dollars


class Bid(PlayerCommand):
    """Bid more than the leader."""

    amount: Dollars


class TurnEvent(Command):
    """The event card that was turned; ``from_hand``: played from the hand (variant ``selective_events``)."""

    card: EventId
    from_hand: bool = False


class ChooseWorkers(PlayerCommand):
    """Name the own workers whom an event hits."""

    workers: tuple[WorkerId, ...]


class ChooseSections(PlayerCommand):
    """Name the own sections that an event takes down: by contract."""

    sections: Mapping[str, tuple[str, ...]]


class HireOut(Command):
    """Lend a worker for this phase at a price agreed upon (variant ``loaning_workers``)."""

    owner: Actor
    worker: WorkerId
    borrower: Person
    price: Dollars


class Plan(PlayerCommand):
    """Say who builds what: by contract and section, the workers; ``{}`` builds nothing."""

    work: Work


class Borrow(Command):
    """Take a loan from the bank."""

    player: Person
    loan: KindOfLoan


class Repay(Command):
    """Pay one loan back."""

    player: Person
    loan: KindOfLoan


class CorrectMoney(Command):
    """Put the books right by money between the bank and players."""

    from_: Payer
    to: Payer
    amount: Dollars
    reason: Text


class CorrectCard(Command):
    """Put the books right about where a worker or contract lies."""

    card: Annotated[str, Holds("card", "workers contracts")]
    to: CardPlace
    reason: Text


class CorrectTurn(Command):
    """Put round, start player, phase or turn to where the table is; what is left out stays.

    ``waiting_for`` is one player, in phase ``build`` also several.
    """

    reason: Text
    phase: NameOfPhase | None = None
    round: Count | None = None
    start_player: Person | None = None
    waiting_for: Annotated[str | tuple[str, ...] | None, Holds("person")] = None


class CountCash(Command):
    """Say what a player actually holds."""

    player: Person
    amount: Dollars


class ReplacePlayer(Command):
    """Let somebody else go on in a player's seat; the devices of whoever left show it no more."""

    player: Person
    name: Text
