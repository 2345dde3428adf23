"""What of a picture's change is only the light's: lamps that flicker, a camera that changes its exposure."""

from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.sighting import Grey

Floats: TypeAlias = npt.NDArray[np.float32]

LEAST_CHANGE = 7
"""Grey levels, of a cell's mean: less is noise; where no cell has changed by more, the light is what it was."""
MOST_LIGHTER = 2.0
"""Light is followed so far up and down."""
UNEVEN = np.float32(0.25)
"""Cameras bend their tones: what is dark does not become lighter by as much as what is bright."""
NEARLY_BURNT_OUT, BURNT_OUT = 200, 250
"""Grey levels of cells in which some pixels, and all, may be burnt out."""
STEADY, AS_STEADY, OTHER = 8, 0.04, 0.12
"""After so many frames in light that differs by less than the second (natural logarithm) from frame to frame, and by
more than the third from what it was, it is another light: what could not be read may be legible now."""
EXPLAINED, NEARLY, NEARLY_OF_IT = 0.85, 2.0 * LEAST_CHANGE, 0.1
"""The share of a row whose light is believed, where it leaves no more grey levels, and no more of them, unexplained."""
SMOOTH_ROWS = 5
"""Rows over which light is evened out: what a dark row says, of whole grey levels, is known to a twentieth only."""
_DARK, _COLUMNS = np.float32(1), 4


@dataclass(slots=True)
class Light:
    """Follows the light in which a table is seen, by cells of a picture (uint8, rows x columns)."""

    _lighter: float = field(default=1.0, init=False)
    _steady: int = field(default=0, init=False)

    @property
    def is_another(self) -> bool:
        """Whether a lamp was lit, put out or moved: the light has changed, and stayed so for a while."""
        return self._steady >= STEADY

    def evened(self, known: Grey, cells: Grey) -> tuple[Grey, Floats]:
        """Return cells as they would be in the light in which they were known, and how far off that is at most.

        Lamps flicker by bands of rows, for the camera reads one after the other: each row is taken to be as much
        lighter as half of it is at least, if that explains nearly all of it, else as rows above and below are: a sheet
        that is laid over most of a row is no light.  What is burnt out may be any lighter than it seems.
        """
        if not (np.asarray(cv2.absdiff(cells, known)) > LEAST_CHANGE).any():
            self._follow(1.0)
            return cells, np.zeros((1, 1), np.float32)
        lighter = _by_rows(known, cells)
        self._follow(float(np.median(lighter)))
        even = np.rint(((cells + _DARK) / lighter - _DARK).clip(0, 255)).astype(np.uint8)
        by = np.abs(np.log(lighter))
        slack = known * (UNEVEN * np.where(np.maximum(known, even) >= NEARLY_BURNT_OUT, 2 * by.max(), by))
        return np.where((cells >= BURNT_OUT) & (known > even), known, even), np.asarray(slack, np.float32)

    def _follow(self, lighter: float) -> None:
        other, before = abs(np.log(lighter)) > OTHER, abs(np.log(lighter / self._lighter))
        self._steady = self._steady + 1 if other and before < AS_STEADY else 0
        self._lighter = lighter


def _by_rows(known: Grey, cells: Grey) -> Floats:
    """Return how much lighter each row of cells has become, rows x 1; 1 where no row tells."""
    some, then = (np.asarray(own[:, ::_COLUMNS], np.float32) + _DARK for own in (cells, known))
    lighter = np.median(some / then, axis=1, keepdims=True).clip(1 / MOST_LIGHTER, MOST_LIGHTER)
    explained = np.abs(some / lighter - then) < NEARLY + NEARLY_OF_IT * then
    rows = np.flatnonzero(explained.mean(axis=1) >= EXPLAINED)
    if not len(rows):
        return np.ones_like(lighter)
    # What is dark is known in few grey levels: of what the median explains, the bright says more.
    telling = explained & (np.maximum(some, then) < NEARLY_BURNT_OUT)
    now, before = ((own * telling).sum(axis=1, keepdims=True) for own in (some, then))
    lighter = (lighter + now) / (1 + before)
    every = np.interp(np.arange(len(lighter)), rows, lighter[rows, 0])[:, None].astype(np.float32)
    return np.asarray(cv2.blur(every, (1, SMOOTH_ROWS), borderType=cv2.BORDER_REPLICATE), np.float32)
