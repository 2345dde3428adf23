"""The printed sticker that carries a code: its measures, and its picture.

The symbol sits in the middle of the width and near the top; the id for human eyes is printed below it.  A camera
over a whole table sees less than two pixels a module, so every tenth of a millimetre counts: a quiet zone of two
modules above and below (and somewhat more at the sides) reads better from there than the four of the standard with
smaller modules, measured on simulated tables, and phones read it as well.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.sighting import Grey
from companion.vision.symbol import MODULES, symbol_of


@dataclass(frozen=True, slots=True)
class LabelLayout:
    """The measures of a square label, in millimetres.

    ``quiet_modules``: how much stays white above and below the symbol, in its modules; at the sides it is more.
    ``words_mm``: height of the strip at the foot that holds the id.
    """

    side_mm: float = 25.0
    quiet_modules: float = 2.0
    words_mm: float = 1.5

    @property
    def module_mm(self) -> float:
        """Return the side of a module: the largest that leaves room for quiet zone and words."""
        return (self.side_mm - self.words_mm) / (MODULES + 2 * self.quiet_modules)

    @property
    def symbol_mm(self) -> tuple[float, float, float]:
        """Return where the symbol lies in the label: left, top, side."""
        side = MODULES * self.module_mm
        return (self.side_mm - side) / 2, self.quiet_modules * self.module_mm, side


STANDARD_LABEL = LabelLayout()
"""The label of 25 x 25 mm."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_CAPITAL_SHARE = 0.8
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
    if text is not None:
        _draw_symbol(label, text, layout, size / layout.side_mm)
    _draw_words(label, words, layout, size / layout.side_mm)
    return label


def _draw_symbol(label: Grey, text: str, layout: LabelLayout, pixels_a_mm: float) -> None:
    """Draw the symbol, eight times as fine first so that it lies where the layout says."""
    x_mm, y_mm, _ = layout.symbol_mm
    scale = pixels_a_mm * _FINER
    step = layout.module_mm * scale
    fine = np.full((label.shape[0] * _FINER, label.shape[1] * _FINER), 255, np.uint8)
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
    foot = label.shape[0] - round(layout.words_mm * (1 - _CAPITAL_SHARE) / 2 * pixels_a_mm) - 1
    cv2.putText(label, words, ((label.shape[1] - width) // 2, foot), _FONT, font_scale, 0, thickness, cv2.LINE_AA)
