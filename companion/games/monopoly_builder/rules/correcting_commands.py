"""What the banker may put right, in the imperative."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Count, Holds, Person, Text
from companion.games.monopoly_builder.rules.fields import (
    CardId,
    CardPlace,
    Cell,
    ChipPlace,
    KindChosen,
    Money,
    NameOfPhase,
    Payer,
)


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


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """Call a player by another name."""

    player: Person
    name: Text
