"""Chips: a colour and a letter."""

from companion.game_api.drawing import Disc, Shape, Text
from companion.game_api.ui import Speaks
from companion.games.monopoly_builder.drawings.colours import KINDS, ON_KINDS


def letter(kind: str, words: Speaks) -> str:
    """Give the letter of a kind in a language; ``any`` has a sign instead."""
    return "*" if kind == "any" else words.say_in("value", kind)[:1].upper()


def chip(kind: str, x: float, y: float, radius: float, words: Speaks, says: str = "") -> tuple[Shape, ...]:
    """Draw a chip about its middle, with its letter or what else it says."""
    size = radius * 1.25
    return (
        Disc(x, y, radius, fill=KINDS[kind], line="#221d18", thick=radius * 0.08),
        Text(x, y + size * 0.36, size, says or letter(kind, words), "middle", bold=True, colour=ON_KINDS[kind]),
    )
