"""Commands: what may be asked for, in the imperative, with the position that a game is taken over in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.game_api.messages import Command, Count, Person, PlayerCommand, Text
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
    """A player's seat; a player without a name is called by the colour."""

    id: PlayerId
    name: str = UNNAMED
    level: LevelChosen = "standard"


class StartGame(Command):
    """Set the table: players in clockwise seating, ``first`` holds the hook."""

    game: Literal["men_at_work"]
    players: tuple[SeatChoice, ...]
    first: Person
    catalog: str = "house"
    rules: Mapping[str, str | bool | int] = field(default_factory=dict[str, str | bool | int])
    variants: tuple[str, ...] = ()


class TakeOver(Command):
    """Go on with a game that was begun without the companion, at the beginning of a turn."""

    position: TakenPosition
    reason: Text = ""


class TurnCard(Command):
    """The card that was turned onto the discard, and the back that lies on top of the pile now."""

    card: CardId
    back: BackShown | None = None


class ShowBack(Command):
    """The back on top of the pile."""

    back: BackShown


class Reshuffle(Command):
    """The discard, but for its top card, was shuffled and is the pile again."""

    back: BackShown | None = None


class Done(PlayerCommand):
    """The action is done; ``highest``: a piece of it is the highest now, or is not."""

    colour: ColourChosen | None = None
    highest: bool | None = None


class SayColour(PlayerCommand):
    """Say which colour the girder had."""

    colour: ColourChosen


class Accident(PlayerCommand):
    """Something fell from the site onto the table or a worker."""

    colour: ColourChosen | None = None


class Fallen(PlayerCommand):
    """Pieces that lie beside the site go back into the reserve, or stay on the floor of the box."""

    pieces: PiecesNamed
    to: FallenTo = "reserve"


class Cleaned(PlayerCommand):
    """The site is cleaned up."""


class ClaimHighest(PlayerCommand):
    """A piece placed in this turn is higher than any other."""


class Nobody(PlayerCommand):
    """No piece placed in this turn is higher than all others."""


class Impossible(PlayerCommand):
    """The site lacks what the action wants (where pieces are not counted)."""


class Exhausted(PlayerCommand):
    """The reserve lacks what the action wants (where pieces are not counted)."""


class Pass(PlayerCommand):
    """Play no foreman card: let construction stop."""


class UseForemanCard(PlayerCommand):
    """Lay a card of the hand on the pile or the discard (variant ``foreman``)."""

    card: CardId
    on: PileOrDiscard


class CorrectPlayer(Command):
    """Put a player's certificates, awards or hand right; what is left out stays."""

    player: Person
    reason: Text
    certificates: Count | None = None
    awards: Count | None = None
    hand: Count | None = None


class CorrectPieces(Command):
    """Put pieces to where they lie."""

    from_: PlaceOfPieces
    to: PlaceOfPieces
    pieces: PiecesNamed
    reason: Text


class CorrectCard(Command):
    """Put a card beneath the others of the discard, or back into the pile."""

    card: CardId
    to: PileOrDiscard
    reason: Text


class CorrectBoss(Command):
    """Say that the boss is on duty, or is in the pile."""

    on_duty: bool
    reason: Text


class CorrectTurn(Command):
    """Give the hook to a player, whose turn begins."""

    player: Person
    reason: Text
    clean: bool | None = None
