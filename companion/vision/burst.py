"""Average several frames of a table at rest, so that noise falls and what drowned in it can be read."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, GreyPicture

MAX_OFFSET = 24.0
"""Pixels of offset from which on a frame shows something else, or nothing that can be compared."""
MIN_OFFSET = 0.3
"""Pixels of offset below which a frame is not shifted."""

_SCALES = (1 / 8, 1 / 4)
_STEPS = 4


def average_frames(frames: Sequence[GreyPicture]) -> GreyPicture:
    """Return the mean of the frames, each shifted onto the last; frames that cannot be aligned are left out.

    Raises:
        ValueError: without frames.

    """
    if not frames:
        raise ValueError("there is no mean of no frames")
    last = frames[-1]
    total = last.astype(np.float32)
    count = 1
    for frame in frames[:-1]:
        if frame.shape != last.shape or min(last.shape) < MAX_OFFSET:
            continue
        x, y = estimate_offset(last, frame)
        if max(abs(x), abs(y)) > MAX_OFFSET:
            continue
        total += _shift(frame, -x, -y) if max(abs(x), abs(y)) > MIN_OFFSET else frame
        count += 1
    return np.rint(total / count).astype(np.uint8)


def estimate_offset(grey: GreyPicture, other: GreyPicture) -> tuple[float, float]:
    """Return the offset of ``other`` against ``grey`` in pixels, by least squares on reduced pictures.

    Phase correlation would weigh all frequencies alike, and in bad light lock onto the camera's fixed-pattern noise;
    here what is large and strong on the table counts.
    """
    x = y = 0.0
    for scale in _SCALES:
        first, second = _reduce(grey, scale), _reduce(other, scale)
        across, down = cv2.Sobel(first, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(first, cv2.CV_32F, 0, 1) / 8
        normal = np.array([[np.vdot(across, across), np.vdot(across, down)], [0, np.vdot(down, down)]], np.float64)
        normal[1, 0] = normal[0, 1]
        normal += np.eye(2)
        for _ in range(_STEPS):
            residual = _shift(second, -x * scale, -y * scale) - first
            products = np.array([np.vdot(across, residual), np.vdot(down, residual)], np.float64)
            step = np.linalg.solve(normal, products)
            x, y = x - float(step[0]) / scale, y - float(step[1]) / scale
    return x, y


def _reduce(grey: GreyPicture, scale: float) -> F32:
    """Return the picture reduced and blurred, so that small offsets show as gradients."""
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.5), np.float32)


def _shift(picture: npt.NDArray[Any], x: float, y: float) -> npt.NDArray[Any]:
    """Return the picture shifted by pixels; its edge is replicated."""
    shift = np.array([[1, 0, x], [0, 1, y]], np.float64)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, shift, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))
