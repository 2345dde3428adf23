"""Makes out a symbol that was found and not read: laid out, its modules told apart, what is lost mended."""

import math
from collections.abc import Iterator
from itertools import pairwise

import cv2
import numpy as np

from companion.vision.label.sighting import Corners, Grey
from companion.vision.label.straightened import RIM, straightened
from companion.vision.symbol.anatomy import Anatomy, Bools, formats, masked, whole
from companion.vision.symbol.codewords import mended
from companion.vision.symbol.finders import frames
from companion.vision.symbol.growth import grown
from companion.vision.symbol.layout import laid_out
from companion.vision.symbol.mesh import slopes_of
from companion.vision.symbol.modules import Modules

SMALLEST, LARGEST = 128, 480
"""Pixels a side of a straightened symbol."""
SOFT = 1.0
"""Pixels of it by which noise is softened."""
IN_PLACE = 0.99
"""The share of what is the same in all symbols of a version from which on modules lie where they were thought to."""
FORMATS = 2
"""Formats that are tried, the likeliest first."""
LEAST_TOLD = 0.7
"""How clearly the format must be told, -1 to 1."""
LEAST_AGREED = 0.8
"""The share of what is trusted that must be as it was seen."""


def made_out(grey: Grey, corners: Corners) -> Bools | None:
    """Return the modules of the symbol with these corners (clockwise from its own top left), N x N, or None."""
    longest = max(math.dist(*ends) for ends in pairwise((*corners, corners[0])))
    side = int(np.clip(longest, SMALLEST, LARGEST))
    flat = straightened(grey, corners, side).astype(np.float32)
    picture = slopes_of(np.asarray(cv2.GaussianBlur(flat, (0, 0), SOFT), np.float32))
    found = frames(picture, side * RIM, side)
    if found is None:
        return None
    for symbol, mesh in laid_out(picture, found):
        seen = None
        for seen in grown(picture, symbol, mesh):
            printed = _sense(symbol, seen)
            if printed is not None:
                return printed
        if seen is not None and (seen.are_dark == symbol.dark)[symbol.fixed].mean() >= IN_PLACE:
            return None  # it lies where it should, and too much of it is lost
    return None


def _sense(symbol: Anatomy, seen: Modules) -> Bools | None:
    """Return the symbol as it was printed, if what is seen makes sense."""
    rows, columns = symbol.data.T
    dark, trust = seen.are_dark[rows, columns], seen.trust[rows, columns]
    many = len(dark) // 8 * 8
    doubt = 1 - trust[:many].reshape(-1, 8)
    for level, mask in _formats(seen):
        bits = dark ^ masked(symbol.version, mask)[rows, columns]
        words = mended(np.packbits(bits[:many]), doubt.max(axis=1) + doubt.mean(axis=1), symbol.version, level)
        if words is None:
            continue
        right = np.unpackbits(words).astype(np.bool_)
        if float(np.average(right == bits[:many], weights=trust[:many] + 1e-6)) >= LEAST_AGREED:
            return whole(symbol.version, level, mask, right)
    return None


def _formats(seen: Modules) -> Iterator[tuple[str, int]]:
    """Give the likeliest levels and masks, by both places that tell them."""
    side = len(seen.tone)
    signed = np.where(seen.are_dark, 1.0, -1.0) * seen.trust
    told = []
    for level, mask, where, dark in formats():
        row, column = np.nonzero(where)
        row_here, column_here = (np.where(own > 8, own + side - 21, own) for own in (row, column))  # noqa: PLR2004
        as_seen = signed[row_here, column_here]
        told.append(
            (float((as_seen * np.where(dark[row, column], 1, -1)).sum() / max(np.abs(as_seen).sum(), 1)), level, mask)
        )
    for like, level, mask in sorted(told, reverse=True)[:FORMATS]:
        if like >= LEAST_TOLD:
            yield level, mask
