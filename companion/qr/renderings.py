"""Renderings of a picture in other sizes and tones, each of which brings out codes that the others lose.

They were chosen and ordered by what each adds to the ones before it for the pixels that it costs: on half of the
photographs that the tests know, as they are and degraded in ten ways; ``docs/reading.md`` has the figures.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from companion.qr.arrays import Corners, GreyPicture

SMALL = 300_000
"""Pixels of a picture that shows a code at its full size, and neither its own grain nor that of the paper."""
TINY = 80_000

LOCAL = zxingcpp.Binarizer.LocalAverage
GLOBAL = zxingcpp.Binarizer.GlobalHistogram

RIM = 3 / 16
"""Margin round a rectified symbol, in sides of the symbol."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """One way to render a picture.

    ``tone``: what is done to the picture after it was resized. ``size``: factor for its sides, or None for at most
    ``pixels`` in all. ``binarizer``: how the decoder separates dark from light.
    """

    tone: Callable[[GreyPicture], GreyPicture] | None = None
    size: float | None = 1.0
    pixels: int = SMALL
    binarizer: zxingcpp.Binarizer = LOCAL

    def scale(self, grey: GreyPicture) -> float:
        """Return the factor from the picture's sides to those of the rendering."""
        return self.size if self.size is not None else min(1.0, float(np.sqrt(self.pixels / grey.size)))

    def cost(self, grey: GreyPicture) -> float:
        """Return the number of pixels that the rendering has."""
        return grey.size * self.scale(grey) ** 2

    def render(self, grey: GreyPicture) -> GreyPicture:
        """Return the rendered picture."""
        scaled = resize(grey, self.scale(grey))
        return scaled if self.tone is None else self.tone(scaled)


def resize(grey: GreyPicture, scale: float) -> GreyPicture:
    """Return the picture with its sides ``scale`` times as long."""
    if scale == 1:
        return grey
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    interpolation = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(grey, size, interpolation=interpolation), np.uint8)


def rectify_symbol(grey: GreyPicture, corners: Corners, side: int) -> GreyPicture:
    """Return the symbol with these corners as seen from straight above, with a margin.

    The symbol is ``side`` pixels wide and high; its own top left lies at ``side * RIM`` in both directions.
    """
    rim = side * RIM
    square = np.array([(rim, rim), (rim + side, rim), (rim + side, rim + side), (rim, rim + side)], np.float32)
    homography = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    size = round(side + 2 * rim)
    flat = cv2.warpPerspective(grey, homography, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def make_gamma_filter(gamma: float) -> Callable[[GreyPicture], GreyPicture]:
    """Return a filter that makes a picture brighter (gamma below 1) or darker (above 1)."""
    tones = np.round(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return lambda grey: np.asarray(cv2.LUT(grey, tones), np.uint8)


def make_unsharp_filter(sigma: float) -> Callable[[GreyPicture], GreyPicture]:
    """Return an unsharp mask: a filter that reduces blur of about ``sigma`` pixels."""

    def sharpen(grey: GreyPicture) -> GreyPicture:
        soft = cv2.GaussianBlur(grey, (0, 0), sigma)
        return np.asarray(cv2.addWeighted(grey, 3.0, soft, -2.0, 0), np.uint8)

    return sharpen


def normalise_illumination(grey: GreyPicture) -> GreyPicture:
    """Return the picture divided by its local mean, which removes shadows and gradients."""
    window = max(15, min(grey.shape) // 10) | 1
    local_mean = cv2.blur(grey, (window, window)).astype(np.float32) + 8
    return np.asarray(np.clip(grey / local_mean * 128, 0, 255), np.uint8)


def equalise_contrast(grey: GreyPicture) -> GreyPicture:
    """Return the picture with full contrast in every part (CLAHE)."""
    return np.asarray(cv2.createCLAHE(4.0, (6, 6)).apply(grey), np.uint8)


def remove_grain(grey: GreyPicture) -> GreyPicture:
    """Return the picture after a median filter, which removes grain and small spots."""
    return np.asarray(cv2.medianBlur(grey, 5), np.uint8)


def binarise(grey: GreyPicture, window: int | None = None) -> GreyPicture:
    """Return 0 where the softened picture is darker than its surroundings, else 255.

    ``window``: pixels a side of these surroundings; a tenth of the picture's shorter side if not given.
    """
    window = max(11, min(grey.shape) // 10) | 1 if window is None else window
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    return np.asarray(
        cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, 2), np.uint8
    )


CASCADE = (
    Rendering(make_gamma_filter(0.5), 0.5),
    Rendering(make_gamma_filter(2.2), 0.5),
    Rendering(None, 0.5, binarizer=GLOBAL),
    Rendering(equalise_contrast, None),
    Rendering(normalise_illumination, None),
    Rendering(make_gamma_filter(2.2)),
    Rendering(None, binarizer=GLOBAL),
    Rendering(make_gamma_filter(0.25), None),
    Rendering(None, None, TINY),
    Rendering(make_unsharp_filter(1.5), None, TINY),
    Rendering(make_unsharp_filter(4.0), None),
    Rendering(None, 2.0),
    Rendering(None, 2.0, binarizer=GLOBAL),
    Rendering(make_gamma_filter(4.0)),
    Rendering(remove_grain),
    Rendering(binarise, None),
    Rendering(equalise_contrast),
    Rendering(None, 1.5),
)
"""What is tried, in this order, on a picture in which nothing is read as it is."""
