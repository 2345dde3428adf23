"""Sheets of labels as vector PDF, with a ruler that tells whether the printer kept to scale."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.printing.labels import LabelSpec
from companion.printing.stocks import PAPERS, PLAIN, stock_for
from companion.vision.label.label import STANDARD_LABEL, LabelLayout
from companion.vision.label.symbol import symbol_of

_RULER_MM = 100
_RULER_FROM_FOOT_MM = 8.0
_MARK_MM = 1.5
_HAIRLINE_MM = 0.1
_CAPITALS = 0.72
"""Height of Helvetica's capitals, as a share of the size of the type."""


def write_label_sheets(
    cards: Sequence[LabelSpec],
    path: Path,
    paper: str = "a4",
    stock: str = PLAIN,
    layout: LabelLayout = STANDARD_LABEL,
) -> int:
    """Write a PDF with all labels in their order and return the number of sheets (one, empty, without labels).

    Raises:
        ValueError: for an unknown paper or stock, or a text that fits no label.
        OSError: when the file cannot be written.

    """
    places = stock_for(stock, paper, layout.side_mm)
    symbols = [symbol_of(spec.text) for spec in cards]
    width, height = PAPERS[paper]
    sheets = max(1, -(-len(cards) // places.places))
    canvas = Canvas(str(path), pagesize=(width * mm, height * mm), invariant=True)
    canvas.setTitle("Labels")
    canvas.setCreator("Companion")
    for sheet in range(sheets):
        here = range(sheet * places.places, min((sheet + 1) * places.places, len(cards)))
        for number in here:
            left, top = places.place(number - sheet * places.places)
            left += (places.width - layout.side_mm) / 2
            top += (places.height - layout.side_mm) / 2
            foot = height - top - layout.side_mm
            if places.cut:
                _draw_crop_marks(canvas, left, foot, layout.side_mm)
            _draw_label(canvas, left, foot, layout, symbols[number], cards[number].read)
        _draw_ruler(canvas, width, f"{sheet + 1} / {sheets}")
        canvas.showPage()
    canvas.save()
    return sheets


def _draw_label(canvas: Canvas, left: float, foot: float, layout: LabelLayout, symbol: np.ndarray, words: str) -> None:
    """Draw one label with its lower left corner at a place, millimetres from the sheet's lower left."""
    x, y, side = layout.symbol_mm
    module = layout.module_mm
    upper = foot + layout.side_mm - y
    outline = canvas.beginPath()
    for row, modules in enumerate(symbol):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], modules.astype(np.int8), [0]))))
        for start, end in edges.reshape(-1, 2):
            outline.rect(
                (left + x + start * module) * mm,
                (upper - (row + 1) * module) * mm,
                (end - start) * module * mm,
                module * mm,
            )
    for box_left, box_top, box_right, box_foot in layout.frame_boxes_mm:
        corner = ((left + box_left) * mm, (foot + layout.side_mm - box_foot) * mm)
        outline.rect(*corner, (box_right - box_left) * mm, (box_foot - box_top) * mm)
    canvas.setFillGray(0)
    canvas.drawPath(outline, stroke=0, fill=1, fillMode=1)
    canvas.setFillGray(1 if layout.words_are_white else 0)
    canvas.setFont("Helvetica-Bold", layout.words_mm * 0.7 / _CAPITALS * mm)
    line = foot + layout.margin_mm + layout.words_mm * 0.15
    canvas.drawCentredString((left + x + side / 2) * mm, line * mm, words)


def _draw_crop_marks(canvas: Canvas, left: float, foot: float, side: float) -> None:
    """Draw short lines that run towards the label's corners from outside."""
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    for x, outwards in ((left, -1), (left + side, 1)):
        for y, upwards in ((foot, -1), (foot + side, 1)):
            canvas.line(x * mm, (y + upwards * 0.3) * mm, x * mm, (y + upwards * _MARK_MM) * mm)
            canvas.line((x + outwards * 0.3) * mm, y * mm, (x + outwards * _MARK_MM) * mm, y * mm)


def _draw_ruler(canvas: Canvas, width: float, sheet: str) -> None:
    """Draw a bar of 100 mm with a mark each 10, so that the print can be checked."""
    left = (width - _RULER_MM) / 2
    y = _RULER_FROM_FOOT_MM
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(left * mm, y * mm, (left + _RULER_MM) * mm, y * mm)
    for tick in range(0, _RULER_MM + 1, 10):
        canvas.line((left + tick) * mm, y * mm, (left + tick) * mm, (y + 2) * mm)
    canvas.setFont("Helvetica", 7)
    canvas.drawString((left + _RULER_MM + 3) * mm, y * mm, f"100 mm   {sheet}")
