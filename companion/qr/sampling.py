"""Where the modules of a symbol lie in a picture: a smooth map from the symbol onto it, and how it is fitted."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from numpy.polynomial import legendre

from companion.qr.spec import Bools

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.float32]

TWISTED = 10.0
"""How much dearer it is to bend both ways at once."""
OUTLIER = 0.35
"""Shares of the contrast: what is further off counts less."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A polynomial map: Legendre coefficients (degree + 1)^2 x 2, over -1 to 1 from edge to edge of the symbol."""

    coefficients: Floats

    @property
    def degree(self) -> int:
        """Return the highest power of either coordinate."""
        return math.isqrt(len(self.coefficients)) - 1

    def raised(self, degree: int) -> "Mesh":
        """Return the same map with room for higher powers."""
        old, new = self.degree + 1, degree + 1
        wide = np.zeros((new, new, 2))
        wide[:old, :old] = self.coefficients.reshape(old, old, 2)
        return Mesh(wide.reshape(-1, 2))

    def at(self, places: Floats) -> Floats:
        """Return where places of the symbol (n x 2, column and row, -1 to 1) lie in the picture, n x 2 pixels."""
        return np.asarray(basis(places, self.degree) @ self.coefficients, np.float64)


def basis(places: Floats, degree: int) -> Floats:
    """Return the products of Legendre polynomials at these places, n x (degree + 1)^2."""
    return np.asarray(legendre.legvander2d(places[:, 0], places[:, 1], [degree, degree]), np.float64)


def bent(degree: int) -> Floats:
    """Return how much each coefficient bends: nothing what leans, most what bends both ways at once."""
    across, down = (one.ravel() for one in np.indices((degree + 1, degree + 1)))
    both = np.where((across > 0) & (down > 0), TWISTED, 1.0)
    return np.asarray(both * np.maximum(across + down - 1, 0) ** 2, np.float64)


def through(places: Floats, onto: Floats, weights: Floats, degree: int, stiffness: float) -> Mesh:
    """Return the map that brings these places nearest to those points; what bends it is dear."""
    terms = basis(places, degree)
    dear = stiffness * bent(degree)
    squares = (terms * weights[:, None]).T @ terms + np.diag(dear + 1e-9)
    return Mesh(np.asarray(np.linalg.solve(squares, terms.T @ (weights[:, None] * onto)), np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """A picture with its slopes across and down."""

    grey: Picture
    across: Picture
    down: Picture

    def at(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Return tone and slopes at these points, n each."""
        x, y = (np.asarray(own, np.float32).reshape(1, -1) for own in points.T)
        told = (
            cv2.remap(own, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel().astype(np.float64)
            for own in (self.grey, self.across, self.down)
        )
        return next(told), next(told), next(told)


def slopes_of(grey: Picture) -> Slopes:
    """Return a picture with its slopes, grey levels a pixel."""
    return Slopes(grey, cv2.Scharr(grey, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(grey, cv2.CV_32F, 0, 1) / 32)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """What a map is fitted to: places of the symbol (n x 2), the tone expected there, and how much it counts."""

    places: Floats
    tones: Floats
    contrast: Floats
    weights: Floats


def fitted(mesh: Mesh, picture: Slopes, aim: Aim, stiffness: float, steps: int) -> Mesh:
    """Return the map moved to where the picture shows the expected tones best: Gauss-Newton, outliers count less."""
    terms = basis(aim.places, mesh.degree)
    dear = stiffness * bent(mesh.degree) * aim.weights.sum()
    dear = np.diag(np.tile(dear, 2) + 1e-6)
    at = mesh.coefficients
    for _ in range(steps):
        tone, across, down = picture.at(terms @ at)
        off = (aim.tones - tone) / aim.contrast
        counts = aim.weights / (1 + (off / OUTLIER) ** 2)
        ways = np.hstack((terms * (across / aim.contrast)[:, None], terms * (down / aim.contrast)[:, None]))
        squares = (ways * counts[:, None]).T @ ways
        step = np.linalg.solve(squares + dear, ways.T @ (counts * off))
        at = at + step.reshape(2, -1).T
    return Mesh(at)


# --- grid
# The N x N modules of a symbol as places to be looked at.

WITHIN = np.array([(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)])
"""Where in a module it is looked at, in modules from its middle."""
LEAST_WEIGHT = 0.02
"""What counts less is not looked at."""
LEAST_CONTRAST = 4.0
"""Grey levels: where there is less, it is noise."""


def places(side: int) -> Floats:
    """Return where the middles of N x N modules lie, -1 to 1, column and row, row by row."""
    ticks = (np.arange(side) + 0.5) / side * 2 - 1
    across, down = np.meshgrid(ticks, ticks)
    return np.column_stack((across.ravel(), down.ravel()))


def place(row: Floats | float, column: Floats | float, side: int) -> Floats:
    """Return where modules lie, -1 to 1, column and row: n x 2."""
    return (np.column_stack((column, row)) + 0.5) / side * 2 - 1


def aim(tones: Floats, contrast: Floats, weights: Floats) -> Aim:
    """Return what is looked for, each N x N, at four places of each module; nothing where it has no weight."""
    side = len(tones)
    counts = weights.ravel() > LEAST_WEIGHT
    spots = (places(side)[counts][:, None] + WITHIN * 2 / side).reshape(-1, 2)
    told = (own.ravel()[counts] for own in (tones, np.maximum(contrast, LEAST_CONTRAST), weights))
    return Aim(spots, *(np.repeat(own, len(WITHIN)) for own in told))


# --- modules
# What the modules of a symbol are, once it is known where they lie: dark or light, and how doubtful each is.

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
