"""Cards that let phones in: the join code and its address on paper, four on a sheet, one for each side of the table."""

from collections.abc import Sequence
from pathlib import Path

import segno
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.gamekit.drawing import Box, Drawing, Prose, Shape, Text
from companion.printing.drawn import draw

CARD = (105.0, 148.5)
"""A quarter of an A4 sheet, in millimetres (A6, ISO 216)."""
CODE_MM = 66.0
QUIET = 4
"""Modules that stay light round a code (ISO/IEC 18004)."""
_MARGIN = 9.0


def write_join_cards(address: str, title: str, lines: Sequence[str], path: Path) -> None:
    """Write a sheet of four cards that lead to an address, with lines below the code that say what to do.

    Raises:
        OSError: when the file cannot be written.

    """
    width, height = A4[0] / mm, A4[1] / mm
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    canvas.setTitle(title)
    canvas.setCreator("Companion")
    card = join_card(address, title, lines)
    for left in (0.0, width / 2):
        for foot in (0.0, height / 2):
            draw(canvas, card, left, foot)
    canvas.setLineWidth(0.1 * mm)
    canvas.setDash(1 * mm, 1 * mm)
    canvas.line(width / 2 * mm, 0, width / 2 * mm, height * mm)
    canvas.line(0, height / 2 * mm, width * mm, height / 2 * mm)
    canvas.showPage()
    canvas.save()


def join_card(address: str, title: str, lines: Sequence[str]) -> Drawing:
    """Draw one card."""
    width, height = CARD
    inner = width - 2 * _MARGIN
    shapes: list[Shape] = [Text(width / 2, 18, 8, title, "middle", bold=True, room=inner)]
    shapes += _code(address, (width - CODE_MM) / 2, 24)
    where = address.partition("/join/")[0]
    shapes.append(Text(width / 2, 24 + CODE_MM + 9, 5, where.removeprefix("http://"), "middle", room=inner))
    for at, line in enumerate(lines):
        shapes.append(Prose(_MARGIN, 24 + CODE_MM + 15 + at * 13, inner, 12, 4.2, line))
    return Drawing(width, height, tuple(shapes))


def _code(address: str, left: float, top: float) -> list[Shape]:
    """Draw the code, a box for each run of dark modules."""
    rows = [list(row) for row in segno.make(address, error="m", micro=False).matrix_iter(border=QUIET)]
    module = CODE_MM / len(rows)
    found: list[Shape] = []
    for y, row in enumerate(rows):
        begun: int | None = None
        for x, dark in enumerate([*row, 0]):
            if dark and begun is None:
                begun = x
            elif not dark and begun is not None:
                found.append(Box(left + begun * module, top + y * module, (x - begun) * module, module, fill="#000000"))
                begun = None
    return found
