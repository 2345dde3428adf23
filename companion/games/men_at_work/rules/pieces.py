"""The pieces of the box, kind by kind, and counts of them."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

Colour: TypeAlias = Literal["orange", "purple", "black", "white"]
Material: TypeAlias = Literal["workers", "supports", "beams", "bricks"]
Piece: TypeAlias = Literal["orange", "purple", "black", "white", "workers", "supports", "beams", "bricks"]

COLOURS: tuple[Colour, ...] = get_args(Colour)
MATERIALS: tuple[Material, ...] = get_args(Material)
PIECES: tuple[str, ...] = get_args(Piece)
"""All eight kinds, girders by their colour first: the order in which they are always shown."""
GIRDERS = "girders"

Back: TypeAlias = Literal["GOP", "GOB", "GOW", "GPB", "GPW", "GBW", "HOP", "HOB", "HOW", "HPB", "HPW", "HBW"]

Counts: TypeAlias = Mapping[str, int]
"""How many pieces of each kind; a kind that is not named is not there."""

LETTERS: Mapping[str, Colour] = {"O": "orange", "P": "purple", "B": "black", "W": "white"}
BACKS: tuple[Back, ...] = get_args(Back)
"""What the back of a card may show: a girder or a helmet, and two colours."""


def pictured(back: str) -> tuple[Colour, Colour]:
    """Give the two colours on a back, orange before purple before black before white."""
    return LETTERS[back[1]], LETTERS[back[2]]


def counted(counts: Counts) -> dict[str, int]:
    """Give all eight kinds in their order."""
    return {piece: counts.get(piece, 0) for piece in PIECES}


def together(counts: Counts, more: Counts) -> dict[str, int]:
    """Add up, kind by kind."""
    return {piece: counts.get(piece, 0) + more.get(piece, 0) for piece in PIECES}


def without(counts: Counts, fewer: Counts) -> dict[str, int]:
    """Take away, kind by kind."""
    return {piece: counts.get(piece, 0) - fewer.get(piece, 0) for piece in PIECES}
