"""The simulated camera and light in three severities: view, blur, noise and illumination; and nuisances by name."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import cv2
import numpy as np

from calibration.plane import Plane, plane_from_matrix
from companion.qr.sighting import F32, U8, Picture

# Nuisances that make real tables harder to read than drawn ones, by name, to be combined freely. The severity
# of camera and light is set apart from them. The effect of each is random by seed and card.

Nuisance: TypeAlias = Literal[
    "bends",  # cards curl by up to 4 mm
    "leans",  # cards lie on the edge of others, tilted by up to 10 degrees
    "stacks",  # cards lie on stacks of up to 10 mm
    "sleeves",  # take contrast
    "highlights",  # of lamps on sleeves, somewhere on the card
    "prints",  # labels at 97 to 103 %, turned by up to 6 degrees, cut 1 mm off, grey ink, yellow paper
    "art",  # print of all kinds that touches the label
    "ground",  # cloth, sheets of paper, dark things under the cards
    "lens",  # bends straight lines, by up to 15 % at the corners
    "shadows",  # of hands and heads, with hard edges
    "lamps",  # warm and cold light at once, corners darker than the middle
    "sharpening",  # by the camera, after it has smoothed noise away
    "blocks",  # of strong compression
    "flicker",  # of lamps, while rows are read; and exposure that goes up and down
]
Nuisances: TypeAlias = frozenset[Nuisance]

NONE: Nuisances = frozenset()
ALL: Nuisances = frozenset(get_args(Nuisance))
EVERYDAY: Nuisances = frozenset(
    {"bends", "leans", "stacks", "sleeves", "prints", "art", "shadows", "lamps", "sharpening"}
)
"""Nuisances of ``--camera sim``; the others cost time in each frame, or need a calibration."""


def parse_nuisances(names: Iterable[str]) -> Nuisances:
    """Return the nuisances with these names.

    Raises:
        ValueError: for an unknown name.

    """
    wanted = set(names)
    if unknown := wanted - ALL:
        reason = f"there is no nuisance {min(unknown)!r}: say {', '.join(sorted(ALL))}"
        raise ValueError(reason)
    return frozenset(nuisance for nuisance in ALL if nuisance in wanted)


# The camera and the light: severities, and the view, light and blur that are drawn for a table

Span = tuple[float, float]
"""From, to."""


@dataclass(frozen=True, slots=True)
class Severity:
    """The range of a camera's and a light's faults; one value of each span is drawn for a table.

    ``tilt_degrees``: tilt of the camera at most. ``blur_pixels`` and ``noise`` (of 255, at mid grey): standard
    deviations. ``motion_pixels``: length of motion blur. ``brightness``: share of full light. ``gradient``: how much
    darker one side of the table is. ``glares``: number of bright spots. ``jpeg``: quality.
    """

    tilt_degrees: float
    blur_pixels: Span
    motion_pixels: Span
    noise: Span
    brightness: Span
    gradient: float
    glares: int
    jpeg: tuple[int, int]


MILD = Severity(10, (0.4, 0.6), (0.0, 0.5), (2, 4), (0.75, 0.95), 0.15, 0, (85, 92))
MEDIUM = Severity(25, (0.6, 0.9), (0.5, 2.0), (4, 7), (0.4, 0.7), 0.40, 1, (75, 85))
HARD = Severity(38, (0.9, 1.2), (1.5, 3.5), (7, 11), (0.22, 0.4), 0.60, 2, (60, 75))
SEVERITIES = {"mild": MILD, "medium": MEDIUM, "hard": HARD}

FIELD_OF_VIEW_DEGREES = 66.0
"""Horizontal, as of a usual camera module."""


@dataclass(frozen=True, slots=True)
class Optics:
    """One camera over one table, drawn from a severity."""

    width: int
    height: int
    plane: Plane
    blur_pixels: float
    motion_pixels: float
    motion_degrees: float
    noise: float
    brightness: float
    gradient: float
    gradient_degrees: float
    glares: tuple[tuple[float, float, float, float], ...]
    jpeg: int


def sample_optics(
    severity: Severity, random: np.random.Generator, width: int = 1920, height: int = 1080, pixels_a_mm: float = 1.85
) -> Optics:
    """Return random optics with a resolution of ``pixels_a_mm`` at the centre of the view.

    The table's origin is where the picture's top left corner would be if the camera were not tilted.
    """
    tilt = math.radians(random.uniform(0.3, 1.0) * severity.tilt_degrees)
    plane = compute_view(width, height, pixels_a_mm, tilt, random.uniform(0, 2 * math.pi))
    glares = tuple(
        (
            random.uniform(0, width),
            random.uniform(0, height),
            random.uniform(30, 150),
            random.uniform(90, 230),
        )
        for _ in range(severity.glares)
    )
    return Optics(
        width=width,
        height=height,
        plane=plane,
        blur_pixels=random.uniform(*severity.blur_pixels),
        motion_pixels=random.uniform(*severity.motion_pixels),
        motion_degrees=random.uniform(0, 180),
        noise=random.uniform(*severity.noise),
        brightness=random.uniform(*severity.brightness),
        gradient=severity.gradient,
        gradient_degrees=random.uniform(0, 360),
        glares=glares,
        jpeg=int(random.integers(severity.jpeg[0], severity.jpeg[1] + 1)),
    )


def bump_camera(optics: Optics, random: np.random.Generator) -> Optics:
    """Return the same camera after a knock: shifted by a finger's breadth on the table, and slightly rotated."""
    angle = math.radians(random.uniform(0.5, 1.5)) * random.choice((-1, 1))
    x, y = optics.width / 2, optics.height / 2
    right, down = (random.uniform(8, 16) * random.choice((-1, 1)) for _ in range(2))
    cos, sin = math.cos(angle), math.sin(angle)
    knock = np.array([[cos, -sin, x - cos * x + sin * y + right], [sin, cos, y - sin * x - cos * y + down], [0, 0, 1]])
    return replace(optics, plane=plane_from_matrix(knock @ optics.plane.matrix))


def compute_view(width: int, height: int, pixels_a_mm: float, tilt: float, towards: float) -> Plane:
    """Return the table's plane for a camera tilted by ``tilt`` about an axis in direction ``towards`` (radians)."""
    focal = focal_length(width)
    turn = np.array([[math.cos(towards), math.sin(towards), 0], [-math.sin(towards), math.cos(towards), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    turned = turn.T @ lean @ turn
    distance_mm = focal / pixels_a_mm
    centred = np.array([[1, 0, -width / 2 / pixels_a_mm], [0, 1, -height / 2 / pixels_a_mm], [0, 0, 1]])
    onto_camera = np.column_stack((turned[:, 0], turned[:, 1], (0, 0, distance_mm)))
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return plane_from_matrix(lens @ onto_camera @ centred)


def focal_length(width: int) -> float:
    """Return the focal length in pixels, for pictures of this width."""
    return width / 2 / math.tan(math.radians(FIELD_OF_VIEW_DEGREES / 2))


def compute_light(optics: Optics) -> F32:
    """Return the illumination of each pixel, float32 height x width; 1 is full light."""
    x = np.linspace(-0.5, 0.5, optics.width, dtype=np.float32)[None, :]
    y = np.linspace(-0.5, 0.5, optics.height, dtype=np.float32)[:, None]
    angle = math.radians(optics.gradient_degrees)
    along = (x * math.cos(angle) + y * math.sin(angle)) / (abs(math.cos(angle)) + abs(math.sin(angle)))
    return np.asarray(optics.brightness * (1 - optics.gradient * (along + 0.5)), np.float32)


def compute_glare(optics: Optics) -> F32 | None:
    """Return what bright spots add to each pixel, float32 height x width in grey levels, or None without any."""
    if not optics.glares:
        return None
    x = np.arange(optics.width, dtype=np.float32)[None, :]
    y = np.arange(optics.height, dtype=np.float32)[:, None]
    added = np.zeros((optics.height, optics.width), np.float32)
    for at_x, at_y, radius, strength in optics.glares:
        added += strength * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * (radius / 2) ** 2))
    return added


def blur_picture(picture: F32, optics: Optics) -> F32:
    """Return the picture with the blur of the lens and of motion."""
    smoothing = cv2.GaussianBlur(picture, (0, 0), optics.blur_pixels)
    if optics.motion_pixels < _MIN_MOTION:
        return np.asarray(smoothing, np.float32)
    return np.asarray(
        cv2.filter2D(smoothing, -1, _motion_kernel(optics.motion_pixels, optics.motion_degrees)), np.float32
    )


def compress_picture(picture: U8, optics: Optics) -> U8:
    """Return the picture after JPEG compression, uint8 of the same shape."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, optics.jpeg])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)


_MIN_MOTION = 0.3


def _motion_kernel(pixels: float, degrees: float) -> F32:
    """Return the kernel of a straight motion, summing to 1."""
    size = 2 * math.ceil(pixels / 2) + 3
    finer = 9
    kernel = np.zeros((size * finer, size * finer), np.float32)
    middle = size * finer / 2 - 0.5
    reach_x = pixels * finer / 2 * math.cos(math.radians(degrees))
    reach_y = pixels * finer / 2 * math.sin(math.radians(degrees))
    start = (round(middle - reach_x), round(middle - reach_y))
    end = (round(middle + reach_x), round(middle + reach_y))
    cv2.line(kernel, start, end, 1.0, finer)
    small = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)


class CameraArtefacts:
    """Artefacts of a cheap camera, drawn by a seed: lens distortion, processing, flicker. Not thread-safe."""

    def __init__(self, width: int, height: int, seed: int, nuisances: Nuisances) -> None:
        random = np.random.default_rng([seed, 9])
        self._random = random
        self._size = (width, height)
        distortion, sharpening, smoothing, quality = random.uniform((0.02, 0.6, 0.4, 50), (0.15, 1.8, 0.8, 70))
        self.distortion = float(distortion) if "lens" in nuisances else 0.0
        """Radial distortion: how much nearer to the centre the corners are seen, as a share."""
        self._sharpening, self._smoothing = (
            (float(sharpening), float(smoothing)) if "sharpening" in nuisances else (0.0, 0.0)
        )
        self._jpeg_quality = int(quality) if "blocks" in nuisances else None
        self._flickers = "flicker" in nuisances
        self._maps = self._distortion_maps() if self.distortion else None

    def distort(self, picture: Picture) -> Picture:
        """Return the picture with the distortion of the lens; its corners stay in place."""
        if self._maps is None:
            return picture
        return np.asarray(cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def distort_point(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel to which the lens moves a pixel."""
        middle, half = np.array(self._size) / 2, np.hypot(*self._size) / 2
        off = (np.array([x, y]) - middle) / half
        shown = off * (1 - self.distortion * float(off @ off)) / (1 - self.distortion)
        right, down = shown * half + middle
        return float(right), float(down)

    def process(self, picture: Picture) -> Picture:
        """Return the picture after flicker, sharpening and compression."""
        shown = self._flicker(picture) if self._flickers else picture
        if self._sharpening:
            smooth = cv2.GaussianBlur(shown, (0, 0), self._smoothing)
            shown = np.asarray(
                cv2.addWeighted(
                    smooth, 1 + self._sharpening, cv2.GaussianBlur(smooth, (0, 0), 1.2), -self._sharpening, 0
                ),
                np.uint8,
            )
        if self._jpeg_quality is not None:
            _, data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg_quality])
            shown = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return shown

    def _flicker(self, picture: Picture) -> Picture:
        """Return the picture with rows read under flickering lamps, at another exposure."""
        rows = np.arange(self._size[1], dtype=np.float32)
        wave = self._random.uniform(0.03, 0.15) * np.sin(
            rows / self._random.uniform(60, 200) + self._random.uniform(0, 6)
        )
        gain = (self._random.uniform(0.75, 1.15) * (1 + wave)).astype(np.float32)
        return np.asarray(np.clip(picture * gain[:, None, None], 0, 255), np.uint8)

    def _distortion_maps(self) -> tuple[F32, F32]:
        width, height = self._size
        half = np.hypot(width, height) / 2
        x, y = np.meshgrid((np.arange(width) + 0.5 - width / 2) / half, (np.arange(height) + 0.5 - height / 2) / half)
        shown = np.hypot(x, y)
        straight = shown.copy()
        for _ in range(12):
            straight = shown * (1 - self.distortion) / (1 - self.distortion * straight**2)
        scale = np.where(shown > 0, straight / np.maximum(shown, 1e-9), 1 - self.distortion)
        across, down = (own * scale * half + size / 2 - 0.5 for own, size in ((x, width), (y, height)))
        return across.astype(np.float32), down.astype(np.float32)
