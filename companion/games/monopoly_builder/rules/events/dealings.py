"""Chips of one's own choice, trades, Chance cards, blocks."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from companion.game_api.fields import Count, Holds, Person
from companion.games.monopoly_builder.rules.catalog import Effect
from companion.games.monopoly_builder.rules.commands import BundleNamed
from companion.games.monopoly_builder.rules.fields import Cell, ChanceId, ChipsNamed, KindChosen, Money
from companion.games.monopoly_builder.rules.state import Choice, Chooser

WhatIsChosen: TypeAlias = Annotated[Choice, Holds("choice", "command")]


@dataclass(frozen=True, slots=True)
class ChoicesCame:
    """Players choose chips, one after the other."""

    choosers: Annotated[tuple[Chooser, ...], Holds("seat")]


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
    """What a player holds was counted; ``secret``: it is nobody else's business."""

    player: Person
    amount: Money
    booked: Money
    difference: Annotated[int, Holds("record", "difference")]
    secret: bool = False
