"""The events of corrections by the banker."""

from dataclasses import dataclass

from companion.game_api.fields import Count, Person, Text
from companion.games.men_at_work.rules.state import CardId, PiecesNamed, PileOrDiscard, PlaceOfPieces


@dataclass(frozen=True, slots=True)
class PlayerCorrected:
    """The corrected figures of a player; ``deck``: cards in the pile now."""

    player: Person
    certificates: Count
    awards: Count
    hand: Count
    deck: Count
    out: bool
    reason: Text


@dataclass(frozen=True, slots=True)
class PiecesCorrected:
    """Pieces were put to where they lie."""

    from_: PlaceOfPieces
    to: PlaceOfPieces
    pieces: PiecesNamed
    reason: Text


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A card lies beneath the others of the discard, or in the pile, as if never seen."""

    card: CardId
    to: PileOrDiscard
    deck: Count
    reason: Text


@dataclass(frozen=True, slots=True)
class BossCorrected:
    """The boss is on duty, or in the pile again."""

    on_duty: bool
    deck: Count
    reason: Text


@dataclass(frozen=True, slots=True)
class TurnCorrected:
    """The hook was given to a player, whose turn begins."""

    player: Person
    turn: Count
    clean: bool
    reason: Text
