"""Who can sit at the table, and what people may be called."""

from companion.engine.errors import Refused

FEWEST, MOST = 2, 4
LONGEST_NAME = 40
UNNAMED = "\0"
"""Stands for a name that was left out; nobody can be called so."""


def sound_name(name: str) -> str:
    """Trim a name and check its length."""
    trimmed = " ".join(name.split())
    if not trimmed or len(trimmed) > LONGEST_NAME or not trimmed.isprintable():
        raise Refused("name_length", limit_characters=LONGEST_NAME)
    return trimmed


def called(player: str, name: str) -> str:
    """Give what a player is called: his id where nobody named him."""
    return player if name == UNNAMED else sound_name(name)
