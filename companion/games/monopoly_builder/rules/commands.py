"""Commands: what may be asked for, in the imperative, with the position that a game is taken over in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from companion.game_api.corrections import RenamePlayer
from companion.game_api.fields import Actor, Count, Holds, Person, Text
from companion.game_api.seating import UNNAMED
from companion.games.monopoly_builder.rules.state import (
    CardId,
    CardPlace,
    Cell,
    ChanceId,
    ChipPlace,
    ChipsNamed,
    DeedId,
    Dice,
    KindChosen,
    Money,
    NameOfPhase,
    Payer,
    PhaseChosen,
    PlayerId,
)

# A position as somebody enters it: the shape of ``take_over``, which is that of a position as it is shown. What
# is ``None`` was left out. What follows from the rest must agree with it where it is given.


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """What one player has, and where his token is."""

    cash: int
    name: str = UNNAMED
    chips: Mapping[str, int] = field(default_factory=dict[str, int])
    deeds: tuple[str, ...] = ()
    mortgaged: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    blocks: int | None = None
    space: int = 0
    in_jail: bool = False
    tries: int = 0
    bankrupt: bool = False


@dataclass(frozen=True, slots=True)
class TakenBuilding:
    """A building on a cell."""

    owner: str
    height: int


@dataclass(frozen=True, slots=True)
class TakenDeck:
    """Cards that lie face down."""

    chance: int | None = None


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A game as it lies on the table; players in seating order."""

    game: Literal["monopoly_builder"]
    turn: str
    phase: PhaseChosen
    players: Mapping[PlayerId, TakenPlayer]
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()
    doubles: int = 0
    dice: tuple[int, int] | None = None
    board: Mapping[str, TakenBuilding] = field(default_factory=dict[str, TakenBuilding])
    spaces: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    sites: Mapping[str, str | None] | None = None
    unsold: tuple[str, ...] | None = None
    bank: int | None = None
    tray: Mapping[str, int] | None = None
    deck: TakenDeck = TakenDeck()
    money_in_play: int | None = None
    auction: Any = None
    claims: tuple[Any, ...] = ()
    debts: tuple[Any, ...] = ()
    seats: Any = None
    waiting_for: Any = None
    expects: Any = None
    due: Any = None
    finished: Any = None
    standings: Any = None


# What the banker may put right, in the imperative.


@dataclass(frozen=True, slots=True)
class CorrectMoney:
    """Put the books right by money between the bank and players."""

    from_: Payer
    to: Payer
    amount: Money
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Put a deed or a Chance card to where it lies; ``mortgaged`` of a deed with a player."""

    card: CardId
    to: CardPlace
    reason: Text
    mortgaged: bool | None = None


@dataclass(frozen=True, slots=True)
class CorrectChips:
    """Put chips to where they lie: with a player, in the tray (``bank``), on a space by its number."""

    kind: KindChosen
    count: Count
    from_: ChipPlace
    to: ChipPlace
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectBlock:
    """Say what stands on a cell; height 0: nothing."""

    cell: Cell
    height: Count
    reason: Text
    owner: Annotated[str | None, Holds("person")] = None


@dataclass(frozen=True, slots=True)
class CorrectPosition:
    """Put a token to where it stands."""

    player: Person
    space: Count
    reason: Text
    in_jail: bool = False
    tries: Count = 0


@dataclass(frozen=True, slots=True)
class CorrectTurn:
    """Say whose turn it is, and how far it has come; what was under way is cut short."""

    reason: Text
    player: Person | None = None
    phase: NameOfPhase | None = None


@dataclass(frozen=True, slots=True)
class CountCash:
    """Say what a player actually holds."""

    player: Person
    amount: Money


# What may be asked for, in the imperative. Field names are those of play files (``from_`` is ``from``).


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
