"""Finds labels in a picture, at any angle, by a small net that has seen many drawn ones (``benchmarks.finder``).

What it finds is only worth a closer look: where a label may be, how large, how turned and how aslant.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.deck.nets import FINDER
from companion.vision.deck.squares import USUAL_SIDE, first_of_each, quads_of, sizes_of
from companion.vision.label.sighting import Grey

Floats = npt.NDArray[np.float32]

LARGEST_SIDE = 72
"""Pixels: larger symbols are found in a picture that is reduced before."""
REDUCED = 2
"""The net looks at a picture half as large."""
STRIDE = 16
"""Pixels of the picture from one answer to the next."""
AROUND, COARSER = 32, 4
"""Pixels of the reduced picture over which light and contrast are evened out, and how many times coarser that is."""
LEAST_CONTRAST = 2.0
"""Grey levels: where there is less, it is noise."""
APART = 0.7
"""Sides of the larger symbol that two middles are apart at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where labels may be, the likeliest first: corners of symbols, float64 n x 4 x 2 pixels, and how likely, n.

    (0, 0) is the middle of the first pixel; which corner is the symbol's own first is not known.
    """

    quads: npt.NDArray[np.float64]
    likely: Floats

    def enlarged(self, scale: int, least: float) -> "Places":
        """Return the places with sides of so many pixels at least, in a picture so many times as large."""
        large = sizes_of(self.quads) >= least
        return Places(scale * self.quads[large] + (scale - 1) / 2, self.likely[large])


def places_in(grey: Grey, most: int, least: float) -> Places:
    """Return at most so many places where labels may be, each at least so likely (0 to 1)."""
    told = _answers(evened(grey))
    likely = told[0]
    highest = likely >= cv2.dilate(likely, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(highest & (likely >= least))
    order = np.argsort(-likely[rows, columns], kind="stable")[: 3 * most]
    rows, columns = rows[order], columns[order]
    own = told[1:, rows, columns].T.astype(np.float64)
    middles = (np.column_stack((columns, rows)) + 0.5 + own[:, :2]) * STRIDE - 0.5
    quads = quads_of(middles, own[:, 2:])
    keep = first_of_each(middles, APART * np.exp(own[:, 2]) * USUAL_SIDE)[:most]
    return Places(quads[keep], likely[rows, columns][keep])


def evened(grey: Grey) -> Floats:
    """Return the reduced picture with light and contrast evened out: what the net looks at."""
    height, width = (max(1, size // REDUCED) for size in grey.shape)
    size, coarse = (width, height), (max(1, width // COARSER), max(1, height // COARSER))
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
    off = small - _around(small, coarse, size)
    contrast = np.sqrt(_around(off * off, coarse, coarse) + np.float32(LEAST_CONTRAST**2))
    return np.asarray(off * cv2.resize(1 / contrast, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _around(shown: Floats, coarse: tuple[int, int], size: tuple[int, int]) -> Floats:
    """Return the means of what is shown around, reckoned on a coarse picture, in another size."""
    means = cv2.blur(cv2.resize(shown, coarse, interpolation=cv2.INTER_AREA), (AROUND // COARSER,) * 2)
    return np.asarray(cv2.resize(means, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _answers(picture: Floats) -> Floats:
    """Return what the net says: for each cell how likely it holds a label's middle, and seven numbers about it."""
    cells = STRIDE // REDUCED
    down, right = (-size % cells for size in picture.shape)
    whole = cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_CONSTANT, value=(0,))
    told = FINDER.answers(np.asarray(whole[None, None], np.float32))[0]
    told[0] = 1 / (1 + np.exp(-told[0]))
    return np.asarray(told, np.float32)
