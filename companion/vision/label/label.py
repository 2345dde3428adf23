"""The printed label: its dimensions, its QR symbol and its drawing.

The symbol (QR version 1, level H) sits in a white square inside a heavy black frame; the id for people is printed white
in the bottom of the frame. A camera over a whole table sees less than two pixels a module: finder patterns drown there,
while the inner edge of the frame is still found and yields the corners of the symbol. The frame runs to the label's
edge, so that no white margin joins the white inside where noise breaks the frame. Which other forms were measured, and
what was read of each, is in ``docs/adr/0009-qr-label-in-a-black-frame.md``.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import segno

from companion.qr.sighting import GreyPicture, Picture, Sighting

MODULES = 21
"""Modules a side of a version 1 symbol."""


@lru_cache(maxsize=512)
def symbol_of(text: str) -> npt.NDArray[np.bool_]:
    """Return the symbol of a text, bool 21 x 21, True where it is dark; read-only.

    Raises:
        ValueError: when the text does not fit version 1 with level H.

    """
    try:
        code = segno.make(text, version=1, error="h", mode="alphanumeric", micro=False, boost_error=False)
    except ValueError as fault:
        reason = f"{text!r} does not fit a label: one to ten capital letters and digits"
        raise ValueError(reason) from fault
    symbol = np.array([[bool(module) for module in row] for row in code.matrix], np.bool_)
    symbol.flags.writeable = False
    return symbol


RectangleMm: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a rectangle, in millimetres from the label's top left."""


@dataclass(frozen=True, slots=True)
class LabelLayout:
    """The dimensions of a square label.

    ``side_mm``: of the whole label. ``quiet_modules``: width of the quiet zone, in modules.
    ``words_mm``: height of the strip at the bottom that holds the id.
    ``frame_mm``: the frame's least thickness; 0 for a label without a frame.
    ``margin_mm``: white outside the frame.
    ``arms``: share of each side of the frame that is printed, from its corners: 1 is a whole frame, less are marks.
    """

    side_mm: float = 25.0
    quiet_modules: float = 2.0
    words_mm: float = 1.6
    frame_mm: float = 1.0
    margin_mm: float = 0.0
    arms: float = 1.0

    @property
    def white_mm(self) -> RectangleMm:
        """Return the white square inside the frame: symbol and quiet zone."""
        side = self.side_mm - 2 * self.margin_mm - self.frame_mm - max(self.frame_mm, self.words_mm)
        left, top = (self.side_mm - side) / 2, self.margin_mm + self.frame_mm
        return left, top, left + side, top + side

    @property
    def module_mm(self) -> float:
        """Return the side of a module, the largest that leaves room for quiet zone, frame and id."""
        left, _, right, _ = self.white_mm
        return (right - left) / (MODULES + 2 * self.quiet_modules)

    @property
    def symbol_mm(self) -> tuple[float, float, float]:
        """Return where the symbol lies in the label: left, top, side."""
        left, top, _, _ = self.white_mm
        quiet = self.quiet_modules * self.module_mm
        return left + quiet, top + quiet, MODULES * self.module_mm

    @property
    def frame_boxes_mm(self) -> tuple[RectangleMm, ...]:
        """Return the black rectangles that form the frame."""
        if not self.frame_mm:
            return ()
        low, high = self.margin_mm, self.side_mm - self.margin_mm
        left, top, right, bottom = self.white_mm
        if self.arms >= 1:
            return (
                (low, low, high, top),
                (low, bottom, high, high),
                (low, top, left, bottom),
                (right, top, high, bottom),
            )
        arm = self.arms * (high - low) / 2
        spans = ((low, low + arm), (high - arm, high))
        across = [(start, a, end, b) for start, end in spans for a, b in ((low, top), (bottom, high))]
        down = [(a, start, b, end) for start, end in spans for a, b in ((low, left), (right, high))]
        return (*across, *down)

    def scale_to(self, side_mm: float) -> "LabelLayout":
        """Return the same layout for another size."""
        if side_mm == self.side_mm:
            return self
        factor = side_mm / self.side_mm
        words, frame, margin = self.words_mm * factor, self.frame_mm * factor, self.margin_mm * factor
        return replace(self, side_mm=side_mm, words_mm=words, frame_mm=frame, margin_mm=margin)

    @property
    def words_are_white(self) -> bool:
        """Return whether the id is printed white on the frame rather than black on paper."""
        return self.frame_mm > 0 and self.arms >= 1


STANDARD_LABEL = LabelLayout()
"""The label of 25 x 25 mm."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_CAPITAL_SHARE = 0.7
"""Height of capital letters as a share of the strip's height."""
_MIN_PIXELS_PER_MM = 4.0
_OVERSAMPLING = 8


def draw_label(text: str | None, words: str, pixels_a_mm: float, layout: LabelLayout = STANDARD_LABEL) -> GreyPicture:
    """Return the picture of a label, square, white 255 and black 0.

    Edges of modules are blended unless a module is a whole number of pixels.

    Args:
        text: of the symbol; None for a label without a symbol.
        words: printed for people.
        pixels_a_mm: resolution.
        layout: dimensions of the label.

    Raises:
        ValueError: if the text does not fit, or the resolution is below 4 pixels a millimetre.

    """
    if pixels_a_mm < _MIN_PIXELS_PER_MM:
        reason = f"a label needs {_MIN_PIXELS_PER_MM} pixels a millimetre at least"
        raise ValueError(reason)
    size = round(layout.side_mm * pixels_a_mm)
    label = np.full((size, size), 255, np.uint8)
    _draw_boxes(label, text, layout, size / layout.side_mm)
    _draw_words(label, words, layout, size / layout.side_mm)
    return label


def _draw_boxes(label: GreyPicture, text: str | None, layout: LabelLayout, pixels_a_mm: float) -> None:
    """Draw symbol and frame, first at eight times the resolution, so that their edges lie where the layout says."""
    x_mm, y_mm, _ = layout.symbol_mm
    scale = pixels_a_mm * _OVERSAMPLING
    step = layout.module_mm * scale
    fine = np.full((label.shape[0] * _OVERSAMPLING, label.shape[1] * _OVERSAMPLING), 255, np.uint8)
    for left, top, right, bottom in layout.frame_boxes_mm:
        fine[round(top * scale) : round(bottom * scale), round(left * scale) : round(right * scale)] = 0
    if text is not None:
        columns = [round(x_mm * scale + step * edge) for edge in range(MODULES + 1)]
        rows = [round(y_mm * scale + step * edge) for edge in range(MODULES + 1)]
        for row, column in np.argwhere(symbol_of(text)):
            fine[rows[row] : rows[row + 1], columns[column] : columns[column + 1]] = 0
    label[:] = cv2.resize(fine, label.shape[::-1], interpolation=cv2.INTER_AREA)


def _draw_words(label: GreyPicture, words: str, layout: LabelLayout, pixels_a_mm: float) -> None:
    """Write the id at the bottom, in the middle."""
    height = layout.words_mm * _CAPITAL_SHARE * pixels_a_mm
    thickness = max(1, round(height / 8))
    font_scale = cv2.getFontScaleFromHeight(_FONT, max(1, round(height)), thickness)
    (width, _), _ = cv2.getTextSize(words, _FONT, font_scale, thickness)
    bottom = label.shape[0] - round((layout.margin_mm + layout.words_mm * (1 - _CAPITAL_SHARE) / 2) * pixels_a_mm) - 1
    ink = 255 if layout.words_are_white else 0
    cv2.putText(label, words, ((label.shape[1] - width) // 2, bottom), _FONT, font_scale, ink, thickness, cv2.LINE_AA)


CROP_SIDES = 2.4
"""Side of a crop in sides of the symbol: the label, and enough of the card to recognise it."""
MIN_HALF_SIDE = 24
"""Pixels."""


def crop_around(picture: Picture, sighting: Sighting) -> Picture:
    """Return a square around a symbol, as far as the picture reaches: a view of at least one pixel."""
    height, width = picture.shape[:2]
    x, y = sighting.centre
    half = max(MIN_HALF_SIDE, round(sighting.side * CROP_SIDES / 2))
    left, top = (int(np.clip(middle - half, 0, size - 1)) for middle, size in ((x, width), (y, height)))
    right, bottom = (int(np.clip(middle + half, 1, size)) for middle, size in ((x, width), (y, height)))
    return picture[top : max(bottom, top + 1), left : max(right, left + 1)]


def limit_size(picture: Picture, longest: int) -> Picture:
    """Return the picture reduced so that its longer side has at most ``longest`` pixels; unchanged if it has."""
    height, width = picture.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return picture
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
