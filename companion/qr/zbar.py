"""Decode QR codes with ZBar, where the machine has its library: the second decoder, asked after zxing-cpp."""

from functools import cache
from types import ModuleType

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, Corners, GreyPicture, Point, Sighting

_SIDE = 210
"""Pixels a side of the rectified symbol."""

_MODULE_COUNTS = tuple(17 + 4 * version for version in range(1, 13))
"""Modules a side that are tried; larger symbols get the orientation of the nearest one tried."""


@cache
def _zbar() -> ModuleType | None:
    """Return the decoder, or None on a machine without the ZBar library, which is optional."""
    try:
        from pyzbar import pyzbar  # noqa: PLC0415 - loaded on first use, because it needs a system library
    except ImportError:
        return None
    return pyzbar  # type: ignore[no-any-return,unused-ignore]


def zbar_is_available() -> bool:
    """Return whether this machine has the ZBar library."""
    return _zbar() is not None


def decode_with_zbar(grey: GreyPicture) -> tuple[Sighting, ...]:
    """Return the codes that ZBar decodes in a picture; none without its library.

    ZBar guesses encodings and at times guesses wrong, so only plain ASCII texts are accepted.
    """
    zbar = _zbar()
    if zbar is None:
        return ()
    sightings = []
    for code in zbar.decode(grey, symbols=[zbar.ZBarSymbol.QRCODE]):
        outline: tuple[Point, ...] = tuple((float(point.x), float(point.y)) for point in code.polygon)
        if not code.data or not code.data.isascii() or len(outline) != 4:  # noqa: PLR2004 - a symbol has four corners
            continue
        corners = orient_corners(grey, (outline[0], outline[1], outline[2], outline[3]))
        sightings.append(Sighting(text=code.data.decode("ascii"), corners=corners))
    return tuple(sightings)


def orient_corners(grey: GreyPicture, outline: tuple[Point, Point, Point, Point]) -> Corners:
    """Return the corners of a QR symbol, clockwise from its own top left.

    The corner that resembles a finder pattern least is the bottom right one, whatever the size of the symbol.

    Args:
        grey: the picture.
        outline: the corners in pixels, in the order of the outline, from any of them and in either sense.

    """
    corners = sort_clockwise(outline)
    square = np.array([(0, 0), (_SIDE, 0), (_SIDE, _SIDE), (0, _SIDE)], np.float32)
    homography = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    flat = cv2.warpPerspective(grey, homography, (_SIDE, _SIDE)).astype(np.float32)
    best_score, bottom_right = -np.inf, 2
    for count in _MODULE_COUNTS:
        scores = _score_corners(flat, count)
        weakest = int(np.argmin(scores))
        score = float(scores.sum() - 2 * scores[weakest])
        if score > best_score:
            best_score, bottom_right = score, weakest
    start = (bottom_right + 2) % 4
    a, b, c, d = corners[start:] + corners[:start]
    return a, b, c, d


def sort_clockwise(points: tuple[Point, Point, Point, Point]) -> Corners:
    """Return four points of an outline clockwise in the picture (y down), from the first one."""
    a, b, c, d = points
    doubled_area = (c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])
    return (a, b, c, d) if doubled_area > 0 else (a, d, c, b)


def _score_corners(flat: F32, modules: int) -> F64:
    """Return the correlation of each corner (clockwise from the top left) with a finder pattern, -1 to 1."""
    size = round(_SIDE * 7 / modules)
    pattern = cv2.resize(_finder_pattern(), (size, size), interpolation=cv2.INTER_AREA)
    patches = (flat[:size, :size], flat[:size, -size:], flat[-size:, -size:], flat[-size:, :size])
    scores = [float(cv2.matchTemplate(patch, pattern, cv2.TM_CCOEFF_NORMED)[0, 0]) for patch in patches]
    return np.array(scores, np.float64)


def _finder_pattern() -> F32:
    """Return the finder pattern, 7 x 7 modules, light 1 and dark -1."""
    pattern = -np.ones((7, 7), np.float32)
    pattern[1:6, 1:6] = 1
    pattern[2:5, 2:5] = -1
    return pattern
