"""The events, in the past tense.  Every figure is stored in them, so that replay asks no rule.

Class names are stored in journals: renaming one is a migration.
"""

from typing import Annotated, TypeAlias

from companion.game_api.messages import Count, Event, Holds, Person, PlayerEvent, Text
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.house_rules import Rules
from companion.games.men_at_work.rules.state import (
    BackShown,
    CardId,
    ColourAsked,
    ColourChosen,
    FallenTo,
    HowItEnded,
    PiecesNamed,
    PileOrDiscard,
    PlaceOfPieces,
    Player,
)

Table: TypeAlias = Annotated[tuple[Player, ...], Holds("seat")]


class GameStarted(Event):
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


class GameTakenOver(Event):
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


# Cards that are turned, seen, shuffled and played.


class CardTurned(Event):
    """An instruction came on top of the discard; ``unlike``: the back last seen, where the card has another."""

    card: CardId
    back: BackShown | None
    unlike: BackShown | None = None


class BossTurned(Event):
    """The boss is on duty; ``front_stays``: she lay on top with a plain back, and the front that lies there counts."""

    back: BackShown | None
    front_stays: bool


class BackSeen(Event):
    """The back on top of the pile was seen."""

    back: BackShown


class PileReshuffled(Event):
    """All of the discard but its top card is the pile."""

    deck: Count
    back: BackShown | None


class ForemanCardPlayed(PlayerEvent):
    """A card of the hand lies on the pile, and its back counts, or on the discard, and its front does."""

    card: CardId
    on: PileOrDiscard
    back: BackShown
    hand: Count


# What happens in a turn: pieces, questions, accidents, cleaning.


class PiecesPlaced(PlayerEvent):
    """Pieces went from the reserve to the site."""

    pieces: PiecesNamed


class ActionDone(PlayerEvent):
    """An action was done where pieces are not counted."""


class ColourWanted(PlayerEvent):
    """It is not clear which colour the girder had."""

    asked: Annotated[ColourAsked, Holds("record", "asked")]


class ColourSaid(PlayerEvent):
    """The colour of the girder."""

    colour: ColourChosen


class HighestWanted(PlayerEvent):
    """It is asked whether a piece placed in this turn is the highest."""


class AwardWon(PlayerEvent):
    """A piece was higher than every other: ``awards`` the player has now."""

    awards: Count


class NobodyHighest(PlayerEvent):
    """No piece was higher than all others."""


class AccidentHappened(PlayerEvent):
    """Something fell: ``certificates`` left, ``lost`` by this one."""

    lost: Count
    certificates: Count


class PlayerEliminated(PlayerEvent):
    """The last certificate is gone."""


class PiecesFell(PlayerEvent):
    """Pieces of the site went back into the reserve, or stay on the floor."""

    pieces: PiecesNamed
    to: FallenTo


class SiteCleaned(PlayerEvent):
    """The site is cleaned up."""


class FoundImpossible(PlayerEvent):
    """Players say that the site lacks what the action wants."""


class FoundExhausted(PlayerEvent):
    """Players say that the reserve lacks what the action wants."""


class ConstructionStopped(PlayerEvent):
    """A player let the game end though they could have played a foreman card."""


class TurnPassed(PlayerEvent):
    """The hook went to ``player``; ``clean``: they clean up first."""

    turn: Count
    clean: bool


class GameEnded(Event):
    """The game is over."""

    by: HowItEnded
    winner: Person | None = None


# What the banker puts right.


class PlayerCorrected(PlayerEvent):
    """The corrected figures of a player; ``deck``: cards in the pile now."""

    certificates: Count
    awards: Count
    hand: Count
    deck: Count
    out: bool
    reason: Text


class PiecesCorrected(Event):
    """Pieces were put to where they lie."""

    from_: PlaceOfPieces
    to: PlaceOfPieces
    pieces: PiecesNamed
    reason: Text


class CardCorrected(Event):
    """A card lies beneath the others of the discard, or in the pile, as if never seen."""

    card: CardId
    to: PileOrDiscard
    deck: Count
    reason: Text


class BossCorrected(Event):
    """The boss is on duty, or in the pile again."""

    on_duty: bool
    deck: Count
    reason: Text


class TurnCorrected(PlayerEvent):
    """The hook was given to a player, whose turn begins."""

    turn: Count
    clean: bool
    reason: Text
