"""Dice, tokens, jail, and whose turn it is."""

from dataclasses import dataclass
from typing import Annotated, Literal

from companion.game_api.fields import Count, Holds, Person
from companion.games.monopoly_builder.rules.fields import ChipsNamed, Dice, Money
from companion.games.monopoly_builder.rules.state import Stage


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A turn begins; ``doubles`` in a row so far, above none in an extra turn."""

    player: Person
    doubles: Count


@dataclass(frozen=True, slots=True)
class StageCame:
    """What the turn has come to."""

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
