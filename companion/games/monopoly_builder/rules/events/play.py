"""Events of play: turns, deeds, chips, auctions, trades and debts."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Count, Holds, Person
from companion.games.monopoly_builder.rules.catalog import Effect
from companion.games.monopoly_builder.rules.commands import BundleNamed
from companion.games.monopoly_builder.rules.state import (
    Cell,
    ChanceId,
    ChipsNamed,
    Choice,
    Chooser,
    DeedId,
    Dice,
    KindChosen,
    Money,
    Payer,
    Stage,
)

# Dice, tokens, jail, and whose turn it is.


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A turn begins; ``doubles`` in a row so far, above none in an extra turn."""

    player: Person
    doubles: Count


@dataclass(frozen=True, slots=True)
class StageCame:
    """A new stage of the turn."""

    stage: Annotated[Stage, Holds("choice", "stage")]


@dataclass(frozen=True, slots=True)
class ChipsDiscarded:
    """Chips above the limit lie on a space."""

    player: Person
    space: Count
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The dice of the turn: ``doubles`` in a row now, and in jail how often it was tried."""

    player: Person
    dice: Dice
    doubles: Count
    tries: Count


@dataclass(frozen=True, slots=True)
class ClaimsLapsed:
    """Rents of these players were not claimed in time."""

    payers: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class ChipsGathered:
    """A player gets chips from the tray."""

    player: Person
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class ChipsPicked:
    """A player picks up the chips of a space that he enters."""

    player: Person
    space: Count
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class GoPassed:
    """A player gets money on GO."""

    player: Person
    amount: Money


@dataclass(frozen=True, slots=True)
class TokenMoved:
    """A token came to a space, whose business is due."""

    player: Person
    to: Count


@dataclass(frozen=True, slots=True)
class Jailed:
    """A player is in jail."""

    player: Person
    space: Count


@dataclass(frozen=True, slots=True)
class Freed:
    """A player is out of jail."""

    player: Person
    by: Annotated[Literal["fee", "card", "double"], Holds("choice", "freed")]
    fee: Money = 0


# Deeds, rents, debts and auctions.


@dataclass(frozen=True, slots=True)
class DeedTurnedUp:
    """A deed stays beside this space."""

    space: Count
    deed: DeedId


@dataclass(frozen=True, slots=True)
class DeedOffered:
    """A deed of the bank may be bought."""

    player: Person
    deed: DeedId
    price: Money


@dataclass(frozen=True, slots=True)
class DeedBought:
    """A deed was bought at its price."""

    player: Person
    deed: DeedId
    price: Money


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A deed was declined and is auctioned."""

    player: Person
    deed: DeedId
    may_bid: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid; ``passed`` those who are not asked again."""

    player: Person
    amount: Money
    passed: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidderPassed:
    """A bidder bids no more for now."""

    player: Person


@dataclass(frozen=True, slots=True)
class DeedSold:
    """The auction is over."""

    player: Person
    deed: DeedId
    price: Money


@dataclass(frozen=True, slots=True)
class DeedUnsold:
    """Nobody has bid: the deed stays with the bank."""

    deed: DeedId


@dataclass(frozen=True, slots=True)
class RentFell:
    """A landing gives a claim of so much."""

    owner: Person
    payer: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class RentClaimed:
    """The rent of a landing is demanded: the oldest claim of this owner for this deed."""

    owner: Person
    payer: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class DebtIncurred:
    """So much is owed; it is paid as soon as it can be."""

    debtor: Person
    creditor: Payer
    amount: Money


@dataclass(frozen=True, slots=True)
class DebtPaid:
    """A debt is paid whole: the oldest one like it."""

    debtor: Person
    creditor: Payer
    amount: Money


@dataclass(frozen=True, slots=True)
class DeedMortgaged:
    """A deed is mortgaged."""

    player: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class DeedRedeemed:
    """A mortgage is lifted."""

    player: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class WentBankrupt:
    """A player gives up, and the creditor gets all he has."""

    player: Person
    creditor: Payer
    amount: Money
    chips: ChipsNamed
    deeds: tuple[DeedId, ...]
    cards: tuple[ChanceId, ...]


# Chips of one's own choice, trades, Chance cards, blocks.

WhatIsChosen: TypeAlias = Annotated[Choice, Holds("choice", "command")]


@dataclass(frozen=True, slots=True)
class ChoicesCame:
    """Players choose chips, one after the other."""

    choosers: Annotated[tuple[Chooser, ...], Holds("record", "choosers")]


@dataclass(frozen=True, slots=True)
class ChipsChosen:
    """A player has chosen, or had no choice."""

    player: Person
    what: WhatIsChosen
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class ChipsReturned:
    """A player gives chips back to the tray."""

    player: Person
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class ChipStolen:
    """A chip went from a player to another."""

    player: Person
    from_: Person
    kind: KindChosen


@dataclass(frozen=True, slots=True)
class ParkingTraded:
    """Two chips went into the tray, and one came out."""

    player: Person
    give: ChipsNamed
    get: KindChosen


@dataclass(frozen=True, slots=True)
class ParkingLeft:
    """Free Parking was left alone."""

    player: Person


@dataclass(frozen=True, slots=True)
class BankTraded:
    """``count`` chips of a kind went into the tray, and one of another came out."""

    player: Person
    give: KindChosen
    get: KindChosen
    count: Count


@dataclass(frozen=True, slots=True)
class Traded:
    """Two players have exchanged what they agreed on."""

    player: Person
    with_: Person
    give: BundleNamed
    get: BundleNamed


@dataclass(frozen=True, slots=True)
class ChanceDrawn:
    """A Chance card was drawn; ``kept`` by the player, or carried out effect by effect."""

    player: Person
    card: ChanceId
    kept: bool
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class EffectCame:
    """The next effect of the card is carried out; ``left`` are still to come."""

    left: Count


@dataclass(frozen=True, slots=True)
class MoneyReceived:
    """The bank pays a player."""

    player: Person
    amount: Money


@dataclass(frozen=True, slots=True)
class ChancePlayed:
    """A kept card was played; a forced trade exchanges a chip with somebody."""

    player: Person
    card: ChanceId
    from_: Person | None = None
    take: KindChosen | None = None
    give: KindChosen | None = None


@dataclass(frozen=True, slots=True)
class FloorBuilt:
    """A floor stands: ``height`` with it, 5 being the penthouse."""

    player: Person
    cell: Cell
    height: Count
    chips: ChipsNamed


@dataclass(frozen=True, slots=True)
class CashCounted:
    """A player's cash was counted; ``secret``: only the player and the banker may see the count."""

    player: Person
    amount: Money
    booked: Money
    difference: Annotated[int, Holds("record", "difference")]
    secret: bool = False
