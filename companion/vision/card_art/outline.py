"""Find cards in a picture by their outline: four straight sides, longer than wide."""

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, GreyPicture, Picture

Quad: TypeAlias = F32
"""float32 4 x 2 pixels: corners clockwise, a short side first."""

POLYGON_TOLERANCE = 0.03
"""Deviation of an outline from its polygon at most, as a share of its length."""
MIN_SIDE = 45.0
"""Pixels below which a card shows nothing."""
MIN_FILLED = 0.8
"""Share of the quadrilateral that an outline fills at least."""
MIN_ASPECT, MAX_ASPECT = 0.42, 0.95
"""The short side divided by the long one, as the camera sees them."""
CELL_PIXELS, MIN_GAIN_CHANGE, MAX_GAIN = 16, 0.02, 1.6
"""Pixels of the cells from which the light is estimated; gains that are ignored, and those that no camera applies."""
MIN_CHANGE, NOISE_FACTOR = 10.0, 4.0
"""Grey levels, and multiples of the noise, from which on a change is no noise."""
STRIP_ROWS, SOFTENED_ROWS = 256, 2
"""Rows that are compared at once, so that a large picture takes little memory, and rows to which softening reaches."""
SINGLE_SIZE, SINGLE_BORDER, SINGLE_ROUNDS, SINGLE_SHARE = 420, 0.03, 4, 0.12
"""For a single card: pixels of the picture that is segmented, share of its border that is certainly table, rounds of
GrabCut, and share of the picture that the card fills at least."""


def find_outlines(ground: Picture, picture: Picture) -> list[Quad]:
    """Return what lies in a picture and not in that of the empty place, the largest first; both uint8, of one shape."""
    change = _measure_change(ground, picture)
    noise = 2 * _compute_percentile(change, 20)  # a median would be better, but a card may cover most of the part
    mask = (change > max(MIN_CHANGE, NOISE_FACTOR * noise)).view(np.uint8)
    del change
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    quads = _fit_quads(mask, MIN_SIDE * MIN_SIDE)
    return sorted(quads, key=lambda quad: -float(cv2.contourArea(quad)))


def _compute_percentile(levels: GreyPicture, percent: float) -> float:
    """Return what ``np.percentile`` does, without a copy of the picture."""
    counts = np.cumsum(cv2.calcHist([levels], [0], None, [256], [0, 256]).astype(np.int64))
    place = percent / 100 * (levels.size - 1)
    below, above = np.searchsorted(counts, [int(place), int(np.ceil(place))], side="right")
    return float(below + (above - below) * (place % 1))


def _measure_change(ground: Picture, picture: Picture) -> GreyPicture:
    """Return the difference of two softened pictures, that of the colour that differs most; by strips of rows."""
    height, width = picture.shape[:2]
    change = np.empty((height, width), np.uint8)
    for top in range(0, height, STRIP_ROWS):
        before = min(top, SOFTENED_ROWS)
        softened = [
            cv2.GaussianBlur(whole[top - before : top + STRIP_ROWS + SOFTENED_ROWS], (5, 5), 0)
            for whole in (picture, ground)
        ]
        difference = cv2.absdiff(*softened)[before : before + STRIP_ROWS]
        change[top : top + STRIP_ROWS] = difference if difference.ndim == 2 else difference.max(axis=2)  # noqa: PLR2004 - grey
    return change


def match_illumination(ground: Picture, picture: Picture) -> Picture:
    """Return the picture of the empty place as it would look in the light of a later one with little else on it.

    Cameras change exposure and white balance when something light comes in. Beyond ``MAX_GAIN`` it is another lamp, and
    the picture is returned unchanged.
    """
    size = (max(1, ground.shape[1] // CELL_PIXELS), max(1, ground.shape[0] // CELL_PIXELS))
    before, now = (
        cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.float32).reshape(size[0] * size[1], -1) + 1
        for frame in (ground, picture)
    )
    gain = np.median(now / before, axis=0)
    slight = float(np.abs(gain - 1).max()) < MIN_GAIN_CHANGE
    if slight or not 1 / MAX_GAIN <= float(gain.min()) <= float(gain.max()) <= MAX_GAIN:
        return ground
    tones = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)  # a row for each tone, a column a colour
    return np.asarray(cv2.LUT(ground, tones[None]), np.uint8)


def find_single_card(picture: Picture) -> Quad | None:
    """Return the card in the middle of a picture that shows nothing else (GrabCut, Rother et al. 2004), or None."""
    height, width = picture.shape[:2]
    scale = min(SINGLE_SIZE / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    small = np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8) if small.ndim == 2 else small  # noqa: PLR2004 - grey
    if min(size) < MIN_SIDE:
        return None
    margin = (round(SINGLE_BORDER * size[0]), round(SINGLE_BORDER * size[1]))
    inside = (*margin, size[0] - 2 * margin[0], size[1] - 2 * margin[1])
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.grabCut(small, mask, inside, np.zeros((1, 65)), np.zeros((1, 65)), SINGLE_ROUNDS, cv2.GC_INIT_WITH_RECT)
    card = np.asarray((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), np.uint8)
    closed = cv2.morphologyEx(card, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    quads = _fit_quads(np.asarray(opened, np.uint8), SINGLE_SHARE * size[0] * size[1])
    if not quads:
        return None
    largest = max(quads, key=lambda quad: float(cv2.contourArea(quad)))
    return np.asarray((largest + 0.5) / scale - 0.5, np.float32)


def turn_upright(quad: Quad) -> Quad:
    """Return the corners with the upper one of the short sides first, as seen in the picture."""
    return quad if quad[:2, 1].mean() <= quad[2:, 1].mean() else np.roll(quad, 2, axis=0)


def _fit_quads(mask: GreyPicture, min_area: float) -> list[Quad]:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = (_fit_quad(np.asarray(contour, np.int32), min_area) for contour in contours)
    return [quad for quad in quads if quad is not None]


def _fit_quad(contour: npt.NDArray[np.int32], min_area: float) -> Quad | None:
    """Return the corners of a contour, or None if it is no card."""
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(hull))
    if area < min_area:
        return None
    tolerance = POLYGON_TOLERANCE * cv2.arcLength(hull, closed=True)
    rough = cv2.approxPolyDP(hull, tolerance, closed=True)[:, 0].astype(np.float32)
    if len(rough) != 4:  # noqa: PLR2004 - corners
        rough = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32)
    if area < MIN_FILLED * float(cv2.contourArea(rough)):
        return None
    return _order_corners(_intersect_sides(hull[:, 0].astype(np.float32), rough))


def _intersect_sides(hull: F32, rough: Quad) -> Quad:
    """Return the intersections of lines fitted to the middle of each side: corners are round, sides are not."""
    lines = []
    dense = _interpolate(hull)
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        side = end - start
        length = float(np.hypot(*side))
        if length < 1:
            return rough
        unit = side / length
        position = (dense - start) @ unit / length
        distance = np.abs((dense - start) @ np.array([-unit[1], unit[0]], np.float32))
        middle = dense[(position > 0.15) & (position < 0.85) & (distance < 0.06 * length + 2)]  # noqa: PLR2004 - the middle part
        if len(middle) < 8:  # noqa: PLR2004 - points of a line
            return rough
        vx, vy, x, y = cv2.fitLine(middle, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    corners = [np.cross(lines[at - 1], lines[at]) for at in range(4)]
    if any(abs(corner[2]) < 1e-6 for corner in corners):  # noqa: PLR2004 - parallel sides
        return rough
    return np.array([corner[:2] / corner[2] for corner in corners], np.float32)


def _interpolate(hull: F32) -> F32:
    """Return a point for every pixel along a hull."""
    pieces = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        steps = max(int(np.hypot(*(end - start))), 1)
        pieces.append(start + np.arange(steps)[:, None] / steps * (end - start))
    return np.concatenate(pieces).astype(np.float32)


def _order_corners(quad: Quad) -> Quad | None:
    """Return the corners clockwise with a short side first, or None if the shape is no card's."""
    if float(cv2.contourArea(quad, oriented=True)) < 0:
        quad = quad[::-1]
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    short, long = min(first, second), max(first, second)
    if short < MIN_SIDE or not MIN_ASPECT <= short / long <= MAX_ASPECT or not cv2.isContourConvex(quad):
        return None
    return np.ascontiguousarray(quad if first <= second else np.roll(quad, -1, axis=0), np.float32)
