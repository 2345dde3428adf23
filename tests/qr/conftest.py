"""Pictures of symbols."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
import segno

from companion.qr.sighting import GreyPicture

Symbol = Callable[..., tuple[GreyPicture, np.ndarray]]


@pytest.fixture
def symbol() -> Symbol:
    """A picture of one symbol turned by degrees, and its true corners from its own top left."""

    def draw(text: str, degrees: float = 0, version: int = 1, module: int = 6) -> tuple[GreyPicture, np.ndarray]:
        code = segno.make(text, version=version, error="h", micro=False, boost_error=False)
        flat = np.array([[0 if dark else 255 for dark in row] for row in code.matrix], np.uint8)
        flat = np.repeat(np.repeat(flat, module, axis=0), module, axis=1)
        side = len(flat)
        size = int(side * 1.8)
        start = (size - side) // 2
        picture = np.full((size, size), 255, np.uint8)
        picture[start : start + side, start : start + side] = flat
        turn = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), degrees, 1)
        turned = cv2.warpAffine(picture, turn, (size, size), borderValue=(255, 255, 255, 255))
        end = start + side
        corners = np.array([(start, start), (end, start), (end, end), (start, end)], np.float64) - 0.5
        return np.asarray(turned, np.uint8), corners @ turn[:, :2].T + turn[:, 2] + 0.5

    return draw
