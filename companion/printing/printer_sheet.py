"""The sheet that tells what a printer is out by: four markers for a photograph, and rulers for the eye."""

from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.fiducials import MODULES, marker_modules
from calibration.mat import PAPERS
from calibration.printer_sheet import EDGES, MARKER_MM, SIDES, marker_middle, marker_number
from companion.printing.cards import new_canvas
from companion.printing.svg_to_pdf import printable

_RULER_FROM_MM, _RULER_TO_MM = 4, 20
_LINE_MM = 7.0


def write_printer_sheet(path: Path, paper: str, words: dict[str, list[str]]) -> None:
    """Write both sides of the sheet; ``words`` stand on each, line by line.

    Raises:
        ValueError: for an unknown paper.

    """
    if paper not in PAPERS:
        raise ValueError(f"paper {paper!r} is not known: {', '.join(PAPERS)}")
    width, height = PAPERS[paper]
    canvas = new_canvas(path, "Printer sheet")
    for side in SIDES:
        canvas.setPageSize((width * mm, height * mm))
        for edge in EDGES:
            _draw_marker(canvas, paper, side, edge)
        _draw_rulers(canvas, width, height)
        canvas.setFont("Helvetica", 12)
        for at, line in enumerate(words[side]):
            canvas.drawCentredString(width / 2 * mm, (height * 0.6 - at * _LINE_MM) * mm, printable(line))
        canvas.showPage()
    canvas.save()


def _draw_marker(canvas: Canvas, paper: str, side: str, edge: str) -> None:
    """Draw its black modules, each a little larger, so that no white hairline shows between them."""
    x, y = marker_middle(paper, edge)
    height, module = PAPERS[paper][1], MARKER_MM / MODULES
    canvas.setFillGray(0)
    for row, line in enumerate(marker_modules(marker_number(paper, side, edge))):
        for column, black in enumerate(line):
            if black:
                left, top = x - MARKER_MM / 2 + column * module, y - MARKER_MM / 2 + row * module
                canvas.rect(left * mm, (height - top - module) * mm, module * mm, module * mm, stroke=0, fill=1)


def _draw_rulers(canvas: Canvas, width: float, height: float) -> None:
    """Draw scales that count from the upper and the left edge, for whoever types what he reads."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.15 * mm)
    canvas.setFont("Helvetica", 6)
    for tick in range(_RULER_FROM_MM, _RULER_TO_MM + 1):
        long = 4 if tick % 5 == 0 else 2
        for x, y in ((50, height - tick), (width - 50, height - tick)):
            canvas.line(x * mm, y * mm, (x + long) * mm, y * mm)
        for x, y in ((tick, height - 60), (tick, 60)):
            canvas.line(x * mm, y * mm, x * mm, (y + long) * mm)
        if tick % 5 == 0:
            canvas.drawString(55 * mm, (height - tick - 0.7) * mm, str(tick))
            canvas.drawCentredString(tick * mm, (height - 55) * mm, str(tick))
