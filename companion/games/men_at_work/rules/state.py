"""The state of a game at one version, and its field types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from companion.engine.game import Position
from companion.game_api.messages import Holds
from companion.game_api.seating import SeatedPlayers
from companion.games.men_at_work.rules.catalog import (
    PLAIN,
    Back,
    Catalog,
    Colour,
    Counts,
    Kind,
    all_pieces,
    together,
    without,
)
from companion.games.men_at_work.rules.house_rules import Rules

# The field types of Men at Work.

PlayerId: TypeAlias = Literal["red", "blue", "yellow", "green", "grey"]
Level: TypeAlias = Literal["standard", "expert"]
Heap: TypeAlias = Literal["reserve", "site", "floor"]
Ending: TypeAlias = Literal["awards", "last_standing", "exhausted"]

CardId: TypeAlias = Annotated[str, Holds("card", "cards")]
BackShown: TypeAlias = Annotated[Back, Holds("choice", "back")]
ColourChosen: TypeAlias = Annotated[Colour, Holds("choice", "colour")]
PiecesNamed: TypeAlias = Annotated[Mapping[str, int], Holds("record", "pieces")]
PlaceOfPieces: TypeAlias = Annotated[Heap, Holds("choice", "place")]
FallenTo: TypeAlias = Annotated[Literal["reserve", "floor"], Holds("choice", "place")]
PILE, DISCARD = "pile", "discard"
"""The zones of the mat."""
PileOrDiscard: TypeAlias = Annotated[Literal["deck", "discard"], Holds("choice", "place")]
HowItEnded: TypeAlias = Annotated[Ending, Holds("choice", "ending")]
LevelChosen: TypeAlias = Annotated[Level, Holds("choice", "level")]


# What is known of a game at one moment.

Status: TypeAlias = Literal["possible", "impossible", "exhausted"]


FEWEST, MOST = 2, 5
"""How many may play."""
HAND = 2
"""Cards dealt to each player in variant ``foreman``."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player: ``dealt`` certificates at the start, what they have of everything now, and whether they are out."""

    id: str
    name: str
    level: Level
    dealt: int
    certificates: int
    awards: int = 0
    hand: int = 0
    out: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """The pieces to place and how: ``colours`` that may be used now, and all ``pieces`` taken from the reserve."""

    card: str
    back: Back
    kind: Kind
    how: str
    colours: tuple[str, ...]
    pieces: Counts
    status: Status
    on_highest: bool


@dataclass(frozen=True, slots=True)
class ColourAsked:
    """The colour of the girder is yet to be told: ``highest`` as ``done`` said, after which an accident may come."""

    action: Action
    highest: bool | None = None
    accident: bool = False


@dataclass(frozen=True, slots=True)
class State(SeatedPlayers[Player]):
    """The whole game but its box: cards by place, pieces by place, players, and how far the turn has come.

    ``clean``: the turn before ended by an accident, and nothing is cleaned up yet.  ``turned``: an instruction was
    turned in this turn; ``accident``: it has had one; ``said``: what players said of the action themselves.
    ``played``: foreman cards of this turn; ``on_pile``: those that lie on the pile now, the top one last.  ``seen``:
    instructions that were ever turned or played.  ``taken_over``: the game began without the companion.
    """

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: tuple[Player, ...]
    awards_needed: int
    about_after: int
    active: str
    deck: int
    site: Counts
    floor: Counts = field(default_factory=lambda: all_pieces({}))
    turn: int = 1
    clean: bool = False
    turned: bool = False
    accident: bool = False
    said: Literal["", "impossible", "exhausted"] = ""
    played: int = 0
    back: Back | None = None
    on_pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    seen: frozenset[str] = frozenset()
    on_duty: bool = False
    colour_asked: ColourAsked | None = None
    highest_asked: bool = False
    ended_by: Ending | None = None
    winner: str | None = None
    taken_over: bool = False

    @property
    def finished(self) -> bool:
        """Return whether the game is over."""
        return self.ended_by is not None

    @property
    def reserve(self) -> dict[str, int]:
        """Return what is neither on the site nor on the floor."""
        return without(self.catalog.box.pieces, together(self.site, self.floor))

    @property
    def awards_left(self) -> int:
        """Return how many awards nobody has."""
        return self.catalog.box.awards - sum(player.awards for player in self.players)

    @property
    def left_in(self) -> tuple[str, ...]:
        """Return who still plays."""
        return tuple(player.id for player in self.players if not player.out)

    @property
    def plain_boss_in_pile(self) -> bool:
        """Return whether a boss whose back shows nothing may come to lie on top."""
        return self.catalog.boss.back == PLAIN and not self.on_duty

    @property
    def free_in_pile(self) -> int:
        """Return how many cards of the pile may be any instruction: neither the boss nor played onto it."""
        return self.deck - len(self.on_pile) - (0 if self.on_duty else 1)

    def next_player(self) -> str:
        """Return to whom the hook goes: clockwise to the next one who still plays."""
        at = self.seats.index(self.active)
        around = (*self.seats[at + 1 :], *self.seats[: at + 1])
        return next(player for player in around if player in self.left_in)

    def may_play_foreman(self) -> bool:
        """Return whether the active player has a foreman card, and may play one more in this turn."""
        if "foreman" not in self.variants or self.player(self.active).hand == 0:
            return False
        return self.rules.foreman_plays == "any" or self.played == 0


GamePosition: TypeAlias = Position[State]
