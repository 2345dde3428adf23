"""Commands: what may be asked for, in the imperative, with the position that a game is taken over in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from companion.game_api.messages import Command, Count, Holds, Person, PlayerCommand, Text
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
    """What a player has, and where the token is."""

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
    offered: Any = None
    auction: Any = None
    claims: tuple[Any, ...] = ()
    debts: tuple[Any, ...] = ()
    seats: Any = None
    waiting_for: Any = None
    expects: Any = None
    due: Any = None
    finished: Any = None
    standings: Any = None


# What may be asked for, in the imperative. Field names are those of play files (``from_`` is ``from``).


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A player's seat; a player without a name is called by the id."""

    id: PlayerId
    name: str = UNNAMED


class StartGame(Command):
    """Set the table: players in clockwise seating, ``first`` has the first turn."""

    game: Literal["monopoly_builder"]
    players: tuple[SeatChoice, ...]
    first: Person
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()


class TakeOver(Command):
    """Go on with a game that was begun without the companion."""

    position: TakenPosition
    reason: Text = ""


class Discard(PlayerCommand):
    """Lay the chips above six onto the own space."""

    chips: ChipsNamed


class Roll(PlayerCommand):
    """The dice of the turn, as they lie on the table."""

    dice: Dice


class LeaveJail(PlayerCommand):
    """Pay the fee before rolling."""


class TurnDeed(PlayerCommand):
    """The deed that was turned up on the space."""

    deed: DeedId


class Buy(PlayerCommand):
    """Buy the deed on offer at its price."""


class Decline(PlayerCommand):
    """Let the deed on offer be auctioned."""


class Bid(PlayerCommand):
    """Bid more than the leader."""

    amount: Money


class Pass(PlayerCommand):
    """Bid no more, or leave Free Parking alone."""


class Hammer(Command):
    """Close the auction."""


class DrawChance(PlayerCommand):
    """The Chance card that was drawn."""

    card: ChanceId


class RollForResources(PlayerCommand):
    """The dice that say which chips the space gives."""

    dice: Dice


class Take(PlayerCommand):
    """Take chips of one's own choice from the tray."""

    chips: ChipsNamed


class ReturnChips(PlayerCommand):
    """Give chips of one's own choice back to the tray."""

    chips: ChipsNamed


class Steal(PlayerCommand):
    """Take a chip from another player."""

    from_: Person
    kind: KindChosen


class FreeParking(PlayerCommand):
    """Give two chips for one of another kind."""

    give: ChipsNamed
    get: KindChosen


class BankTrade(PlayerCommand):
    """Give four chips of a kind for one of another."""

    give: KindChosen
    get: KindChosen


class Build(PlayerCommand):
    """Build a floor on a cell and pay it; ``chips`` may be left out where its cost leaves no choice."""

    cell: Cell
    chips: ChipsNamed | None = None


class EndTurn(PlayerCommand):
    """Give the dice on."""


class ClaimRent(PlayerCommand):
    """Demand the rent for a landing."""

    deed: DeedId


@dataclass(frozen=True, slots=True)
class Bundle:
    """One side of a trade."""

    money: Money = 0
    chips: ChipsNamed = field(default_factory=dict[str, int])
    deeds: tuple[DeedId, ...] = ()
    cards: tuple[ChanceId, ...] = ()


BundleNamed: TypeAlias = Annotated[Bundle, Holds("record", "bundle")]


class Trade(PlayerCommand):
    """What two players have agreed to exchange."""

    with_: Person
    give: BundleNamed
    get: BundleNamed


class PlayChance(PlayerCommand):
    """Play a kept card; a forced trade names whom, and which kinds."""

    card: ChanceId
    from_: Person | None = None
    take: KindChosen | None = None
    give: KindChosen | None = None


class Mortgage(PlayerCommand):
    """Take the bank's money for a deed, which brings nothing then."""

    deed: DeedId


class Unmortgage(PlayerCommand):
    """Lift a mortgage."""

    deed: DeedId


class DeclareBankrupt(PlayerCommand):
    """Give up: what is owed can be paid no more."""


# What the banker may put right, in the imperative.


class CorrectMoney(Command):
    """Put the books right by money between the bank and players."""

    from_: Payer
    to: Payer
    amount: Money
    reason: Text


class CorrectCard(Command):
    """Put a deed or a Chance card to where it lies; ``mortgaged`` of a deed with a player."""

    card: CardId
    to: CardPlace
    reason: Text
    mortgaged: bool | None = None


class CorrectChips(Command):
    """Put chips to where they lie: with a player, in the tray (``bank``), on a space by its number."""

    kind: KindChosen
    count: Count
    from_: ChipPlace
    to: ChipPlace
    reason: Text


class CorrectBlock(Command):
    """Say what stands on a cell; height 0: nothing."""

    cell: Cell
    height: Count
    reason: Text
    owner: Annotated[str | None, Holds("person")] = None


class CorrectPosition(Command):
    """Put a token to where it stands."""

    player: Person
    space: Count
    reason: Text
    in_jail: bool = False
    tries: Count = 0


class CorrectTurn(Command):
    """Say whose turn it is, and how far it has come; what was under way is cut short."""

    reason: Text
    player: Person | None = None
    phase: NameOfPhase | None = None


class CountCash(Command):
    """Say what a player actually holds."""

    player: Person
    amount: Money
