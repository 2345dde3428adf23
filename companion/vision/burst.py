"""Average several frames of a table at rest, so that noise falls and what drowned in it can be read."""

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, GreyPicture

MAX_OFFSET = 24.0
"""Pixels of offset from which on a frame shows something else, or nothing that can be compared."""
MIN_OFFSET = 0.3
"""Pixels of offset below which a frame is not shifted."""
MAX_SUMMED = 257
"""Frames whose sum fits 16 bits; the noise of a mean of so many is that of none."""
STRIP_ROWS = 256
"""Rows that are divided at once, so that a large picture takes little memory."""

_SCALES = (1 / 8, 1 / 4)
_STEPS = 4


class FrameSum:
    """Adds up frames of one size, so that of any number only their sum takes memory."""

    def __init__(self, first: GreyPicture) -> None:
        """Begin with one frame."""
        self._total = first.astype(np.uint16)
        self.count = 1

    def add(self, frame: GreyPicture) -> None:
        """Add a frame of the same size; after ``MAX_SUMMED`` frames nothing changes any more."""
        if self.count < MAX_SUMMED:
            self._total += frame
            self.count += 1

    def compute_mean(self) -> GreyPicture:
        """Return the mean of the frames."""
        mean = np.empty(self._total.shape, np.uint8)
        for top in range(0, len(mean), STRIP_ROWS):
            mean[top : top + STRIP_ROWS] = np.rint(self._total[top : top + STRIP_ROWS] / self.count)
        return mean


def average_frames(last: GreyPicture, others: Iterable[GreyPicture]) -> GreyPicture:
    """Return the mean of frames, each shifted onto the last; frames that cannot be aligned are left out.

    ``others`` are taken in turn, so that they need not all be in memory.
    """
    total = FrameSum(last)
    for frame in others:
        if frame.shape != last.shape or min(last.shape) < MAX_OFFSET:
            continue
        x, y = estimate_offset(last, frame)
        if max(abs(x), abs(y)) > MAX_OFFSET:
            continue
        total.add(_shift(frame, -x, -y) if max(abs(x), abs(y)) > MIN_OFFSET else frame)
        del frame  # before the next exists
    return total.compute_mean()


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
