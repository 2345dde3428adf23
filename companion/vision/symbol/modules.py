"""What the modules of a symbol are, once it is known where they lie: dark or light, and how doubtful each is."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.symbol.anatomy import Bools
from companion.vision.symbol.grid import WITHIN, places
from companion.vision.symbol.mesh import Floats, Mesh, Slopes

NEAR = 9
"""Modules a side of what tells light from dark."""
EVEN = 4
"""Modules a side of a patch that shows nothing: no mask leaves such patches, but for chance."""
BLANK = 0.05
"""The trust that is left to them."""
INNER = 0.6
"""How near its middle a module is looked at to tell it, against where a map is fitted."""
NOTHING = 0.3
"""Shares of the usual contrast: where there is less, there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Modules:
    """Each N x N: the ``tone`` of each module, the tones of ``light`` and ``dark`` ones about it, and its ``trust``.

    ``trust``: 0 for what may be either, 1 for what is as dark or light as others.
    """

    tone: Floats
    light: Floats
    dark: Floats
    trust: Floats

    @property
    def are_dark(self) -> Bools:
        """Return which modules are dark."""
        return np.asarray(self.tone < (self.light + self.dark) / 2, np.bool_)


def modules(picture: Slopes, mesh: Mesh, side: int) -> Modules:
    """Return what a picture shows under a map."""
    middles = places(side)
    looks = [mesh.at(middles + off * INNER * 2 / side) for off in WITHIN]
    looked = np.stack([picture.at(points)[0] for points in looks]).reshape(-1, side, side)
    tone = looked.mean(axis=0)
    light, dark = _levels(tone)
    contrast = light - dark
    usual = float(np.median(contrast))
    trust = np.minimum(1, 2 * np.abs(tone - (light + dark) / 2) / np.maximum(contrast, NOTHING * usual + 1))
    trust *= np.clip(1 - looked.std(axis=0) / np.maximum(contrast, 1) * 2, 0.2, 1)
    return Modules(tone, light, dark, np.where(_blank(tone, contrast, usual), BLANK * trust, trust))


def _levels(tone: Floats) -> tuple[Floats, Floats]:
    """Return the tones of light and of dark modules near each module."""
    middle = light = dark = _near(tone)
    for _ in range(2):
        lighter = (tone > middle).astype(np.float64)
        light = _near(tone * lighter) / np.maximum(_near(lighter), 1e-6)
        dark = _near(tone * (1 - lighter)) / np.maximum(_near(1 - lighter), 1e-6)
        light, dark = np.where(_near(lighter) > 0, light, middle), np.where(_near(1 - lighter) > 0, dark, middle)
        middle = (light + dark) / 2
    return light, dark


def _blank(tone: Floats, contrast: Floats, usual: float) -> Bools:
    """Return the modules of patches in which all are alike: there is no symbol to be seen."""
    square = np.ones((EVEN, EVEN), np.uint8)
    anchor = (0, 0)
    high = cv2.dilate(tone, square, anchor=anchor, borderType=cv2.BORDER_REPLICATE)
    low = cv2.erode(tone, square, anchor=anchor, borderType=cv2.BORDER_REPLICATE)
    even = (high - low < NOTHING * max(usual, 1.0)).astype(np.uint8)
    even[-EVEN + 1 :], even[:, -EVEN + 1 :] = 0, 0
    spread = cv2.dilate(even, square, anchor=(EVEN - 1, EVEN - 1), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray((spread > 0) | (contrast < NOTHING * usual), np.bool_)


def _near(of: Floats) -> Floats:
    return np.asarray(cv2.blur(of, (NEAR, NEAR), borderType=cv2.BORDER_REFLECT), np.float64)
