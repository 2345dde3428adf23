"""Seeks labels on a table of which it is known how labels lie there.

The whole table, flattened, is compared with what all labels have in common, whatever their angle.
"""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import Box
from companion.vision.deck.flat_table import flat_table
from companion.vision.deck.lie import Lie
from companion.vision.label.place import Homographies
from companion.vision.label.shared_pattern import Floats
from companion.vision.label.sighting import Grey
from companion.vision.label.turning_pattern import COARSE, SIDE, TILE, pattern_parts, pattern_spectra

AROUND = 43
"""Samples over which is averaged to tell how much there is to see at a place."""
LEAST_SPREAD = 2.0
"""Grey levels: where there is less to see, it is noise."""
APART = 12.0
"""Modules between two places, at least."""
LEAST_LIKENESS = 1.0
"""Places less like a label than this are left out."""


def likely_places(
    grey: Grey, lie: Lie, known: npt.NDArray[np.float64], most: int, within: Box | None = None
) -> Homographies:
    """Return the labels that there most likely are, at most so many, but for quarter turns; none near ``known``.

    ``known``: m x 2 pixels, the middles of labels that were found already.  With ``within`` that part alone is looked
    at, and the labels in it are told.
    """
    box = within or (0, 0, grey.shape[1], grey.shape[0])
    flat, onto = flat_table(grey, lie, box)
    if flat is None:
        return np.empty((0, 3, 3))
    like = likeness(flat)
    for place in known:
        x, y = cv2.perspectiveTransform(np.array([[place]], np.float64), onto)[0, 0]
        cv2.circle(like, (round(x), round(y)), round(APART / COARSE), -1, -1)
    rows, columns = _peaks(like, most)
    if not len(rows):
        return np.empty((0, 3, 3))
    found = np.column_stack((columns + _between(like, rows, columns, 1), rows + _between(like, rows, columns, 0)))
    places = cv2.perspectiveTransform(found[None], np.linalg.inv(onto))[0]
    inside = (places >= box[:2]).all(axis=1) & (places < box[2:]).all(axis=1)
    return lie.labels_at(places[inside], _degrees(flat, rows, columns)[inside])


def _peaks(like: Floats, most: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the rows and columns of the places that are most like a label, at most so many, none near another."""
    around = np.ones((round(APART / COARSE),) * 2, np.uint8)
    highest = (like >= cv2.dilate(like, around)) & (like > LEAST_LIKENESS)
    rows, columns = np.divmod(np.flatnonzero(highest), like.shape[1])
    order = np.argsort(-like[rows, columns])[:most]
    return rows[order], columns[order]


def _between(
    like: Floats, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], axis: int
) -> npt.NDArray[np.float64]:
    """Return how far beside these samples peaks are along an axis, n samples: by parabolas through three of them."""
    last = like.shape[axis] - 1
    at = (rows, columns)[axis]
    before, here, after = (
        np.asarray(like[(near, columns) if axis == 0 else (rows, near)], np.float64)
        for near in (np.maximum(at - 1, 0), at, np.minimum(at + 1, last))
    )
    bend = np.maximum(2 * here - before - after, 1e-6)
    return np.asarray(np.clip((after - before) / (2 * bend), -0.5, 0.5), np.float64)


def _degrees(flat: Floats, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """Return by how much labels at these places of the table are turned, but for quarters, n degrees clockwise."""
    rim = SIDE // 2
    room = cv2.copyMakeBorder(flat, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(0,))
    shown = np.lib.stride_tricks.sliding_window_view(room, (SIDE, SIDE))[rows, columns].reshape(len(rows), -1)
    _, cos, sin = (shown @ part.ravel() for part in pattern_parts())
    return np.asarray(np.degrees(np.arctan2(sin, cos)) / 4, np.float64)


def likeness(flat: Floats) -> Floats:
    """Return how like a label each place is; 0 where the table is out of view."""
    rows, columns = flat.shape
    rim, step = SIDE // 2, TILE - 2 * (SIDE // 2)
    room = cv2.copyMakeBorder(
        flat, rim, rim + -rows % step, rim, rim + -columns % step, cv2.BORDER_CONSTANT, value=(0,)
    )
    like = np.zeros((len(room) - 2 * rim, room.shape[1] - 2 * rim), np.float32)
    spectrum, product, *shown = (np.empty((TILE, TILE), np.float32) for _ in range(5))
    inner = np.s_[rim : rim + step, rim : rim + step]
    for top in range(0, rows, step):
        for left in range(0, columns, step):
            tile = room[top : top + TILE, left : left + TILE]
            if not tile[inner].any():
                continue
            cv2.dft(tile, spectrum)
            for part, factors in zip(shown, pattern_spectra(), strict=True):
                cv2.multiply(spectrum, factors, product)
                cv2.idft(product, part, cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
            even, cos, sin = (part[inner] for part in shown)
            like[top : top + step, left : left + step] = cv2.scaleAdd(
                cv2.magnitude(cos, sin, product[inner]), 2.0, even
            )
    return np.asarray(cv2.divide(like[:rows, :columns], spread(flat)), np.float32)


def spread(flat: Floats) -> Floats:
    """Return how much there is to see round each place, in grey levels."""
    power = cv2.blur(cv2.multiply(flat, flat), (AROUND, AROUND))
    return np.sqrt(np.maximum(np.asarray(power, np.float32), np.float32(LEAST_SPREAD**2)))
