"""Colours, and chips as they are drawn."""

from companion.game_api.drawing import Disc, DrawnShape, TextLine
from companion.game_api.ui import Language

# The colours of sets, chips and seats.

KINDS = {"red": "#c8402f", "purple": "#7a4a9c", "green": "#3a8a4a", "yellow": "#e3b52a", "any": "#8a8278"}
"""Chips, and the blocks of the seat of that name."""
ON_KINDS = {"red": "#ffffff", "purple": "#ffffff", "green": "#ffffff", "yellow": "#221d18", "any": "#ffffff"}
SECOND = "#5d5348"
LINE = "#8d8171"
PAPER = "#fbf8f1"
GROUND = "#e9e2d3"
BACKS = {"deeds": "#2d5a55", "chance": "#9a5b1f"}
_SETS = {
    "brown": "#7b4f33",
    "light_blue": "#8fc3dc",
    "pink": "#cf6aa0",
    "orange": "#e08a2e",
    "crimson": "#b3203a",
    "gold": "#d9b13b",
    "green": "#2f7d4a",
    "navy": "#27407a",
    "red": "#c2332b",
    "yellow": "#e5c935",
    "dark_blue": "#27407a",
    "blue": "#2f68ad",
}
_OTHERS = ("#7b4f33", "#8fc3dc", "#cf6aa0", "#e08a2e", "#b3203a", "#d9b13b", "#2f7d4a", "#27407a")
_LIGHT = frozenset({"#8fc3dc", "#e5c935", "#d9b13b"})


def of_set(colour: str, colours: tuple[str, ...]) -> str:
    """Return the colour of a set; of one that nobody foresaw, by its place among the catalog's."""
    return _SETS.get(colour) or _OTHERS[colours.index(colour) % len(_OTHERS)]


def on_set(fill: str) -> str:
    """Return the colour of words on a set's."""
    return "#221d18" if fill in _LIGHT else "#ffffff"


# Chips: a colour and a letter.


def letter(kind: str, words: Language) -> str:
    """Return the letter of a kind in a language; ``any`` has a sign instead."""
    return "*" if kind == "any" else words.say_in("chip letter", kind)


def chip(kind: str, x: float, y: float, radius: float, words: Language, says: str = "") -> tuple[DrawnShape, ...]:
    """Draw a chip about its middle, with its letter or what else it says."""
    size = radius * 1.25
    return (
        Disc(x, y, radius, fill=KINDS[kind], line="#221d18", thick=radius * 0.08),
        TextLine(x, y + size * 0.36, size, says or letter(kind, words), "middle", bold=True, colour=ON_KINDS[kind]),
    )
