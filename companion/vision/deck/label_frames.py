"""Finds the frames of labels: white quadrilaterals that are closed in by something darker.

No reader is asked here; what is found is only worth a closer look.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import Box
from companion.vision.deck.outlines import Outline, outlines_in
from companion.vision.label.sighting import Grey

Floats = npt.NDArray[np.float32]

WINDOW = 25
"""Pixels: how far the mean reaches that a pixel must be darker than.  The frame is much thinner, the label wider."""

CELL = 4
"""Pixels a side of the cells in which is asked where there is much to see."""
BUSY = 1.2
"""How many times as much as in the usual cell there must be to see where a label may be."""


@dataclass(frozen=True, slots=True)
class Darkness:
    """How dark is told from light.

    ``softness``: pixels, the blur against noise.  ``share``: what is below this share of the mean around is dark.
    ``reduced``: the picture is looked at in a size so many times smaller.
    """

    softness: float
    share: float
    reduced: int = 1


QUICK = Darkness(0.6, 0.98, 2)
"""For a first look: a quarter of the pixels, and less noise in each."""
CLEAR = Darkness(0.7, 0.965)
"""For most pictures: grain and shadows stay out."""
NOISY = Darkness(1.0, 1.0)
"""For pictures in which frames hardly stand out."""


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """What may be the insides of n frames; (0, 0) is the middle of the picture's first pixel.

    ``scale``, ``offset``: from the pixels in which the outlines were found to those of the picture, x and y.
    """

    outlines: Sequence[Outline]
    scale: Floats
    offset: Floats

    def middles(self) -> Floats:
        """Return about where their middles are, n x 2."""
        corners = np.array([outline.corners for outline in self.outlines], np.float32).reshape(-1, 4, 2)
        return np.asarray(self._in_picture(corners).mean(axis=1), np.float32)

    def quads(self) -> Floats:
        """Return their corners to a fraction of a pixel, clockwise in the picture, n x 4 x 2."""
        found = [outline.quad() for outline in self.outlines]
        return self._in_picture(np.array(found, np.float32).reshape(-1, 4, 2))

    def some(self, which: npt.NDArray[np.bool_]) -> "Frames":
        """Return some of them."""
        return Frames([self.outlines[int(number)] for number in np.flatnonzero(which)], self.scale, self.offset)

    def _in_picture(self, corners: Floats) -> Floats:
        return np.asarray((corners + 0.5) * self.scale - 0.5 + self.offset, np.float32)


def frames_in(grey: Grey, darkness: Darkness, within: Box | None = None) -> Frames:
    """Return the light quadrilaterals in a picture, or a part of it, that something darker encloses."""
    left, top, right, foot = within or (0, 0, grey.shape[1], grey.shape[0])
    part = grey[top:foot, left:right]
    size = (max(1, part.shape[1] // darkness.reduced), max(1, part.shape[0] // darkness.reduced))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA) if darkness.reduced > 1 else part
    outlines = outlines_in(dark_parts(np.asarray(small, np.uint8), darkness), darkness.reduced)
    scale = np.array([part.shape[1] / size[0], part.shape[0] / size[1]], np.float32)
    return Frames(outlines, scale, np.array([left, top], np.float32))


def dark_parts(grey: Grey, darkness: Darkness = CLEAR) -> Grey:
    """Return what is darker than its surroundings, 255, in the parts of a picture where there is much to see.

    Elsewhere, 0, noise and the grain of the table would make thousands of outlines.
    """
    window, fine_window = (max(3, size // darkness.reduced | 1) for size in (WINDOW, _FINE_WINDOW))
    soft = cv2.GaussianBlur(grey, (5, 5), darkness.softness)
    mean = cv2.blur(soft, (window, window))
    cells = (max(1, grey.shape[1] // CELL), max(1, grey.shape[0] // CELL))
    fine = cv2.absdiff(soft, cv2.blur(soft, (fine_window, fine_window)))
    contrast = cv2.resize(fine, cells, interpolation=cv2.INTER_AREA).astype(np.float32)
    light = cv2.blur(cv2.resize(mean, cells, interpolation=cv2.INTER_AREA).astype(np.float32), (25, 25))
    busy = contrast / (light + _DARKNESS)
    busy /= max(float(np.median(busy[::4, ::4])), 1e-3)
    dark = cv2.compare(soft, cv2.convertScaleAbs(mean, alpha=darkness.share, beta=-1), cv2.CMP_LT)
    where = cv2.dilate((cv2.blur(busy, (5, 5)) > BUSY).astype(np.uint8) * 255, np.ones((5, 5), np.uint8))
    here = cv2.resize(where, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.bitwise_and(dark, here), np.uint8)


_FINE_WINDOW = 9
"""Pixels: what changes more slowly than this is no symbol over a whole table."""
_DARKNESS = 4.0
"""Grey levels: where there is less light, contrast says nothing."""
