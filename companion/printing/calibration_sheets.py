"""Sheets for calibration as vector PDF in true size: the camera's calibration board, and the printer sheet."""

from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.fiducials import MODULES, Board, marker_modules
from calibration.papers import PAPERS
from calibration.printer_sheet import EDGES, MARKER_MM, SIDES, marker_centre, marker_number
from companion.printing.document import REGULAR, new_canvas, printable

_BOARD_PAPER_MM = (297.0, 210.0)
"""A4, lying."""
_RULER_FROM_MM, _RULER_TO_MM = 4, 20
_LINE_MM = 7.0


def write_board(board: Board, path: Path, caption: str) -> None:
    """Write the calibration board on a lying A4 sheet, with a line below that says what to do with it.

    Raises:
        ValueError: when it does not fit.
        OSError: when the file cannot be written.

    """
    width, height = board.size_mm
    if width > _BOARD_PAPER_MM[0] - 10 or height > _BOARD_PAPER_MM[1] - 16:
        raise ValueError(f"a board of {width:g} x {height:g} mm does not fit A4 paper")
    canvas = new_canvas(path, "Calibration board", (_BOARD_PAPER_MM[0] * mm, _BOARD_PAPER_MM[1] * mm))
    left, top = (_BOARD_PAPER_MM[0] - width) / 2, 6.0
    black = canvas.beginPath()
    for x, y, across, down in board.black_boxes_mm():
        black.rect((left + x) * mm, (_BOARD_PAPER_MM[1] - top - y - down) * mm, across * mm, down * mm)
    canvas.setFillGray(0)
    canvas.drawPath(black, stroke=0, fill=1, fillMode=1)
    canvas.setFont(REGULAR, 9)
    canvas.drawString(left * mm, 8 * mm, printable(caption))
    canvas.showPage()
    canvas.save()


def write_printer_sheet(path: Path, paper: str, words: dict[str, list[str]]) -> None:
    """Write the sheet from which a printer's errors are measured: markers for a photograph, rulers for the eye.

    ``words``: the lines of text on each side, ``front`` and ``back``.

    Raises:
        ValueError: for an unknown paper.

    """
    if paper not in PAPERS:
        raise ValueError(f"paper {paper!r} is not known: {', '.join(PAPERS)}")
    width, height = PAPERS[paper]
    canvas = new_canvas(path, "Printer sheet", turn="long")
    for side in SIDES:
        canvas.setPageSize((width * mm, height * mm))
        for edge in EDGES:
            _draw_marker(canvas, paper, side, edge)
        _draw_rulers(canvas, width, height)
        canvas.setFont(REGULAR, 12)
        for at, line in enumerate(words[side]):
            canvas.drawCentredString(width / 2 * mm, (height * 0.6 - at * _LINE_MM) * mm, printable(line))
        canvas.showPage()
    canvas.save()


def _draw_marker(canvas: Canvas, paper: str, side: str, edge: str) -> None:
    """Draw the black modules of a marker."""
    x, y = marker_centre(paper, edge)
    height, module = PAPERS[paper][1], MARKER_MM / MODULES
    canvas.setFillGray(0)
    for row, line in enumerate(marker_modules(marker_number(paper, side, edge))):
        for column, black in enumerate(line):
            if black:
                left, top = x - MARKER_MM / 2 + column * module, y - MARKER_MM / 2 + row * module
                canvas.rect(left * mm, (height - top - module) * mm, module * mm, module * mm, stroke=0, fill=1)


def _draw_rulers(canvas: Canvas, width: float, height: float) -> None:
    """Draw rulers from the upper and the left edge, for people who type in what they read."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.15 * mm)
    canvas.setFont(REGULAR, 6)
    for tick in range(_RULER_FROM_MM, _RULER_TO_MM + 1):
        long = 4 if tick % 5 == 0 else 2
        for x, y in ((50, height - tick), (width - 50, height - tick)):
            canvas.line(x * mm, y * mm, (x + long) * mm, y * mm)
        for x, y in ((tick, height - 60), (tick, 60)):
            canvas.line(x * mm, y * mm, x * mm, (y + long) * mm)
        if tick % 5 == 0:
            canvas.drawString(55 * mm, (height - tick - 0.7) * mm, str(tick))
            canvas.drawCentredString(tick * mm, (height - 55) * mm, str(tick))
