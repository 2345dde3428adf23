"""What may be asked for, in the imperative.  Field names are those of play files (``from_`` is ``from``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Actor, Count, Holds, Person, Text
from companion.games.master_builder.rules.fields import (
    CardPlace,
    ContractId,
    Dollars,
    EconomyId,
    EventId,
    KindOfLoan,
    NameOfPhase,
    Payer,
    TypeOfWorker,
    WorkerId,
)
from companion.games.master_builder.rules.seats import UNNAMED, PlayerId
from companion.games.master_builder.rules.taken_position import TakenPosition


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
    first: Person
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on with a game that was begun without the companion, or on another one."""

    position: TakenPosition
    reason: Text = ""


@dataclass(frozen=True, slots=True)
class HireWorker:
    """Take a worker from the supply."""

    player: Person
    worker: WorkerId


@dataclass(frozen=True, slots=True)
class FireWorker:
    """Put a worker back to the supply."""

    player: Person
    worker: WorkerId


@dataclass(frozen=True, slots=True)
class Pass:
    """Let an opportunity, an auction or the choice of a contract go; ``rest``: all opportunities left."""

    player: Actor
    rest: bool = False


@dataclass(frozen=True, slots=True)
class LookThrough:
    """Pay to look through a pile and choose from it (variant ``choosing_workers``)."""

    player: Actor
    type: TypeOfWorker


@dataclass(frozen=True, slots=True)
class TurnEconomy:
    """The economic situation card that was turned."""

    card: EconomyId


@dataclass(frozen=True, slots=True)
class RevealContracts:
    """Contracts that were turned up."""

    contracts: tuple[ContractId, ...]


@dataclass(frozen=True, slots=True)
class OpenAuction:
    """Choose a contract and bid for it first."""

    player: Actor
    contract: ContractId
    bid: Dollars


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid more than the leader."""

    player: Actor
    amount: Dollars


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The event card that was turned; ``from_hand``: played from the hand (variant ``selective_events``)."""

    card: EventId
    from_hand: bool = False


@dataclass(frozen=True, slots=True)
class ChooseWorkers:
    """Name the own workers whom an event hits."""

    player: Actor
    workers: tuple[WorkerId, ...]


@dataclass(frozen=True, slots=True)
class ChooseSections:
    """Name the own sections that an event takes down: by contract."""

    player: Actor
    sections: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class HireOut:
    """Lend a worker for this phase at a price agreed upon (variant ``loaning_workers``)."""

    owner: Actor
    worker: WorkerId
    borrower: Person
    price: Dollars


@dataclass(frozen=True, slots=True)
class Plan:
    """Say who builds what: by contract and section, the workers; ``{}`` builds nothing."""

    player: Actor
    work: Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Borrow:
    """Take a loan from the bank."""

    player: Person
    loan: KindOfLoan


@dataclass(frozen=True, slots=True)
class Repay:
    """Pay one loan back."""

    player: Person
    loan: KindOfLoan


@dataclass(frozen=True, slots=True)
class CorrectMoney:
    """Put the books right by money between the bank and players."""

    from_: Payer
    to: Payer
    amount: Dollars
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Put the books right about where a worker or contract lies."""

    card: Annotated[str, Holds("card", "workers contracts")]
    to: CardPlace
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectTurn:
    """Put round, start player, phase or turn to where the table is; what is left out stays.

    ``waiting_for`` is one player, in phase ``build`` also several.
    """

    reason: Text
    phase: NameOfPhase | None = None
    round: Count | None = None
    start_player: Person | None = None
    waiting_for: Annotated[str | tuple[str, ...] | None, Holds("person")] = None


@dataclass(frozen=True, slots=True)
class CountCash:
    """Say what a player actually holds."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """Call a player by another name."""

    player: Person
    name: Text


@dataclass(frozen=True, slots=True)
class ReplacePlayer:
    """Let somebody else go on in a player's seat; the devices of whoever left show it no more."""

    player: Person
    name: Text


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
