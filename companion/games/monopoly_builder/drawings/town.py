"""The foundation: seen from above, cell by cell, and from the side, as the town stands."""

from collections.abc import Mapping, Sequence

from companion.engine.journal import Json
from companion.game_api.drawing import DrawnShape, Polygon, Rectangle, TextLine
from companion.games.monopoly_builder.drawings.chips import GROUND, KINDS, LINE, ON_KINDS, SECOND

_PENTHOUSE = 5


def cell_of(rows: Sequence[str], side: float) -> float:
    """Return a cell's side in a grid ``side`` mm large."""
    return side / max(len(rows), *(len(row) for row in rows))


def plan_view(
    rows: Sequence[str], board: Json, initials: Mapping[str, str], left: float, top: float, side: float
) -> list[DrawnShape]:
    """Draw the grid ``side`` mm large: empty cells with their names, buildings with owner and height."""
    cell = cell_of(rows, side)
    shapes: list[DrawnShape] = []
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != "X":
                continue
            name = f"{chr(ord('A') + row)}{column + 1}"
            x, y = left + column * cell, top + row * cell
            shapes.append(Rectangle(x + 0.5, y + 0.5, cell - 1, cell - 1, fill=GROUND, line=LINE, thick=0.5, round=1.5))
            building = board.get(name)
            if building is None:
                shapes.append(TextLine(x + cell / 2, y + cell * 0.6, cell * 0.26, name, "middle", colour=SECOND))
            else:
                shapes += _block(name, building, initials, x, y, cell)
    return shapes


def _block(name: str, building: Json, initials: Mapping[str, str], x: float, y: float, cell: float) -> list[DrawnShape]:
    owner, height = building["owner"], building["height"]
    colour, on = KINDS[owner], ON_KINDS[owner]
    shapes: list[DrawnShape] = [
        Rectangle(x + 1, y + 1, cell - 2, cell - 2, fill=colour, line="#221d18", thick=0.6, round=1.5)
    ]
    shapes += [
        Rectangle(x + 1 + step, y + 1 + step, cell - 2 - 2 * step, cell - 2 - 2 * step, line=on, thick=0.5, round=1)
        for step in (cell * 0.045 * (level + 1) for level in range(height - 1))
    ]
    return [
        *shapes,
        TextLine(x + cell / 2, y + cell * 0.7, cell * 0.5, str(height), "middle", bold=True, colour=on),
        TextLine(x + cell * 0.12, y + cell * 0.27, cell * 0.18, name, colour=on),
        TextLine(x + cell * 0.88, y + cell * 0.9, cell * 0.2, initials.get(owner, ""), "right", bold=True, colour=on),
    ]


def side_view(
    rows: Sequence[str], board: Json, left: float, foot: float, width: float, storey: float
) -> list[DrawnShape]:
    """Draw the town from its south side: rows further north behind, a little higher and paler."""
    columns = max(len(row) for row in rows)
    step = width / (columns + 0.25 * len(rows))
    east, north = len(rows) * step * 0.25, len(rows) * storey * 0.3
    ground = ((left, foot), (left + columns * step, foot), (left + columns * step + east, foot - north))
    shapes: list[DrawnShape] = [Polygon((*ground, (left + east, foot - north)), fill=GROUND, line=LINE, thick=0.6)]
    for row in range(len(rows)):
        back = len(rows) - 1 - row
        for column in range(columns):
            building = board.get(f"{chr(ord('A') + row)}{column + 1}")
            if building is not None:
                x, y = left + column * step + back * step * 0.25, foot - back * storey * 0.3
                shapes += _tower(building, x, y, step * 0.86, storey)
    return shapes


def _tower(building: Json, x: float, foot: float, width: float, storey: float) -> list[DrawnShape]:
    owner, height = building["owner"], building["height"]
    shapes: list[DrawnShape] = []
    for level in range(min(height, _PENTHOUSE - 1)):
        y = foot - (level + 1) * storey
        shapes.append(Rectangle(x, y, width, storey, fill=KINDS[owner], line="#221d18", thick=0.5))
        shapes += [
            Rectangle(x + width * at, y + storey * 0.28, width * 0.14, storey * 0.44, fill=ON_KINDS[owner])
            for at in (0.16, 0.43, 0.7)
        ]
    if height == _PENTHOUSE:
        top = foot - (_PENTHOUSE - 1) * storey
        shapes.append(Polygon(_roof(x + width / 2, top, width), fill="#f4efe4", line="#221d18", thick=0.6))
    return shapes


def _roof(middle: float, foot: float, width: float) -> tuple[tuple[float, float], ...]:
    high = width * 0.7
    return ((middle - width / 2, foot), (middle, foot - high), (middle + width / 2, foot))
