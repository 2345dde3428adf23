"""Finds the frames of labels: white quadrilaterals that are closed in by something darker.

No reader is asked here; what is found is only worth a closer look.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.sighting import Grey

Quads = npt.NDArray[np.float32]
"""float32, n x 4 x 2: corners clockwise in the picture, in pixels; the middle of the first pixel is (0, 0)."""

WINDOW = 25
"""Pixels: how far the mean reaches that a pixel must be darker than.  The frame is much thinner, the label wider."""

SMALLEST, LARGEST = 17.0, 150.0
"""Pixels: the sides of a white square that are looked at."""

CELL = 4
"""Pixels a side of the cells in which is asked where there is much to see."""
BUSY = 1.2
"""How many times as much as in the usual cell there must be to see where a label may be."""

_LEAST_SOLID = 0.72
"""Least share of its convex hull that a white square fills."""
_LEAST_SQUARE = 0.3
"""Least share that the shortest side is of the longest."""
_MIDDLE = 0.38
"""How far from a side's middle points still count for it, as a share of the side."""
_OUTWARDS = 0.5
"""Pixels by which the outline of a hole runs outside it, through the middles of the dark pixels."""


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


def frames_in(grey: Grey, darkness: Darkness) -> Quads:
    """Return the light quadrilaterals in a picture that something darker encloses: the insides of frames."""
    if darkness.reduced == 1:
        return quads_in(dark_parts(grey, darkness))
    size = (grey.shape[1] // darkness.reduced, grey.shape[0] // darkness.reduced)
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    scale = np.array([grey.shape[1] / size[0], grey.shape[0] / size[1]], np.float32)
    found = quads_in(dark_parts(small, darkness), darkness.reduced)
    return np.asarray((found + 0.5) * scale - 0.5, np.float32)


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


def quads_in(dark: Grey, reduced: int = 1) -> Quads:
    """Return the light quadrilaterals that dark pixels enclose, in a picture that was so many times larger."""
    outlines, family = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return np.empty((0, 4, 2), np.float32)
    least = SMALLEST / reduced
    holes = np.flatnonzero(np.asarray(family)[0, :, 3] >= 0)
    long = (outlines[int(hole)] for hole in holes)
    found = [_quad(np.asarray(outline, np.int32), least) for outline in long if len(outline) >= 2.8 * least]
    kept = [quad for quad in found if quad is not None]
    return np.array(kept, np.float32).reshape(-1, 4, 2)


def _quad(outline: npt.NDArray[np.int32], least: float) -> npt.NDArray[np.float32] | None:
    """Return the quadrilateral that an outline is, with sides fitted to a fraction of a pixel; None if it is none."""
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    if not least**2 * 0.6 <= area <= LARGEST**2 or cv2.contourArea(outline) < _LEAST_SOLID * area:
        return None
    corners = _four_corners(np.asarray(hull, np.int32))
    if corners is None:
        return None
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    if sides.min() < _LEAST_SQUARE * sides.max() or sides.max() > LARGEST:
        return None
    return _with_fitted_sides(outline[:, 0].astype(np.float32), corners)


def _four_corners(hull: npt.NDArray[np.int32]) -> npt.NDArray[np.float32] | None:
    """Return the four corners that a hull has when small bends are ignored."""
    around = cv2.arcLength(hull, closed=True)
    for share in (0.03, 0.05, 0.07, 0.09, 0.12):
        corners = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(corners) == 4:  # noqa: PLR2004 - a quadrilateral
            return np.asarray(corners[:, 0], np.float32)
        if len(corners) < 4:  # noqa: PLR2004 - a quadrilateral
            return None
    return None


def _with_fitted_sides(points: npt.NDArray[np.float32], corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the corners where lines through the outline's points meet; the points near the corners do not count."""
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along)) or 1.0
        along = along / length
        share = (points - start) @ along / length
        off = np.abs((points - start) @ np.array([-along[1], along[0]], np.float32))
        near = points[(np.abs(share - 0.5) < _MIDDLE) & (off < max(1.6, 0.06 * length))]
        if len(near) < 5:  # noqa: PLR2004 - too few to say better
            lines.append((start, along))
            continue
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y], np.float32), np.array([vx, vy], np.float32)))
    better = corners.copy()
    for number in range(4):
        (a, u), (b, v) = lines[number - 1], lines[number]
        cross = float(u[0] * v[1] - u[1] * v[0])
        if abs(cross) > 0.2:  # noqa: PLR2004 - sides that hardly bend meet anywhere
            step = float((b[0] - a[0]) * v[1] - (b[1] - a[1]) * v[0]) / cross
            meeting = a + step * u
            if np.hypot(*(meeting - corners[number])) < 4:  # noqa: PLR2004 - pixels
                better[number] = meeting
    middle = better.mean(axis=0)
    better += (middle - better) * (2 * _OUTWARDS / np.linalg.norm(better[2] - better[0]) * 2**0.5)
    (ax, ay), (bx, by) = better[2] - better[0], better[3] - better[1]
    return better if ax * by > ay * bx else better[::-1].copy()
