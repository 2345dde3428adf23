"""The events of corrections by the banker."""

from dataclasses import dataclass

from companion.game_api.fields import Count, Person, Text
from companion.games.monopoly_builder.rules.state import (
    CardPlace,
    Cell,
    ChanceId,
    ChipPlace,
    DeedId,
    KindChosen,
    Money,
    NameOfPhase,
    Payer,
)


@dataclass(frozen=True, slots=True)
class MoneyCorrected:
    """Money was moved to where it lies."""

    from_: Payer
    to: Payer
    amount: Money
    reason: Text


@dataclass(frozen=True, slots=True)
class DeedCorrected:
    """A deed lies with a player or the bank."""

    card: DeedId
    to: CardPlace
    mortgaged: bool
    reason: Text


@dataclass(frozen=True, slots=True)
class ChanceCorrected:
    """A Chance card lies with a player or in the pile."""

    card: ChanceId
    to: CardPlace
    reason: Text


@dataclass(frozen=True, slots=True)
class ChipsCorrected:
    """Chips were moved to where they lie."""

    kind: KindChosen
    count: Count
    from_: ChipPlace
    to: ChipPlace
    reason: Text


@dataclass(frozen=True, slots=True)
class BlockCorrected:
    """The corrected building on a cell; without ``owner`` there is none."""

    cell: Cell
    owner: Person | None
    height: Count
    reason: Text


@dataclass(frozen=True, slots=True)
class PositionCorrected:
    """A token stands there."""

    player: Person
    space: Count
    in_jail: bool
    tries: Count
    reason: Text


@dataclass(frozen=True, slots=True)
class TurnCorrected:
    """Whose turn it is, and how far it has come; what was under way is cut short."""

    player: Person
    phase: NameOfPhase
    reason: Text
