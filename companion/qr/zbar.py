"""The second opinion: the ZBar reader, where the machine has its library."""

from functools import cache
from types import ModuleType

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Corners, Grey, Point, Sighting

# --- corners
# Which corner of a symbol is its own top left, told by its three finder patterns.

_SIDE = 210
"""Pixels a side of the rectified symbol."""

_MODULES = tuple(17 + 4 * version for version in range(1, 13))
"""Modules a side that are tried; larger symbols keep the order of the nearest one tried."""


def _finder() -> npt.NDArray[np.float32]:
    """Return the finder pattern, 7 x 7 modules, light 1 and dark -1."""
    pattern = -np.ones((7, 7), np.float32)
    pattern[1:6, 1:6] = 1
    pattern[2:5, 2:5] = -1
    return pattern


def clockwise(points: tuple[Point, Point, Point, Point]) -> Corners:
    """Return four points in an order that runs clockwise in the picture (y down), from the first one."""
    a, b, c, d = points
    doubled_area = (c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])
    return (a, b, c, d) if doubled_area > 0 else (a, d, c, b)


def from_own_top_left(grey: Grey, points: tuple[Point, Point, Point, Point]) -> Corners:
    """Return the corners of a QR symbol clockwise from its own top left.

    ``points`` are its corners in the order of the outline, from any of them, in either sense.  The corner
    without a finder pattern is the bottom right one, whatever the size of the symbol.
    """
    corners = clockwise(points)
    square = np.array([(0, 0), (_SIDE, 0), (_SIDE, _SIDE), (0, _SIDE)], np.float32)
    to_square = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    flat = cv2.warpPerspective(grey, to_square, (_SIDE, _SIDE)).astype(np.float32)
    best_score, bottom_right = -np.inf, 2
    for modules in _MODULES:
        scores = _finder_scores(flat, modules)
        last = int(np.argmin(scores))
        score = float(scores.sum() - 2 * scores[last])
        if score > best_score:
            best_score, bottom_right = score, last
    start = (bottom_right + 2) % 4
    a, b, c, d = corners[start:] + corners[:start]
    return a, b, c, d


def _finder_scores(flat: npt.NDArray[np.float32], modules: int) -> npt.NDArray[np.float64]:
    """Return how much each corner (clockwise from the top left) looks like a finder pattern, -1 to 1."""
    size = round(_SIDE * 7 / modules)
    pattern = cv2.resize(_finder(), (size, size), interpolation=cv2.INTER_AREA)
    patches = (flat[:size, :size], flat[:size, -size:], flat[-size:, -size:], flat[-size:, :size])
    scores = [float(cv2.matchTemplate(patch, pattern, cv2.TM_CCOEFF_NORMED)[0, 0]) for patch in patches]
    return np.array(scores, np.float64)


@cache
def _zbar() -> ModuleType | None:
    """Return the reader, or None on a machine without the ZBar library: it is an optional part."""
    try:
        from pyzbar import pyzbar  # noqa: PLC0415 - loaded when first wanted, for it needs a system library
    except ImportError:
        return None
    return pyzbar  # type: ignore[no-any-return,unused-ignore]


def second_reader_present() -> bool:
    """Say whether this machine has a second reader."""
    return _zbar() is not None


def second_opinion(grey: Grey) -> tuple[Sighting, ...]:
    """Read QR codes with the second reader; nothing where there is none.

    It guesses at encodings and at times guesses wrong, so only plain ASCII texts are taken from it.
    """
    zbar = _zbar()
    if zbar is None:
        return ()
    found = []
    for code in zbar.decode(grey, symbols=[zbar.ZBarSymbol.QRCODE]):
        outline: tuple[Point, ...] = tuple((float(point.x), float(point.y)) for point in code.polygon)
        if not code.data or not code.data.isascii() or len(outline) != 4:  # noqa: PLR2004 - a symbol has four corners
            continue
        corners = from_own_top_left(grey, (outline[0], outline[1], outline[2], outline[3]))
        found.append(Sighting(text=code.data.decode("ascii"), corners=corners))
    return tuple(found)
