"""Rectified pictures of cards, what is printed on them, and the cards that were taught.

A card is rectified to one size, whatever its shape, and its *print* is what remains when the illumination is removed.
Taught cards are prepared once, so that a card under the camera can be compared with all of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, U8, Picture
from companion.vision.card_art.outline import Quad

CardPicture: TypeAlias = U8
"""uint8 HEIGHT x WIDTH x 3 (blue, green, red): a rectified card."""
CardPrint: TypeAlias = F32
"""float32 HEIGHT x WIDTH x 3: what is printed on a card, as a share of the light there."""
Matrix: TypeAlias = F64
"""float64 3 x 3, a map from pixels of a rectified card to pixels of a picture."""

WIDTH, HEIGHT = 192, 264
KEPT_SCALE = 2
"""Factor by which pictures of taught cards are stored larger, to be looked at by people."""
LIGHT_SIGMA = 30.0
"""Pixels: what changes over more is illumination."""
LIGHT_OFFSET = 8.0
"""Grey levels that are added to the light, so that noise in dark places does not count."""
RIM = 7
"""Pixels at the edge that are not compared: cut, sleeve, a corner that was missed."""
LOCAL_SIGMA = 12.0
"""Pixels: what changes over more may be a highlight too."""
MAX_PRINT = 1.0
"""Nothing printed is that much lighter or darker than its surroundings; a highlight is."""

MIN_FEATURES = 12
"""Features in common with a taught card that are needed to locate it."""
MAX_FEATURES = 400
DISTANCE_RATIO = 0.8
"""Distance of the nearest feature relative to the next one at most (Lowe 2004)."""
MAX_REPROJECTION_PX = 4.0
"""Distance of a feature from where the others put it, at most."""

COARSE, FINE = (48, 66), (96, 132)
"""Width and height at which a card is compared with all others, before and after its pose is known."""


def map_to_quad(quad: Quad) -> Matrix:
    """Return the map from a rectified card to the picture in which it has these corners."""
    return np.asarray(cv2.getPerspectiveTransform(rectified_corners(), quad), np.float64)


def map_to_picture(kept: Picture) -> Matrix:
    """Return the map from a rectified card to a picture that shows the card alone."""
    height, width = kept.shape[:2]
    corners = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    return map_to_quad(np.asarray(corners, np.float32))


def rectified_corners() -> Quad:
    """Return the corners of a rectified card, in the order of an outline."""
    return np.array([(-0.5, -0.5), (WIDTH - 0.5, -0.5), (WIDTH - 0.5, HEIGHT - 0.5), (-0.5, HEIGHT - 0.5)], np.float32)


def crop_card(picture: Picture, quad: Quad) -> CardPicture:
    """Return the card with these corners, rectified at ``KEPT_SCALE`` times the size at which cards are compared."""
    finer = np.array(
        [[1 / KEPT_SCALE, 0, 0.5 / KEPT_SCALE - 0.5], [0, 1 / KEPT_SCALE, 0.5 / KEPT_SCALE - 0.5], [0, 0, 1]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (KEPT_SCALE * WIDTH, KEPT_SCALE * HEIGHT)
    return np.asarray(cv2.warpPerspective(_to_colour(picture), map_to_quad(quad) @ finer, size, flags=flags), np.uint8)


def resize_card(kept: Picture) -> CardPicture:
    """Return a cropped card at the size at which cards are compared."""
    return np.asarray(cv2.resize(_to_colour(kept), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def rectify_card(picture: Picture, from_card: Matrix) -> CardPicture:
    """Return the card that lies under a map from its pixels to the picture's."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(_to_colour(picture), from_card, (WIDTH, HEIGHT), flags=flags), np.uint8)


def _to_colour(picture: Picture) -> Picture:
    grey = picture.ndim == 2  # noqa: PLR2004 - axes
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if grey else picture, np.uint8)


def extract_print(card: CardPicture, sigma: float = 1.5) -> CardPrint:
    """Return how much lighter each pixel is than its surroundings, by channel, as a share of the light there.

    ``sigma``: pixels of Gaussian blur that is applied first.
    """
    soft = cv2.GaussianBlur(card, (0, 0), sigma).astype(np.float32)
    surroundings = cv2.GaussianBlur(soft, (0, 0), LIGHT_SIGMA, borderType=cv2.BORDER_REFLECT)
    light = surroundings.mean(axis=2, keepdims=True) + LIGHT_OFFSET
    return np.asarray(np.clip((soft - surroundings) / light, -MAX_PRINT, MAX_PRINT), np.float32)


def high_pass(card_print: CardPrint, sigma: float = LOCAL_SIGMA) -> CardPrint:
    """Return the print without what changes over more than ``sigma`` pixels."""
    return np.asarray(card_print - cv2.GaussianBlur(card_print, (0, 0), sigma), np.float32)


def without_rim(planes: F32) -> F32:
    """Return a print without the rim, which is not compared."""
    return planes[RIM:-RIM, RIM:-RIM]


# Features: the pose of a card whose outline is hidden.


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """n SIFT features: their points, float32 n x 2 pixels, and descriptors, float32 n x 128."""

    points: F32
    descriptors: F32


def detect_features(picture: Picture) -> Features:
    """Return the features of a picture."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004 - grey
    sift = cv2.SIFT.create(nfeatures=MAX_FEATURES, contrastThreshold=0.02)
    keypoints, descriptors = sift.detectAndCompute(cv2.createCLAHE(2.0, (4, 4)).apply(grey), None)
    if not keypoints:
        return Features(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    points = np.array([keypoint.pt for keypoint in keypoints], np.float32)
    return Features(points, np.asarray(descriptors, np.float32))


def locate_by_features(taught: Sequence[Features], seen: Features) -> Matrix | None:
    """Return the map from a rectified card to the picture, by the taught card with most features in common."""
    best: tuple[int, Matrix | None] = (0, None)
    if len(seen.descriptors) < MIN_FEATURES:
        return None
    for features in taught:
        pairs = _match_features(features, seen) if len(features.descriptors) >= MIN_FEATURES else []
        if len(pairs) < max(MIN_FEATURES, best[0]):
            continue
        sources = features.points[[source for source, _ in pairs]]
        targets = seen.points[[target for _, target in pairs]]
        matrix, inliers = cv2.estimateAffine2D(
            sources, targets, method=cv2.RANSAC, ransacReprojThreshold=MAX_REPROJECTION_PX
        )
        count = 0 if np.ndim(inliers) == 0 else int(np.sum(inliers))  # None if nothing fits, whatever the stubs say
        if count >= MIN_FEATURES and count > best[0]:
            best = (count, np.vstack([matrix, (0.0, 0.0, 1.0)]))
    return best[1]


def _match_features(taught: Features, seen: Features) -> list[tuple[int, int]]:
    """Return pairs of indices of similar features (ratio test)."""
    neighbours = cv2.BFMatcher(cv2.NORM_L2).knnMatch(taught.descriptors, seen.descriptors, k=2)
    return [
        (two[0].queryIdx, two[0].trainIdx)
        for two in neighbours
        if len(two) == 2 and two[0].distance < DISTANCE_RATIO * two[1].distance  # noqa: PLR2004 - two
    ]


# Taught cards.


@dataclass(frozen=True, slots=True, eq=False)
class TaughtCard:
    """A card as it was taught: its rectified picture, its print and its features."""

    card: str
    picture: CardPicture
    card_print: CardPrint
    features: Features

    @classmethod
    def of(cls, card: str, picture: CardPicture) -> "TaughtCard":
        """Return a taught card, prepared from its rectified picture."""
        return cls(card, picture, extract_print(picture), detect_features(picture))


class TaughtCards:
    """All taught cards of a box, for use by any thread."""

    def __init__(self, cards: Mapping[str, CardPicture] | Iterable[TaughtCard]) -> None:
        """Store rectified pictures by card, or cards that were prepared before."""
        prepared = [TaughtCard.of(*entry) for entry in cards.items()] if isinstance(cards, Mapping) else cards
        self.cards = tuple(sorted(prepared, key=lambda taught: taught.card))
        self.lookalikes: dict[str, list[str]] = {}
        """Cards that look alike, by card; filled on first use."""
        self._coarse = _stack([_unit_vector(taught.card_print, COARSE) for taught in self.cards])
        self._fine = _stack([_unit_vector(_compress(taught.card_print), FINE) for taught in self.cards])

    def find_most_similar(self, picture: CardPicture) -> tuple[float, int, bool]:
        """Return the correlation and index of the most similar card, and whether ``picture`` shows it upside down."""
        turned = np.ascontiguousarray(picture[::-1, ::-1])
        correlations = [self._coarse @ _unit_vector(extract_print(either), COARSE) for either in (picture, turned)]
        return max((float(row.max()), int(row.argmax()), bool(way)) for way, row in enumerate(correlations))

    def rank(self, card_print: CardPrint) -> list[int]:
        """Return the indices of all cards, the most similar first, for a print whose pose is known."""
        return [int(index) for index in np.argsort(-(self._fine @ _unit_vector(_compress(card_print), FINE)))]


def _stack(vectors: Sequence[F32]) -> F32:
    return np.stack(vectors) if vectors else np.zeros((0, 1), np.float32)


def _compress(card_print: CardPrint) -> F32:
    """Return the print with strong differences compressed, so that small print counts beside large letters."""
    local = high_pass(card_print)
    return np.asarray(np.sign(local) * np.sqrt(np.abs(local)), np.float32)


def _unit_vector(card_print: CardPrint, size: tuple[int, int]) -> F32:
    small = cv2.resize(without_rim(card_print), size, interpolation=cv2.INTER_AREA).ravel()
    centred = small - small.mean()
    return np.asarray(centred / (float(np.linalg.norm(centred)) + 1e-6), np.float32)
