"""The calibration board as vector PDF, in its true size."""

from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.board import Board

_PAPER = (297.0, 210.0)


def write_board(board: Board, path: Path) -> None:
    """Write the board on an A4 sheet lying down.

    Raises:
        ValueError: when it does not fit there.
        OSError: when the file cannot be written.

    """
    width, height = board.size_mm
    if width > _PAPER[0] - 10 or height > _PAPER[1] - 16:
        raise ValueError(f"a board of {width:g} x {height:g} mm does not fit A4 paper")
    canvas = Canvas(str(path), pagesize=(_PAPER[0] * mm, _PAPER[1] * mm), invariant=True)
    canvas.setTitle("Calibration board")
    canvas.setCreator("Companion")
    left, top = (_PAPER[0] - width) / 2, 6.0
    black = canvas.beginPath()
    for x, y, across, down in board.black_boxes_mm():
        black.rect((left + x) * mm, (_PAPER[1] - top - y - down) * mm, across * mm, down * mm)
    canvas.setFillGray(0)
    canvas.drawPath(black, stroke=0, fill=1, fillMode=1)
    canvas.setFont("Helvetica", 9)
    squares = f"{board.columns} x {board.rows} squares of {board.square_mm:g} mm"
    caption = f"{squares}: measure one, and glue the sheet on flat card"
    canvas.drawString(left * mm, 8 * mm, caption)
    canvas.showPage()
    canvas.save()
