"""How a game begins and ends."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from companion.game_api.fields import Count, Holds, Person, Text
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.house_rules import Rules
from companion.games.men_at_work.rules.state import CardId, HowItEnded, PiecesNamed, Player

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
class GameEnded:
    """The game is over."""

    by: HowItEnded
    winner: Person | None = None
