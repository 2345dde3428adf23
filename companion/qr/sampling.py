"""Sample the modules of a symbol that lies under a smooth map from its grid to the picture, and fit that map."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.polynomial import legendre

from companion.qr.sighting import F32, F64, Mask

TWIST_PENALTY = 10.0
"""Factor by which terms that bend in both directions at once are penalised more."""
OUTLIER = 0.35
"""Residual, as a share of the contrast, from which on a sample loses weight."""

SUBSAMPLES = np.array([(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)])
"""Where a module is sampled, in modules from its centre."""
MIN_WEIGHT = 0.02
"""Modules with less weight are left out of a fit."""
MIN_CONTRAST = 4.0
"""Grey levels of contrast that are assumed at least, so that noise is not amplified."""

LEVEL_WINDOW = 9
"""Modules a side of the window in which the tones of light and dark are estimated."""
BLANK_PATCH = 4
"""Modules a side of a uniform patch that shows no symbol: masks leave such patches only by chance."""
BLANK_CONFIDENCE = 0.05
"""Factor for the confidence of modules in such patches."""
CORE = 0.6
"""Factor for the offsets of the samples when a module is classified; the map is fitted at the full offsets."""
BLANK_CONTRAST = 0.3
"""Share of the usual contrast below which a patch is uniform."""


@dataclass(frozen=True, slots=True, eq=False)
class PolynomialMap:
    """A map from the symbol to the picture, as Legendre coefficients, (degree + 1)^2 x 2.

    Coordinates of the symbol run from -1 to 1, from edge to edge.
    """

    coefficients: F64

    @property
    def degree(self) -> int:
        """Return the highest power of either coordinate."""
        return math.isqrt(len(self.coefficients)) - 1

    def raise_degree(self, degree: int) -> "PolynomialMap":
        """Return the same map with coefficients for higher powers, which are 0."""
        old, new = self.degree + 1, degree + 1
        wide = np.zeros((new, new, 2))
        wide[:old, :old] = self.coefficients.reshape(old, old, 2)
        return PolynomialMap(wide.reshape(-1, 2))

    def apply(self, points: F64) -> F64:
        """Return where points of the symbol (n x 2, column and row, -1 to 1) lie in the picture, n x 2 pixels."""
        return np.asarray(_legendre_terms(points, self.degree) @ self.coefficients, np.float64)


def _legendre_terms(points: F64, degree: int) -> F64:
    """Return the products of Legendre polynomials at these points, n x (degree + 1)^2."""
    return np.asarray(legendre.legvander2d(points[:, 0], points[:, 1], [degree, degree]), np.float64)


def _bending_penalties(degree: int) -> F64:
    """Return the penalty of each coefficient: 0 for affine terms, highest for those that bend both ways at once."""
    across, down = (indices.ravel() for indices in np.indices((degree + 1, degree + 1)))
    twist = np.where((across > 0) & (down > 0), TWIST_PENALTY, 1.0)
    return np.asarray(twist * np.maximum(across + down - 1, 0) ** 2, np.float64)


def fit_map_to_points(points: F64, targets: F64, weights: F64, degree: int, stiffness: float) -> PolynomialMap:
    """Fit a map that brings points of the symbol to points of the picture (weighted ridge regression).

    Args:
        points: n x 2, column and row, -1 to 1.
        targets: n x 2, pixels.
        weights: n.
        degree: of the map.
        stiffness: weight of the bending penalty.

    """
    terms = _legendre_terms(points, degree)
    penalties = stiffness * _bending_penalties(degree)
    normal = (terms * weights[:, None]).T @ terms + np.diag(penalties + 1e-9)
    return PolynomialMap(np.asarray(np.linalg.solve(normal, terms.T @ (weights[:, None] * targets)), np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class GradientPicture:
    """A picture with its gradients across and down, float32 height x width each, grey levels and levels a pixel."""

    grey: F32
    across: F32
    down: F32

    def sample(self, points: F64) -> tuple[F64, F64, F64]:
        """Return tone, gradient across and gradient down at points (n x 2 pixels), n each."""
        x, y = (np.asarray(coordinate, np.float32).reshape(1, -1) for coordinate in points.T)
        samples = (
            cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel().astype(np.float64)
            for plane in (self.grey, self.across, self.down)
        )
        return next(samples), next(samples), next(samples)


def compute_gradients(grey: F32) -> GradientPicture:
    """Return the picture with its gradients (Scharr), in grey levels a pixel."""
    return GradientPicture(grey, cv2.Scharr(grey, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(grey, cv2.CV_32F, 0, 1) / 32)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class FitTarget:
    """The data that a map is fitted to: points of the symbol (n x 2), and the tone, contrast and weight of each (n)."""

    points: F64
    tones: F64
    contrast: F64
    weights: F64


def fit_map(
    start: PolynomialMap, picture: GradientPicture, target: FitTarget, stiffness: float, steps: int
) -> PolynomialMap:
    """Fit a map so that the picture shows the expected tones (Gauss-Newton with robust weights).

    Args:
        start: the initial map, which also sets the degree.
        picture: the picture with its gradients.
        target: expected tones.
        stiffness: weight of the bending penalty.
        steps: number of Gauss-Newton steps.

    """
    terms = _legendre_terms(target.points, start.degree)
    penalties = stiffness * _bending_penalties(start.degree) * target.weights.sum()
    damping = np.diag(np.tile(penalties, 2) + 1e-6)
    coefficients = start.coefficients
    for _ in range(steps):
        tone, across, down = picture.sample(terms @ coefficients)
        residual = (target.tones - tone) / target.contrast
        weights = target.weights / (1 + (residual / OUTLIER) ** 2)
        jacobian = np.hstack((terms * (across / target.contrast)[:, None], terms * (down / target.contrast)[:, None]))
        normal = (jacobian * weights[:, None]).T @ jacobian
        step = np.linalg.solve(normal + damping, jacobian.T @ (weights * residual))
        coefficients = coefficients + step.reshape(2, -1).T
    return PolynomialMap(coefficients)


def locate_all_modules(side: int) -> F64:
    """Return the centres of N x N modules, column and row, -1 to 1, row by row."""
    ticks = (np.arange(side) + 0.5) / side * 2 - 1
    across, down = np.meshgrid(ticks, ticks)
    return np.column_stack((across.ravel(), down.ravel()))


def locate_modules(row: F64 | float, column: F64 | float, side: int) -> F64:
    """Return the centres of some modules, column and row, -1 to 1: n x 2."""
    return (np.column_stack((column, row)) + 0.5) / side * 2 - 1


def expect_tones(tones: F64, contrast: F64, weights: F64) -> FitTarget:
    """Return the target for a fit, from N x N values each: four samples a module, none where the weight is low."""
    side = len(tones)
    used = weights.ravel() > MIN_WEIGHT
    points = (locate_all_modules(side)[used][:, None] + SUBSAMPLES * 2 / side).reshape(-1, 2)
    columns = (values.ravel()[used] for values in (tones, np.maximum(contrast, MIN_CONTRAST), weights))
    return FitTarget(points, *(np.repeat(values, len(SUBSAMPLES)) for values in columns))


@dataclass(frozen=True, slots=True, eq=False)
class SampledModules:
    """The modules as a picture shows them, N x N; all arrays N x N, tones in grey levels.

    ``tone``: of each module; ``light`` and ``dark``: the tones of light and dark modules near it.
    ``confidence``: 0 for a module that may be either, 1 for one that is as light or dark as others.
    """

    tone: F64
    light: F64
    dark: F64
    confidence: F64

    @property
    def are_dark(self) -> Mask:
        """Return which modules are dark."""
        return np.asarray(self.tone < (self.light + self.dark) / 2, np.bool_)


def sample_modules(picture: GradientPicture, grid: PolynomialMap, side: int) -> SampledModules:
    """Return what a picture shows of N x N modules under a map."""
    centres = locate_all_modules(side)
    points_of_samples = [grid.apply(centres + offset * CORE * 2 / side) for offset in SUBSAMPLES]
    samples = np.stack([picture.sample(points)[0] for points in points_of_samples]).reshape(-1, side, side)
    tone = samples.mean(axis=0)
    light, dark = _estimate_levels(tone)
    contrast = light - dark
    usual = float(np.median(contrast))
    confidence = np.minimum(1, 2 * np.abs(tone - (light + dark) / 2) / np.maximum(contrast, BLANK_CONTRAST * usual + 1))
    confidence *= np.clip(1 - samples.std(axis=0) / np.maximum(contrast, 1) * 2, 0.2, 1)
    blank = _find_blank_patches(tone, contrast, usual)
    return SampledModules(tone, light, dark, np.where(blank, BLANK_CONFIDENCE * confidence, confidence))


def _estimate_levels(tone: F64) -> tuple[F64, F64]:
    """Return the tones of light and of dark modules near each module (two rounds of local 2-means)."""
    middle = light = dark = _local_mean(tone)
    for _ in range(2):
        lighter = (tone > middle).astype(np.float64)
        light = _local_mean(tone * lighter) / np.maximum(_local_mean(lighter), 1e-6)
        dark = _local_mean(tone * (1 - lighter)) / np.maximum(_local_mean(1 - lighter), 1e-6)
        light = np.where(_local_mean(lighter) > 0, light, middle)
        dark = np.where(_local_mean(1 - lighter) > 0, dark, middle)
        middle = (light + dark) / 2
    return light, dark


def _find_blank_patches(tone: F64, contrast: F64, usual: float) -> Mask:
    """Return the modules of uniform patches, which show no symbol."""
    square = np.ones((BLANK_PATCH, BLANK_PATCH), np.uint8)
    anchor = (0, 0)
    high = cv2.dilate(tone, square, anchor=anchor, borderType=cv2.BORDER_REPLICATE)
    low = cv2.erode(tone, square, anchor=anchor, borderType=cv2.BORDER_REPLICATE)
    uniform = (high - low < BLANK_CONTRAST * max(usual, 1.0)).astype(np.uint8)
    uniform[-BLANK_PATCH + 1 :], uniform[:, -BLANK_PATCH + 1 :] = 0, 0
    last = (BLANK_PATCH - 1, BLANK_PATCH - 1)
    spread = cv2.dilate(uniform, square, anchor=last, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray((spread > 0) | (contrast < BLANK_CONTRAST * usual), np.bool_)


def _local_mean(values: F64) -> F64:
    return np.asarray(cv2.blur(values, (LEVEL_WINDOW, LEVEL_WINDOW), borderType=cv2.BORDER_REFLECT), np.float64)
