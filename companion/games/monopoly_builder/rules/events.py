"""The events, in the past tense.  Every figure is stored in them, so that replay asks no rule.

Class names are stored in journals: renaming one is a migration.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.messages import Count, Event, Holds, Person, PlayerEvent, Text
from companion.games.monopoly_builder.rules.catalog import Catalog, Effect, Kind
from companion.games.monopoly_builder.rules.commands import BundleNamed
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.state import (
    Building,
    CardPlace,
    Cell,
    ChanceId,
    ChipPlace,
    ChipsNamed,
    Choice,
    Chooser,
    DeedId,
    Dice,
    KindChosen,
    Money,
    NameOfPhase,
    Payer,
    Player,
    Site,
    Stage,
)

Table: TypeAlias = Annotated[tuple[Player, ...], Holds("seat")]

GameEnding: TypeAlias = Annotated[Literal["penthouse", "last_solvent", "called_off"], Holds("choice", "ending")]


@dataclass(frozen=True, slots=True)
class Own:
    """Which kind of chips is a player's own."""

    player: str
    kind: Kind


class GameStarted(Event):
    """The table was set: ``money`` in the bank, of which everybody got ``cash``, and ``chips`` of their own kind."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    players: Table
    first: Person
    sites: tuple[Site, ...]
    money: Money
    cash: Money
    chips_a_kind: Count
    chips: Count
    own: tuple[Own, ...]


class GameTakenOver(Event):
    """A game begun without the companion goes on."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    players: Table
    turn: Person
    sites: tuple[Site, ...]
    stage: Stage
    dice: tuple[int, int] | None
    doubles: Count
    board: tuple[Building, ...]
    money: Money
    cash: Mapping[str, int]
    chips_a_kind: Count
    chips: Mapping[str, Mapping[str, int]]
    on_spaces: Mapping[str, Mapping[str, int]]
    reason: Text


class GameEnded(Event):
    """The game is over."""

    by: GameEnding


# Dice, tokens, jail, and whose turn it is.


class TurnBegan(PlayerEvent):
    """A turn begins; ``doubles`` in a row so far, above none in an extra turn."""

    doubles: Count


class StageCame(Event):
    """A new stage of the turn."""

    stage: Annotated[Stage, Holds("choice", "stage")]


class ChipsDiscarded(PlayerEvent):
    """Chips above the limit lie on a space."""

    space: Count
    chips: ChipsNamed


class DiceRolled(PlayerEvent):
    """The dice of the turn: ``doubles`` in a row now, and in jail how often it was tried."""

    dice: Dice
    doubles: Count
    tries: Count


class ClaimsLapsed(Event):
    """Rents of these players were not claimed in time."""

    payers: tuple[Person, ...]


class ChipsGathered(PlayerEvent):
    """A player gets chips from the tray."""

    chips: ChipsNamed


class ChipsPicked(PlayerEvent):
    """A player picks up the chips of a space that they enter."""

    space: Count
    chips: ChipsNamed


class GoPassed(PlayerEvent):
    """A player gets money on GO."""

    amount: Money


class TokenMoved(PlayerEvent):
    """A token came to a space, whose business is due."""

    to: Count


class Jailed(PlayerEvent):
    """A player is in jail."""

    space: Count


class Freed(PlayerEvent):
    """A player is out of jail."""

    by: Annotated[Literal["fee", "card", "double"], Holds("choice", "freed")]
    fee: Money = 0


# Deeds, rents, debts and auctions.


class DeedTurnedUp(Event):
    """A deed stays beside this space."""

    space: Count
    deed: DeedId


class DeedOffered(PlayerEvent):
    """A deed of the bank may be bought."""

    deed: DeedId
    price: Money


class DeedBought(PlayerEvent):
    """A deed was bought at its price."""

    deed: DeedId
    price: Money


class AuctionOpened(PlayerEvent):
    """A deed was declined and is auctioned."""

    deed: DeedId
    may_bid: tuple[Person, ...]


class BidMade(PlayerEvent):
    """A bid; ``passed`` those who are not asked again."""

    amount: Money
    passed: tuple[Person, ...]


class BidderPassed(PlayerEvent):
    """A bidder bids no more for now."""


class DeedSold(PlayerEvent):
    """The auction is over."""

    deed: DeedId
    price: Money


class DeedUnsold(Event):
    """Nobody has bid: the deed stays with the bank."""

    deed: DeedId


class RentFell(Event):
    """A landing gives a claim of so much."""

    owner: Person
    payer: Person
    deed: DeedId
    amount: Money


class RentClaimed(Event):
    """The rent of a landing is demanded: the oldest claim of this owner for this deed."""

    owner: Person
    payer: Person
    deed: DeedId
    amount: Money


class DebtIncurred(Event):
    """So much is owed; it is paid as soon as it can be."""

    debtor: Person
    creditor: Payer
    amount: Money


class DebtPaid(Event):
    """A debt is paid whole: the oldest one like it."""

    debtor: Person
    creditor: Payer
    amount: Money


class DeedMortgaged(PlayerEvent):
    """A deed is mortgaged."""

    deed: DeedId
    amount: Money


class DeedRedeemed(PlayerEvent):
    """A mortgage is lifted."""

    deed: DeedId
    amount: Money


class WentBankrupt(PlayerEvent):
    """A player gives up, and the creditor gets all they have."""

    creditor: Payer
    amount: Money
    chips: ChipsNamed
    deeds: tuple[DeedId, ...]
    cards: tuple[ChanceId, ...]


# Chips of one's own choice, trades, Chance cards, blocks.

WhatIsChosen: TypeAlias = Annotated[Choice, Holds("choice", "command")]


class ChoicesCame(Event):
    """Players choose chips, one after the other."""

    choosers: Annotated[tuple[Chooser, ...], Holds("record", "choosers")]


class ChipsChosen(PlayerEvent):
    """A player has chosen, or had no choice."""

    what: WhatIsChosen
    chips: ChipsNamed


class ChipsReturned(PlayerEvent):
    """A player gives chips back to the tray."""

    chips: ChipsNamed


class ChipStolen(PlayerEvent):
    """A chip went from a player to another."""

    from_: Person
    kind: KindChosen


class ParkingTraded(PlayerEvent):
    """Two chips went into the tray, and one came out."""

    give: ChipsNamed
    get: KindChosen


class ParkingLeft(PlayerEvent):
    """Free Parking was left alone."""


class BankTraded(PlayerEvent):
    """``count`` chips of a kind went into the tray, and one of another came out."""

    give: KindChosen
    get: KindChosen
    count: Count


class Traded(PlayerEvent):
    """Two players have exchanged what they agreed on."""

    with_: Person
    give: BundleNamed
    get: BundleNamed


class ChanceDrawn(PlayerEvent):
    """A Chance card was drawn; ``kept`` by the player, or carried out effect by effect."""

    card: ChanceId
    kept: bool
    effects: tuple[Effect, ...]


class EffectCame(Event):
    """The next effect of the card is carried out; ``left`` are still to come."""

    left: Count


class MoneyReceived(PlayerEvent):
    """The bank pays a player."""

    amount: Money


class ChancePlayed(PlayerEvent):
    """A kept card was played; a forced trade exchanges a chip with somebody."""

    card: ChanceId
    from_: Person | None = None
    take: KindChosen | None = None
    give: KindChosen | None = None


class FloorBuilt(PlayerEvent):
    """A floor stands: ``height`` with it, 5 being the penthouse."""

    cell: Cell
    height: Count
    chips: ChipsNamed


class CashCounted(PlayerEvent):
    """A player's cash was counted; ``secret``: only the player and the banker may see the count."""

    amount: Money
    booked: Money
    difference: Annotated[int, Holds("record", "difference")]
    secret: bool = False


# What the banker puts right.


class MoneyCorrected(Event):
    """Money was moved to where it lies."""

    from_: Payer
    to: Payer
    amount: Money
    reason: Text


class DeedCorrected(Event):
    """A deed lies with a player or the bank."""

    card: DeedId
    to: CardPlace
    mortgaged: bool
    reason: Text


class ChanceCorrected(Event):
    """A Chance card lies with a player or in the pile."""

    card: ChanceId
    to: CardPlace
    reason: Text


class ChipsCorrected(Event):
    """Chips were moved to where they lie."""

    kind: KindChosen
    count: Count
    from_: ChipPlace
    to: ChipPlace
    reason: Text


class BlockCorrected(Event):
    """The corrected building on a cell; without ``owner`` there is none."""

    cell: Cell
    owner: Person | None
    height: Count
    reason: Text


class PositionCorrected(PlayerEvent):
    """A token stands there."""

    space: Count
    in_jail: bool
    tries: Count
    reason: Text


class TurnCorrected(PlayerEvent):
    """Whose turn it is, and how far it has come; what was under way is cut short."""

    phase: NameOfPhase
    reason: Text
