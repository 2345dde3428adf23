"""How a game begins and ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Count, Holds, Person, Text
from companion.games.monopoly_builder.rules.catalog import Catalog, Kind
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.state import Building, Money, Player, Site, Stage

Table: TypeAlias = Annotated[tuple[Player, ...], Holds("seat")]
GameEnding: TypeAlias = Annotated[Literal["penthouse", "last_solvent", "called_off"], Holds("choice", "ending")]


@dataclass(frozen=True, slots=True)
class Own:
    """Which kind of chips is a player's own."""

    player: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table was set: ``money`` in the bank, of which everybody got ``cash``, and ``chips`` of his own kind."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    players: Table
    first: Person
    sites: tuple[Site, ...]
    money: Money
    cash: Money
    chips_a_kind: Count
    chips: Count
    own: tuple[Own, ...]


@dataclass(frozen=True, slots=True)
class GameTakenOver:
    """A game begun without the companion goes on."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    players: Table
    turn: Person
    sites: tuple[Site, ...]
    stage: Stage
    dice: tuple[int, int] | None
    doubles: Count
    board: tuple[Building, ...]
    money: Money
    cash: Mapping[str, int]
    chips_a_kind: Count
    chips: Mapping[str, Mapping[str, int]]
    on_spaces: Mapping[str, Mapping[str, int]]
    reason: Text


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

    by: GameEnding
