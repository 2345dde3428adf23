"""Commands, events and cards of the tea house."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.auctions import AUCTION_COMMANDS, AUCTION_EVENTS, SEALED_EVENTS
from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import CardDrawn, DrawCard, DrawingEnded, Trade, Traded
from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.messages import Actor, Dollars, Holds, Messages, Person
from companion.game_api.step_game import Started, StartGame

TeaId: TypeAlias = Annotated[str, Holds("card", "teas")]


@dataclass(frozen=True, slots=True)
class Tea:
    id: str
    name: str
    leaf: Literal["black", "green", "white"]
    worth: int


@dataclass(frozen=True, slots=True)
class Pot:
    id: str
    name: str
    charm: int


@dataclass(frozen=True, slots=True)
class Auction:
    """Put a tea of one's hand up: the others bid once each."""

    player: Actor
    tea: TeaId


@dataclass(frozen=True, slots=True)
class Serve:
    """Serve a tea, for what it is worth."""

    player: Actor
    tea: TeaId


@dataclass(frozen=True, slots=True)
class GameStarted(Started):
    deck: ListedCatalog[Tea | Pot]
    purse: Dollars


@dataclass(frozen=True, slots=True)
class TeaServed:
    player: Person
    tea: TeaId
    income: Dollars


@dataclass(frozen=True, slots=True)
class TeaShown:
    """A tea that is put up lies open."""

    player: Person
    tea: TeaId


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last pot is sold."""


MESSAGES = Messages(
    commands=(StartGame, DrawCard, Auction, Serve, Trade, *AUCTION_COMMANDS, RenamePlayer),
    events=(
        GameStarted,
        *(CardDrawn, DrawingEnded, TeaShown, TeaServed, Traded),
        *dict.fromkeys((*AUCTION_EVENTS, *SEALED_EVENTS)),
        *(GameEnded, PlayerRenamed),
    ),
    revealing=frozenset({"GameEnded"}),
)
