"""Table mats and posters as vector PDF: on one sheet, or in overlapping tiles to glue together."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.fiducials import MODULES, marker_modules
from calibration.mat import CornerMarker, Mat
from calibration.papers import MAT_PAPERS, PAPERS
from calibration.zones import Zone
from companion.game_api.drawing import Extra
from companion.printing.cards import PrintSettings
from companion.printing.document import BOLD, INKED_FROM_MM, REGULAR, draw_drawing, new_canvas, printable

_EDGE_MM = 10.0
"""Round a tile of a mat, which printers leave white."""
_OVERLAP_MM = 8.0
"""Shown by two neighbouring tiles of a mat, to glue upon."""
_POSTER_EDGE_MM, _POSTER_OVERLAP_MM = 8.0, 6.0
"""The same of a poster."""

_CAPTION_MM = 5.7
"""From the foot to the line of a caption, with letters that reach below it."""
_JOINT_GAP_MM = 0.4
_RULER_MM = 100
_WORDS_MM = 7.0

_TINTS = {
    "red": (0.98, 0.88, 0.87),
    "blue": (0.87, 0.92, 0.98),
    "yellow": (0.99, 0.96, 0.82),
    "green": (0.88, 0.96, 0.88),
    "grey": (0.93, 0.93, 0.92),
    "purple": (0.94, 0.89, 0.97),
}
"""Colours of the zones, so pale that a label on them reads as on white."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """The layout of a mat over sheets, in mm: the sheet's size, the step from tile to tile, and the white edge."""

    width: float
    height: float
    columns: int
    rows: int
    step_x: float
    step_y: float
    edge: float

    @property
    def sheets(self) -> int:
        """The number of sheets."""
        return self.columns * self.rows


def fit_tiling(mat: Mat, paper: str) -> Tiling:
    """Return the tiling of a mat on a paper, upright or lying, whichever takes fewer sheets.

    Raises:
        ValueError: for an unknown paper.

    """
    if paper not in MAT_PAPERS:
        raise ValueError(f"paper {paper!r} is not known: {', '.join(MAT_PAPERS)}")
    narrow, wide = MAT_PAPERS[paper]
    ways = [_tiling(mat, *size) for size in ((wide, narrow), (narrow, wide))]
    return min(ways, key=lambda way: way.sheets)


def write_mat(mat: Mat, path: Path, paper: str, words: Mapping[str, str]) -> int:
    """Write a PDF of the mat in its true size and return the number of sheets.

    ``words``: what to print into each zone, by the zone's name.

    Raises:
        ValueError: for an unknown paper, or words that cannot be printed.
        OSError: when the file cannot be written.

    """
    tiling = fit_tiling(mat, paper)
    canvas = new_canvas(path, mat.title, (tiling.width * mm, tiling.height * mm))
    for row in range(tiling.rows):
        for column in range(tiling.columns):
            left, top = column * tiling.step_x, row * tiling.step_y
            canvas.saveState()
            if tiling.edge:
                shown = canvas.beginPath()
                inner = (tiling.width - 2 * tiling.edge, tiling.height - 2 * tiling.edge)
                shown.rect(tiling.edge * mm, tiling.edge * mm, inner[0] * mm, inner[1] * mm)
                canvas.clipPath(shown, stroke=0, fill=0)
            # From here on the origin is the mat's lower left corner.
            foot = tiling.height - tiling.edge + top - mat.height_mm
            canvas.translate((tiling.edge - left) * mm, foot * mm)
            _draw_mat(canvas, mat, words)
            canvas.restoreState()
            if tiling.edge:
                size = (tiling.width, tiling.height)
                _draw_joints(canvas, *size, edge=tiling.edge, overlap=_OVERLAP_MM)
                canvas.setFillGray(0)
                canvas.setFont(REGULAR, 7)
                caption = f"{mat.title}   {row + 1} / {tiling.rows}   {column + 1} / {tiling.columns}"
                canvas.drawString((tiling.edge + 15) * mm, _CAPTION_MM * mm, printable(caption))
            canvas.showPage()
    canvas.save()
    return tiling.sheets


def _tiling(mat: Mat, width: float, height: float) -> Tiling:
    if mat.width_mm <= width and mat.height_mm <= height:
        return Tiling(mat.width_mm, mat.height_mm, 1, 1, 0, 0, 0)
    inner_x, inner_y = width - 2 * _EDGE_MM, height - 2 * _EDGE_MM
    step_x, step_y = inner_x - _OVERLAP_MM, inner_y - _OVERLAP_MM
    columns = max(1, int(np.ceil((mat.width_mm - _OVERLAP_MM) / step_x)))
    rows = max(1, int(np.ceil((mat.height_mm - _OVERLAP_MM) / step_y)))
    return Tiling(width, height, columns, rows, step_x, step_y, _EDGE_MM)


def _draw_mat(canvas: Canvas, mat: Mat, words: Mapping[str, str]) -> None:
    for zone in mat.zones.zones:
        _draw_zone(canvas, mat, zone, words.get(zone.name, zone.name))
    for marker in mat.markers:
        _draw_marker(canvas, mat, marker)
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(0.2 * mm)
    canvas.rect(0, 0, mat.width_mm * mm, mat.height_mm * mm, stroke=1, fill=0)
    left, line = (mat.width_mm - _RULER_MM) / 2, INKED_FROM_MM  # the mat's edge may be that of the paper
    canvas.line(left * mm, line * mm, (left + _RULER_MM) * mm, line * mm)
    for tick in range(0, _RULER_MM + 1, 10):
        canvas.line((left + tick) * mm, line * mm, (left + tick) * mm, (line + 2) * mm)
    canvas.setFillGray(0.35)
    canvas.setFont(REGULAR, 7)
    canvas.drawString((left + _RULER_MM + 3) * mm, line * mm, "100 mm")


def _draw_zone(canvas: Canvas, mat: Mat, zone: Zone, words: str) -> None:
    outline = canvas.beginPath()
    (first_x, first_y), *others = zone.corners_mm
    outline.moveTo(first_x * mm, (mat.height_mm - first_y) * mm)
    for x, y in others:
        outline.lineTo(x * mm, (mat.height_mm - y) * mm)
    outline.close()
    canvas.setFillColorRGB(*_TINTS.get(zone.name, (0.97, 0.97, 0.97)))
    canvas.setStrokeGray(0.45)
    canvas.setLineWidth(0.8 * mm)
    canvas.drawPath(outline, stroke=1, fill=1)
    left = min(x for x, _ in zone.corners_mm)
    top = min(y for _, y in zone.corners_mm)
    canvas.setFillGray(0.35)
    canvas.setFont(BOLD, _WORDS_MM * mm)
    canvas.drawString((left + 4) * mm, (mat.height_mm - top - _WORDS_MM - 2) * mm, printable(words))


def _draw_marker(canvas: Canvas, mat: Mat, marker: CornerMarker) -> None:
    module = marker.side_mm / MODULES
    pattern = canvas.beginPath()
    for row, modules in enumerate(marker_modules(marker.number)):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], modules.astype(np.int8), [0]))))
        for start, end in edges.reshape(-1, 2):
            left = marker.left_mm + float(start) * module
            foot = mat.height_mm - marker.top_mm - (row + 1) * module
            pattern.rect(left * mm, foot * mm, float(end - start) * module * mm, module * mm)
    canvas.setFillGray(0)
    canvas.drawPath(pattern, stroke=0, fill=1, fillMode=1)


def _draw_joints(canvas: Canvas, width: float, height: float, *, edge: float, overlap: float) -> None:
    """Draw short marks between the picture and what printers leave white, where the next tile begins."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.1 * mm)
    inner = edge - _JOINT_GAP_MM
    for x in (edge + overlap, width - edge):
        for y, to in ((INKED_FROM_MM, inner), (height - inner, height - INKED_FROM_MM)):
            canvas.line(x * mm, y * mm, x * mm, to * mm)
    for y in (edge, height - edge - overlap):
        for x, to in ((INKED_FROM_MM, inner), (width - inner, width - INKED_FROM_MM)):
            canvas.line(x * mm, y * mm, to * mm, y * mm)


def is_poster(extra: Extra) -> bool:
    """Return whether an extra is a single piece that is larger than a sheet."""
    first = extra.pieces[0]
    return len(extra.pieces) == 1 and (
        first.width > PAPERS["a4"][0] - 2 * _POSTER_EDGE_MM or first.height > PAPERS["a4"][1]
    )


def draw_poster(canvas: Canvas, extra: Extra, setting: PrintSettings) -> int:
    """Draw the tiles of a poster row by row onto pages; return the number of pages."""
    picture = extra.pieces[0]
    width, height = PAPERS[setting.paper]
    inner_x, inner_y = width - 2 * _POSTER_EDGE_MM, height - 2 * _POSTER_EDGE_MM
    columns, rows = _count_tiles(picture.width, inner_x), _count_tiles(picture.height, inner_y)
    for row in range(rows):
        for column in range(columns):
            left, top = column * (inner_x - _POSTER_OVERLAP_MM), row * (inner_y - _POSTER_OVERLAP_MM)
            canvas.setPageSize((width * mm, height * mm))
            setting.fronts.apply(canvas, height)
            canvas.saveState()
            shown = canvas.beginPath()
            shown.rect(_POSTER_EDGE_MM * mm, _POSTER_EDGE_MM * mm, inner_x * mm, inner_y * mm)
            canvas.clipPath(shown, stroke=0, fill=0)
            draw_drawing(canvas, picture, _POSTER_EDGE_MM - left, height - _POSTER_EDGE_MM + top - picture.height)
            canvas.restoreState()
            _draw_joints(canvas, width, height, edge=_POSTER_EDGE_MM, overlap=_POSTER_OVERLAP_MM)
            canvas.setFont(REGULAR, 6)
            canvas.setFillGray(0)
            caption = printable(f"{extra.title}   {row + 1} / {rows}   {column + 1} / {columns}")
            canvas.drawString((_POSTER_EDGE_MM + 12) * mm, _CAPTION_MM * mm, caption)
            canvas.showPage()
            if setting.turn != "none":  # an empty back: otherwise the next tile would be printed there
                canvas.showPage()
    return rows * columns * (1 if setting.turn == "none" else 2)


def _count_tiles(length: float, inner: float) -> int:
    return max(1, -int(-(length - _POSTER_OVERLAP_MM) // (inner - _POSTER_OVERLAP_MM)))
