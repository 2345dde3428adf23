"""Events of turns: cards turned, pieces placed and fallen, awards, the hook passed on."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Count, Holds, Person
from companion.games.men_at_work.rules.state import (
    BackShown,
    CardId,
    ColourAsked,
    ColourChosen,
    FallenTo,
    PiecesNamed,
    PileOrDiscard,
)

# Cards that are turned, seen, shuffled and played.


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
class ForemanCardPlayed:
    """A card of the hand lies on the pile, and its back counts, or on the discard, and its front does."""

    player: Person
    card: CardId
    on: PileOrDiscard
    back: BackShown
    hand: Count


# What happens in a turn: pieces, questions, accidents, cleaning.


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
class TurnPassed:
    """The hook went to ``player``; ``clean``: he cleans up first."""

    player: Person
    turn: Count
    clean: bool
