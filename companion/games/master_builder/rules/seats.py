"""Who can sit at the table, and what people may be called."""

from typing import Literal, TypeAlias

from companion.engine.errors import Refused

PlayerId: TypeAlias = Literal["red", "blue", "yellow", "green"]

UNNAMED = "\0"
"""Stands for a name that was left out; nobody can be called so."""

FEWEST, MOST = 2, 4
LONGEST_NAME = 40


def sound_name(name: str) -> str:
    """Trim a name and check its length."""
    trimmed = " ".join(name.split())
    if not trimmed or len(trimmed) > LONGEST_NAME or not trimmed.isprintable():
        raise Refused("name_length", limit_characters=LONGEST_NAME)
    return trimmed
