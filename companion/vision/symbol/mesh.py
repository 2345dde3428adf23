"""Where the modules of a symbol lie in a picture: a smooth map from the symbol onto it, and how it is fitted."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from numpy.polynomial import legendre

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
