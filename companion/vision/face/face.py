"""A card's face, straightened to one size and freed of its light, so that faces can be compared."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.outline import Quad
from companion.vision.label.sighting import Picture

Face = npt.NDArray[np.uint8]
"""uint8 TALL x BROAD x 3 (blue, green, red): a face as it would be seen from straight above, whatever its shape."""
Shown = npt.NDArray[np.float32]
"""float32 TALL x BROAD x 3: what is printed on a face, without the light on it."""
Matrix = npt.NDArray[np.float64]
"""float64 3 x 3, from pixels to pixels."""

BROAD, TALL = 192, 264
FINER = 2
"""So much finer a face is kept to be looked at."""
LIGHT_SIGMA = 30.0
"""What changes over more than that is the light."""
DARKEST = 8.0
"""Grey levels that are added to the light: noise in the dark says nothing."""
RIM = 7
"""Pixels at the edge that do not count: cut, sleeve, a corner that was missed."""
NEAR_SIGMA = 12.0
"""Pixels: what changes over more may be a highlight, too."""
STRONGEST = 1.0
"""Nothing printed is that much lighter or darker than what lies round it; a highlight is."""


def lies_at(quad: Quad) -> Matrix:
    """Give the map from a face's pixels to those of a picture, by its corners there."""
    return np.asarray(cv2.getPerspectiveTransform(corners_of_face(), quad), np.float64)


def cut_out(picture: Picture, quad: Quad) -> Face:
    """Cut a face out by its corners, ``FINER`` than faces are compared, uint8 colours."""
    finer = np.array([[1 / FINER, 0, 0.5 / FINER - 0.5], [0, 1 / FINER, 0.5 / FINER - 0.5], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (FINER * BROAD, FINER * TALL)
    return np.asarray(cv2.warpPerspective(_coloured(picture), lies_at(quad) @ finer, size, flags=flags), np.uint8)


def face_in(kept: Picture) -> Face:
    """Give a face as it is compared, of a picture that was cut out."""
    return np.asarray(cv2.resize(_coloured(kept), (BROAD, TALL), interpolation=cv2.INTER_AREA), np.uint8)


def onto_face(kept: Picture) -> Matrix:
    """Give the map from a face's pixels to those of a picture that shows it alone."""
    height, width = kept.shape[:2]
    corners = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    return lies_at(np.asarray(corners, np.float32))


def corners_of_face() -> Quad:
    """Give the corners of a straightened face, in the order of an outline's."""
    return np.array([(-0.5, -0.5), (BROAD - 0.5, -0.5), (BROAD - 0.5, TALL - 0.5), (-0.5, TALL - 0.5)], np.float32)


def warped(picture: Picture, from_face: Matrix) -> Face:
    """Cut a face out by the map from its pixels to the picture's."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(_coloured(picture), from_face, (BROAD, TALL), flags=flags), np.uint8)


def _coloured(picture: Picture) -> Picture:
    grey = picture.ndim == 2  # noqa: PLR2004 - axes
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if grey else picture, np.uint8)


def shown_on(face: Face, soft: float = 1.5) -> Shown:
    """Say what is printed: how much lighter each place is than what lies round it, colour by colour.

    All in shares of the light there.  ``soft``: pixels by which the face is softened first.
    """
    seen = cv2.GaussianBlur(face, (0, 0), soft).astype(np.float32)
    round_it = cv2.GaussianBlur(seen, (0, 0), LIGHT_SIGMA, borderType=cv2.BORDER_REFLECT)
    light = round_it.mean(axis=2, keepdims=True) + DARKEST
    return np.asarray(np.clip((seen - round_it) / light, -STRONGEST, STRONGEST), np.float32)


def inner(shown: Shown) -> Shown:
    """Give what counts of a face: all but its rim."""
    return shown[RIM:-RIM, RIM:-RIM]


def near(shown: Shown, sigma: float = NEAR_SIGMA) -> Shown:
    """Give what is printed against what lies within so many pixels."""
    return np.asarray(shown - cv2.GaussianBlur(shown, (0, 0), sigma), np.float32)
