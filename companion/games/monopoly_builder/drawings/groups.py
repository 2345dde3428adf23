"""Groups of buildings that touch, outlined: for the largest ones the Community Builder scores."""

from collections.abc import Collection, Iterator

from companion.engine.journal import Json
from companion.game_api.drawing import DrawnShape, Polygon
from companion.games.monopoly_builder.rules.catalog import Foundation
from companion.games.monopoly_builder.rules.scoring import SMALLEST_GROUP, groups_of

LEADS, FOLLOWS = "#221d18", "#8d8171"
_THICK, _THIN = 2.6, 1.1


def largest_groups(catalog: Json, board: Json) -> list[tuple[frozenset[str], bool]]:
    """Return each owner's largest group, of two buildings at least, and whether nobody has a larger one."""
    foundation = Foundation(
        tuple(catalog["foundation"]["rows"]),
        *(tuple((cell, other) for cell, other in catalog["foundation"][key]) for key in ("apart", "joined")),
    )
    owners = dict.fromkeys(building["owner"] for building in board.values())
    shapes_found = [
        max(groups_of([cell for cell, building in board.items() if building["owner"] == owner], foundation), key=len)
        for owner in owners
    ]
    shapes_found = [group for group in shapes_found if len(group) >= SMALLEST_GROUP]
    most = max(map(len, shapes_found), default=0)
    return [(group, len(group) == most) for group in shapes_found]


def outlines(catalog: Json, board: Json, left: float, top: float, cell: float) -> list[DrawnShape]:
    """Draw a line round each of these groups, a thick one where it would score now."""
    shapes: list[DrawnShape] = []
    for group, leads in sorted(largest_groups(catalog, board), key=lambda group_and_lead: group_and_lead[1]):
        colour, thick = (LEADS, _THICK) if leads else (FOLLOWS, _THIN)
        for ends in _edges(group):
            points = tuple((left + x * cell, top + y * cell) for x, y in ends)
            shapes.append(Polygon(points, line=colour, thick=thick, closed=False))
    return shapes


def _edges(group: Collection[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the sides of cells that the group does not lie on both sides of, as grid points."""
    cells = {(int(cell[1:]) - 1, ord(cell[0]) - ord("A")) for cell in group}
    for x, y in sorted(cells):
        sides = {
            (0, -1): ((x, y), (x + 1, y)),
            (0, 1): ((x, y + 1), (x + 1, y + 1)),
            (-1, 0): ((x, y), (x, y + 1)),
            (1, 0): ((x + 1, y), (x + 1, y + 1)),
        }
        yield from (ends for (across, down), ends in sides.items() if (x + across, y + down) not in cells)
