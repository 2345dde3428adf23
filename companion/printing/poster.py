"""One thing over several sheets: tiles that overlap, to be trimmed and glued together."""

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.papers import PAPERS
from companion.gamekit.draws import Extra
from companion.printing.cards import Setting
from companion.printing.drawn import draw

EDGE_MM = 8.0
"""What printers leave white round a tile."""
OVERLAP_MM = 6.0
"""How much of a tile its neighbour shows again, to glue upon."""


def is_poster(extra: Extra) -> bool:
    """Say whether an extra is one thing that no sheet holds."""
    first = extra.pieces[0]
    return len(extra.pieces) == 1 and (first.width > PAPERS["a4"][0] - 2 * EDGE_MM or first.height > PAPERS["a4"][1])


def draw_poster(canvas: Canvas, extra: Extra, setting: Setting) -> int:
    """Draw the tiles row by row onto pages of their own, and return how many."""
    picture = extra.pieces[0]
    width, height = PAPERS[setting.paper]
    inner_x, inner_y = width - 2 * EDGE_MM, height - 2 * EDGE_MM
    columns, rows = _tiles(picture.width, inner_x), _tiles(picture.height, inner_y)
    for row in range(rows):
        for column in range(columns):
            left, top = column * (inner_x - OVERLAP_MM), row * (inner_y - OVERLAP_MM)
            canvas.setPageSize((width * mm, height * mm))
            setting.fronts.apply(canvas, height)
            canvas.saveState()
            shown = canvas.beginPath()
            shown.rect(EDGE_MM * mm, EDGE_MM * mm, inner_x * mm, inner_y * mm)
            canvas.clipPath(shown, stroke=0, fill=0)
            draw(canvas, picture, EDGE_MM - left, height - EDGE_MM + top - picture.height)
            canvas.restoreState()
            _draw_joints(canvas, width, height)
            canvas.setFont("Helvetica", 6)
            canvas.setFillGray(0)
            canvas.drawString(
                (EDGE_MM + 12) * mm, 3 * mm, f"{extra.title}   {row + 1} / {rows}   {column + 1} / {columns}"
            )
            canvas.showPage()
    return rows * columns


def _tiles(length: float, inner: float) -> int:
    return max(1, -int(-(length - OVERLAP_MM) // (inner - OVERLAP_MM)))


def _draw_joints(canvas: Canvas, width: float, height: float) -> None:
    """Mark at the edges where the next tile begins."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.1 * mm)
    for x in (EDGE_MM + OVERLAP_MM, width - EDGE_MM):
        for y in (0.0, height - EDGE_MM / 2):
            canvas.line(x * mm, y * mm, x * mm, (y + EDGE_MM / 2) * mm)
    for y in (EDGE_MM, height - EDGE_MM - OVERLAP_MM):
        for x in (0.0, width - EDGE_MM / 2):
            canvas.line(x * mm, y * mm, (x + EDGE_MM / 2) * mm, y * mm)
