"""Detect finder patterns, and group them to symbols.

A finder pattern is a dark core of 3 x 3 modules in a light ring in a dark ring. It is searched in any affine pose, and
described by the pose of its module grid.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sampling import (
    SUBSAMPLES,
    FitTarget,
    GradientPicture,
    PolynomialMap,
    compute_gradients,
    fit_map,
)
from companion.qr.sighting import F64, GreyPicture

_Contour = npt.NDArray[np.int32]

PATTERN_MODULES = 7
"""Modules a side."""
MIN_CORRELATION = 0.55
"""Correlation from which on a finder pattern is accepted at a corner of a rectified symbol."""
SIDE_MODULES = np.geomspace(17, 65, 11)
"""Modules a side of the symbols whose finder patterns are searched."""
ASPECT_RATIOS = (0.7, 1.0, 1.4)
"""Width of a module divided by its height, as far as it is searched."""
OFFSETS = np.arange(-1.5, 1.6, 0.5)
"""Offsets from the expected place that are searched in either direction, in modules."""
QUIET_ZONE_WEIGHT = 0.2
"""Weight of the quiet zone, which may be missing, against 1 for a module of the pattern."""
MIN_SINE = 0.2
"""Sine of the angle between the pattern's sides at least."""
RIGID = 10.0
"""Stiffness that lets a pattern's map stay affine."""

NOISE_SIGMA = 0.8
"""Pixels of Gaussian blur against noise."""
THRESHOLD_WINDOWS = (25, 75)
"""Pixels a side of the windows for adaptive thresholds."""
THRESHOLD_OFFSET = 3
"""Grey levels by which dark is darker than its surroundings."""
RING_TO_CORE = 25 / 9
"""Area of the light ring with its core, divided by that of the core."""
RING_TOLERANCE = 1.9
"""Factor by which that may differ."""
MIN_RING_AREA, MAX_RING_SHARE = 40.0, 0.1
"""Area of a light ring with its core: pixels at least, and share of the picture at most."""
MAX_SHAPES = 60_000
"""Light and dark shapes in a picture at most: more are a texture, whose contours take minutes and gigabytes."""
MAX_RINGS = 300
"""Rings that are fitted at most."""
MIN_CORRELATION_ANYWHERE = 0.7
"""Correlation from which on a finder pattern is accepted anywhere in a picture."""
MIN_FILLED = 0.6
"""Share of its rotated bounding box that a ring with its core fills at least."""
CORNERS = 4

MIN_DISTANCE, MAX_DISTANCE = 11.0, 180.0
"""Modules between the centres of two finder patterns of one symbol."""
MAX_SKEW = 0.35
"""How far to the side the next pattern may lie, as a share of how far ahead."""
MAX_COSINE = 0.9
"""Cosine of the angle between two sides of a symbol at most."""
MAX_SIZE_RATIO = 2.2
"""Ratio of the sizes of two patterns of one symbol at most."""
MAX_SIDE_RATIO = 1.7
"""Ratio of two sides of a symbol at most."""
MAX_NEIGHBOURS = 8
"""Nearest patterns that are tried as neighbours of a pattern."""
MAX_LEFT_OVER = 6
"""Patterns outside complete symbols of which pairs are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class FinderPattern:
    """A finder pattern: its centre in pixels, and the vectors of one module across and one down (2 pixels each)."""

    centre: F64
    across: F64
    down: F64
    correlation: float

    def locate(self, modules: F64) -> F64:
        """Return where places (n x 2, modules from the centre) lie in the picture, n x 2 pixels."""
        return np.asarray(self.centre + modules[:, :1] * self.across + modules[:, 1:] * self.down, np.float64)


def locate_corner_patterns(
    picture: GradientPicture, corner: float, side: float
) -> tuple[FinderPattern, FinderPattern, FinderPattern] | None:
    """Return the finder patterns at top left, top right and bottom left of a rectified symbol.

    A single missing one is extrapolated from the others. None if more than one is missing.

    Args:
        picture: shows the symbol, roughly rectified.
        corner: pixels from the picture's edge to the symbol's.
        side: pixels from one edge of the symbol to the other.

    """
    corners = ((0, 0), (1, 0), (0, 1))
    fitted = [_locate_corner_pattern(picture, corner + side * np.array(at), side, at) for at in corners]
    patterns = [pattern for pattern in fitted if pattern is not None]
    if len(patterns) < len(corners) - 1:
        return None
    across = np.mean([pattern.across for pattern in patterns], axis=0)
    down = np.mean([pattern.down for pattern in patterns], axis=0)
    first, right, bottom = (
        pattern
        or FinderPattern(
            corner + side * np.array(at) + across * (3.5 - 7 * at[0]) + down * (3.5 - 7 * at[1]), across, down, 0.0
        )
        for pattern, at in zip(fitted, corners, strict=True)
    )
    return first, right, bottom


def _locate_corner_pattern(
    picture: GradientPicture, outer: F64, side: float, corner: tuple[int, int]
) -> FinderPattern | None:
    """Return the pattern whose outer corner is near a point: the best of a grid search, then fitted."""
    places, tones, weights = _template(corner)
    toward = 1 - 2 * np.array(corner)
    modules, aspect, x, y = (
        values.ravel() for values in np.meshgrid(side / SIDE_MODULES, ASPECT_RATIOS, OFFSETS, OFFSETS, indexing="ij")
    )
    across, down = modules * np.sqrt(aspect), modules / np.sqrt(aspect)
    centres = outer + np.column_stack((across * (3.5 * toward[0] + x), down * (3.5 * toward[1] + y)))
    points_x = centres[:, :1] + across[:, None] * places[:, 0]
    points_y = centres[:, 1:] + down[:, None] * places[:, 1]
    samples = cv2.remap(
        picture.grey,
        points_x.astype(np.float32),
        points_y.astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float64)
    correlations = correlate(samples, tones, weights)
    best = int(correlations.argmax())
    start = PolynomialMap(np.array([centres[best], (0.0, down[best]), (across[best], 0.0), (0.0, 0.0)]))
    return fit_finder_pattern(picture, start, corner)


def fit_finder_pattern(
    picture: GradientPicture,
    start: PolynomialMap,
    corner: tuple[int, int] | None,
    min_correlation: float = MIN_CORRELATION,
) -> FinderPattern | None:
    """Fit a finder pattern near an affine map in modules; None if there is none.

    Args:
        picture: the picture with its gradients.
        start: the initial pose, a map of degree 1 from modules to pixels.
        corner: the pattern's corner of the symbol: 1 for right and 1 for bottom, else 0; None if it is not known.
        min_correlation: below this the pattern is rejected.

    """
    places, tones, weights = _template(corner)
    pose = start
    samples = (places[:, None] + SUBSAMPLES).reshape(-1, 2)
    sample_weights, is_light = np.repeat(weights, 4), np.repeat(tones, 4) > 0
    for _ in range(3):
        tone, _, _ = picture.sample(pose.apply(samples))
        light = np.average(tone[is_light], weights=sample_weights[is_light])
        dark = np.average(tone[~is_light], weights=sample_weights[~is_light])
        if light - dark < 1:
            return None
        expected = np.where(is_light, light, dark)
        target = FitTarget(samples, expected, np.full(len(samples), light - dark), sample_weights)
        pose = fit_map(pose, picture, target, RIGID, 3)
    tone, _, _ = picture.sample(pose.apply(places))
    correlation = float(correlate(tone[None], tones, weights)[0])
    centre, down, across = pose.coefficients[:3]
    width, height = np.linalg.norm(across), np.linalg.norm(down)
    degenerate = abs(across[0] * down[1] - across[1] * down[0]) < MIN_SINE * width * height
    if correlation < min_correlation or min(width, height) < 1 or degenerate:
        return None
    return FinderPattern(centre, across, down, correlation)


def _template(corner: tuple[int, int] | None) -> tuple[F64, F64, F64]:
    """Return the modules of a finder pattern and its separator: n x 2 from its centre, tones (1 or -1), weights."""
    reach = PATTERN_MODULES // 2 + 1
    ticks = np.arange(-reach, reach + 1)
    across, down = (coordinate.ravel() for coordinate in np.meshgrid(ticks, ticks))
    ring = np.maximum(np.abs(across), np.abs(down))
    tones = np.where((ring == reach - 2) | (ring == reach), 1.0, -1.0)
    right, bottom = corner or (0, 0)
    outside = (across == (reach if right else -reach)) | (down == (reach if bottom else -reach))
    weights = np.where(ring == reach if corner is None else outside, QUIET_ZONE_WEIGHT, 1.0)
    return np.column_stack((across, down)).astype(np.float64), tones, weights


def correlate(samples: F64, tones: F64, weights: F64) -> F64:
    """Return the weighted correlation of each row of samples with the tones, -1 to 1."""
    share = weights / weights.sum()
    deviation = samples - samples @ share[:, None]
    expected = tones - tones @ share
    norm = np.sqrt(np.maximum((deviation**2) @ share, 4.0) * (expected**2 @ share))
    return np.asarray(deviation @ (share * expected) / norm, np.float64)


def detect_finder_patterns(grey: GreyPicture) -> list[FinderPattern]:
    """Return the finder patterns in a picture, the best correlated first; their orientation is not known."""
    rings = _detect_rings(grey)[:MAX_RINGS]
    if not rings:
        return []
    # After the rings, so that in a large picture the gradients and what finds the rings never take memory together.
    picture = compute_gradients(np.asarray(cv2.GaussianBlur(grey, (0, 0), NOISE_SIGMA), np.float32))
    patterns: list[FinderPattern] = []
    for quad in rings:
        centre = quad.mean(axis=0)
        if any(np.linalg.norm(centre - other.centre) < 2 * np.linalg.norm(other.across) for other in patterns):
            continue
        across = (quad[1] - quad[0] + quad[2] - quad[3]) / 10
        down = (quad[3] - quad[0] + quad[2] - quad[1]) / 10
        start = PolynomialMap(np.array([centre, down, across, (0.0, 0.0)]))
        pattern = fit_finder_pattern(picture, start, None, MIN_CORRELATION_ANYWHERE)
        if pattern is not None:
            patterns.append(pattern)
    return sorted(patterns, key=lambda pattern: -pattern.correlation)


def _detect_rings(grey: GreyPicture) -> list[F64]:
    """Return the corners (4 x 2, clockwise) of light rings with a dark core, the best first."""
    rings: list[tuple[float, F64]] = []
    soft = cv2.GaussianBlur(grey, (0, 0), NOISE_SIGMA)
    for window in THRESHOLD_WINDOWS:
        light = cv2.adaptiveThreshold(
            soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, THRESHOLD_OFFSET
        )
        binary = np.asarray(light, np.uint8)
        if _count_shapes(binary) > MAX_SHAPES and _erase_specks(binary) > MAX_SHAPES:
            continue
        shapes, tree = cv2.findContours(light, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        contours = [np.asarray(shape, np.int32) for shape in shapes]
        links = np.asarray(tree, np.int32).reshape(-1, 4)  # next, previous, first hole, parent
        for number in np.flatnonzero((links[:, 3] < 0) & (links[:, 2] >= 0)).tolist():
            area = cv2.contourArea(contours[number])
            if MIN_RING_AREA <= area <= MAX_RING_SHARE * grey.size:
                cost = _ring_cost(contours, links, number, area)
                rings += [] if cost is None else [(cost, _approximate_quad(contours[number]))]
    return [quad for _, quad in sorted(rings, key=lambda ring: ring[0])]


def _count_shapes(light: GreyPicture) -> int:
    """Return how many light and dark shapes there are; a third of the time that ``_erase_specks`` takes."""
    shapes = cv2.connectedComponents(light, connectivity=8)[0]
    return shapes + cv2.connectedComponents(cv2.bitwise_not(light), connectivity=4)[0] - 2


def _erase_specks(light: GreyPicture) -> int:
    """Erase light shapes too small for a ring and dark ones too small for a core, and return how many others remain.

    Of a light shape the contour goes through its own outermost pixels, of a hole through the light ones round it.
    """
    remaining = 0
    least_core = MIN_RING_AREA / RING_TO_CORE / RING_TOLERANCE
    for tone, connectivity, grown, least in ((255, 8, -1, MIN_RING_AREA), (0, 4, 1, least_core)):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            np.asarray(light == tone, np.uint8), connectivity=connectivity
        )
        sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] + grown
        specks = sides[:, 0] * sides[:, 1] < least
        specks[0] = False  # what is not of this tone
        light[specks[labels]] = 255 - tone
        remaining += count - 1 - int(specks.sum())
    return remaining


def _ring_cost(contours: Sequence[_Contour], links: _Contour, number: int, area: float) -> float | None:
    """Return how much a contour differs from a ring with a core of 3 x 3 modules; None if it is none."""
    box = cv2.minAreaRect(contours[number])
    filled = area / max(box[1][0] * box[1][1], 1.0)
    hole, core = int(links[number, 2]), 1.0
    while hole >= 0:
        core = max(core, cv2.contourArea(contours[hole]) - cv2.arcLength(contours[hole], True) / 2)
        hole = int(links[hole, 0])
    deviation = abs(float(np.log((area + cv2.arcLength(contours[number], True) / 2) / core / RING_TO_CORE)))
    accepted = deviation <= np.log(RING_TOLERANCE) and filled >= MIN_FILLED
    return deviation + 2 * (1 - filled) if accepted else None


def _approximate_quad(contour: _Contour) -> F64:
    """Return four corners of a contour, clockwise: of its polygon, or of its rotated bounding box."""
    hull = cv2.convexHull(contour)
    length = cv2.arcLength(hull, True)
    polygons = (cv2.approxPolyDP(hull, tolerance * length, True)[:, 0] for tolerance in (0.04, 0.06, 0.08, 0.1))
    box = cv2.boxPoints(cv2.minAreaRect(contour))
    corners = np.asarray(next((polygon for polygon in polygons if len(polygon) == CORNERS), box), np.float64)
    (x, y), (u, v) = corners[2] - corners[0], corners[3] - corners[1]
    return corners if x * v > y * u else corners[::-1].copy()


@dataclass(frozen=True, slots=True, eq=False)
class SymbolCandidates:
    """The corners that symbols may have: 4 x 2 pixels each, clockwise from their own top left.

    ``complete``: with three finder patterns; ``partial``: with two, once for each symbol that these may belong to.
    """

    complete: tuple[F64, ...]
    partial: tuple[F64, ...]


def group_finder_patterns(patterns: Sequence[FinderPattern]) -> SymbolCandidates:
    """Return the symbols that finder patterns may form; each pattern is used by at most one complete symbol."""
    triples = [triple for number in range(len(patterns)) for triple in _triples(patterns, number)]
    used, complete = set[int](), []
    for _, members, quad in sorted(triples, key=lambda triple: triple[0]):
        if used.isdisjoint(members):
            complete.append(quad)
            used |= set(members)
    left = [pattern for number, pattern in enumerate(patterns) if number not in used][:MAX_LEFT_OVER]
    partial = tuple(quad for first, second in combinations(left, 2) for quad in _quads_of_pair(first, second))
    return SymbolCandidates(tuple(complete), partial)


def _triples(patterns: Sequence[FinderPattern], number: int) -> Iterator[tuple[float, tuple[int, int, int], F64]]:
    """Yield the symbols whose top left a pattern may be: their cost, the numbers of their patterns, their corners."""
    first = patterns[number]
    neighbours = {
        other: side
        for other in _neighbours(patterns, first)
        if (side := _side_between(first, patterns[other])) is not None
    }
    for right, bottom in permutations(neighbours, 2):
        (across, width), (down, height) = neighbours[right], neighbours[bottom]
        square = 1 / MAX_SIDE_RATIO < width / height < MAX_SIDE_RATIO and abs(_cosine(across, down)) < MAX_COSINE
        if square and across[0] * down[1] > across[1] * down[0]:
            quad = _quad_of_patterns(first, patterns[right], patterns[bottom], across, down)
            yield _symbol_cost(quad, first), (number, right, bottom), quad


def _neighbours(patterns: Sequence[FinderPattern], first: FinderPattern) -> list[int]:
    """Return the numbers of the nearest patterns that lie straight ahead in any of a pattern's four directions."""
    axes = np.column_stack((first.across, first.down))
    steps = np.linalg.solve(axes, np.array([other.centre - first.centre for other in patterns]).T)
    low, high = np.sort(np.abs(steps), axis=0)
    ahead = np.flatnonzero((low <= MAX_SKEW * high) & (high > MIN_DISTANCE / 2) & (high < 2 * MAX_DISTANCE))
    return [int(number) for number in ahead[np.argsort(high[ahead], kind="stable")][:MAX_NEIGHBOURS]]


def _quads_of_pair(first: FinderPattern, second: FinderPattern) -> list[F64]:
    """Return the corners of the symbols that two patterns may belong to."""
    side = _side_between(first, second)
    quads = []
    if side is None:
        return _quads_of_diagonal(first, second)
    for sense in (1, -1):
        left, right = (first, second) if sense > 0 else (second, first)
        across = _axis_along(left, right.centre - left.centre)
        down = _axis_along(left, np.array([-across[1], across[0]]))
        length = side[1]
        third = FinderPattern(left.centre + length * down, left.across, left.down, 0.0)
        quad = _quad_of_patterns(left, right, third, across, down)
        quads += [quad, np.roll(quad, -1, axis=0)]
    return quads


def _quads_of_diagonal(first: FinderPattern, second: FinderPattern) -> list[F64]:
    """Return the corners of the two symbols in which these patterns are opposite each other."""
    steps = np.linalg.solve(np.column_stack((first.across, first.down)), second.centre - first.centre)
    low, high = np.sort(np.abs(steps))
    if not (
        low > MIN_DISTANCE and high < MAX_SIDE_RATIO * low and high < MAX_DISTANCE and _is_same_size(first, second)
    ):
        return []
    quads = []
    for corner in (first.centre + steps[0] * first.across, first.centre + steps[1] * first.down):
        top_left = FinderPattern(corner, first.across, first.down, 0.0)
        to_first, to_second = first.centre - corner, second.centre - corner
        clockwise = to_first[0] * to_second[1] - to_first[1] * to_second[0] > 0
        right, bottom = (first, second) if clockwise else (second, first)
        across, down = _axis_along(top_left, right.centre - corner), _axis_along(top_left, bottom.centre - corner)
        quads.append(_quad_of_patterns(top_left, right, bottom, across, down))
    return quads


def _quad_of_patterns(first: FinderPattern, right: FinderPattern, bottom: FinderPattern, across: F64, down: F64) -> F64:
    """Return the corners of a symbol with these three finder patterns; the fourth completes the parallelogram."""
    top_left = first.centre - 3.5 * (across + down)
    top_right = right.centre + 3.5 * (_axis_along(right, across) - _axis_along(right, down))
    bottom_left = bottom.centre + 3.5 * (_axis_along(bottom, down) - _axis_along(bottom, across))
    return np.array([top_left, top_right, top_right + bottom_left - top_left, bottom_left])


def _side_between(first: FinderPattern, second: FinderPattern) -> tuple[F64, float] | None:
    """Return the vector of one module from a pattern to the next, and their distance in modules; None if askew."""
    steps = np.linalg.solve(np.column_stack((first.across, first.down)), second.centre - first.centre)
    low, high = np.sort(np.abs(steps))
    if low > MAX_SKEW * high or not _is_same_size(first, second):
        return None
    module = _axis_along(first, second.centre - first.centre)
    distance = float(
        2
        * np.linalg.norm(second.centre - first.centre)
        / (np.linalg.norm(module) + np.linalg.norm(_axis_along(second, module)))
    )
    return (module, distance) if MIN_DISTANCE < distance < MAX_DISTANCE else None


def _is_same_size(first: FinderPattern, second: FinderPattern) -> bool:
    areas = [
        abs(float(pattern.across[0] * pattern.down[1] - pattern.across[1] * pattern.down[0]))
        for pattern in (first, second)
    ]
    return max(areas) < MAX_SIZE_RATIO**2 * min(areas)


def _axis_along(pattern: FinderPattern, direction: F64) -> F64:
    """Return the one of a pattern's four module vectors that points most in a direction."""
    axes = (pattern.across, pattern.down, -pattern.across, -pattern.down)
    return max(axes, key=lambda axis: _cosine(axis, direction))


def _cosine(first: F64, second: F64) -> float:
    return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second) + 1e-9))


def _symbol_cost(quad: F64, first: FinderPattern) -> float:
    """Return how far a quadrilateral is from a small square: by its sides, its angle and its modules."""
    top, left = quad[1] - quad[0], quad[3] - quad[0]
    width, height = np.linalg.norm(top), np.linalg.norm(left)
    modules = (width + height) / (np.linalg.norm(first.across) + np.linalg.norm(first.down))
    return float(abs(np.log(width / height)) + abs(_cosine(top, left)) + np.log(modules))
