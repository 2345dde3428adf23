"""Commands, events and cards of the flea market."""

from dataclasses import dataclass
from typing import Literal

from companion.game_api.auctions import AUCTION_COMMANDS, AUCTION_EVENTS
from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import CardPlayed, DrawHand, HandDrawn, HandsFilled, PlayCard
from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.messages import Dollars, Messages
from companion.game_api.step_game import Started, StartGame


@dataclass(frozen=True, slots=True)
class Thing:
    id: str
    name: str
    sort: Literal["glass", "tin", "wood"]
    worth: int


@dataclass(frozen=True, slots=True)
class GameStarted(Started):
    deck: ListedCatalog[Thing]
    purse: Dollars


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Nobody has anything left to sell."""


MESSAGES = Messages(
    commands=(StartGame, DrawHand, PlayCard, *AUCTION_COMMANDS, RenamePlayer),
    events=(GameStarted, HandDrawn, HandsFilled, CardPlayed, *AUCTION_EVENTS, GameEnded, PlayerRenamed),
    revealing=frozenset({"GameEnded"}),
)
