"""One picture out of several frames of a table at rest: noise falls, and what drowned in it is read."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey

FURTHEST = 24.0
"""Pixels: a frame that seems further off than this shows something else, or nothing to tell by."""
STILL = 0.3
"""Pixels: a frame that is no further off lies right as it is."""

_SCALES = (1 / 8, 1 / 4)
_STEPS = 4


def offset_between(grey: Grey, other: Grey) -> tuple[float, float]:
    """Return how far ``other`` is moved against ``grey``, in pixels: by least squares on reduced pictures.

    Phase correlation would weigh all frequencies alike, and in bad light lock onto the camera's own fixed noise; what
    is large and strong on the table counts here.
    """
    x = y = 0.0
    for scale in _SCALES:
        here, there = _shrunk(grey, scale), _shrunk(other, scale)
        across, down = cv2.Sobel(here, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(here, cv2.CV_32F, 0, 1) / 8
        slopes = np.array([[np.vdot(across, across), np.vdot(across, down)], [0, np.vdot(down, down)]], np.float64)
        slopes[1, 0] = slopes[0, 1]
        slopes += np.eye(2)
        for _ in range(_STEPS):
            off = _moved(there, -x * scale, -y * scale) - here
            step = np.linalg.solve(slopes, np.array([np.vdot(across, off), np.vdot(down, off)], np.float64))
            x, y = x - float(step[0]) / scale, y - float(step[1]) / scale
    return x, y


def averaged(frames: Sequence[Grey]) -> Grey:
    """Return the mean of the frames, each moved to where the last one is; those that cannot be are left out.

    Raises:
        ValueError: without frames.

    """
    if not frames:
        raise ValueError("there is no mean of no frames")
    last = frames[-1]
    total = last.astype(np.float32)
    counted = 1
    for frame in frames[:-1]:
        if frame.shape != last.shape or min(last.shape) < FURTHEST:
            continue
        x, y = offset_between(last, frame)
        if max(abs(x), abs(y)) > FURTHEST:
            continue
        total += _moved(frame, -x, -y) if max(abs(x), abs(y)) > STILL else frame
        counted += 1
    return np.rint(total / counted).astype(np.uint8)


def _shrunk(grey: Grey, scale: float) -> npt.NDArray[np.float32]:
    """Return the picture reduced and softened, so that small movements are seen as slopes."""
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.5), np.float32)


def _moved(picture: npt.NDArray[Any], x: float, y: float) -> npt.NDArray[Any]:
    """Return the picture moved; what comes in at the edge is what was there."""
    shift = np.array([[1, 0, x], [0, 1, y]], np.float64)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, shift, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))
