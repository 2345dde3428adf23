"""Seeks labels on a table of which it is known how labels lie there.

The whole table, flattened to two samples in three modules, is compared with what all labels have in common, made alike
at every quarter turn.  Turned by an angle that pattern is, but for little, an even part and a part that turns four
times as fast; so three products with the table tell for each place how like a label it is at its best angle, and that
angle.  Only fine structure counts: shadows and the edges of cards are stronger than any label, and say nothing.
"""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import Box
from companion.vision.lie import Lie
from companion.vision.place import Homographies
from companion.vision.shared_pattern import HALF, Floats, label_drawing
from companion.vision.sighting import Grey

COARSE = 1.5
"""Modules a sample."""
SIDE = 19
"""Samples a side of the pattern: the label with the inner part of its frame."""
SLOW = 11
"""Samples over which is averaged to tell what changes slowly."""
AROUND = 51
"""Samples over which is averaged to tell how much there is to see at a place."""
LEAST_SPREAD = 2.0
"""Grey levels: where there is less to see, it is noise."""
APART = 12.0
"""Modules between two places, at least."""
LARGEST_TABLE = 1_500_000
"""Samples of a flattened table; more, and the horizon is in the picture, or the lie is wrong."""
LEAST_LIKENESS = 1.0
"""Places less like a label than this are left out."""

_TILE = 256
"""Samples a side of the parts in which the table is compared; a power of two, for speed."""
_ANGLES = np.arange(0, 90, 3.75)
"""Degrees over which the parts of the pattern are averaged."""


def likely_places(
    grey: Grey, lie: Lie, known: npt.NDArray[np.float64], most: int, within: Box | None = None
) -> Homographies:
    """Return the labels that there most likely are, at most so many, but for quarter turns; none near ``known``.

    ``known``: m x 2 pixels, the middles of labels that were found already.  With ``within`` that part alone is looked
    at, and the labels in it are told.
    """
    box = within or (0, 0, grey.shape[1], grey.shape[0])
    flat, onto = _flattened(grey, lie, box)
    if flat is None:
        return np.empty((0, 3, 3))
    like, fourfold = _likeness(flat)
    for place in known:
        x, y = cv2.perspectiveTransform(np.array([[place]], np.float64), onto)[0, 0]
        cv2.circle(like, (round(x), round(y)), round(APART / COARSE), -1, -1)
    around = np.ones((round(APART / COARSE),) * 2, np.uint8)
    rows, columns = np.nonzero((like >= cv2.dilate(like, around)) & (like > LEAST_LIKENESS))
    order = np.argsort(-like[rows, columns])[:most]
    rows, columns = rows[order], columns[order]
    if not len(rows):
        return np.empty((0, 3, 3))
    found = np.column_stack((columns, rows)).astype(np.float64)
    places = cv2.perspectiveTransform(found[None], np.linalg.inv(onto))[0]
    inside = (places >= box[:2]).all(axis=1) & (places < box[2:]).all(axis=1)
    degrees = np.degrees(np.arctan2(fourfold[1][rows, columns], fourfold[0][rows, columns])) / 4
    return lie.labels_at(places[inside], degrees[inside].astype(np.float64))


def _flattened(grey: Grey, lie: Lie, part: Box) -> tuple[Floats | None, npt.NDArray[np.float64]]:
    """Return the fine structure of the table as from straight above, 0 out of view; and the map from pixels to it.

    None when the lie cannot be.
    """
    left, top, right, foot = part
    box = np.array([[(left, top), (right, top), (right, foot), (left, foot)]], np.float64)
    depth = np.column_stack((box[0], np.ones(4))) @ lie.to_table[2]
    scale = HALF / COARSE
    if depth.min() <= 0:
        return None, lie.to_table
    reached = cv2.perspectiveTransform(box, lie.to_table)[0] * scale
    low = reached.min(axis=0) - SIDE / 2
    columns, rows = np.ceil(np.ptp(reached, axis=0) + SIDE).astype(int)
    if columns * rows > LARGEST_TABLE or min(columns, rows) <= 2 * SIDE:
        return None, lie.to_table
    onto = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]]) @ lie.to_table
    soft = cv2.GaussianBlur(grey[top:foot, left:right], (5, 5), 1.0)
    from_part = onto @ np.array([[1, 0, left], [0, 1, top], [0, 0, 1]])
    size = (int(columns), int(rows))
    flat = cv2.warpPerspective(soft, from_part, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    flat = cv2.subtract(flat, cv2.blur(flat, (SLOW, SLOW)), dtype=cv2.CV_32F)
    view = np.zeros(flat.shape, np.uint8)
    cv2.fillConvexPoly(view, np.rint(reached - low).astype(np.int32), 1)
    return np.asarray(cv2.multiply(flat, view, dtype=cv2.CV_32F), np.float32), onto


def _likeness(flat: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return how like a label each place is, and the two parts that tell its angle, four times over."""
    like, one, other = (np.empty_like(flat) for _ in range(3))
    rows, columns = flat.shape
    rim, step = SIDE // 2, _TILE - 2 * (SIDE // 2)
    room = cv2.copyMakeBorder(
        flat, rim, rim + -rows % step, rim, rim + -columns % step, cv2.BORDER_CONSTANT, value=(0,)
    )
    power = np.asarray(cv2.blur(cv2.multiply(flat, flat), (AROUND, AROUND)), np.float32)
    spread = np.sqrt(np.maximum(power, np.float32(LEAST_SPREAD**2)))
    for top in range(0, rows, step):
        for left in range(0, columns, step):
            spectrum = cv2.dft(room[top : top + _TILE, left : left + _TILE])
            here = np.s_[top : min(top + step, rows), left : min(left + step, columns)]
            inner = np.s_[rim : rim + like[here].shape[0], rim : rim + like[here].shape[1]]
            products = (cv2.mulSpectrums(spectrum, pattern, 0, conjB=True) for pattern in pattern_spectra())
            even, cos, sin = (
                cv2.idft(product, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)[inner] for product in products
            )
            one[here], other[here] = cos, sin
            like[here] = cv2.divide(cv2.scaleAdd(cv2.magnitude(cos, sin), 2.0, even), spread[here])
    return like, (one, other)


@cache
def pattern_spectra() -> tuple[Floats, ...]:
    """Return the spectra of the pattern's even part and of the two that turn, each with its middle at the corner."""
    turned = np.array([_pattern(float(degrees)) for degrees in _ANGLES])
    phase = np.radians(4 * _ANGLES)[:, None, None]
    spectra = []
    for part in (turned.mean(axis=0), (turned * np.cos(phase)).mean(axis=0), (turned * np.sin(phase)).mean(axis=0)):
        large = np.zeros((_TILE, _TILE), np.float32)
        large[:SIDE, :SIDE] = part
        large = np.roll(large, (-(SIDE // 2), -(SIDE // 2)), (0, 1))
        spectra.append(np.asarray(cv2.dft(large), np.float32))
    return tuple(spectra)


def _pattern(degrees: float) -> Floats:
    """Return the pattern turned clockwise: its fine structure, without mean and of length 1."""
    drawing, known, fine = label_drawing()
    drawing = np.where(known, drawing, _mean_light())
    ticks = (np.arange(SIDE) - (SIDE - 1) / 2) * COARSE
    x, y = np.meshgrid(ticks, ticks)
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    own_x, own_y = x * cos + y * sin, y * cos - x * sin
    total = np.zeros((SIDE, SIDE))
    for quarter_x, quarter_y in ((own_x, own_y), (own_y, -own_x), (-own_x, -own_y), (-own_y, own_x)):
        places = (quarter_x * fine + len(drawing) / 2, quarter_y * fine + len(drawing) / 2)
        column, row = (place.astype(int).clip(0, len(drawing) - 1) for place in places)
        total += drawing[row, column]
    inside = np.maximum(np.abs(own_x), np.abs(own_y)) <= _REACH
    total = np.where(inside, total - total[inside].mean(), 0)
    room = np.pad(total, SLOW)
    total = np.where(inside, total - cv2.blur(room, (SLOW, SLOW))[SLOW:-SLOW, SLOW:-SLOW], 0)
    total[inside] -= total[inside].mean()
    return np.asarray(total / np.linalg.norm(total), np.float32)


_REACH = 13.5
"""Modules from the middle to where the pattern ends: in the frame."""


def _mean_light() -> float:
    """Return the mean of what is known of all labels: what the data are taken for."""
    drawing, known, fine = label_drawing()
    middle, reach = drawing.shape[0] // 2, int(_REACH * fine)
    inner = slice(middle - reach, middle + reach)
    return float(drawing[inner, inner][known[inner, inner]].mean())
