"""Looks closer at places where labels may be: whether one lies there, which way up it is, and where its corners are.

Each place is cut out, turned upright and made equally large and bright; a second small net says the rest.
"""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.deck.nets import CLOSER
from companion.vision.label.sighting import Grey

Floats = npt.NDArray[np.float32]
Quads = npt.NDArray[np.float64]

SIDE = 48
"""Samples a side of what is cut out."""
REACH = 1.5
"""Half sides of a symbol that a cut reaches from its middle: quiet zone, frame, and something of what is round it."""
LEAST_CONTRAST = 2.0
"""Grey levels: where there is less, it is noise."""
AT_ONCE = 4
"""Cuts that the net is asked about at once."""
DOUBTFUL = 0.1
"""Another corner that is as likely the symbol's own first is tried, too."""


def looked_closer(grey: Grey, quads: Quads) -> tuple[Quads, Floats, Floats]:
    """Return the corners of symbols at these places, clockwise from a symbol's own first, and how likely each is one.

    ``quads``: n x 4 x 2 pixels, corners in the order in which they were found; (0, 0) is the first pixel's middle.
    Returned last: how likely each corner is the first after all, n x 4, in the order in which they are returned.
    """
    if not len(quads):
        return quads, np.empty(0, np.float32), np.empty((0, 4), np.float32)
    onto = upright(quads)
    told = _told(cut_out(grey, onto)).astype(np.float64)
    corners = SQUARE + told[:, 5:].reshape(-1, 4, 2)
    placed = np.einsum("nij,nkj->nki", onto[:, :, :2], corners) + onto[:, None, :, 2]
    first = told[:, 1:5].argmax(axis=1)
    turned = np.take_along_axis(placed, ((np.arange(4) - first[:, None]) % 4)[:, :, None], axis=1)
    turns = np.exp(told[:, 1:5] - told[:, 1:5].max(axis=1, keepdims=True))
    turns = np.take_along_axis(turns / turns.sum(axis=1, keepdims=True), (np.arange(4) + first[:, None]) % 4, axis=1)
    return turned, np.asarray(1 / (1 + np.exp(-told[:, 0])), np.float32), np.asarray(turns, np.float32)


def _told(cuts: Floats) -> Floats:
    """Return what the net says to cuts, n x 13: asked about equally many each time, for which it stays ready."""
    none = np.zeros((-len(cuts) % AT_ONCE, *cuts.shape[1:]), np.float32)
    pieces = np.concatenate((cuts, none)).reshape(-1, AT_ONCE, *cuts.shape[1:])
    told = np.concatenate([CLOSER.answers(piece) for piece in pieces])
    return np.asarray(told[: len(cuts)].reshape(len(cuts), -1), np.float32)


def every_way_up(quads: Quads, likely: Floats, turns: Floats) -> tuple[Quads, Floats]:
    """Return these symbols, and once more each that may lie another way up, that way."""
    number, turn = np.nonzero(turns[:, 1:] >= DOUBTFUL)
    other = [np.roll(quads[n], t + 1, axis=0) for n, t in zip(number, turn, strict=True)]
    return np.concatenate((quads, *(one[None] for one in other))), np.concatenate((likely, likely[number]))


SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""The corners of the square of half side 1, clockwise."""


def upright(quads: Quads) -> npt.NDArray[np.float64]:
    """Return the maps from the square of half side 1 to the parallelograms that these are nearest to, n x 2 x 3."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 4
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 4
    return np.stack((across, down, quads.mean(axis=1)), axis=2)


def cut_out(grey: Grey, onto: npt.NDArray[np.float64]) -> Floats:
    """Return what lies under these maps, equally bright: float32 n x 1 x SIDE x SIDE."""
    x, y = (onto.astype(np.float32) @ _ticks()).transpose(1, 0, 2)
    shown = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    shown = shown.reshape(len(onto), -1)
    shown -= shown.mean(axis=1, keepdims=True)
    shown /= np.sqrt(np.square(shown).mean(axis=1, keepdims=True) + np.float32(LEAST_CONTRAST**2))
    return np.asarray(shown.reshape(-1, 1, SIDE, SIDE), np.float32)


@cache
def _ticks() -> Floats:
    """Return the places of the samples, 3 x SIDE * SIDE: across, down, and 1."""
    ticks = (((np.arange(SIDE) + 0.5) / SIDE * 2 - 1) * REACH).astype(np.float32)
    across, down = np.meshgrid(ticks, ticks)
    return np.stack((across.ravel(), down.ravel(), np.ones(SIDE * SIDE, np.float32)))
