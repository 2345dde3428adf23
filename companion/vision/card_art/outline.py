"""Find cards by their outline or by features, rectify them, and prepare their print to compare with taught cards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, F64, U8, GreyPicture, Picture

Quad: TypeAlias = F32
"""float32 4 x 2 pixels: corners clockwise, a short side first."""

POLYGON_TOLERANCE = 0.03
"""Deviation of an outline from its polygon at most, as a share of its length."""
MIN_SIDE = 45.0
"""Pixels below which a card shows nothing."""
MIN_FILLED = 0.8
"""Share of the quadrilateral that an outline fills at least."""
MIN_ASPECT, MAX_ASPECT = 0.42, 0.95
"""The short side divided by the long one, as the camera sees them."""
CELL_PIXELS, MIN_GAIN_CHANGE, MAX_GAIN = 16, 0.02, 1.6
"""Pixels of the cells from which the light is estimated; gains that are ignored, and those that no camera applies."""
MIN_CHANGE, NOISE_FACTOR = 10.0, 4.0
"""Grey levels, and multiples of the noise, from which on a change is no noise."""
STRIP_ROWS, SOFTENED_ROWS = 256, 2
"""Rows that are compared at once, so that a large picture takes little memory, and rows to which softening reaches."""
SINGLE_SIZE, SINGLE_BORDER, SINGLE_ROUNDS, SINGLE_SHARE = 420, 0.03, 4, 0.12
"""For a single card: pixels of the picture that is segmented, share of its border that is certainly table, rounds of
GrabCut, and share of the picture that the card fills at least."""


def find_outlines(ground: Picture, picture: Picture) -> list[Quad]:
    """Return what lies in a picture and not in that of the empty place, the largest first; both uint8, of one shape."""
    change = _measure_change(ground, picture)
    noise = 2 * _compute_percentile(change, 20)  # a median would be better, but a card may cover most of the part
    mask = (change > max(MIN_CHANGE, NOISE_FACTOR * noise)).view(np.uint8)
    del change
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    quads = _fit_quads(mask, MIN_SIDE * MIN_SIDE)
    return sorted(quads, key=lambda quad: -float(cv2.contourArea(quad)))


def _compute_percentile(levels: GreyPicture, percent: float) -> float:
    """Return what ``np.percentile`` does, without a copy of the picture."""
    counts = np.cumsum(cv2.calcHist([levels], [0], None, [256], [0, 256]).astype(np.int64))
    place = percent / 100 * (levels.size - 1)
    below, above = np.searchsorted(counts, [int(place), int(np.ceil(place))], side="right")
    return float(below + (above - below) * (place % 1))


def _measure_change(ground: Picture, picture: Picture) -> GreyPicture:
    """Return the difference of two softened pictures, that of the colour that differs most; by strips of rows."""
    height, width = picture.shape[:2]
    change = np.empty((height, width), np.uint8)
    for top in range(0, height, STRIP_ROWS):
        before = min(top, SOFTENED_ROWS)
        softened = [
            cv2.GaussianBlur(whole[top - before : top + STRIP_ROWS + SOFTENED_ROWS], (5, 5), 0)
            for whole in (picture, ground)
        ]
        difference = cv2.absdiff(*softened)[before : before + STRIP_ROWS]
        change[top : top + STRIP_ROWS] = difference if difference.ndim == 2 else difference.max(axis=2)  # noqa: PLR2004 - grey
    return change


def match_illumination(ground: Picture, picture: Picture) -> Picture:
    """Return the picture of the empty place as it would look in the light of a later one with little else on it.

    Cameras change exposure and white balance when something light comes in. Beyond ``MAX_GAIN`` it is another lamp, and
    the picture is returned unchanged.
    """
    size = (max(1, ground.shape[1] // CELL_PIXELS), max(1, ground.shape[0] // CELL_PIXELS))
    before, now = (
        cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.float32).reshape(size[0] * size[1], -1) + 1
        for frame in (ground, picture)
    )
    gain = np.median(now / before, axis=0)
    slight = float(np.abs(gain - 1).max()) < MIN_GAIN_CHANGE
    if slight or not 1 / MAX_GAIN <= float(gain.min()) <= float(gain.max()) <= MAX_GAIN:
        return ground
    tones = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)  # a row for each tone, a column a colour
    return np.asarray(cv2.LUT(ground, tones[None]), np.uint8)


def find_single_card(picture: Picture) -> Quad | None:
    """Return the card in the middle of a picture that shows nothing else (GrabCut, Rother et al. 2004), or None."""
    height, width = picture.shape[:2]
    scale = min(SINGLE_SIZE / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    small = np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8) if small.ndim == 2 else small  # noqa: PLR2004 - grey
    if min(size) < MIN_SIDE:
        return None
    margin = (round(SINGLE_BORDER * size[0]), round(SINGLE_BORDER * size[1]))
    inside = (*margin, size[0] - 2 * margin[0], size[1] - 2 * margin[1])
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.grabCut(small, mask, inside, np.zeros((1, 65)), np.zeros((1, 65)), SINGLE_ROUNDS, cv2.GC_INIT_WITH_RECT)
    card = np.asarray((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), np.uint8)
    closed = cv2.morphologyEx(card, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    quads = _fit_quads(np.asarray(opened, np.uint8), SINGLE_SHARE * size[0] * size[1])
    if not quads:
        return None
    largest = max(quads, key=lambda quad: float(cv2.contourArea(quad)))
    return np.asarray((largest + 0.5) / scale - 0.5, np.float32)


def turn_upright(quad: Quad) -> Quad:
    """Return the corners with the upper one of the short sides first, as seen in the picture."""
    return quad if quad[:2, 1].mean() <= quad[2:, 1].mean() else np.roll(quad, 2, axis=0)


def _fit_quads(mask: GreyPicture, min_area: float) -> list[Quad]:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = (_fit_quad(np.asarray(contour, np.int32), min_area) for contour in contours)
    return [quad for quad in quads if quad is not None]


def _fit_quad(contour: npt.NDArray[np.int32], min_area: float) -> Quad | None:
    """Return the corners of a contour, or None if it is no card."""
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(hull))
    if area < min_area:
        return None
    tolerance = POLYGON_TOLERANCE * cv2.arcLength(hull, closed=True)
    rough = cv2.approxPolyDP(hull, tolerance, closed=True)[:, 0].astype(np.float32)
    if len(rough) != 4:  # noqa: PLR2004 - corners
        rough = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32)
    if area < MIN_FILLED * float(cv2.contourArea(rough)):
        return None
    return _order_corners(_intersect_sides(hull[:, 0].astype(np.float32), rough))


def _intersect_sides(hull: F32, rough: Quad) -> Quad:
    """Return the intersections of lines fitted to the middle of each side: corners are round, sides are not."""
    lines = []
    dense = _interpolate(hull)
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        side = end - start
        length = float(np.hypot(*side))
        if length < 1:
            return rough
        unit = side / length
        position = (dense - start) @ unit / length
        distance = np.abs((dense - start) @ np.array([-unit[1], unit[0]], np.float32))
        middle = dense[(position > 0.15) & (position < 0.85) & (distance < 0.06 * length + 2)]  # noqa: PLR2004 - the middle part
        if len(middle) < 8:  # noqa: PLR2004 - points of a line
            return rough
        vx, vy, x, y = cv2.fitLine(middle, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    corners = [np.cross(lines[at - 1], lines[at]) for at in range(4)]
    if any(abs(corner[2]) < 1e-6 for corner in corners):  # noqa: PLR2004 - parallel sides
        return rough
    return np.array([corner[:2] / corner[2] for corner in corners], np.float32)


def _interpolate(hull: F32) -> F32:
    """Return a point for every pixel along a hull."""
    pieces = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        steps = max(int(np.hypot(*(end - start))), 1)
        pieces.append(start + np.arange(steps)[:, None] / steps * (end - start))
    return np.concatenate(pieces).astype(np.float32)


def _order_corners(quad: Quad) -> Quad | None:
    """Return the corners clockwise with a short side first, or None if the shape is no card's."""
    if float(cv2.contourArea(quad, oriented=True)) < 0:
        quad = quad[::-1]
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    short, long = min(first, second), max(first, second)
    if short < MIN_SIDE or not MIN_ASPECT <= short / long <= MAX_ASPECT or not cv2.isContourConvex(quad):
        return None
    return np.ascontiguousarray(quad if first <= second else np.roll(quad, -1, axis=0), np.float32)


# Rectified pictures of cards, what is printed on them, and the cards that were taught. A card is rectified to
# one size, whatever its shape, and its *print* is what remains when the illumination is removed. Taught cards
# are prepared once, so that a card under the camera can be compared with all of them.

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
