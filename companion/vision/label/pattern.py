"""The pattern that all labels share, as a model of what a picture shows.

Frame, quiet zone, finder patterns and timing patterns are the same on every label, whatever its text. This module
renders them under a given blur, maps them into a picture by homographies, and derives a linear model that ``fit`` uses
to move labels to where they fit best.

Points on a label are in modules from the centre of the symbol, x to the right and y down: the symbol reaches from -10.5
to 10.5. In a picture (0, 0) is the centre of the first pixel here, not its corner.
"""

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, F64, Corners, GreyPicture, Indices, Mask, Sighting
from companion.vision.label.label import MODULES, STANDARD_LABEL, symbol_of

Homographies: TypeAlias = F64
"""float64 n x 3 x 3, from units of ``HALF`` modules from the symbol's centre to pixels."""

Blur: TypeAlias = F64
"""The point spread of a picture as a normal distribution: its covariance, float64 2 x 2, square pixels.

Lens, motion and pixels add up in it. All labels of a picture share it; each sees it turned and stretched as it lies.
"""

HALF = MODULES / 2
WHITE_HALF = HALF + STANDARD_LABEL.quiet_modules
"""From the centre to the inner edge of the frame."""

USUAL_BLUR: Blur = np.eye(2) * 1.2
"""Blur of a camera over a table, assumed until labels have told more."""
MIN_VARIANCE, MAX_VARIANCE = 0.15, 9.0
"""Square pixels: a pixel itself has some extent, and a label that is softer cannot be read."""

STEP = 0.5
"""Modules between two samples of the rendered pattern."""
RENDERED_SIDE = 64
"""Samples a side of the rendered pattern: the label, and dark around it as far as any blur reaches."""
REACH = WHITE_HALF + 0.6
"""Modules from the centre within which samples are compared; the frame is no wider at its thinnest."""
_OVERSAMPLING = 4

MAX_MOVE = 0.12
"""In units of ``HALF``: no corner moves further in one step."""
_MIN_CONTRAST = 1.0
"""Grey levels of contrast that are assumed at least: where paper is no lighter than ink, nothing can be learnt."""


@cache
def data_mask() -> Mask:
    """Return the modules that depend on the text, bool 21 x 21: all but finder patterns, separators and timing."""
    mask = np.ones((MODULES, MODULES), np.bool_)
    mask[:8, :8] = mask[:8, -8:] = mask[-8:, :8] = False
    mask[6, :] = mask[:, 6] = False
    mask.flags.writeable = False
    return mask


@cache
def shared_modules() -> F32:
    """Return the tones of the modules of all symbols: 1 light, 0 dark, 0.5 unknown; float32 21 x 21, read-only."""
    modules = np.where(data_mask(), np.float32(0.5), 1 - symbol_of("A").astype(np.float32))
    modules.flags.writeable = False
    return modules


# Geometry: homographies, and what a picture shows under them.


def homographies_from_quads(quads: F32, half: float = WHITE_HALF) -> Homographies:
    """Return the homographies that map a square of ``half`` modules to each quadrilateral (n x 4 x 2 pixels)."""
    reach = half / HALF
    square = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], np.float32)
    homographies = [cv2.getPerspectiveTransform(square, quad) for quad in quads]
    return np.array(homographies, np.float64).reshape(-1, 3, 3)


def homographies_from_sightings(sightings: tuple[Sighting, ...]) -> Homographies:
    """Return the homographies of symbols whose corners are known."""
    corners = np.array([sighting.corners for sighting in sightings], np.float32).reshape(-1, 4, 2)
    return homographies_from_quads(corners - 0.5, HALF)


def corners_of(homography: F64) -> Corners:
    """Return the corners of a symbol, clockwise from its own top left; (0, 0) is the corner of the first pixel."""
    square = np.array([[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]])
    a, b, c, d = ((float(x) + 0.5, float(y) + 0.5) for x, y in cv2.perspectiveTransform(square, homography)[0])
    return a, b, c, d


def centres_of(homographies: Homographies) -> F64:
    """Return the centres of labels in pixels, n x 2."""
    return np.asarray(homographies[:, :2, 2] / homographies[:, 2:, 2], np.float64)


def sides_of(homographies: Homographies) -> F64:
    """Return the sides of squares as large as the symbols, n pixels."""
    centres = centres_of(homographies)
    slopes = homographies[:, :2, :2] - centres[:, :, None] * homographies[:, 2:, :2]
    return np.asarray(2 * np.sqrt(np.abs(np.linalg.det(slopes / homographies[:, 2:, 2:]))), np.float64)


def jacobians_of(homographies: Homographies) -> F64:
    """Return the derivatives of pixels by modules at the centre of each label, n x 2 x 2."""
    centres = homographies[:, :2, 2] / homographies[:, 2:, 2]
    slopes = homographies[:, :2, :2] - centres[:, :, None] * homographies[:, 2:, :2]
    return np.asarray(slopes / homographies[:, 2:, 2:] / HALF, np.float64)


def sample_labels(grey: GreyPicture, points: F32, homographies: Homographies) -> F32:
    """Return the grey levels at points (n x 2, modules) of each of m labels, m x n; bilinear."""
    x, y = _project(points, homographies)
    if not len(x):
        return np.empty((0, len(points)), np.float32)
    samples = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(samples, np.float32).reshape(x.shape)


def visibility(grey: GreyPicture, points: F32, homographies: Homographies) -> F32:
    """Return 1 for each point (n x 2, modules) of each of m labels that lies in the picture, else 0; m x n."""
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    visible = np.ones((len(homographies), len(points)), np.float32)
    cut = ~_is_inside(grey, *_project(corners, homographies)).all(axis=1)
    visible[cut] = _is_inside(grey, *_project(points, homographies[cut]))
    return visible


def rectify_label(grey: GreyPicture, homography: F64, pixels_per_module: int = 6, quiet: int = 2) -> GreyPicture:
    """Return a symbol as seen from straight above, with ``quiet`` modules of its quiet zone."""
    size = int((2 * HALF + 2 * quiet) * pixels_per_module)
    scale = HALF * pixels_per_module
    from_flat = homography @ np.array([[1 / scale, 0, -size / 2 / scale], [0, 1 / scale, -size / 2 / scale], [0, 0, 1]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(grey, from_flat, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _project(points: F32, homographies: Homographies) -> tuple[F32, F32]:
    """Return the pixels of points (n x 2, modules) of each of m labels: x and y, float32 m x n."""
    homogeneous = np.column_stack((points / HALF, np.ones(len(points)))).T.astype(np.float32)
    pixels = homographies.astype(np.float32) @ homogeneous
    return pixels[:, 0] / pixels[:, 2], pixels[:, 1] / pixels[:, 2]


def _is_inside(grey: GreyPicture, x: F32, y: F32) -> Mask:
    height, width = grey.shape
    return np.asarray((x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5), np.bool_)  # noqa: PLR2004 - half a pixel


# Blur.


def blur_in_modules(blur: Blur, homographies: Homographies) -> F64:
    """Return the blur as each label sees it, n x 2 x 2, square modules."""
    inverse = np.linalg.inv(jacobians_of(homographies))
    return np.asarray(inverse @ blur @ inverse.transpose(0, 2, 1), np.float64)


def clip_blur(blur: Blur) -> Blur:
    """Return the nearest blur whose variances lie between ``MIN_VARIANCE`` and ``MAX_VARIANCE``."""
    variances, directions = np.linalg.eigh((blur + blur.T) / 2)
    return np.asarray((directions * variances.clip(MIN_VARIANCE, MAX_VARIANCE)) @ directions.T, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class BlurredPattern:
    """The tones that n labels show at m points under blur, whatever their text.

    ``points``: float32 m x 2, modules. ``tones``: float32 n x m, dark 0 to light 1. ``across``, ``down``: their
    derivatives by the module. ``second``: float32 3 x n x m, their second derivatives (across twice, across and down,
    down twice); empty unless asked for.
    """

    points: F32
    tones: F32
    across: F32
    down: F32
    second: F32


@dataclass(frozen=True, slots=True, eq=False)
class _SharpPattern:
    """The pattern without blur: its spectrum, the points that are compared, and their indices in a rendering."""

    spectrum: npt.NDArray[np.complex64]
    points: F32
    indices: Indices
    sparse: Mask


def render_blurred_pattern(
    covariances: F64, *, second_derivatives: bool = False, sparse: bool = False
) -> BlurredPattern:
    """Return what labels show under each blur (n x 2 x 2, square modules).

    The pattern is blurred in the frequency domain, where any normal distribution is a product.

    Args:
        covariances: the blur of each label.
        second_derivatives: compute these too.
        sparse: only every second point, which is enough for a first fit.

    """
    sharp = _sharp_pattern()
    x, y = _frequencies()
    spread = covariances.astype(np.float32)
    exponent = spread[:, 0, 0, None, None] * (x * x) + spread[:, 1, 1, None, None] * (y * y)
    exponent += (2 * spread[:, 0, 1, None, None]) * (x * y)
    rendered = _inverse_transform(sharp.spectrum * np.exp(-0.5 * exponent))
    used = sharp.sparse if sparse else slice(None)
    indices = sharp.indices[used]
    second = _second_derivatives(rendered, indices) if second_derivatives else np.empty(0, np.float32)
    first = (_derivative(rendered, indices, 1), _derivative(rendered, indices, RENDERED_SIDE))
    return BlurredPattern(sharp.points[used], rendered[:, indices], *first, second)


def _inverse_transform(spectra: npt.NDArray[np.complex64]) -> F32:
    """Return the renderings with these spectra, n x RENDERED_SIDE^2."""
    return np.asarray(np.fft.irfft2(spectra, (RENDERED_SIDE, RENDERED_SIDE)), np.float32).reshape(len(spectra), -1)


def _derivative(rendered: F32, indices: Indices, step: int) -> F32:
    """Return the derivative by the module at some samples, from the two next samples on both sides.

    For tones as smooth as these that is as good as exact, and much cheaper than two more inverse transforms.
    """
    near = np.take(rendered, indices + step, axis=1) - np.take(rendered, indices - step, axis=1)
    far = np.take(rendered, indices + 2 * step, axis=1) - np.take(rendered, indices - 2 * step, axis=1)
    return np.asarray((8 * near - far) / np.float32(12 * STEP), np.float32)


def _second_derivatives(rendered: F32, indices: Indices) -> F32:
    """Return the second derivatives at some samples, from the eight samples round each: 3 x n x m."""
    (a, b, c), (d, e, f), (g, h, i) = (
        [np.take(rendered, indices + row + column, axis=1) for column in (-1, 0, 1)]
        for row in (-RENDERED_SIDE, 0, RENDERED_SIDE)
    )
    return np.array([d - 2 * e + f, (a - c - g + i) / 4, b - 2 * e + h], np.float32) / np.float32(STEP**2)


@cache
def _frequencies() -> tuple[F32, F32]:
    """Return the frequencies across and down of half a spectrum, in radians a module."""
    across = 2 * np.pi * np.fft.rfftfreq(RENDERED_SIDE, STEP)[None, :]
    down = 2 * np.pi * np.fft.fftfreq(RENDERED_SIDE, STEP)[:, None]
    return across.astype(np.float32), down.astype(np.float32)


@cache
def _sharp_pattern() -> _SharpPattern:
    module = round(_OVERSAMPLING / STEP)
    fine = np.zeros((RENDERED_SIDE * _OVERSAMPLING,) * 2, np.float32)
    middle = len(fine) // 2
    white, symbol = round(WHITE_HALF * module), round(HALF * module)
    fine[middle - white : middle + white, middle - white : middle + white] = 1
    inner = slice(middle - symbol, middle + symbol)
    fine[inner, inner] = np.kron(shared_modules(), np.ones((module, module), np.float32))
    drawn = cv2.resize(fine, (RENDERED_SIDE, RENDERED_SIDE), interpolation=cv2.INTER_AREA)
    ticks = ((np.arange(RENDERED_SIDE) + 0.5) * STEP - RENDERED_SIDE * STEP / 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    used = (np.maximum(np.abs(x), np.abs(y)) < REACH) & (np.indices(x.shape).sum(axis=0) % 2 == 0)
    column, row = (np.floor(coordinate + HALF).astype(int).clip(0, MODULES - 1) for coordinate in (x, y))
    in_symbol = np.maximum(np.abs(x), np.abs(y)) < HALF
    used &= ~(in_symbol & data_mask()[row, column])
    indices = np.flatnonzero(used)
    points = np.column_stack((x.ravel()[indices], y.ravel()[indices]))
    sparse = np.indices(x.shape).sum(axis=0).ravel()[indices] % 4 == 0
    return _SharpPattern(np.fft.rfft2(drawn).astype(np.complex64), points, indices, sparse)


@dataclass(frozen=True, slots=True, eq=False)
class LabelModel:
    """A linear model of n labels near their poses, at m samples: contrast, eight moves of the pose, and illumination.

    ``visible``: 1 where a sample lies in the picture. ``illumination``: n x 3 x m, orthonormal basis of even, across
    and down (1 x 3 x m where all labels are wholly visible). ``pattern``: n x m, orthogonal to it. ``jacobian``:
    n x 9 x m, the derivatives of samples by the moves (times contrast) and by the contrast. ``inverse``: n x 9 x 9, the
    inverse of its normal matrix.
    """

    visible: F32
    illumination: F32
    pattern: F32
    jacobian: F32
    inverse: F32

    @staticmethod
    def of(grey: GreyPicture, homographies: Homographies, pattern: BlurredPattern) -> "LabelModel":
        """Return the model of labels in these poses; samples outside the picture do not count."""
        visible = visibility(grey, pattern.points, homographies)
        x, y = (pattern.points / HALF).T
        distinct = visible[:1] if visible.all() else visible
        illumination = _orthonormalise(np.stack((np.ones_like(x), x, y))[None] * distinct[:, None])
        across, down = pattern.across * HALF, pattern.down * HALF
        both = across * x + down * y
        columns = (across * x, across * y, across, down * x, down * y, down, -both * x, -both * y)
        jacobian = np.stack((*columns, pattern.tones), axis=1) * visible[:, None]
        jacobian -= (jacobian @ illumination.transpose(0, 2, 1)) @ illumination
        normal = jacobian @ jacobian.transpose(0, 2, 1)
        size = np.trace(normal, axis1=1, axis2=2)[:, None, None] / len(normal[0])
        normal += np.eye(jacobian.shape[1], dtype=np.float32) * (1e-5 * size + 1e-6)
        return LabelModel(visible, illumination, jacobian[:, -1], jacobian, np.linalg.inv(normal))

    def estimate_moves(self, samples: F32) -> F32:
        """Return the least-squares moves of each label, n x 8, shortened so that no label is lost."""
        parameters = (self.inverse @ (self.jacobian @ samples[:, :, None]))[:, :, 0]
        moves = parameters[:, :-1] / np.maximum(parameters[:, -1:], _MIN_CONTRAST)
        longest = np.maximum(np.abs(moves).max(axis=1, keepdims=True), 1e-9)
        return np.asarray(moves * np.minimum(1, MAX_MOVE / longest), np.float32)

    def remove_illumination(self, samples: F32) -> F32:
        """Return visible samples without the slow changes of illumination, others as 0."""
        visible = samples * self.visible
        slow = ((self.illumination @ visible[:, :, None]).transpose(0, 2, 1) @ self.illumination)[:, 0]
        return np.asarray(visible - slow, np.float32)

    def remove_pattern(self, samples: F32) -> F32:
        """Return samples without illumination and without their projection on the pattern."""
        rest = self.remove_illumination(samples)
        return np.asarray(rest - ((rest * self.pattern).sum(axis=1) / self._power)[:, None] * self.pattern, np.float32)

    def residual(self, samples: F32) -> F32:
        """Return what the pattern does not explain of samples, in units of the label's contrast."""
        rest = self.remove_illumination(samples)
        contrast = np.maximum((rest * self.pattern).sum(axis=1) / self._power, _MIN_CONTRAST)
        return np.asarray(rest / contrast[:, None] - self.pattern, np.float32)

    def score(self, samples: F32) -> tuple[F32, F32, F32]:
        """Return the correlation of each label with the pattern, contrast and noise, in units of ``samples``."""
        rest = self.remove_illumination(samples)
        product = (rest * self.pattern).sum(axis=1)
        power = np.maximum((rest * rest).sum(axis=1), 1e-6)
        unexplained = np.maximum(power - product**2 / self._power, 0)
        noise = np.sqrt(unexplained / np.maximum(self.visible.sum(axis=1), 1))
        return product / np.sqrt(self._power * power), product / self._power, np.asarray(noise, np.float32)

    @property
    def _power(self) -> F32:
        return np.asarray(np.maximum((self.pattern * self.pattern).sum(axis=1), 1e-6), np.float32)


def _orthonormalise(rows: F32) -> F32:
    """Return rows (n x k x m) made orthonormal, each against those before it (Gram-Schmidt)."""
    basis = rows.copy()
    for number in range(rows.shape[1]):
        for before in range(number):
            basis[:, number] -= (basis[:, number] * basis[:, before]).sum(axis=1, keepdims=True) * basis[:, before]
        basis[:, number] /= np.maximum(np.linalg.norm(basis[:, number], axis=1, keepdims=True), 1e-6)
    return basis
