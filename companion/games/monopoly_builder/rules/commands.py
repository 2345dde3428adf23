"""What may be asked for, in the imperative.  Field names are those of play files (``from_`` is ``from``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Actor, Holds, Person, Text
from companion.games.monopoly_builder.rules.correcting_commands import (
    CorrectBlock,
    CorrectCard,
    CorrectChips,
    CorrectMoney,
    CorrectPosition,
    CorrectTurn,
    CountCash,
    RenamePlayer,
)
from companion.games.monopoly_builder.rules.fields import (
    Cell,
    ChanceId,
    ChipsNamed,
    DeedId,
    Dice,
    KindChosen,
    Money,
    PlayerId,
)
from companion.games.monopoly_builder.rules.seats import UNNAMED
from companion.games.monopoly_builder.rules.taken_position import TakenPosition


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A player as he is seated; without a name he is called by his id."""

    id: PlayerId
    name: str = UNNAMED


@dataclass(frozen=True, slots=True)
class StartGame:
    """Set the table: players in clockwise seating, ``first`` has the first turn."""

    game: Literal["monopoly_builder"]
    players: tuple[SeatChoice, ...]
    first: Person
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on with a game that was begun without the companion."""

    position: TakenPosition
    reason: Text = ""


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay the chips above six onto the own space."""

    player: Actor
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of the turn, as they lie on the table."""

    player: Actor
    dice: Dice


@dataclass(frozen=True, slots=True)
class LeaveJail:
    """Pay the fee before rolling."""

    player: Actor


@dataclass(frozen=True, slots=True)
class TurnDeed:
    """The deed that was turned up on the space."""

    player: Actor
    deed: DeedId


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy the deed on offer at its price."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Decline:
    """Let the deed on offer be auctioned."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid more than the leader."""

    player: Actor
    amount: Money


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid no more, or leave Free Parking alone."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Hammer:
    """Close the auction."""


@dataclass(frozen=True, slots=True)
class DrawChance:
    """The Chance card that was drawn."""

    player: Actor
    card: ChanceId


@dataclass(frozen=True, slots=True)
class RollForResources:
    """The dice that say which chips the space gives."""

    player: Actor
    dice: Dice


@dataclass(frozen=True, slots=True)
class Take:
    """Take chips of one's own choice from the tray."""

    player: Actor
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class ReturnChips:
    """Give chips of one's own choice back to the tray."""

    player: Actor
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class Steal:
    """Take a chip from another player."""

    player: Actor
    from_: Person
    kind: KindChosen


@dataclass(frozen=True, slots=True)
class FreeParking:
    """Give two chips for one of another kind."""

    player: Actor
    give: ChipsNamed
    get: KindChosen


@dataclass(frozen=True, slots=True)
class BankTrade:
    """Give four chips of a kind for one of another."""

    player: Actor
    give: KindChosen
    get: KindChosen


@dataclass(frozen=True, slots=True)
class Build:
    """Build a floor on a cell and pay it; ``chips`` may be left out where its cost leaves no choice."""

    player: Actor
    cell: Cell
    chips: ChipsNamed | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Give the dice on."""

    player: Actor


@dataclass(frozen=True, slots=True)
class ClaimRent:
    """Demand the rent for a landing."""

    player: Actor
    deed: DeedId


@dataclass(frozen=True, slots=True)
class Bundle:
    """One side of a trade."""

    money: Money = 0
    chips: ChipsNamed = field(default_factory=dict[str, int])
    deeds: tuple[DeedId, ...] = ()
    cards: tuple[ChanceId, ...] = ()


BundleNamed: TypeAlias = Annotated[Bundle, Holds("record", "bundle")]


@dataclass(frozen=True, slots=True)
class Trade:
    """What two players have agreed to exchange."""

    player: Actor
    with_: Person
    give: BundleNamed
    get: BundleNamed


@dataclass(frozen=True, slots=True)
class PlayChance:
    """Play a kept card; a forced trade names whom, and which kinds."""

    player: Actor
    card: ChanceId
    from_: Person | None = None
    take: KindChosen | None = None
    give: KindChosen | None = None


@dataclass(frozen=True, slots=True)
class Mortgage:
    """Take the bank's money for a deed, which brings nothing then."""

    player: Actor
    deed: DeedId


@dataclass(frozen=True, slots=True)
class Unmortgage:
    """Lift a mortgage."""

    player: Actor
    deed: DeedId


@dataclass(frozen=True, slots=True)
class DeclareBankrupt:
    """Give up: what is owed can be paid no more."""

    player: Actor


Command: TypeAlias = (
    StartGame
    | TakeOver
    | Discard
    | Roll
    | LeaveJail
    | TurnDeed
    | Buy
    | Decline
    | Bid
    | Pass
    | Hammer
    | DrawChance
    | RollForResources
    | Take
    | ReturnChips
    | Steal
    | FreeParking
    | BankTrade
    | Build
    | EndTurn
    | ClaimRent
    | Trade
    | PlayChance
    | Mortgage
    | Unmortgage
    | DeclareBankrupt
    | CorrectMoney
    | CorrectCard
    | CorrectChips
    | CorrectBlock
    | CorrectPosition
    | CorrectTurn
    | CountCash
    | RenamePlayer
)
