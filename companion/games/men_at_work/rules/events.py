"""What happened, in the past tense.  Every figure is written down here, so that replay asks no rule.

Class names are stored in journals: renaming one is a migration.
"""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from companion.gamekit.fields import Count, Holds, Person, Text
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.fields import (
    BackShown,
    CardId,
    ColourChosen,
    FallenTo,
    HowItEnded,
    PiecesNamed,
    PileOrDiscard,
    PlaceOfPieces,
)
from companion.games.men_at_work.rules.house_rules import Rules
from companion.games.men_at_work.rules.state import ColourAsked, Player

Table: TypeAlias = Annotated[tuple[Player, ...], Holds("seat")]


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table was set: ``deck`` cards in the pile, the boss after about ``about_after`` of them."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Table
    first: Person
    deck: Count
    about_after: Count
    awards_needed: Count
    site: PiecesNamed


@dataclass(frozen=True, slots=True)
class GameTakenOver:
    """A game begun without the companion goes on at the beginning of a turn."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Table
    active: Person
    deck: Count
    about_after: Count
    awards_needed: Count
    site: PiecesNamed
    floor: PiecesNamed
    turn: Count
    clean: bool
    discard: tuple[CardId, ...]
    on_duty: bool
    reason: Text


@dataclass(frozen=True, slots=True)
class CardTurned:
    """An instruction came on top of the discard; ``unlike``: the back last seen, where the card has another."""

    card: CardId
    back: BackShown | None
    unlike: BackShown | None = None


@dataclass(frozen=True, slots=True)
class BossTurned:
    """The boss is on duty; ``front_stays``: she lay on top with a plain back, and the front that lies there counts."""

    back: BackShown | None
    front_stays: bool


@dataclass(frozen=True, slots=True)
class BackSeen:
    """The back on top of the pile was seen."""

    back: BackShown


@dataclass(frozen=True, slots=True)
class PileReshuffled:
    """All of the discard but its top card is the pile."""

    deck: Count
    back: BackShown | None


@dataclass(frozen=True, slots=True)
class PiecesPlaced:
    """Pieces went from the reserve to the site."""

    player: Person
    pieces: PiecesNamed


@dataclass(frozen=True, slots=True)
class ActionDone:
    """An action was done where pieces are not counted."""

    player: Person


@dataclass(frozen=True, slots=True)
class ColourWanted:
    """It is not clear which colour the girder had."""

    player: Person
    asked: Annotated[ColourAsked, Holds("record", "asked")]


@dataclass(frozen=True, slots=True)
class ColourSaid:
    """The colour of the girder."""

    player: Person
    colour: ColourChosen


@dataclass(frozen=True, slots=True)
class HighestWanted:
    """It is asked whether a piece placed in this turn is the highest."""

    player: Person


@dataclass(frozen=True, slots=True)
class AwardWon:
    """A piece was higher than every other: ``awards`` the player has now."""

    player: Person
    awards: Count


@dataclass(frozen=True, slots=True)
class NobodyHighest:
    """No piece was higher than all others."""

    player: Person


@dataclass(frozen=True, slots=True)
class AccidentHappened:
    """Something fell: ``certificates`` left, ``lost`` by this one."""

    player: Person
    lost: Count
    certificates: Count


@dataclass(frozen=True, slots=True)
class PlayerEliminated:
    """The last certificate is gone."""

    player: Person


@dataclass(frozen=True, slots=True)
class PiecesFell:
    """Pieces of the site went back into the reserve, or stay on the floor."""

    player: Person
    pieces: PiecesNamed
    to: FallenTo


@dataclass(frozen=True, slots=True)
class SiteCleaned:
    """The site is cleaned up."""

    player: Person


@dataclass(frozen=True, slots=True)
class FoundImpossible:
    """Players say that the site lacks what the action wants."""

    player: Person


@dataclass(frozen=True, slots=True)
class FoundExhausted:
    """Players say that the reserve lacks what the action wants."""

    player: Person


@dataclass(frozen=True, slots=True)
class ConstructionStopped:
    """A player let the game end though he could have played a foreman card."""

    player: Person


@dataclass(frozen=True, slots=True)
class ForemanCardPlayed:
    """A card of the hand lies on the pile, and its back counts, or on the discard, and its front does."""

    player: Person
    card: CardId
    on: PileOrDiscard
    back: BackShown
    hand: Count


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The hook went to ``player``; ``clean``: he cleans up first."""

    player: Person
    turn: Count
    clean: bool


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

    by: HowItEnded
    winner: Person | None = None


@dataclass(frozen=True, slots=True)
class PlayerCorrected:
    """What a player has, put right; ``deck``: cards in the pile now."""

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


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player is called otherwise."""

    player: Person
    name: Text


Event: TypeAlias = (
    GameStarted
    | GameTakenOver
    | CardTurned
    | BossTurned
    | BackSeen
    | PileReshuffled
    | PiecesPlaced
    | ActionDone
    | ColourWanted
    | ColourSaid
    | HighestWanted
    | AwardWon
    | NobodyHighest
    | AccidentHappened
    | PlayerEliminated
    | PiecesFell
    | SiteCleaned
    | FoundImpossible
    | FoundExhausted
    | ConstructionStopped
    | ForemanCardPlayed
    | TurnPassed
    | GameEnded
    | PlayerCorrected
    | PiecesCorrected
    | CardCorrected
    | BossCorrected
    | TurnCorrected
    | PlayerRenamed
)
