"""Who sits at the table and what they are called: checks that every game makes when a table begins."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from companion.engine.errors import Refused

CatalogT = TypeVar("CatalogT")

LONGEST_NAME = 40
UNNAMED = "\0"
"""Stands for a name that was left out; nobody can be called so."""


def validate_name(name: str) -> str:
    """Return a name without superfluous blanks; raise ``Refused`` where its length or a character is not allowed."""
    trimmed = " ".join(name.split())
    if not trimmed or len(trimmed) > LONGEST_NAME or not trimmed.isprintable():
        raise Refused("name_length", limit_characters=LONGEST_NAME)
    return trimmed


def player_name(name: str, otherwise: str) -> str:
    """Return the name of a player, or another word where nobody named them; raise ``Refused``."""
    return otherwise if name == UNNAMED else validate_name(name)


def require_seats(players: Sequence[str], fewest: int, most: int) -> None:
    """Raise ``Refused`` where too few or too many play, or somebody sits twice."""
    if not fewest <= len(players) <= most:
        raise Refused("number_of_players", least=fewest, most=most)
    if len(set(players)) != len(players):
        raise Refused("colour_taken_twice")


def require_seated(seats: Sequence[str], player: str) -> None:
    """Raise ``Refused`` where nobody of that id sits at the table."""
    if player not in seats:
        raise Refused("unknown_player", player=player)


def known_catalog(catalogs: Mapping[str, CatalogT], name: str) -> CatalogT:
    """Return a catalog by name; raise ``Refused`` where there is none."""
    if name not in catalogs:
        raise Refused("unknown_catalog", name=name)
    return catalogs[name]
