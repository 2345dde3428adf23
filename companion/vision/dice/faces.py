"""Detect faces of dice from round spots.

Faces with two pips and more: any two similar spots may lie at opposite corners of a face. What else lies about their
centre tells which face it would be, and the face round them must be of one colour and end evenly on its sides. From
four pips on the pips alone are evidence, though weaker where no edge is seen.

Faces with one pip are told by the face round the spot alone. Beside a certain die also faint faces with one pip or two
are reported, which may belong to the same throw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F64, Picture
from companion.vision.dice.pips import Spot, SpotDetector

Places = tuple[tuple[float, float], ...]

CERTAIN = 0.6
"""Score from which on an edge, or a die, is certain."""
FAINT_SCORE = 0.5
"""Score at most of a face that only its pips tell."""
MAX_VARIATION = 0.22
"""Variation of a face's colour at most, as a share of its pips' contrast."""
MIN_VARIATION = 9.0
"""The same in grey levels: so much is noise."""

MIN_STEP, ENOUGH_STEP = 6.5, 10.0
"""Grey levels, mean over the channels, by which the ground beyond an edge differs: at least, and enough."""
STEP_PER_VARIATION = 3.2
"""The step at least, in units of the face's own variation: a uniform face shows its edges by little."""
STEP_PER_CONTRAST = 0.16
"""Enough, as a share of the pips' contrast."""

MAX_PAIRS, MAX_SURFACES = 400, 1_700
"""Pairs of spots, and surfaces, examined in a picture: what grained table-tops show, and less than print and noise."""

MAX_PIPS_OF_TWOS = 60
"""Spots of which any two may be a faint face with two pips."""

MANY_PIPS = 4
DIAGONAL_RADII = (4.6, 11.5)
"""Distance of pips at opposite corners, in radii."""
MAX_RADIUS_RATIO, MAX_CONTRAST_RATIO = 1.5, 1.8
"""Ratio of radii and of contrasts of the pips of one face at most."""
DIAGONAL_RATIO, MAX_CENTRE_OFFSET, MAX_SLANT = (0.68, 1.45), 0.14, 0.45
"""The other diagonal: its length, the offset of its centre (both in the first one's half), and its slant."""
SEARCH_RADIUS = 0.16
"""Distance from its expected place at which a pip is searched, in half diagonals."""
PRESENT, ABSENT = 0.5, 0.3
"""Share of the others' contrast from which on a place holds a pip, and up to which it holds none."""
MAX_VARIATION_OF_MANY = 0.36
PIP_EXTENT = (0.42, 0.52)
"""Extent of a pip that is left out of the face's colour, in half of the distance between pips."""
STRETCHES, SLANTS = (0.76, 0.88, 1.0, 1.14, 1.32), (-0.3, -0.15, 0.0, 0.15, 0.3)
"""Perspectives of a tilted face that are tried: the other diagonal stretched, and slanted."""
PIP_GRID = tuple((i, j) for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0))
"""Where pips may be."""
COLOUR_GRID = np.stack(np.meshgrid(np.linspace(-1.35, 1.35, 15), np.linspace(-1.35, 1.35, 15)), -1).reshape(-1, 2)
"""Where the colour of a face is measured, n x 2, but for its pips."""
EDGE_RANGE, LAST_EDGE, USUAL_EDGE = (1.2, 2.75), 2.6, 1.95
"""Where a face may end, ends at the latest, and usually ends, in distances of its corner pips from the middle lines."""
MAX_EDGE_RATIO = 1.42
"""Ratio of the edges of one face at most."""
MIN_EDGES = 2
ACROSS_FACE = tuple(np.linspace(-1.0, 1.0, 11).tolist())
"""Where an edge is searched along a face with pips at -1, 0 and 1."""

ONE_SIDE_RADII = (5.6, 11.0)
"""Side of a face with one pip, in the pip's radii."""
ONE_TURNS = np.deg2rad(np.arange(0, 90, 9))
"""Rotations of such a face that are tried."""
ACROSS_ONE = tuple(np.linspace(-0.8, 0.8, 9).tolist())
"""Where an edge is searched along a face with one pip, in units of the pip's diameter."""
ONE_PIP_EXTENT = 0.85
"""Extent of the pip that is left out of the face's colour, in its diameters."""
MIN_ONE_EDGE, MIN_ONE_EDGE_MEAN, MAX_ONE_EDGE_RATIO = 0.25, 0.5, 1.6
"""Scores of its edges at least, each and on average, and the ratio of their distances at most."""
ALONE = 0.45
"""Distance from its pip within which there is no other like it, in the die's side."""
_RING_ANGLES = np.arange(0, 2 * np.pi, 0.4)
RING = np.stack([np.cos(_RING_ANGLES), np.sin(_RING_ANGLES)], 1) * 2.0
"""Points round a spot, in its radii, that lie within the face of a die."""

FINDER_DISTANCE, FINDER_TOLERANCE = (9.0, 26.0), 0.1
"""Distance of the centres of finder patterns in their radii, and its tolerance for a code seen at an angle.

It is 14 to 26 modules (ISO/IEC 18004, versions 1 to 4); the core is 3 wide and is seen as 2 to 3.
"""
FINDER_RADIUS_RATIO, FINDER_CONTRAST_RATIO = 1.35, 1.5
"""Ratio of radii and of contrasts of the finder patterns of one code at most."""

FAINT_CONTRAST_RATIO = 1.3
"""Ratio of contrasts within one throw at most, where nothing else tells a die."""
ONE_RADII, TWO_RADII = (0.95, 1.7), (0.8, 1.25)
"""Radii of the pips of a one and of a two, in those of another face: ones are often larger."""
TWO_DISTANCE = (0.56, 0.86)
"""Distance of the pips of a two, in the die's side."""
CLEARANCE = 0.9
"""Distance within which there is no other spot, in the die's side."""


class CrowdedPictureError(Exception):
    """Raised where so much looks like pips that dice among it cannot be told from it."""


@dataclass(slots=True)
class SurfaceCount:
    """Counts the surfaces that are examined in one picture."""

    count: int = 0

    def add(self) -> None:
        """Count one more; raise ``CrowdedPictureError`` beyond ``MAX_SURFACES``."""
        self.count += 1
        if self.count > MAX_SURFACES:
            raise CrowdedPictureError


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die: its face, that face's centre and side in pixels, and how well it fits (0 to 1).

    ``pip`` and ``contrast``: its pips' radius in pixels and their contrast in grey levels, negative for dark ones.
    """

    face: int
    x: float
    y: float
    side: float
    score: float
    pip: float = 0.0
    contrast: float = 0.0

    def reduce_by(self, factor: float) -> "SeenDie":
        """Return the same die in a picture that is smaller by a factor."""
        x, y, side, pip = (length / factor for length in (self.x, self.y, self.side, self.pip))
        return replace(self, x=x, y=y, side=side, pip=pip)


@dataclass(frozen=True, slots=True)
class _Edge:
    """Where a face ends in one direction, in multiples of the direction's length; how certain that is, 0 to 1."""

    at: float
    score: float


class _FaceSurface:
    """The neighbourhood of a place in a picture, along two directions given as vectors in pixels."""

    def __init__(self, image: Picture, centre: F64, first: F64, second: F64) -> None:
        """Store a picture, uint8, height x width x 3."""
        self._image = image
        self._centre, self._first, self._second = centre, first, second
        self._colour, self._variation = np.zeros(3), 0.0
        self._pips, self._pip_extent = Places(), 0.0

    def measure_colour(self, pips: Places, pip_extent: float) -> float:
        """Store the face's colour between the pips (in units of the directions), and return its variation."""
        self._pips, self._pip_extent = pips, pip_extent
        samples = self._sample(COLOUR_GRID[_colour_distances(pips) > pip_extent])
        self._colour = _quantile(samples, 0.5)
        self._variation = float(_quantile(_mean_of_channels(np.abs(samples - self._colour)), 0.75))
        return self._variation

    def find_edges(self, contrast: float, nearest: float, farthest: float, along: tuple[float, ...]) -> list[_Edge]:
        """Return where the face ends along both directions and against them."""
        step = min(max(STEP_PER_VARIATION * self._variation, MIN_STEP), max(ENOUGH_STEP, STEP_PER_CONTRAST * contrast))
        grid, distances, pip_squares = _search_grid(nearest, farthest, along, self._pips)
        differences = _mean_of_channels(np.abs(self._sample(grid) - self._colour)).reshape(pip_squares.shape)
        outside = (differences > step) & (pip_squares >= self._pip_extent**2)
        lasting = outside[:, :, :-2] & outside[:, :, 1:-1]
        ends_by_side = np.where(lasting.any(axis=2), lasting.argmax(axis=2), -1)
        return [_find_edge(ends[ends >= 0], distances, nearest, len(along)) for ends in ends_by_side]

    def _sample(self, points: F64) -> F64:
        pixels = self._centre + points[:, :1] * self._first + points[:, 1:] * self._second
        height, width = self._image.shape[:2]
        (least_x, least_y), (right, bottom) = pixels.min(axis=0).tolist(), (pixels.max(axis=0) + 3).tolist()
        left, top = int(min(max(least_x - 1, 0), width - 1)), int(min(max(least_y - 1, 0), height - 1))
        part = self._image[top : max(top + 1, int(bottom)), left : max(left + 1, int(right))].astype(np.float32)
        grid = (pixels - (left, top)).astype(np.float32)[None]
        samples = cv2.remap(part, grid[:, :, 0], grid[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(samples[0], np.float64)


def _mean_of_channels(values: F64) -> F64:
    """Return the mean of each row of n x 3 values."""
    return np.asarray((values[:, 0] + values[:, 1] + values[:, 2]) / 3)


def _quantile(values: npt.NDArray[Any], share: float) -> Any:
    """Return ``np.quantile`` along the first axis, which takes five times as long for a few values."""
    ordered, at = np.sort(values, axis=0), share * (len(values) - 1)
    below, above = ordered[int(at)], ordered[min(int(at) + 1, len(values) - 1)]
    return below + (above - below) * (at % 1)


@lru_cache(maxsize=4)
def _colour_distances(pips: Places) -> F64:
    """Return the distance of each place of ``COLOUR_GRID`` to the nearest pip."""
    return np.asarray(np.sqrt(((COLOUR_GRID[:, None, :] - np.array(pips)) ** 2).sum(-1)).min(axis=1), np.float64)


@lru_cache(maxsize=4)
def _search_grid(nearest: float, farthest: float, along: tuple[float, ...], pips: Places) -> tuple[F64, F64, F64]:
    """Return the places where edges are searched, n x 2, the distances searched, and squares of those to a pip.

    The places are those of 4 sides x along x distances, and the squares have that shape.
    """
    distances = np.arange(nearest, farthest, 0.05)
    grid = np.zeros((4, len(along), len(distances), 2))
    for side, (axis, sign) in enumerate(((0, 1), (0, -1), (1, 1), (1, -1))):
        grid[side, :, :, axis] = sign * distances[None, :]
        grid[side, :, :, 1 - axis] = np.array(along)[:, None]
    pip_squares = np.min([((grid - pip) ** 2).sum(-1) for pip in pips], axis=0)
    return grid.reshape(-1, 2), distances, pip_squares


def _find_edge(ends: npt.NDArray[np.intp], distances: F64, nearest: float, count: int) -> _Edge:
    """Return the edge of one side; ``ends``: the number of the distance at which the face ends, where it does."""
    if not len(ends):
        return _Edge(float(distances[-1]) + 0.05, 0.0)
    median = float(_quantile(ends, 0.5))
    near = np.abs(ends - median) <= 0.09 * (median + nearest / 0.05)
    return _Edge(float(distances[round(median)]), float(near.sum()) / count)


# Faces with two pips and more.


@dataclass(frozen=True, slots=True)
class _Diagonal:
    """Two pips at opposite corners: their centre, half of the diagonal, their radius and contrast."""

    centre: F64
    half: F64
    radius: float
    contrast: float


def detect_faces(detector: SpotDetector, colours: Picture, surfaces: SurfaceCount) -> Iterator[SeenDie]:
    """Yield all faces with two pips and more; many more than once, and some that are none.

    Raises:
        CrowdedPictureError: where there are too many.

    """
    pairs = _similar_pairs(detector.spots)
    if len(pairs) > MAX_PAIRS:
        raise CrowdedPictureError
    for first, second in pairs:
        ends = np.array([(first.x, first.y), (second.x, second.y)])
        radius, contrast = float(np.sqrt(first.radius * second.radius)), (first.contrast + second.contrast) / 2
        diagonal = _Diagonal(ends.mean(axis=0), (ends[1] - ends[0]) / 2, radius, contrast)
        die = _detect_face(detector, colours, diagonal, surfaces)
        if die is not None:
            yield die


def _similar_pairs(spots: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    """Return the pairs of spots that may be pips at opposite corners of one face."""
    if not spots:
        return []
    table = np.array([(spot.x, spot.y, spot.radius, spot.contrast) for spot in spots])
    first, second = np.triu_indices(len(spots), 1)
    (x1, y1, radius1, contrast1), (x2, y2, radius2, contrast2) = table[first].T, table[second].T
    distances = np.hypot(x1 - x2, y1 - y2) / np.sqrt(radius1 * radius2)
    sizes, strengths = np.abs(np.log(radius1 / radius2)), np.abs(np.log(np.abs(contrast1 / contrast2)))
    similar = (
        (contrast1 * contrast2 > 0) & (sizes <= np.log(MAX_RADIUS_RATIO)) & (strengths <= np.log(MAX_CONTRAST_RATIO))
    )
    similar &= (distances >= DIAGONAL_RADII[0]) & (distances <= DIAGONAL_RADII[1])
    return [(spots[i], spots[j]) for i, j in zip(first[similar], second[similar], strict=True)]


def _detect_face(
    detector: SpotDetector, colours: Picture, diagonal: _Diagonal, surfaces: SurfaceCount
) -> SeenDie | None:
    other = _find_other_diagonal(detector.spots, diagonal)
    upright = np.array([-diagonal.half[1], diagonal.half[0]])
    value = _count_pips(detector, diagonal, upright if other is None else other, crossed=other is not None)
    if value is None:
        return None
    if other is not None:
        surfaces.add()
        return _judge_surface(colours, value, diagonal, other)
    # Two pips do not tell how the face is tilted: its surface does.
    tilted = (stretch * upright + slant * diagonal.half for stretch in STRETCHES for slant in SLANTS)
    dice: list[SeenDie | None] = []
    for direction in tilted:
        surfaces.add()
        dice.append(_judge_surface(colours, value, diagonal, direction))
    return max((die for die in dice if die is not None), key=lambda die: die.score, default=None)


def _find_other_diagonal(spots: Sequence[Spot], diagonal: _Diagonal) -> F64 | None:
    """Return half of the diagonal between two pips at the other corners, or None if they are not there."""
    (x, y), length = diagonal.centre, float(np.hypot(*diagonal.half))
    near = [
        spot
        for spot in spots
        if 1 / MAX_CONTRAST_RATIO <= spot.contrast / diagonal.contrast <= MAX_CONTRAST_RATIO
        and 1 / MAX_RADIUS_RATIO <= spot.radius / diagonal.radius <= MAX_RADIUS_RATIO
        and DIAGONAL_RATIO[0] * length <= np.hypot(spot.x - x, spot.y - y) <= DIAGONAL_RATIO[1] * length
    ]
    best: tuple[float, F64] | None = None
    for first, second in combinations(near, 2):
        centre = np.array([(first.x + second.x) / 2, (first.y + second.y) / 2])
        half = np.array([second.x - first.x, second.y - first.y]) / 2
        other_length = float(np.hypot(*half))
        if other_length < DIAGONAL_RATIO[0] * length:  # one spot at two scales, or two on one side
            continue
        offset = float(np.hypot(*(centre - diagonal.centre))) / length
        slant = abs(float(half @ diagonal.half)) / (other_length * length)
        if offset < MAX_CENTRE_OFFSET and slant < MAX_SLANT and (best is None or offset + slant < best[0]):
            best = (offset + slant, half)
    return None if best is None else best[1]


def _count_pips(detector: SpotDetector, diagonal: _Diagonal, cross: F64, *, crossed: bool) -> int | None:
    """Return which face it is by where pips are and where none are; None if it is none, or not clear.

    ``cross``: half of the other diagonal. ``crossed``: whether there are pips at its ends.
    """
    reach = max(1.0, SEARCH_RADIUS * float(np.hypot(*diagonal.half)))
    sign = 1.0 if diagonal.contrast > 0 else -1.0

    def has_pip(place: F64, within: float = reach) -> bool | None:
        at = diagonal.centre + place
        contrast = detector.measure_contrast(float(at[0]), float(at[1]), diagonal.radius, within, sign)
        share = contrast / abs(diagonal.contrast)
        return True if share >= PRESENT else False if share <= ABSENT else None

    centre = has_pip(np.zeros(2))
    if centre is None:
        return None
    if not crossed:
        free = [has_pip(place, 1.6 * reach) is False for place in (cross, -cross)]
        return (3 if centre else 2) if all(free) else None
    sides = [has_pip((diagonal.half + way * cross) / 2 * end) for way in (1, -1) for end in (1, -1)]
    if not any(side is not False for side in sides):
        return 5 if centre else 4
    return 6 if not centre and sides in ([True, True, False, False], [False, False, True, True]) else None


def _judge_surface(colours: Picture, value: int, diagonal: _Diagonal, cross: F64) -> SeenDie | None:
    """Return the die if the face round the pips is of one colour, and has edges."""
    first, second = (diagonal.half + cross) / 2, (diagonal.half - cross) / 2
    surface = _FaceSurface(colours, diagonal.centre, first, second)
    variation = surface.measure_colour(PIP_GRID, float(np.clip(1.5 * diagonal.radius / np.hypot(*first), *PIP_EXTENT)))
    share = MAX_VARIATION_OF_MANY if value >= MANY_PIPS else MAX_VARIATION
    if variation > max(MIN_VARIATION, share * abs(diagonal.contrast)):
        return None
    edges = surface.find_edges(abs(diagonal.contrast), *EDGE_RANGE, ACROSS_FACE)
    die = _judge_edges(value, edges, float(np.hypot(*first)) + float(np.hypot(*second)))
    if die is None:
        return None
    x, y = (float(at) for at in diagonal.centre)
    return replace(die, x=x, y=y, pip=diagonal.radius, contrast=diagonal.contrast)


def _judge_edges(value: int, edges: Sequence[_Edge], span: float) -> SeenDie | None:
    """Return the die, at (0, 0), if its edges or its number of pips suffice."""
    certain = [edge for edge in edges if edge.score >= CERTAIN and EDGE_RANGE[0] < edge.at < LAST_EDGE]
    distances = [edge.at for edge in certain]
    ratio = max(distances) / min(distances) if distances else 1.0
    even = ratio <= MAX_EDGE_RATIO
    if even and len(certain) >= (MIN_EDGES if value >= MANY_PIPS else MIN_EDGES + 1):
        score = float(np.mean([edge.score for edge in edges])) / ratio
        return SeenDie(value, 0, 0, float(np.median(distances)) * span, score)
    if value >= MANY_PIPS:
        # On a ground of the die's own colour only its pips tell it, and with less certainty.
        return SeenDie(value, 0, 0, USUAL_EDGE * span, FAINT_SCORE * (value - 1) / 5)
    if even and len(certain) >= MIN_EDGES:
        return SeenDie(value, 0, 0, float(np.median(distances)) * span, FAINT_SCORE * len(certain) / 4)
    return None


# Faces with one pip.


def detect_ones(detector: SpotDetector, colours: Picture, surfaces: SurfaceCount) -> Iterator[SeenDie]:
    """Yield all that may be faces with one pip; raise ``CrowdedPictureError`` where there are too many."""
    for spot in detector.spots:
        if not _has_coloured_ring(colours, spot) and not _is_finder_pattern(detector.spots, spot):
            dice: list[SeenDie | None] = []
            for turn in ONE_TURNS:
                surfaces.add()
                dice.append(_detect_one(colours, spot, turn))
            best = max((die for die in dice if die is not None), key=lambda die: die.score, default=None)
            if best is not None and not _has_more_pips(detector.spots, spot, best.side):
                yield best


def _has_more_pips(spots: Sequence[Spot], spot: Spot, side: float) -> bool:
    """Return whether another spot like this one is on the same face: it is the middle of a three or a five then."""
    return any(
        other is not spot
        and np.hypot(other.x - spot.x, other.y - spot.y) < ALONE * side
        and 1 / MAX_CONTRAST_RATIO <= other.contrast / spot.contrast <= MAX_CONTRAST_RATIO
        and 1 / MAX_RADIUS_RATIO <= other.radius / spot.radius <= MAX_RADIUS_RATIO
        for other in spots
    )


def _is_finder_pattern(spots: Sequence[Spot], spot: Spot) -> bool:
    """Return whether a spot may be a finder pattern of a QR code: with two others it forms a right isosceles corner."""
    offsets = [
        (other.x - spot.x, other.y - spot.y)
        for other in spots
        if other is not spot
        and 1 / FINDER_RADIUS_RATIO <= other.radius / spot.radius <= FINDER_RADIUS_RATIO
        and 1 / FINDER_CONTRAST_RATIO <= other.contrast / spot.contrast <= FINDER_CONTRAST_RATIO
        and FINDER_DISTANCE[0]
        <= np.hypot(other.x - spot.x, other.y - spot.y) / spot.radius
        <= FINDER_DISTANCE[1] * 2**0.5
    ]
    table = np.array(offsets).reshape(-1, 2)
    first, second = np.triu_indices(len(offsets), 1)
    sides = [table[first], table[second], table[second] - table[first]]
    for side, other_side in combinations(sides, 2):
        length = np.sqrt(np.hypot(*side.T) * np.hypot(*other_side.T))
        equal = np.abs(np.hypot(*side.T) - np.hypot(*other_side.T)) <= FINDER_TOLERANCE * length
        square = np.abs((side * other_side).sum(axis=1)) <= FINDER_TOLERANCE * length**2
        nearest, farthest = (radii * spot.radius for radii in FINDER_DISTANCE)
        if np.any(equal & square & (length >= nearest) & (length <= farthest)):
            return True
    return False


def _has_coloured_ring(colours: Picture, spot: Spot) -> bool:
    """Return whether the ring close round a spot has several colours: then it is no pip in the middle of a face."""
    points = np.array([spot.x, spot.y]) + RING * spot.radius
    rows, columns = (np.clip(np.round(points[:, axis]).astype(int), 0, colours.shape[1 - axis] - 1) for axis in (1, 0))
    samples = colours[rows, columns].astype(np.float32)
    deviations = np.abs(samples - np.median(samples, axis=0)).mean(axis=1)
    return bool(np.percentile(deviations, 80) > max(MIN_VARIATION, MAX_VARIATION * abs(spot.contrast)))


def _detect_one(colours: Picture, spot: Spot, turn: float) -> SeenDie | None:
    """Return the face with one pip, rotated by ``turn`` radians, or None."""
    diameter = spot.radius * 2
    first = np.array([np.cos(turn), np.sin(turn)]) * diameter
    surface = _FaceSurface(colours, np.array([spot.x, spot.y]), first, np.array([-first[1], first[0]]))
    variation = surface.measure_colour(((0.0, 0.0),), ONE_PIP_EXTENT)
    if variation > max(MIN_VARIATION, MAX_VARIATION * abs(spot.contrast)):
        return None
    nearest, farthest = (radii / 4 for radii in ONE_SIDE_RADII)
    edges = surface.find_edges(abs(spot.contrast), nearest, farthest, ACROSS_ONE)
    scores, at = [edge.score for edge in edges], [edge.at for edge in edges]
    if min(scores) < MIN_ONE_EDGE or np.mean(scores) < MIN_ONE_EDGE_MEAN:
        return None
    if max(at) > MAX_ONE_EDGE_RATIO * min(at) or min(at) <= nearest:
        return None
    evenness = 1 / (1 + abs(at[0] - at[1]) / at[0] + abs(at[2] - at[3]) / at[2])
    side, score = float(np.mean(at)) * 2 * diameter, float(np.mean(scores)) * evenness
    return SeenDie(1, spot.x, spot.y, side, score, spot.radius, spot.contrast)


def detect_faint_faces(detector: SpotDetector, certain: SeenDie) -> Iterator[SeenDie]:
    """Yield what may be the face with one pip or two of a die like a certain one, though no surface stands out.

    Raises:
        CrowdedPictureError: where there are too many.

    """
    similar = [
        spot
        for spot in detector.spots
        if 1 / FAINT_CONTRAST_RATIO <= spot.contrast / certain.contrast <= FAINT_CONTRAST_RATIO
    ]
    clearance = CLEARANCE * certain.side

    places = np.array([(spot.x, spot.y) for spot in similar]).reshape(-1, 2)

    def has_others(x: float, y: float, own: tuple[Spot, ...]) -> bool:
        near = np.flatnonzero(np.hypot(*(places - (x, y)).T) < clearance)
        return any(similar[at] not in own for at in near)

    for spot in similar:
        if ONE_RADII[0] <= spot.radius / certain.pip <= ONE_RADII[1] and not has_others(spot.x, spot.y, (spot,)):
            yield SeenDie(1, spot.x, spot.y, certain.side, FAINT_SCORE / 2, spot.radius, spot.contrast)
    pips_of_twos = [spot for spot in similar if TWO_RADII[0] <= spot.radius / certain.pip <= TWO_RADII[1]]
    if len(pips_of_twos) > MAX_PIPS_OF_TWOS:
        raise CrowdedPictureError
    for first, second in combinations(pips_of_twos, 2):
        x, y = (first.x + second.x) / 2, (first.y + second.y) / 2
        distance = np.hypot(first.x - second.x, first.y - second.y) / certain.side
        if TWO_DISTANCE[0] <= distance <= TWO_DISTANCE[1] and not has_others(x, y, (first, second)):
            radius = (first.radius + second.radius) / 2
            yield SeenDie(2, x, y, certain.side, FAINT_SCORE / 2, radius, first.contrast)
