"""Sheets of labels as vector PDF, with a ruler that tells whether the printer kept to scale."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.papers import PAPERS
from companion.printing.correction import AS_IT_IS, Correction
from companion.printing.labels import LabelSpec
from companion.printing.ruler import draw_ruler
from companion.printing.stocks import PLAIN, label_side, stock_for
from companion.vision.label.label import STANDARD_LABEL, LabelLayout
from companion.vision.label.symbol import symbol_of

_RULER_LEFT_MM = 5.0
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
    start: int = 1,
    out_by: Correction = AS_IT_IS,
) -> int:
    """Write a PDF with all labels in their order and return the number of sheets (one, empty, without labels).

    ``start``: the place on the first sheet to begin with, counted from 1 along the rows; those before it were used.

    Raises:
        ValueError: for an unknown paper or stock, a place that it has not, or a text that fits no label.
        OSError: when the file cannot be written.

    """
    places = stock_for(stock, paper, layout.side_mm)
    width, height = PAPERS[paper]
    if not 1 <= start <= places.places:
        raise ValueError(f"a sheet of {stock!r} has the places 1 to {places.places}, not {start}")
    layout = layout.scaled(label_side(places, layout.side_mm))
    used = start - 1
    sheets = max(1, -(-(used + len(cards)) // places.places))
    canvas = Canvas(str(path), pagesize=(width * mm, height * mm), invariant=True)
    canvas.setTitle("Labels")
    canvas.setCreator("Companion")
    for sheet in range(sheets):
        out_by.apply(canvas, height)
        here = range(max(used, sheet * places.places), min((sheet + 1) * places.places, used + len(cards)))
        for place in here:
            left, top = places.place(place - sheet * places.places)
            left += (places.width - layout.side_mm) / 2
            top += (places.height - layout.side_mm) / 2
            foot = height - top - layout.side_mm
            if places.cut:
                _draw_crop_marks(canvas, left, foot, layout.side_mm)
            draw_label_on(canvas, left, foot, layout, cards[place - used])
        draw_ruler(canvas, height, _RULER_LEFT_MM, f"{sheet + 1} / {sheets}")
        canvas.showPage()
    canvas.save()
    return sheets


def draw_label_on(canvas: Canvas, left: float, foot: float, layout: LabelLayout, spec: LabelSpec) -> None:
    """Draw one label with its lower left corner at a place, millimetres from the sheet's lower left.

    Raises:
        ValueError: when its text fits no label.

    """
    symbol = symbol_of(spec.text)
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
    canvas.drawCentredString((left + x + side / 2) * mm, line * mm, spec.read)


def _draw_crop_marks(canvas: Canvas, left: float, foot: float, side: float) -> None:
    """Draw short lines that run towards the label's corners from outside."""
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    for x, outwards in ((left, -1), (left + side, 1)):
        for y, upwards in ((foot, -1), (foot + side, 1)):
            canvas.line(x * mm, (y + upwards * 0.3) * mm, x * mm, (y + upwards * _MARK_MM) * mm)
            canvas.line((x + outwards * 0.3) * mm, y * mm, (x + outwards * _MARK_MM) * mm, y * mm)
