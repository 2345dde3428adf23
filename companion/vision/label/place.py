"""Where labels lie in a picture: homographies, and what is shown under them."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.shared_pattern import HALF, WHITE_HALF, Floats
from companion.vision.label.sighting import Corners, Grey, Sighting

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
