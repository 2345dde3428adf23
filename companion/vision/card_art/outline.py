"""Cards lying in a picture, found by their outline: four straight sides, longer than broad."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey, Picture

Quad = npt.NDArray[np.float32]
"""float32 4 x 2, pixels: the corners in the order of the clock, a short side first."""

STRAIGHT = 0.03
"""How far an outline may bend, as a share of its length."""
SMALL, BORDER, ROUNDS, ALONE_SHARE = 420, 0.03, 4, 0.12
"""For a card alone: pixels of the picture it is sought in, how much of the edge is surely table, how often light and
dark are told apart anew, and how much of the picture it fills at least."""
LEAST_SIDE = 45.0
"""Pixels: what is shorter shows nothing."""
FILLS = 0.8
"""So much of its four corners an outline fills at least."""
THINNEST, BROADEST = 0.42, 0.95
"""The short side as a share of the long one, as the camera sees them."""
REDUCED, LEAST_GAIN, MOST_GAIN = 16, 0.02, 1.6
"""Light is told from cells of so many pixels; what is no change of it, and what no camera does by itself."""
LEAST_CHANGE, TIMES_NOISE = 10.0, 4.0
"""Grey levels, and times what the rest of the picture changes by, that are no noise."""


def laid_on(ground: Picture, picture: Picture) -> list[Quad]:
    """Find what lies in a picture and not in that of the empty place, the largest first; both uint8, of one shape."""
    changed = cv2.absdiff(cv2.GaussianBlur(picture, (5, 5), 0), cv2.GaussianBlur(ground, (5, 5), 0))
    most = changed if changed.ndim == 2 else changed.max(axis=2)  # noqa: PLR2004 - grey
    noise = 2 * float(np.percentile(most, 20))  # half of it would do, but a card may cover most of the part
    mask = np.asarray(most > max(LEAST_CHANGE, TIMES_NOISE * noise), np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    whole = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    found = _quads(np.asarray(whole, np.uint8), LEAST_SIDE * LEAST_SIDE)
    return sorted(found, key=lambda quad: -float(cv2.contourArea(quad)))


def relit(ground: Picture, picture: Picture) -> Picture:
    """Give the empty place as it would look in the light of a later picture of it, on which little else lies.

    Cameras set exposure and white balance anew when something light comes in; beyond ``MOST_GAIN`` it is another lamp,
    and the place is given as it was.
    """
    size = (max(1, ground.shape[1] // REDUCED), max(1, ground.shape[0] // REDUCED))
    before, now = (
        cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32).reshape(size[0] * size[1], -1) + 1
        for one in (ground, picture)
    )
    gain = np.median(now / before, axis=0)
    slight = float(np.abs(gain - 1).max()) < LEAST_GAIN
    if slight or not 1 / MOST_GAIN <= float(gain.min()) <= float(gain.max()) <= MOST_GAIN:
        return ground
    return np.asarray(np.clip(ground * (gain if ground.ndim > 2 else gain[0]), 0, 255), np.uint8)  # noqa: PLR2004 - axes


def _quads(mask: Grey, least: float) -> list[Quad]:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = (_quad(np.asarray(contour, np.int32), least) for contour in contours)
    return [quad for quad in quads if quad is not None]


def _quad(contour: npt.NDArray[np.int32], least: float) -> Quad | None:
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(hull))
    if area < least:
        return None
    rough = cv2.approxPolyDP(hull, STRAIGHT * cv2.arcLength(hull, closed=True), closed=True)[:, 0].astype(np.float32)
    if len(rough) != 4:  # noqa: PLR2004 - corners
        rough = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32)
    if area < FILLS * float(cv2.contourArea(rough)):
        return None
    return _ordered(_fitted(hull[:, 0].astype(np.float32), rough))


def _fitted(hull: npt.NDArray[np.float32], rough: Quad) -> Quad:
    """Fit a line to each side's middle part and let them meet: corners are round, sides are not."""
    lines = []
    dense = _dense(hull)
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        if length < 1:
            return rough
        unit = along / length
        there = (dense - start) @ unit / length
        off = np.abs((dense - start) @ np.array([-unit[1], unit[0]], np.float32))
        near = dense[(there > 0.15) & (there < 0.85) & (off < 0.06 * length + 2)]  # noqa: PLR2004 - the middle part
        if len(near) < 8:  # noqa: PLR2004 - points of a line
            return rough
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    corners = [np.cross(lines[at - 1], lines[at]) for at in range(4)]
    if any(abs(corner[2]) < 1e-6 for corner in corners):  # noqa: PLR2004 - sides that do not meet
        return rough
    return np.array([corner[:2] / corner[2] for corner in corners], np.float32)


def _dense(hull: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Put a point on every pixel of a hull."""
    pieces = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        steps = max(int(np.hypot(*(end - start))), 1)
        pieces.append(start + np.arange(steps)[:, None] / steps * (end - start))
    return np.concatenate(pieces).astype(np.float32)


def _ordered(quad: Quad) -> Quad | None:
    if float(cv2.contourArea(quad, oriented=True)) < 0:
        quad = quad[::-1]
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    short, long = min(first, second), max(first, second)
    if short < LEAST_SIDE or not THINNEST <= short / long <= BROADEST or not cv2.isContourConvex(quad):
        return None
    return np.ascontiguousarray(quad if first <= second else np.roll(quad, -1, axis=0), np.float32)


def alone_in(picture: Picture) -> Quad | None:
    """Find the card that lies alone in the middle of a picture, as people photograph one (Rother et al., 2004)."""
    height, width = picture.shape[:2]
    scale = min(SMALL / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    coloured = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture  # noqa: PLR2004 - grey
    small = np.asarray(cv2.resize(coloured, size, interpolation=cv2.INTER_AREA), np.uint8)
    if min(size) < LEAST_SIDE:
        return None
    margin = (round(BORDER * size[0]), round(BORDER * size[1]))
    inside = (*margin, size[0] - 2 * margin[0], size[1] - 2 * margin[1])
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.grabCut(small, mask, inside, np.zeros((1, 65)), np.zeros((1, 65)), ROUNDS, cv2.GC_INIT_WITH_RECT)
    card = np.asarray((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), np.uint8)
    closed = cv2.morphologyEx(card, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    found = _quads(np.asarray(opened, np.uint8), ALONE_SHARE * size[0] * size[1])
    if not found:
        return None
    largest = max(found, key=lambda quad: float(cv2.contourArea(quad)))
    return np.asarray((largest + 0.5) / scale - 0.5, np.float32)


def upright(quad: Quad) -> Quad:
    """Turn an outline so that its first side is the upper one of the short ones, as seen in the picture."""
    return quad if quad[:2, 1].mean() <= quad[2:, 1].mean() else np.roll(quad, 2, axis=0)
