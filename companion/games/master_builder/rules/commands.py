"""What may be asked for, in the imperative.  Field names are those of play files (``from_`` is ``from``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.seats import UNNAMED, PlayerId
from companion.games.master_builder.rules.state import PhaseName
from companion.games.master_builder.rules.taken_position import TakenPosition

Loan: TypeAlias = Literal["small", "large"]


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A player as he is seated; without a name he is called by his colour."""

    id: PlayerId
    name: str = UNNAMED


@dataclass(frozen=True, slots=True)
class StartGame:
    """Set the table: players in clockwise seating, ``first`` holds the mallet in round 1."""

    game: Literal["master_builder"]
    players: tuple[SeatChoice, ...]
    first: str
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on with a game that was begun without the companion, or on another one."""

    position: TakenPosition
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HireWorker:
    """Take a worker from the supply."""

    player: str
    worker: str


@dataclass(frozen=True, slots=True)
class FireWorker:
    """Put a worker back to the supply."""

    player: str
    worker: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Let an opportunity, an auction or the choice of a contract go; ``rest``: all opportunities left."""

    player: str
    rest: bool = False


@dataclass(frozen=True, slots=True)
class LookThrough:
    """Pay to look through a pile and choose from it (variant ``choosing_workers``)."""

    player: str
    type: WorkerType


@dataclass(frozen=True, slots=True)
class TurnEconomy:
    """The economic situation card that was turned."""

    card: str


@dataclass(frozen=True, slots=True)
class RevealContracts:
    """Contracts that were turned up."""

    contracts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenAuction:
    """Choose a contract and bid for it first."""

    player: str
    contract: str
    bid: int


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid more than the leader."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The event card that was turned; ``from_hand``: played from the hand (variant ``selective_events``)."""

    card: str
    from_hand: bool = False


@dataclass(frozen=True, slots=True)
class ChooseWorkers:
    """Name the own workers whom an event hits."""

    player: str
    workers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChooseSections:
    """Name the own sections that an event takes down: by contract."""

    player: str
    sections: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class HireOut:
    """Lend a worker for this phase at a price agreed upon (variant ``loaning_workers``)."""

    owner: str
    worker: str
    borrower: str
    price: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Say who builds what: by contract and section, the workers; ``{}`` builds nothing."""

    player: str
    work: Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Borrow:
    """Take a loan from the bank."""

    player: str
    loan: Loan


@dataclass(frozen=True, slots=True)
class Repay:
    """Pay one loan back."""

    player: str
    loan: Loan


@dataclass(frozen=True, slots=True)
class CorrectMoney:
    """Put the books right by money between the bank and players."""

    from_: str
    to: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Put the books right about where a worker or contract lies."""

    card: str
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectTurn:
    """Put round, start player, phase or turn to where the table is; what is left out stays.

    ``waiting_for`` is one player, in phase ``build`` also several.
    """

    reason: str
    phase: PhaseName | None = None
    round: int | None = None
    start_player: str | None = None
    waiting_for: str | tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CountCash:
    """Say what a player actually holds."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """Call a player by another name."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class ReplacePlayer:
    """Let somebody else go on in a player's seat; the devices of whoever left show it no more."""

    player: str
    name: str


Command: TypeAlias = (
    StartGame
    | TakeOver
    | HireWorker
    | FireWorker
    | Pass
    | LookThrough
    | TurnEconomy
    | RevealContracts
    | OpenAuction
    | Bid
    | TurnEvent
    | ChooseWorkers
    | ChooseSections
    | HireOut
    | Plan
    | Borrow
    | Repay
    | CorrectMoney
    | CorrectCard
    | CorrectTurn
    | CountCash
    | RenamePlayer
    | ReplacePlayer
)
