"""Commands: what may be asked for, in the imperative, with the position that a game is taken over in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from companion.game_api.corrections import RenamePlayer
from companion.game_api.fields import Actor, Count, Person, Text
from companion.game_api.seating import UNNAMED
from companion.games.men_at_work.rules.state import (
    BackShown,
    CardId,
    ColourChosen,
    FallenTo,
    LevelChosen,
    PiecesNamed,
    PileOrDiscard,
    PlaceOfPieces,
    PlayerId,
)

# A position as somebody enters it: the shape of ``take_over``. It is the position that play files and the
# interface show. What is read of it says the begin of a turn; the rest may be there and follows.


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """What lies before one player; what is ``None`` was left out, and is as dealt."""

    name: str = UNNAMED
    level: Literal["standard", "expert"] = "standard"
    certificates: int | None = None
    awards: int = 0
    hand: int | None = None
    out: Any = None


@dataclass(frozen=True, slots=True)
class TakenBoss:
    """Where the boss is."""

    on_duty: bool = False
    about_after: Any = None


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A game as it lies on the table when a turn begins; ``site`` and ``floor`` of ``None``: as at the start."""

    game: Literal["men_at_work"]
    seats: tuple[PlayerId, ...]
    active: str
    players: Mapping[PlayerId, TakenPlayer]
    catalog: str = "house"
    rules: Mapping[str, str | bool | int] = field(default_factory=dict[str, str | bool | int])
    variants: tuple[str, ...] = ()
    turn: int = 1
    clean: bool = False
    discard: tuple[str, ...] = ()
    boss: TakenBoss = TakenBoss()
    site: Mapping[str, int] | None = None
    floor: Mapping[str, int] | None = None
    phase: Any = None
    waiting_for: Any = None
    expects: Any = None
    action: Any = None
    deck: Any = None
    back: Any = None
    awards_needed: Any = None
    awards_left: Any = None
    certificates_lost: Any = None
    reserve: Any = None
    finished: Any = None
    ended_by: Any = None
    winner: Any = None
    standings: Any = None


# What may be asked for, in the imperative. Field names are those of play files (``from_`` is ``from``).


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A player as he is seated; without a name he is called by his colour."""

    id: PlayerId
    name: str = UNNAMED
    level: LevelChosen = "standard"


@dataclass(frozen=True, slots=True)
class StartGame:
    """Set the table: players in clockwise seating, ``first`` holds the hook."""

    game: Literal["men_at_work"]
    players: tuple[SeatChoice, ...]
    first: Person
    catalog: str = "house"
    rules: Mapping[str, str | bool | int] = field(default_factory=dict[str, str | bool | int])
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on with a game that was begun without the companion, at the beginning of a turn."""

    position: TakenPosition
    reason: Text = ""


@dataclass(frozen=True, slots=True)
class TurnCard:
    """The card that was turned onto the discard, and the back that lies on top of the pile now."""

    card: CardId
    back: BackShown | None = None


@dataclass(frozen=True, slots=True)
class ShowBack:
    """The back on top of the pile."""

    back: BackShown


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The discard, but for its top card, was shuffled and is the pile again."""

    back: BackShown | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The action is done; ``highest``: a piece of it is the highest now, or is not."""

    player: Actor
    colour: ColourChosen | None = None
    highest: bool | None = None


@dataclass(frozen=True, slots=True)
class SayColour:
    """Say which colour the girder had."""

    player: Actor
    colour: ColourChosen


@dataclass(frozen=True, slots=True)
class Accident:
    """Something fell from the site onto the table or a worker."""

    player: Actor
    colour: ColourChosen | None = None


@dataclass(frozen=True, slots=True)
class Fallen:
    """Pieces that lie beside the site go back into the reserve, or stay on the floor of the box."""

    player: Actor
    pieces: PiecesNamed
    to: FallenTo = "reserve"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The site is cleaned up."""

    player: Actor


@dataclass(frozen=True, slots=True)
class ClaimHighest:
    """A piece placed in this turn is higher than any other."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Nobody:
    """No piece placed in this turn is higher than all others."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Impossible:
    """The site lacks what the action wants (where pieces are not counted)."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The reserve lacks what the action wants (where pieces are not counted)."""

    player: Actor


@dataclass(frozen=True, slots=True)
class Pass:
    """Play no foreman card: let construction stop."""

    player: Actor


@dataclass(frozen=True, slots=True)
class UseForemanCard:
    """Lay a card of the hand on the pile or the discard (variant ``foreman``)."""

    player: Actor
    card: CardId
    on: PileOrDiscard


@dataclass(frozen=True, slots=True)
class CorrectPlayer:
    """Put a player's certificates, awards or hand right; what is left out stays."""

    player: Person
    reason: Text
    certificates: Count | None = None
    awards: Count | None = None
    hand: Count | None = None


@dataclass(frozen=True, slots=True)
class CorrectPieces:
    """Put pieces to where they lie."""

    from_: PlaceOfPieces
    to: PlaceOfPieces
    pieces: PiecesNamed
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Put a card beneath the others of the discard, or back into the pile."""

    card: CardId
    to: PileOrDiscard
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectBoss:
    """Say that the boss is on duty, or is in the pile."""

    on_duty: bool
    reason: Text


@dataclass(frozen=True, slots=True)
class CorrectTurn:
    """Give the hook to a player, whose turn begins."""

    player: Person
    reason: Text
    clean: bool | None = None


Command: TypeAlias = (
    StartGame
    | TakeOver
    | TurnCard
    | ShowBack
    | Reshuffle
    | Done
    | SayColour
    | Accident
    | Fallen
    | Cleaned
    | ClaimHighest
    | Nobody
    | Impossible
    | Exhausted
    | Pass
    | UseForemanCard
    | CorrectPlayer
    | CorrectPieces
    | CorrectCard
    | CorrectBoss
    | CorrectTurn
    | RenamePlayer
)
