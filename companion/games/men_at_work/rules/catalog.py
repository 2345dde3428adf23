"""The catalog of a box: pieces, instructions and cards as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

# The pieces of the box, kind by kind, and counts of them.

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


def colours_on_back(back: str) -> tuple[Colour, Colour]:
    """Return the two colours on a back, orange before purple before black before white."""
    return LETTERS[back[1]], LETTERS[back[2]]


def all_pieces(counts: Counts) -> dict[str, int]:
    """Return all eight kinds in their order."""
    return {piece: counts.get(piece, 0) for piece in PIECES}


def together(counts: Counts, more: Counts) -> dict[str, int]:
    """Add up, kind by kind."""
    return {piece: counts.get(piece, 0) + more.get(piece, 0) for piece in PIECES}


def without(counts: Counts, fewer: Counts) -> dict[str, int]:
    """Return the difference, kind by kind."""
    return {piece: counts.get(piece, 0) - fewer.get(piece, 0) for piece in PIECES}


# The cards as the rules know them: instructions, the boss, and what is in the box.

Words: TypeAlias = "tuple[tuple[str, str], ...]"
"""Pairs of a language and the words in it."""
Kind: TypeAlias = Literal["girder", "worker"]
Need: TypeAlias = Literal["girder", "same_colour", "other_colour", "two_other_colours", "worker", "support"]
KINDS: tuple[Kind, ...] = get_args(Kind)
NEEDS: tuple[Need, ...] = get_args(Need)

BOSS = "BOSS"
PLAIN: Literal["none"] = "none"
"""The back of a boss that shows nothing."""
INSTRUCTIONS = 36


@dataclass(frozen=True, slots=True)
class Instruction:
    """How a girder or a worker is placed: what it takes besides, and what the site must have for it."""

    id: str
    kind: Kind
    name: str
    text: str
    uses: tuple[tuple[Material, int], ...] = ()
    needs: tuple[Need, ...] = ()
    names: Words = ()
    texts: Words = ()


@dataclass(frozen=True, slots=True)
class Card:
    """An instruction card: its back, and the instruction of either panel of its front."""

    id: str
    back: Back
    girder: str
    worker: str


@dataclass(frozen=True, slots=True)
class Boss:
    """The card that is in the pile once, and on duty once it was turned."""

    id: str
    name: str
    back: Back | Literal["none"]
    names: Words = ()


@dataclass(frozen=True, slots=True)
class Box:
    """How many of everything there are; ``awards_needed`` with two, three, four and five players."""

    orange: int
    purple: int
    black: int
    white: int
    workers: int
    supports: int
    beams: int
    bricks: int
    certificates: int
    awards: int
    awards_needed: tuple[int, int, int, int]

    @property
    def pieces(self) -> dict[str, int]:
        """Return the number of pieces, kind by kind."""
        return {piece: getattr(self, piece) for piece in PIECES}

    def awards_to_win(self, players: int) -> int:
        """Return the number of awards that win, for a number of players."""
        return self.awards_needed[players - 2]


@dataclass(frozen=True, slots=True)
class Catalog:
    """A box of Men at Work."""

    name: str
    invented: bool
    box: Box
    boss: Boss
    instructions: tuple[Instruction, ...]
    cards: tuple[Card, ...]

    def card(self, card: str) -> Card | None:
        """Find an instruction card; ``None`` for the boss and for what is none."""
        return next((candidate for candidate in self.cards if candidate.id == card), None)

    def instruction(self, name: str) -> Instruction:
        """Find an instruction by its id."""
        return next(instruction for instruction in self.instructions if instruction.id == name)

    def back_of(self, card: str) -> Back:
        """Return the back of an instruction card."""
        return next(candidate.back for candidate in self.cards if candidate.id == card)
