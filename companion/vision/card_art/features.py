"""A card's face, straightened to one size and freed of its light, so that faces can be compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Picture
from companion.vision.card_art.outline import Quad

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


# --- features
# How a face lies, by features that it has in common with a taught one: for cards whose outline is hidden.

FEWEST = 12
"""So few features in common with a face say nothing of how it lies."""
MOST = 400
NEARER = 0.8
"""How much nearer than the next one a feature must be (Lowe, 2004)."""
REACH_PX = 4.0
"""How far a feature may lie from where the others put it."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Places, float32 N x 2, and what they look like, float32 N x 128."""

    places: npt.NDArray[np.float32]
    looks: npt.NDArray[np.float32]


def features_of(picture: Picture) -> Features:
    """Find the features of a picture."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004 - grey
    sift = cv2.SIFT.create(nfeatures=MOST, contrastThreshold=0.02)
    points, looks = sift.detectAndCompute(cv2.createCLAHE(2.0, (4, 4)).apply(grey), None)
    if not points:
        return Features(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    return Features(np.array([one.pt for one in points], np.float32), np.asarray(looks, np.float32))


def lies(known: Sequence[Features], seen: Features) -> Matrix | None:
    """Give the map from a face's pixels to the picture's, by the known face with which it has most in common."""
    best: tuple[int, Matrix | None] = (0, None)
    if len(seen.looks) < FEWEST:
        return None
    for one in known:
        pairs = _pairs(one, seen) if len(one.looks) >= FEWEST else []
        if len(pairs) < max(FEWEST, best[0]):
            continue
        ours = one.places[[ours for ours, _ in pairs]]
        theirs = seen.places[[theirs for _, theirs in pairs]]
        matrix, fitting = cv2.estimateAffine2D(ours, theirs, method=cv2.RANSAC, ransacReprojThreshold=REACH_PX)
        count = 0 if np.ndim(fitting) == 0 else int(np.sum(fitting))  # nothing fits: None, whatever the stubs say
        if count >= FEWEST and count > best[0]:
            best = (count, np.vstack([matrix, (0.0, 0.0, 1.0)]))
    return best[1]


def _pairs(ours: Features, seen: Features) -> list[tuple[int, int]]:
    found = cv2.BFMatcher(cv2.NORM_L2).knnMatch(ours.looks, seen.looks, k=2)
    return [
        (both[0].queryIdx, both[0].trainIdx)
        for both in found
        if len(both) == 2 and both[0].distance < NEARER * both[1].distance  # noqa: PLR2004 - two
    ]


# --- known
# The faces that were taught, made ready to be compared with one under the camera.

COARSE, FINE = (48, 66), (96, 132)
"""Broad and tall: so fine are faces compared with all others, before and after it is known how they lie."""
Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class KnownFace:
    """A face as it was taught, what is printed on it, and its features."""

    card: str
    face: Face
    shown: Shown
    features: Features

    @classmethod
    def of(cls, card: str, face: Face) -> "KnownFace":
        """Make a straightened face ready."""
        return cls(card, face, shown_on(face), features_of(face))


class KnownFaces:
    """All taught faces of a box; any thread may use them."""

    def __init__(self, faces: Mapping[str, Face] | Iterable[KnownFace]) -> None:
        """Take the faces by card, each straightened, or as they were made ready before."""
        ready = [KnownFace.of(*one) for one in faces.items()] if isinstance(faces, Mapping) else faces
        self.faces = tuple(sorted(ready, key=lambda one: one.card))
        self.alike: dict[str, list[str]] = {}
        """Cards that look like others, found when first asked for."""
        self._coarse = _rows([_unit(one.shown, COARSE) for one in self.faces])
        self._fine = _rows([_unit(_evened(one.shown), FINE) for one in self.faces])

    def likest(self, face: Face) -> tuple[float, int, bool]:
        """Compare a face, which may stand on its head, with all: how alike (1: the same), which, whether turned."""
        turned = np.ascontiguousarray(face[::-1, ::-1])
        alike = [self._coarse @ _unit(shown_on(one), COARSE) for one in (face, turned)]
        return max((float(there.max()), int(there.argmax()), bool(way)) for way, there in enumerate(alike))

    def order(self, shown: Shown) -> list[int]:
        """Give the numbers of all faces, the one that is likest first, where it is known how the face lies."""
        return [int(number) for number in np.argsort(-(self._fine @ _unit(_evened(shown), FINE)))]


def _rows(units: Sequence[Rows]) -> Rows:
    return np.stack(units) if units else np.zeros((0, 1), np.float32)


def _evened(shown: Shown) -> Shown:
    """Let small print count beside large letters."""
    found = near(shown)
    return np.asarray(np.sign(found) * np.sqrt(np.abs(found)), np.float32)


def _unit(shown: Shown, size: tuple[int, int]) -> Rows:
    small = cv2.resize(inner(shown), size, interpolation=cv2.INTER_AREA).ravel()
    centred = small - small.mean()
    return np.asarray(centred / (float(np.linalg.norm(centred)) + 1e-6), np.float32)
