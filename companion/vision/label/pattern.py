"""What every label shows, whatever it says: frame, quiet zone, finder patterns, timing.

Places on a label are counted in modules from the middle of the symbol, x to the right and y down: the symbol reaches
from -10.5 to 10.5.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Corners, Grey, Sighting
from companion.vision.label.label import MODULES, STANDARD_LABEL, symbol_of

Floats = npt.NDArray[np.float32]

HALF = MODULES / 2
WHITE_HALF = HALF + STANDARD_LABEL.quiet_modules
"""From the middle to the inner edge of the frame."""

STEP = 0.5
"""Modules between two samples."""


@cache
def data_mask() -> npt.NDArray[np.bool_]:
    """Return which modules depend on the text, bool 21 x 21: all but finders with their separators and timing."""
    mask = np.ones((MODULES, MODULES), np.bool_)
    mask[:8, :8] = mask[:8, -8:] = mask[-8:, :8] = False
    mask[6, :] = mask[:, 6] = False
    mask.flags.writeable = False
    return mask


@cache
def shared_modules() -> Floats:
    """Return what the modules of all symbols show, 1 is light and a half unknown, float32 21 x 21; read-only."""
    modules = np.where(data_mask(), np.float32(0.5), 1 - symbol_of("A").astype(np.float32))
    modules.flags.writeable = False
    return modules


# --- soft_pattern
# What labels show in a picture of known blur: one picture of the pattern for each label, and how it changes. A
# drawing with two samples a module is softened in the space of frequencies, where any normal blur is a product.

SIDE = 64
"""Samples a side of the drawings: the label, and dark around as far as any blur reaches."""
REACH = WHITE_HALF + 0.6
"""Modules from the middle: how far samples count; the frame is no wider at its thinnest."""
_FINER = 4


@dataclass(frozen=True, slots=True, eq=False)
class SoftPattern:
    """What n labels show at m places.

    ``places``: float32 m x 2, modules.  ``light``, ``across``, ``down``: float32 n x m: what is shown, dark 0 to
    light 1, and how it changes by the module.  ``bends``: float32 3 x n x m, its second changes: across twice, both,
    down twice; empty unless asked for.
    """

    places: Floats
    light: Floats
    across: Floats
    down: Floats
    bends: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    spectrum: npt.NDArray[np.complex64]
    places: Floats
    numbers: npt.NDArray[np.intp]
    sparse: npt.NDArray[np.bool_]


def soft_pattern(covariances: npt.NDArray[np.float64], *, bends: bool = False, sparse: bool = False) -> SoftPattern:
    """Return what labels show under each blur (n x 2 x 2, square modules), whatever their text.

    ``sparse``: at half as many places, which do for a first fit.
    """
    drawing = _drawing()
    x, y = _frequencies()
    spread = covariances.astype(np.float32)
    power = spread[:, 0, 0, None, None] * (x * x) + spread[:, 1, 1, None, None] * (y * y)
    power += (2 * spread[:, 0, 1, None, None]) * (x * y)
    soft = drawing.spectrum * np.exp(-0.5 * power)
    shown = _drawn(soft)
    every = drawing.sparse if sparse else slice(None)
    numbers = drawing.numbers[every]
    second = _bends(shown, numbers) if bends else np.empty(0, np.float32)
    slopes = (_slope(shown, numbers, 1), _slope(shown, numbers, SIDE))
    return SoftPattern(drawing.places[every], shown[:, numbers], *slopes, second)


def _drawn(spectra: npt.NDArray[np.complex64]) -> Floats:
    """Return drawings of which these are the spectra, n x SIDE * SIDE."""
    return np.asarray(np.fft.irfft2(spectra, (SIDE, SIDE)), np.float32).reshape(len(spectra), -1)


def _slope(shown: Floats, numbers: npt.NDArray[np.intp], step: int) -> Floats:
    """Return how drawings change by the module at some of their samples, told by the two next on both sides.

    Soft as they are that is as good as exact, and costs much less than two more turns through the spectrum.
    """
    near = np.take(shown, numbers + step, axis=1) - np.take(shown, numbers - step, axis=1)
    far = np.take(shown, numbers + 2 * step, axis=1) - np.take(shown, numbers - 2 * step, axis=1)
    return np.asarray((8 * near - far) / np.float32(12 * STEP), np.float32)


def _bends(shown: Floats, numbers: npt.NDArray[np.intp]) -> Floats:
    """Return the second changes of drawings at some of their samples, told by the eight next to each: 3 x n x m."""
    (a, b, c), (d, e, f), (g, h, i) = (
        [np.take(shown, numbers + row + column, axis=1) for column in (-1, 0, 1)] for row in (-SIDE, 0, SIDE)
    )
    return np.array([d - 2 * e + f, (a - c - g + i) / 4, b - 2 * e + h], np.float32) / np.float32(STEP**2)


@cache
def _frequencies() -> tuple[Floats, Floats]:
    """Return the frequencies across and down of half a spectrum, in radians a module."""
    across = 2 * np.pi * np.fft.rfftfreq(SIDE, STEP)[None, :]
    down = 2 * np.pi * np.fft.fftfreq(SIDE, STEP)[:, None]
    return across.astype(np.float32), down.astype(np.float32)


@cache
def _drawing() -> _Drawing:
    a_module = round(_FINER / STEP)
    fine = np.zeros((SIDE * _FINER,) * 2, np.float32)
    middle = len(fine) // 2
    white, symbol = round(WHITE_HALF * a_module), round(HALF * a_module)
    fine[middle - white : middle + white, middle - white : middle + white] = 1
    inner = slice(middle - symbol, middle + symbol)
    fine[inner, inner] = np.kron(shared_modules(), np.ones((a_module, a_module), np.float32))
    drawn = cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    ticks = ((np.arange(SIDE) + 0.5) * STEP - SIDE * STEP / 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    counts = (np.maximum(np.abs(x), np.abs(y)) < REACH) & (np.indices(x.shape).sum(axis=0) % 2 == 0)
    column, row = (np.floor(own + HALF).astype(int).clip(0, MODULES - 1) for own in (x, y))
    in_symbol = np.maximum(np.abs(x), np.abs(y)) < HALF
    counts &= ~(in_symbol & data_mask()[row, column])
    numbers = np.flatnonzero(counts)
    places = np.column_stack((x.ravel()[numbers], y.ravel()[numbers]))
    sparse = np.indices(x.shape).sum(axis=0).ravel()[numbers] % 4 == 0
    return _Drawing(np.fft.rfft2(drawn).astype(np.complex64), places, numbers, sparse)


# --- blur
# How soft a picture is: what lens, movement and pixels make of a point, as one normal distribution. All labels
# of a picture share it, so a few that are seen well tell how any other must look. It is kept as a covariance in
# square pixels, for a smear is longer in one direction; a label that lies turned or leaning sees it turned or
# leaning.

Blur = npt.NDArray[np.float64]
"""float64 2 x 2: the covariance, in square pixels."""

USUAL: Blur = np.eye(2) * 1.2
"""What is taken for granted before a picture has told: about what a camera over a table has."""

LEAST, MOST = 0.15, 9.0
"""Square pixels: a pixel itself is no point, and what is softer than this no label."""


def shapes_of(homographies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return for each label the pixels that a module is long, at the label's middle: n x 2 x 2 derivatives."""
    middles = homographies[:, :2, 2] / homographies[:, 2:, 2]
    slopes = homographies[:, :2, :2] - middles[:, :, None] * homographies[:, 2:, :2]
    return np.asarray(slopes / homographies[:, 2:, 2:] / HALF, np.float64)


def in_modules(blur: Blur, homographies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the blur as each label sees it, n x 2 x 2, in square modules."""
    back = np.linalg.inv(shapes_of(homographies))
    return np.asarray(back @ blur @ back.transpose(0, 2, 1), np.float64)


def within_reason(blur: Blur) -> Blur:
    """Return the nearest blur that a camera may have."""
    sizes, directions = np.linalg.eigh((blur + blur.T) / 2)
    return np.asarray((directions * sizes.clip(LEAST, MOST)) @ directions.T, np.float64)


# --- place
# Where labels lie in a picture: homographies, and what is shown under them.

Homographies = npt.NDArray[np.float64]
"""float64, n x 3 x 3: units of ``HALF`` modules from the symbol's middle, to pixels; (0, 0) is the first's middle."""


def from_quads(quads: npt.NDArray[np.float32], half: float = WHITE_HALF) -> Homographies:
    """Return the homographies under which a square of ``half`` modules becomes each quadrilateral."""
    reach = half / HALF
    square = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], np.float32)
    found = [cv2.getPerspectiveTransform(square, quad) for quad in quads]
    return np.array(found, np.float64).reshape(-1, 3, 3)


def from_sightings(sightings: tuple[Sighting, ...]) -> Homographies:
    """Return the homographies of symbols whose corners are known."""
    return from_quads(np.array([seen.corners for seen in sightings], np.float32).reshape(-1, 4, 2) - 0.5, HALF)


def corners_of(homography: npt.NDArray[np.float64]) -> Corners:
    """Return the corners of a symbol in pixels, clockwise from its own top left."""
    square = np.array([[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]])
    a, b, c, d = ((float(x) + 0.5, float(y) + 0.5) for x, y in cv2.perspectiveTransform(square, homography)[0])
    return a, b, c, d


def middles_of(homographies: Homographies) -> npt.NDArray[np.float64]:
    """Return the middles of labels in pixels, n x 2; (0, 0) is the first pixel's middle."""
    return np.asarray(homographies[:, :2, 2] / homographies[:, 2:, 2], np.float64)


def sides_of(homographies: Homographies) -> npt.NDArray[np.float64]:
    """Return how long the sides of symbols are in pixels, n: of squares as large."""
    middles = middles_of(homographies)
    slopes = homographies[:, :2, :2] - middles[:, :, None] * homographies[:, 2:, :2]
    return np.asarray(2 * np.sqrt(np.abs(np.linalg.det(slopes / homographies[:, 2:, 2:]))), np.float64)


def _pixels(places: Floats, homographies: Homographies) -> tuple[Floats, Floats]:
    """Return where places (n x 2, modules) of each of m labels lie in the picture: x and y, float32 m x n."""
    flat = np.column_stack((places / HALF, np.ones(len(places)))).T.astype(np.float32)
    where = homographies.astype(np.float32) @ flat
    return where[:, 0] / where[:, 2], where[:, 1] / where[:, 2]


def sample(grey: Grey, places: Floats, homographies: Homographies) -> Floats:
    """Return what the picture shows at places (n x 2, modules) of each of m labels: float32 m x n."""
    x, y = _pixels(places, homographies)
    if not len(x):
        return np.empty((0, len(places)), np.float32)
    shown = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.float32).reshape(x.shape)


def in_view(grey: Grey, places: Floats, homographies: Homographies) -> Floats:
    """Return 1 for each place (n x m) that lies in the picture, and 0."""
    (left, top), (right, foot) = places.min(axis=0), places.max(axis=0)
    corners = np.array([(left, top), (right, top), (right, foot), (left, foot)], np.float32)
    seen = np.ones((len(homographies), len(places)), np.float32)
    cut = ~_inside(grey, *_pixels(corners, homographies)).all(axis=1)
    seen[cut] = _inside(grey, *_pixels(places, homographies[cut]))
    return seen


def _inside(grey: Grey, x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    height, width = grey.shape
    return np.asarray((x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5), np.bool_)  # noqa: PLR2004 - half a pixel


def flattened(grey: Grey, homography: npt.NDArray[np.float64], pixels_a_module: int = 6, quiet: int = 2) -> Grey:
    """Return a symbol with its quiet zone as from straight above."""
    size = int((2 * HALF + 2 * quiet) * pixels_a_module)
    scale = HALF * pixels_a_module
    from_flat = homography @ np.array([[1 / scale, 0, -size / 2 / scale], [0, 1 / scale, -size / 2 / scale], [0, 0, 1]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(grey, from_flat, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


# --- label_model
# What labels look like about where they are thought to be, and how that changes when they are moved a little.

LARGEST_STEP = 0.12
"""In units of ``HALF``: no corner moves further at once."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelModel:
    """What n labels may look like: light, its changes by eight moves, and slow changes of the light; m samples.

    ``seen``: 1 where a sample lies in the picture.  ``slow``: n x 3 x m, orthonormal where seen (1 x 3 x m where all
    are seen whole); ``light``: n x m, free of these; ``changes``: n x 9 x m, how samples change with the moves
    (times contrast) and the contrast; ``squares``: n x 9 x 9, the inverse of their products.
    """

    seen: Floats
    slow: Floats
    light: Floats
    changes: Floats
    squares: Floats

    @staticmethod
    def of(grey: Grey, homographies: Homographies, pattern: SoftPattern) -> "LabelModel":
        """Return the model of labels about where they are in a picture; what is out of view does not count."""
        seen = in_view(grey, pattern.places, homographies)
        x, y = (pattern.places / HALF).T
        alike = seen[:1] if seen.all() else seen
        slow = _orthonormal(np.stack((np.ones_like(x), x, y))[None] * alike[:, None])
        across, down = pattern.across * HALF, pattern.down * HALF
        both = across * x + down * y
        columns = (across * x, across * y, across, down * x, down * y, down, -both * x, -both * y)
        own = np.stack((*columns, pattern.light), axis=1) * seen[:, None]
        own -= (own @ slow.transpose(0, 2, 1)) @ slow
        squares = own @ own.transpose(0, 2, 1)
        size = np.trace(squares, axis1=1, axis2=2)[:, None, None] / len(squares[0])
        squares += np.eye(own.shape[1], dtype=np.float32) * (1e-5 * size + 1e-6)
        return LabelModel(seen, slow, own[:, -1], own, np.linalg.inv(squares))

    def moves(self, shown: Floats) -> Floats:
        """Return by how much each label is off, n x 8; never so much that it would be lost."""
        parts = (self.squares @ (self.changes @ shown[:, :, None]))[:, :, 0]
        moves = parts[:, :-1] / np.maximum(parts[:, -1:], _LEAST_CONTRAST)
        farthest = np.maximum(np.abs(moves).max(axis=1, keepdims=True), 1e-9)
        return np.asarray(moves * np.minimum(1, LARGEST_STEP / farthest), np.float32)

    def without_light(self, shown: Floats) -> Floats:
        """Return samples where they are seen, without the slow changes of light."""
        own = shown * self.seen
        return np.asarray(own - ((self.slow @ own[:, :, None]).transpose(0, 2, 1) @ self.slow)[:, 0], np.float32)

    def unexplained(self, shown: Floats) -> Floats:
        """Return samples without the slow changes of light and without what the label itself explains."""
        own = self.without_light(shown)
        return np.asarray(own - ((own * self.light).sum(axis=1) / self._power)[:, None] * self.light, np.float32)

    def residual(self, shown: Floats) -> Floats:
        """Return what the label does not explain of samples, in units of its contrast."""
        own = self.without_light(shown)
        contrast = np.maximum((own * self.light).sum(axis=1) / self._power, _LEAST_CONTRAST)
        return np.asarray(own / contrast[:, None] - self.light, np.float32)

    def judge(self, shown: Floats) -> tuple[Floats, Floats, Floats]:
        """Return how well each label fits (correlation), its contrast and its noise, in the units of ``shown``."""
        own = self.without_light(shown)
        product = (own * self.light).sum(axis=1)
        length = np.maximum((own * own).sum(axis=1), 1e-6)
        left = np.maximum(length - product**2 / self._power, 0)
        noise = np.sqrt(left / np.maximum(self.seen.sum(axis=1), 1))
        return product / np.sqrt(self._power * length), product / self._power, np.asarray(noise, np.float32)

    @property
    def _power(self) -> Floats:
        return np.asarray(np.maximum((self.light * self.light).sum(axis=1), 1e-6), np.float32)


_LEAST_CONTRAST = 1.0
"""Grey levels: where paper is no lighter than ink, nothing is to be learnt."""


def _orthonormal(rows: Floats) -> Floats:
    """Return rows (n x k x m) made orthonormal, each against those before it."""
    made = rows.copy()
    for number in range(rows.shape[1]):
        for before in range(number):
            made[:, number] -= (made[:, number] * made[:, before]).sum(axis=1, keepdims=True) * made[:, before]
        made[:, number] /= np.maximum(np.linalg.norm(made[:, number], axis=1, keepdims=True), 1e-6)
    return made
