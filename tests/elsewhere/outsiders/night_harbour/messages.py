"""Commands, events and cards of the night harbour."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from companion.game_api.cards import ListedCatalog
from companion.game_api.choices import CardTurnedUp, RowFilled, TurnUp
from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.messages import Actor, Dollars, Holds, Messages, Person, Secret
from companion.game_api.step_game import Started, StartGame

ShipId: TypeAlias = Annotated[str, Holds("card", "ships")]
CrewId: TypeAlias = Annotated[str, Holds("card", "crews")]
BY_MORNING = Secret(until=("MorningCame",))


@dataclass(frozen=True, slots=True)
class Ship:
    id: str
    name: str
    cargo: int


@dataclass(frozen=True, slots=True)
class Crew:
    id: str
    name: str
    skill: int


@dataclass(frozen=True, slots=True)
class Send:
    """Send, in secret, a crew to a ship, and money along with it."""

    player: Actor
    ship: ShipId
    crew: CrewId
    pay: Dollars


@dataclass(frozen=True, slots=True)
class GameStarted(Started):
    deck: ListedCatalog[Ship | Crew]
    purse: Dollars


@dataclass(frozen=True, slots=True)
class CrewSent:
    player: Person
    ship: Annotated[ShipId, BY_MORNING]
    crew: Annotated[CrewId, BY_MORNING]
    pay: Annotated[Dollars, BY_MORNING]


@dataclass(frozen=True, slots=True)
class MorningCame:
    """All that was chosen is shown."""

    ships: tuple[ShipId, ...]


@dataclass(frozen=True, slots=True)
class ShipWon:
    player: Person
    ship: ShipId
    price: Dollars


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last ship has left."""


MESSAGES = Messages(
    commands=(StartGame, TurnUp, Send, RenamePlayer),
    events=(
        *(GameStarted, CardTurnedUp, RowFilled, CrewSent, MorningCame, ShipWon, GameEnded),
        PlayerRenamed,
    ),
)
