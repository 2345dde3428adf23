"""The printed sticker that carries a code: its measures, and its picture.

The symbol sits in a white square inside a heavy black frame; the id for human eyes is printed white in the frame's
foot.  A camera over a whole table sees less than two pixels a module: there finder patterns drown, while the inner
edge of the frame is still found, and hands the corners to whoever reads the symbol.  The frame runs to the label's
edge, so that no white margin joins the white inside where noise breaks the frame.  Which other forms were measured,
and what each read, is in ``docs/adr/0009-qr-label-in-a-black-frame.md``.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import segno

from companion.qr.sighting import Grey

# --- symbol
# The symbol that carries a label's text: QR version 1, level H.

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


Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and foot of a rectangle, in millimetres from the label's top left."""


@dataclass(frozen=True, slots=True)
class LabelLayout:
    """The measures of a square label, in millimetres.

    ``quiet_modules``: how much stays white round the symbol, in its modules.
    ``words_mm``: height of the strip at the foot that holds the id.
    ``frame_mm``: the frame's least thickness; 0 is a label without a frame.
    ``margin_mm``: what stays white outside the frame.
    ``arms``: how much of each side of the frame is printed, from its corners: 1 is a whole frame, less make marks.
    """

    side_mm: float = 25.0
    quiet_modules: float = 2.0
    words_mm: float = 1.6
    frame_mm: float = 1.0
    margin_mm: float = 0.0
    arms: float = 1.0

    @property
    def white_mm(self) -> Box:
        """Return the white square inside the frame: symbol and quiet zone."""
        side = self.side_mm - 2 * self.margin_mm - self.frame_mm - max(self.frame_mm, self.words_mm)
        left, top = (self.side_mm - side) / 2, self.margin_mm + self.frame_mm
        return left, top, left + side, top + side

    @property
    def module_mm(self) -> float:
        """Return the side of a module: the largest that leaves room for quiet zone, frame and words."""
        left, _, right, _ = self.white_mm
        return (right - left) / (MODULES + 2 * self.quiet_modules)

    @property
    def symbol_mm(self) -> tuple[float, float, float]:
        """Return where the symbol lies in the label: left, top, side."""
        left, top, _, _ = self.white_mm
        quiet = self.quiet_modules * self.module_mm
        return left + quiet, top + quiet, MODULES * self.module_mm

    @property
    def frame_boxes_mm(self) -> tuple[Box, ...]:
        """Return the black rectangles that make the frame."""
        if not self.frame_mm:
            return ()
        low, high = self.margin_mm, self.side_mm - self.margin_mm
        left, top, right, foot = self.white_mm
        if self.arms >= 1:
            return (low, low, high, top), (low, foot, high, high), (low, top, left, foot), (right, top, high, foot)
        arm = self.arms * (high - low) / 2
        spans = ((low, low + arm), (high - arm, high))
        across = [(start, a, end, b) for start, end in spans for a, b in ((low, top), (foot, high))]
        down = [(a, start, b, end) for start, end in spans for a, b in ((low, left), (right, high))]
        return (*across, *down)

    def scaled(self, side_mm: float) -> "LabelLayout":
        """Return the same label in another size."""
        if side_mm == self.side_mm:
            return self
        by = side_mm / self.side_mm
        words, frame, margin = self.words_mm * by, self.frame_mm * by, self.margin_mm * by
        return replace(self, side_mm=side_mm, words_mm=words, frame_mm=frame, margin_mm=margin)

    @property
    def words_are_white(self) -> bool:
        """Say whether the id is printed white on the frame's foot, and not black on paper."""
        return self.frame_mm > 0 and self.arms >= 1


STANDARD_LABEL = LabelLayout()
"""The label of 25 x 25 mm."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_CAPITAL_SHARE = 0.7
"""How much of the strip's height the capitals take."""
_LEAST_PIXELS_A_MM = 4.0
_FINER = 8


def draw_label(text: str | None, words: str, pixels_a_mm: float, layout: LabelLayout = STANDARD_LABEL) -> Grey:
    """Return the picture of a label, white 255 and black 0, square.

    ``text`` is what the symbol says; None leaves the symbol out.  ``words`` is what people read.
    Module edges fall between pixels only if a module is a whole number of them; otherwise edges are blended.

    Raises:
        ValueError: when the text does not fit, or below 4 pixels a millimetre.

    """
    if pixels_a_mm < _LEAST_PIXELS_A_MM:
        reason = f"a label needs {_LEAST_PIXELS_A_MM} pixels a millimetre at least"
        raise ValueError(reason)
    size = round(layout.side_mm * pixels_a_mm)
    label = np.full((size, size), 255, np.uint8)
    _draw_boxes(label, text, layout, size / layout.side_mm)
    _draw_words(label, words, layout, size / layout.side_mm)
    return label


def _draw_boxes(label: Grey, text: str | None, layout: LabelLayout, pixels_a_mm: float) -> None:
    """Draw symbol and frame, eight times as fine first so that they lie where the layout says."""
    x_mm, y_mm, _ = layout.symbol_mm
    scale = pixels_a_mm * _FINER
    step = layout.module_mm * scale
    fine = np.full((label.shape[0] * _FINER, label.shape[1] * _FINER), 255, np.uint8)
    for left, top, right, foot in layout.frame_boxes_mm:
        fine[round(top * scale) : round(foot * scale), round(left * scale) : round(right * scale)] = 0
    if text is not None:
        columns = [round(x_mm * scale + step * edge) for edge in range(MODULES + 1)]
        rows = [round(y_mm * scale + step * edge) for edge in range(MODULES + 1)]
        for row, column in np.argwhere(symbol_of(text)):
            fine[rows[row] : rows[row + 1], columns[column] : columns[column + 1]] = 0
    label[:] = cv2.resize(fine, label.shape[::-1], interpolation=cv2.INTER_AREA)


def _draw_words(label: Grey, words: str, layout: LabelLayout, pixels_a_mm: float) -> None:
    """Write the id at the foot, in the middle."""
    height = layout.words_mm * _CAPITAL_SHARE * pixels_a_mm
    thickness = max(1, round(height / 8))
    font_scale = cv2.getFontScaleFromHeight(_FONT, max(1, round(height)), thickness)
    (width, _), _ = cv2.getTextSize(words, _FONT, font_scale, thickness)
    foot = label.shape[0] - round((layout.margin_mm + layout.words_mm * (1 - _CAPITAL_SHARE) / 2) * pixels_a_mm) - 1
    ink = 255 if layout.words_are_white else 0
    cv2.putText(label, words, ((label.shape[1] - width) // 2, foot), _FONT, font_scale, ink, thickness, cv2.LINE_AA)
