"""The foundation: seen from above, cell by cell, and from one corner, as the town stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.game_api.drawing import (
    PAD,
    PAD_LEFT,
    PAD_RIGHT,
    PLACE,
    PLACE_LINE,
    SECOND,
    Disc,
    Drawing,
    DrawnShape,
    Polygon,
    Rectangle,
    TextLine,
)
from companion.games.monopoly_builder.drawings.chips import GROUND, LINE
from companion.games.monopoly_builder.drawings.isometric import (
    ACCENT,
    BLOCKS,
    EDGE,
    FaceTones,
    badge,
    box,
    flat,
    project,
    sign_on,
    wall,
)

_PENTHOUSE = 5


def cell_of(rows: Sequence[str], side: float) -> float:
    """Return a cell's side in a grid ``side`` mm large."""
    return side / max(len(rows), *(len(row) for row in rows))


def plan_view(rows: Sequence[str], left: float, top: float, side: float) -> list[DrawnShape]:
    """Draw the grid from above, ``side`` mm large: cells with their names."""
    cell = cell_of(rows, side)
    shapes: list[DrawnShape] = []
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != "X":
                continue
            name = f"{chr(ord('A') + row)}{column + 1}"
            x, y = left + column * cell, top + row * cell
            shapes.append(Rectangle(x + 0.5, y + 0.5, cell - 1, cell - 1, fill=GROUND, line=LINE, thick=0.5, round=1.5))
            shapes.append(TextLine(x + cell / 2, y + cell * 0.6, cell * 0.26, name, "middle", colour=SECOND))
    return shapes


# The town as it stands: blocks over the cells, seen from one corner.

_GROUND = FaceTones(PAD, PAD_LEFT, PAD_RIGHT)
_PAD_HIGH, STOREY = 5.0, 40.0
_INSET, _PAD_INSET = 0.07, 0.03
_GLASS, _LEAVES, _TRUNK, _GOLDEN = "#f6e7bf", "#7f9a63", "#6e4e33", "#e3bc55"
_WINDOWS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "red": ((0.1, 0.22), (0.39, 0.22), (0.68, 0.22)),
    "purple": ((0.14, 0.28), (0.58, 0.28)),
    "green": ((0.08, 0.11), (0.26, 0.11), (0.44, 0.11), (0.62, 0.11), (0.8, 0.11)),
    "yellow": ((0.1, 0.8),),
}
"""Windows of each seat's storeys, from where and how wide as shares of a wall: a town is read without colours too."""


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A place of the foundation: its name, its upper left corner on the board, and its side."""

    name: str
    x: float
    y: float
    side: float
    is_garden: bool


def cells_of(rows: Sequence[str], left: float, top: float, side: float) -> list[PlacedCell]:
    """Return the places of a foundation ``side`` mm large, those at the back first; what is no cell is a garden."""
    cell = cell_of(rows, side)
    listed = [
        PlacedCell(f"{chr(ord('A') + row)}{column + 1}", left + column * cell, top + row * cell, cell, sign != "X")
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
    ]
    return sorted(listed, key=lambda each: -each.x - each.y)


def pads(cells: Sequence[PlacedCell], board: Mapping[str, Any]) -> list[DrawnShape]:
    """Draw the foundation, each empty cell with its name."""
    shapes: list[DrawnShape] = []
    for cell in cells:
        if cell.is_garden:
            continue
        inset = cell.side * _PAD_INSET
        side = cell.side - 2 * inset
        shapes += box(cell.x + inset, cell.y + inset, side, side, 0, _PAD_HIGH, _GROUND)
        if cell.name not in board:
            middle = cell.x + cell.side / 2, cell.y + cell.side / 2
            shapes.append(sign_on(*middle, 26, cell.name, SECOND, _PAD_HIGH))
    return shapes


def town_view(
    cells: Sequence[PlacedCell], board: Mapping[str, Any], initials: Mapping[str, str], newest: str | None
) -> Iterator[DrawnShape]:
    """Draw what stands on the cells, the nearest last; ``newest``: the cell whose top storey was built just now."""
    for cell in cells:
        if cell.is_garden:
            yield from _tree(cell.x + cell.side * 0.62, cell.y + cell.side * 0.4)
            yield from _tree(cell.x + cell.side * 0.36, cell.y + cell.side * 0.62)
        elif cell.name in board:
            building = board[cell.name]
            yield from _building(cell, building["owner"], building["height"], initials.get(building["owner"], ""))
            if cell.name == newest:
                yield _outline_of_storey(cell, min(building["height"], _PENTHOUSE - 1))


def _tree(x: float, y: float) -> Iterator[DrawnShape]:
    across, foot = project(x, y)
    yield Polygon(((across, foot), (across, foot - 22)), line=_TRUNK, thick=6, closed=False)
    yield Disc(across, foot - 36, 21, fill=_LEAVES)


def _building(cell: PlacedCell, owner: str, height: int, letters: str) -> Iterator[DrawnShape]:
    tones, storeys = BLOCKS[owner], min(height, _PENTHOUSE - 1)
    inset = cell.side * _INSET
    x, y, side = cell.x + inset, cell.y + inset, cell.side - 2 * inset
    foot, top = _PAD_HIGH, _PAD_HIGH + storeys * STOREY
    yield from _walls(((x + side, y), (x, y)), foot, storeys, owner, tones.left)
    yield from _walls(((x, y), (x, y + side)), foot, storeys, owner, tones.right)
    yield Polygon(flat(x, y, side, side, top), fill=tones.top, line=tones.right, thick=1.2)
    across, down = project(x + side / 2, y + side / 2, top)
    if height < _PENTHOUSE:
        fill = tones.right if tones.on == "#ffffff" else "#fbe9b4"
        yield from badge(owner, letters, (across, down), 58, fill, tones.on, flattened=0.72)
    else:
        yield from _penthouse(cell, owner, letters, top)


Line: TypeAlias = tuple[tuple[float, float], tuple[float, float]]


def _between(line: Line, share: float) -> tuple[float, float]:
    (left, top), (right, foot) = line
    return left + (right - left) * share, top + (foot - top) * share


def _walls(line: Line, foot: float, storeys: int, owner: str, colour: str) -> Iterator[DrawnShape]:
    """Draw a wall storey by storey: columns of glass over its whole height, and the storeys' bands over them."""
    top = foot + storeys * STOREY
    yield Polygon(wall(*line, foot, top), fill=colour)
    for start, wide in _WINDOWS[owner]:
        yield Polygon(wall(_between(line, start), _between(line, start + wide), foot, top), fill=_GLASS)
    if owner == "yellow":
        for share in (0.3, 0.5, 0.7):
            at = _between(line, share)
            yield Polygon((project(*at, foot), project(*at, top)), line=colour, thick=2.4, closed=False)
    for storey in range(storeys + 1):
        below = foot if storey == 0 else foot + (storey - 0.24) * STOREY
        above = top if storey == storeys else foot + (storey + 0.24) * STOREY
        yield Polygon(wall(*line, below, above), fill=colour)
        if 0 < storey < storeys:
            joint = foot + storey * STOREY
            ends = project(*line[0], joint), project(*line[1], joint)
            yield Polygon(ends, line=EDGE, thick=1.4, closed=False)
    if owner == "purple":
        for storey in range(storeys):
            yield from _arches(line, foot + (storey + 0.76) * STOREY)


def _arches(line: Line, top: float) -> Iterator[DrawnShape]:
    for start, wide in _WINDOWS["purple"]:
        shares = ((0.0, 0.0), (0.2, 4.0), (0.5, 6.5), (0.8, 4.0), (1.0, 0.0))
        yield Polygon(
            tuple(project(*_between(line, start + wide * share), top + rise - 0.5) for share, rise in shares),
            fill=_GLASS,
        )


def _penthouse(cell: PlacedCell, owner: str, letters: str, foot: float) -> Iterator[DrawnShape]:
    """Draw a terrace, a house of glass under a golden roof, and the owner's flag."""

    def square(inset: float) -> tuple[float, float, float, float]:
        side = cell.side * (1 - 2 * inset)
        return cell.x + cell.side * inset, cell.y + cell.side * inset, side, side

    yield from box(*square(0.03), foot, foot + 6, FaceTones("#f3e6c8", "#e4d3ae", "#b9a274"))
    yield from box(*square(0.2), foot + 6, foot + 38, FaceTones("#fbf3e0", "#fbf3e0", "#cdbe9f"))
    x, y, side, _ = square(0.2)
    for start in (0.1, 0.4, 0.7):
        for line in (((x + side, y), (x, y)), ((x, y), (x, y + side))):
            pane = wall(_between(line, start), _between(line, start + 0.2), foot + 11, foot + 33)
            yield Polygon(pane, fill="#5f7c85")
    x, y, side, _ = square(0.11)
    apex = project(x + side / 2, y + side / 2, foot + 74)
    eaves = foot + 38
    rear, left, right = (
        project(x + side, y + side, eaves),
        project(x + side, y, eaves),
        project(x, y + side, eaves),
    )
    front = project(x, y, eaves)
    yield Polygon((left, rear, apex), fill=_GOLDEN)
    yield Polygon((left, front, apex), fill="#c99b2e")
    yield Polygon((front, right, apex), fill="#96701a")
    yield Polygon((apex, (apex[0], apex[1] - 20)), line=EDGE, thick=4, closed=False)
    tones = BLOCKS[owner]
    yield from badge(owner, letters, (apex[0], apex[1] - 40), 42, tones.left, tones.on, edge="#fcf8f0")


def _outline_of_storey(cell: PlacedCell, storey: int) -> Polygon:
    inset = cell.side * _INSET
    x, y, far_x, far_y = cell.x + inset, cell.y + inset, cell.x + cell.side - inset, cell.y + cell.side - inset
    foot, top = _PAD_HIGH + (storey - 1) * STOREY, _PAD_HIGH + storey * STOREY
    points = (
        project(far_x, y, foot),
        project(x, y, foot),
        project(x, far_y, foot),
        project(x, far_y, top),
        project(far_x, far_y, top),
        project(far_x, y, top),
    )
    return Polygon(points, line=ACCENT, thick=7)


# The town while a cell is chosen: every building sunk to a slab, seen from higher up, so that each cell is large.

_HALF_WIDE, _HALF_HIGH, _SLAB_HIGH, _PLAN_EDGE = 50.0, 35.0, 16.0, 4.0
"""Half a cell's width and height in such a plan, how high slabs are, and the room round it."""
_SHRUNK = 0.93


def _plan_middle(rows: Sequence[str], row: int, column: int) -> tuple[float, float]:
    """Return the middle of a cell on the plan, on the ground; A1 lies in front."""
    columns = max(len(line) for line in rows)
    across = _PLAN_EDGE + (columns + row - column) * _HALF_WIDE
    down = _PLAN_EDGE + _SLAB_HIGH + (len(rows) + columns - 1 - row - column) * _HALF_HIGH
    return across, down


def _row_and_column(cell: str) -> tuple[int, int]:
    return ord(cell[0]) - ord("A"), int(cell[1:]) - 1


def plan_area(rows: Sequence[str], cell: str, *, is_built: bool) -> tuple[float, float, float, float]:
    """Return where a cell is tapped on the plan: left, top, width and height of its lozenge, on top of a slab."""
    across, down = _plan_middle(rows, *_row_and_column(cell))
    top = down - _HALF_HIGH - (_SLAB_HIGH if is_built else 0)
    return across - _HALF_WIDE, top, 2 * _HALF_WIDE, 2 * _HALF_HIGH


def _lozenge(across: float, down: float) -> tuple[tuple[float, float], ...]:
    wide, high = _HALF_WIDE * _SHRUNK, _HALF_HIGH * _SHRUNK
    return ((across, down - high), (across + wide, down), (across, down + high), (across - wide, down))


def low_town(
    rows: Sequence[str], board: Mapping[str, Any], initials: Mapping[str, str], free: Collection[str]
) -> Drawing:
    """Draw the foundation with what stands on it as slabs with their floors; ``free``: cells to be built on."""
    columns = max(len(line) for line in rows)
    named = [
        (f"{chr(ord('A') + row)}{column + 1}", row, column)
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
        if sign == "X"
    ]
    shapes: list[DrawnShape] = []
    for cell, row, column in sorted(named, key=lambda place: -place[1] - place[2]):
        across, down = _plan_middle(rows, row, column)
        if cell in board:
            building = board[cell]
            owner = building["owner"]
            letters = initials.get(owner, "")
            shapes += _plan_slab(across, down, owner, letters, building["height"], is_free=cell in free)
        elif cell in free:
            shapes.append(Polygon(_lozenge(across, down), fill=PLACE, line=PLACE_LINE, thick=2.4, dash=8))
            shapes.append(TextLine(across, down + 8, 22, cell, "middle", bold=True, colour=PLACE_LINE))
        else:
            shapes.append(Polygon(_lozenge(across, down), fill=PAD, line=PAD_RIGHT, thick=0.8))
            shapes.append(TextLine(across, down + 7, 18, cell, "middle", colour=SECOND))
    wide = 2 * _PLAN_EDGE + (len(rows) + columns) * _HALF_WIDE
    high = 2 * _PLAN_EDGE + _SLAB_HIGH + (len(rows) + columns) * _HALF_HIGH
    return Drawing(wide, high, tuple(shapes))


def _plan_slab(
    across: float, down: float, owner: str, letters: str, floors: int, *, is_free: bool
) -> Iterator[DrawnShape]:
    tones = BLOCKS[owner]
    back, right, front, left = _lozenge(across, down)
    rise = _SLAB_HIGH
    roof = tuple((x, y - rise) for x, y in (back, right, front, left))
    yield Polygon((left, front, (front[0], front[1] - rise), (left[0], left[1] - rise)), fill=tones.left)
    yield Polygon((front, right, (right[0], right[1] - rise), (front[0], front[1] - rise)), fill=tones.right)
    yield Polygon(roof, fill=tones.top, line=PLACE_LINE if is_free else tones.right, thick=4 if is_free else 0.8)
    if is_free and floors == _PENTHOUSE - 1:  # the next storey ends the game: a golden roof is seen on it
        middle = (across, down - rise)
        inner = tuple((middle[0] + 0.78 * (x - middle[0]), middle[1] + 0.78 * (y - middle[1])) for x, y in roof)
        yield Polygon(inner, line=_GOLDEN, thick=6)
    yield from badge(owner, letters, (across - 17, down - rise), 30, tones.right, "#ffffff", edge=tones.on)
    yield TextLine(across + 19, down - rise + 10, 28, str(floors), "middle", bold=True, colour=tones.on)
