"""The same picture in other lights and sizes: each brings out codes that the others lose.

They were chosen, and put in order, by what each adds to the ones before it for the pixels that it costs: on half of the
photographs that the tests know, as they are and spoiled in ten ways; ``docs/reading.md`` has the figures.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from companion.qr.sighting import Grey

SMALL = 300_000
"""Pixels of a picture that shows a code as large as it is, and neither its grain nor that of the paper."""
TINY = 80_000

LOCAL = zxingcpp.Binarizer.LocalAverage
GLOBAL = zxingcpp.Binarizer.GlobalHistogram

LARGEST = 16_000_000
"""Pixels of an enlarged picture: beyond, its codes were large enough."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """One way to show a picture.

    ``size``: how many times as long its sides are, or None for ``pixels`` at most.  ``tone``: what is done to it in
    that size.  ``binarizer``: how the reader tells dark from light.
    """

    tone: Callable[[Grey], Grey] | None = None
    size: float | None = 1.0
    pixels: int = SMALL
    binarizer: zxingcpp.Binarizer = LOCAL

    def scale(self, grey: Grey) -> float:
        """Return how many times as long the sides of the rendered picture are."""
        return self.size if self.size is not None else min(1.0, float(np.sqrt(self.pixels / grey.size)))

    def cost(self, grey: Grey) -> float:
        """Return the pixels that there are to be read."""
        return grey.size * self.scale(grey) ** 2

    def of(self, grey: Grey) -> Grey:
        """Return the rendered picture."""
        scaled = resized(grey, self.scale(grey))
        return scaled if self.tone is None else self.tone(scaled)


def resized(grey: Grey, scale: float) -> Grey:
    """Return a picture with sides so many times as long."""
    if scale == 1:
        return grey
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(grey, size, interpolation=how), np.uint8)


def toned(gamma: float) -> Callable[[Grey], Grey]:
    """Return what makes a picture brighter (below 1) or darker (above)."""
    tones = np.round(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return lambda grey: np.asarray(cv2.LUT(grey, tones), np.uint8)


def evened(grey: Grey) -> Grey:
    """Return a picture in which every part is as bright as the others: shadows and gradients go."""
    reach = max(15, min(grey.shape) // 10) | 1
    around = cv2.blur(grey, (reach, reach)).astype(np.float32) + 8
    return np.asarray(np.clip(grey / around * 128, 0, 255), np.uint8)


def contrasted(grey: Grey) -> Grey:
    """Return a picture in which every part has full contrast."""
    return np.asarray(cv2.createCLAHE(4.0, (6, 6)).apply(grey), np.uint8)


def sharpened(softness: float) -> Callable[[Grey], Grey]:
    """Return what takes away blur of about so many pixels."""

    def sharpen(grey: Grey) -> Grey:
        soft = cv2.GaussianBlur(grey, (0, 0), softness)
        return np.asarray(cv2.addWeighted(grey, 3.0, soft, -2.0, 0), np.uint8)

    return sharpen


def smoothed(grey: Grey) -> Grey:
    """Return a picture without its grain and small spots."""
    return np.asarray(cv2.medianBlur(grey, 5), np.uint8)


def outlined(grey: Grey) -> Grey:
    """Return what is darker than its surroundings, the picture softened first."""
    reach = max(11, min(grey.shape) // 10) | 1
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    return np.asarray(
        cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, reach, 2), np.uint8
    )


CASCADE = (
    Rendering(toned(0.5), 0.5),
    Rendering(toned(2.2), 0.5),
    Rendering(None, 0.5, binarizer=GLOBAL),
    Rendering(contrasted, None),
    Rendering(evened, None),
    Rendering(toned(2.2)),
    Rendering(None, binarizer=GLOBAL),
    Rendering(toned(0.25), None),
    Rendering(None, None, TINY),
    Rendering(sharpened(1.5), None, TINY),
    Rendering(sharpened(4.0), None),
    Rendering(None, 2.0),
    Rendering(None, 2.0, binarizer=GLOBAL),
    Rendering(toned(4.0)),
    Rendering(smoothed),
    Rendering(outlined, None),
    Rendering(contrasted),
    Rendering(None, 1.5),
)
"""What is tried on a picture that shows nothing as it is."""
