"""Rows of cards, chips, tracks and boards as data, which the house draws on every screen.

A game says what lies where, what it is called and what a tap gives; sizes, letters and places are the house's.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_uppercase
from typing import Literal, TypeAlias

from companion.engine.journal import Json
from companion.game_api.cards import CardKind, fields_of_card, kind_of, worded_card
from companion.game_api.drawing import HUES, PAPER, SECOND, Disc, Drawing, Polygon
from companion.game_api.ui import TableView, initials

MOST_COLUMNS, MOST_ROWS = 16, 16
"""Columns and rows of a board at most: more cannot be read on a phone or from a sofa."""
MOST_SPACES = 150

Shade: TypeAlias = Literal[
    "", "lit", "lawn", "pad", "brown", "light_blue", "pink", "orange", "crimson", "gold", "green", "navy"
]
"""A ground as it is drawn elsewhere on a stage, or the colour of a group; it never says anything alone."""
ChipShape: TypeAlias = Literal["disc", "square", "diamond", "hexagon", "triangle"]


@dataclass(frozen=True, slots=True)
class Chip:
    """A piece that is no player's, known by its outline and by letters of what it is called in the reader's words."""

    says: str
    shape: ChipShape = "disc"
    shade: Shade = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """A player's piece, which looks like their badge; ``says``: what it is, where players have several kinds.

    The letters of ``says`` then stand in the player's outline.
    """

    player: str
    says: str = ""


Piece: TypeAlias = Chip | Marker


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a board, or a space of a track.

    Attributes:
        column: From the left, beginning with 1; the number of a space on a track.
        row: From the top, beginning with 1.
        says: What it is called; empty: ``C2``, or the number of the space.
        label: A few letters that stand in it.
        shade: Its ground.
        height: The number of levels that lie on one another here.
        pieces: What stands on it.
        command: What a tap gives, without the player: it can be tapped while an offer allows it.  Where the offer
            leaves more open than the command says, the tap opens the form of the offer.
    """

    column: int
    row: int = 1
    says: str = ""
    label: str = ""
    shade: Shade = ""
    height: int = 0
    pieces: tuple[Piece, ...] = ()
    command: Json | None = None

    @property
    def name(self) -> str:
        """The name of the cell."""
        letter = ascii_uppercase[self.column - 1] if 0 < self.column <= MOST_COLUMNS else f"{self.column}/"
        return self.says or f"{letter}{self.row}"


@dataclass(frozen=True, slots=True)
class GameBoard:
    """Cells in columns and rows; a cell that is left out is no part of the board."""

    title: str
    columns: int
    rows: int
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for a board of a size that no screen has room for."""
        if not (0 < self.columns <= MOST_COLUMNS and 0 < self.rows <= MOST_ROWS):
            message = f"a board has 1 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows: {self.columns}, {self.rows}"
            raise ValueError(message)

    def laid(self) -> tuple[Cell | None, ...]:
        """Return the cells row by row, ``None`` where there is none."""
        placed = {(cell.column, cell.row): cell for cell in self.cells}
        rows, columns = range(1, self.rows + 1), range(1, self.columns + 1)
        return tuple(placed.get((column, row)) for row in rows for column in columns)


@dataclass(frozen=True, slots=True)
class Track:
    """Numbered spaces one after the other.

    Attributes:
        title: What it counts or leads through.
        last: The number of the last space.
        markers: The space on which each player's marker stands.
        first: The number of the first space.
        cells: What is said of some of the spaces, by their number as ``column``.
    """

    title: str
    last: int
    markers: Mapping[str, int] = field(default_factory=dict[str, int])
    first: int = 1
    cells: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for a track of a length that no screen has room for."""
        if not 0 < self.last - self.first + 1 <= MOST_SPACES:
            message = f"a track has 1 to {MOST_SPACES} spaces: {self.first} to {self.last}"
            raise ValueError(message)

    def laid(self) -> tuple[Cell, ...]:
        """Return the spaces in order, each with its number, its name and the markers on it."""
        described = {cell.column: cell for cell in self.cells}
        return tuple(self._space(described.get(number, Cell(number))) for number in range(self.first, self.last + 1))

    def _space(self, cell: Cell) -> Cell:
        number = str(cell.column)
        markers = tuple(Marker(player) for player, space in self.markers.items() if space == cell.column)
        says = ", ".join(dict.fromkeys(part for part in (number, cell.says, cell.label) if part))
        return replace(cell, says=says, label=cell.label or number, pieces=(*cell.pieces, *markers))


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card that lies open on the table, in words or as the game draws it.

    Attributes:
        name: What it is called.
        facts: Its figures with their labels.
        text: A sentence on it.
        shade: The colour of its group.
        pieces: What lies on it.
        drawn: Its drawing, instead of the words.
        command: What a tap gives, as for a ``Cell``.
    """

    name: str
    facts: tuple[tuple[str, str], ...] = ()
    text: str = ""
    shade: Shade = ""
    pieces: tuple[Piece, ...] = ()
    drawn: Drawing | None = None
    command: Json | None = None


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards side by side, such as a market."""

    title: str
    cards: tuple[TableCard, ...]


@dataclass(frozen=True, slots=True)
class ChipRow:
    """Kinds of chips with their number, such as a reserve."""

    title: str
    chips: tuple[tuple[Chip, int], ...]


Surface: TypeAlias = CardRow | ChipRow | Track | GameBoard
"""The kinds of things on a table that a game declares and the house draws."""


def catalog_card(scene: TableView, card: str, command: Json | None = None) -> TableCard:
    """Return a card by its id with what the catalog holds of it: the same words as on a printed one."""
    worded = worded_card(card, fields_of_card(scene.catalog, card), scene.words)
    return TableCard(worded.name, worded.facts, worded.text, command=command)


def open_cards(scene: TableView, figures: Json, kinds: Sequence[CardKind]) -> Mapping[str, CardRow]:
    """Return a row of cards for each of these figures of a position that is a card or a list of cards, by its name.

    A card is of one of the ``kinds`` of the game, and in the catalog of the table.
    """
    rows = dict[str, CardRow]()
    for name, value in figures.items():
        ids = value if isinstance(value, list | tuple) else [value]
        if ids and all(isinstance(card, str) and _is_known(scene, card, kinds) for card in ids):
            rows[name] = CardRow(scene.words.named("field", name), tuple(catalog_card(scene, card) for card in ids))
    return rows


def _is_known(scene: TableView, card: str, kinds: Sequence[CardKind]) -> bool:
    return kind_of(kinds, card) is not None and bool(fields_of_card(scene.catalog, card))


_OUTLINES: Mapping[ChipShape, tuple[tuple[float, float], ...]] = {
    "square": ((3, 3), (21, 3), (21, 21), (3, 21)),
    "diamond": ((12, 1), (23, 12), (12, 23), (1, 12)),
    "hexagon": ((6.5, 2.5), (17.5, 2.5), (23, 12), (17.5, 21.5), (6.5, 21.5), (1, 12)),
    "triangle": ((12, 1), (23, 22), (1, 22)),
}


def chip_outline(chip: Chip) -> Drawing:
    """Draw a chip without its letters, for which its middle is free."""
    line = HUES.get(chip.shade, SECOND)
    points = _OUTLINES.get(chip.shape)
    if points is None:
        return Drawing(24, 24, (Disc(12, 12, 10.5, PAPER, line, 2.2),))
    return Drawing(24, 24, (Polygon(points, PAPER, line, 2.2),))


def piece_letters(surfaces: Sequence[Surface]) -> dict[str, str]:
    """Return the letters of each kind of piece by what it is called: one, or two where kinds would share one."""
    return initials({piece.says: piece.says for piece in pieces_of(surfaces) if piece.says})


def pieces_of(surfaces: Sequence[Surface]) -> Iterator[Piece]:
    """Yield all pieces, surface by surface."""
    for surface in surfaces:
        if isinstance(surface, ChipRow):
            yield from (chip for chip, _ in surface.chips)
        for place in places_of(surface):
            yield from place.pieces


def places_of(surface: Surface) -> tuple[Cell | TableCard, ...]:
    """Return the cells or cards of a surface: what may hold pieces and be tapped."""
    match surface:
        case CardRow(cards=cards):
            return cards
        case ChipRow():
            return ()
        case Track():
            return surface.laid()
        case GameBoard(cells=cells):
            return cells


def fits_offer(command: Json, offer: Json) -> bool:
    """Return whether an offer, as JSON, allows a command as far as this goes: fields that it leaves out are free."""
    fields = offer["fields"]
    return all(
        _allows(fields[key], value) if key in fields else key in offer and offer[key] == value
        for key, value in command.items()
    )


def _allows(open_field: Json, value: object) -> bool:
    match open_field["kind"]:
        case "one_of":
            return value in open_field["values"]
        case "amount":
            least, most, step = open_field["least"], open_field["most"], open_field["step"]
            return isinstance(value, int) and least <= value <= most and (value - least) % step == 0
        case _:
            return False


# What is wrong with a surface, in words.


def surface_faults(surfaces: Sequence[Surface], players: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with what a game declares: cells twice or outside, pieces of nobody, pieces that look alike.

    Args:
        surfaces: What lies on the table.
        players: The players of the game.

    """
    for surface in surfaces:
        yield from _misplaced(surface)
    pieces = dict.fromkeys(pieces_of(surfaces))
    absent = {piece.player for piece in pieces if isinstance(piece, Marker)} - {*players}
    yield from (f"a marker is of {player!r}, who does not play" for player in sorted(absent))
    letters, alike = piece_letters(surfaces), dict[tuple[str, str], str]()
    for piece in pieces:
        outline = piece.shape if isinstance(piece, Chip) else piece.player
        first = alike.setdefault((outline, letters.get(piece.says, "")), piece.says)
        if first != piece.says:
            yield f"{first!r} and {piece.says!r} look alike: give them other names or outlines"


def _misplaced(surface: Surface) -> Iterator[str]:
    """Yield the cells of a board or a track that stand twice or outside, and markers outside a track."""
    if isinstance(surface, GameBoard):
        name, columns, rows = f"the board {surface.title!r}", range(1, surface.columns + 1), range(1, surface.rows + 1)
    elif isinstance(surface, Track):
        name, columns, rows = f"the track {surface.title!r}", range(surface.first, surface.last + 1), range(1, 2)
        for player, space in surface.markers.items():
            if space not in columns:
                yield f"{name} has no space {space}, on which the marker of {player!r} stands"
    else:
        return
    for (column, row), count in Counter((cell.column, cell.row) for cell in surface.cells).items():
        if count > 1:
            yield f"{name} has the cell of column {column}, row {row} twice"
        if column not in columns or row not in rows:
            yield f"{name} has a cell outside: column {column}, row {row}"
