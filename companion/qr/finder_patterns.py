"""Finder patterns anywhere in a picture: a dark core in a light ring in a dark ring, however they lean."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sampling import WITHIN, Aim, Floats, Mesh, Slopes, fitted, slopes_of
from companion.qr.sighting import Grey

# --- finders
# The three finder patterns of a symbol that was straightened by its corners: where each lies, and how it is
# bent.

PATTERN = 7
"""Modules a side."""
LEAST_LIKE = 0.55
"""The correlation from which on a finder pattern is one."""
MODULES = np.geomspace(17, 65, 11)
"""Modules a side of symbols whose finder patterns are sought."""
SQUEEZED = (0.7, 1.0, 1.4)
"""Times as wide as high modules may be."""
OFF = np.arange(-1.5, 1.6, 0.5)
"""Modules that a pattern may be off, in either direction."""
SIDEWAYS = 0.2
"""How much the quiet zone counts, which may be missing, against a module of the pattern."""
FLATTEST = 0.2
"""The sine of the angle between its sides at least."""
STIFF = 10.0
"""A frame does not bend."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A finder pattern's middle in the picture, and where one module across and one down lead, 2 pixels each."""

    middle: Floats
    across: Floats
    down: Floats
    like: float

    def at(self, modules: Floats) -> Floats:
        """Return where places lie that are so many modules (n x 2) from the middle, n x 2 pixels."""
        return np.asarray(self.middle + modules[:, :1] * self.across + modules[:, 1:] * self.down, np.float64)


def frames(picture: Slopes, corner: float, side: float) -> tuple[Frame, Frame, Frame] | None:
    """Return the frames at top left, top right and bottom left of a symbol, or None where two of them are not there.

    ``corner``: pixels from the picture's edge to the symbol's; ``side``: pixels from one of its edges to the other.
    """
    where = ((0, 0), (1, 0), (0, 1))
    found = [_frame(picture, corner + side * np.array(one), side, one) for one in where]
    seen = [frame for frame in found if frame is not None]
    if len(seen) < len(where) - 1:
        return None
    across = np.mean([one.across for one in seen], axis=0)
    down = np.mean([one.down for one in seen], axis=0)
    first, right, foot = (
        frame
        or Frame(
            corner + side * np.array(one) + across * (3.5 - 7 * one[0]) + down * (3.5 - 7 * one[1]), across, down, 0.0
        )
        for frame, one in zip(found, where, strict=True)
    )
    return first, right, foot


def _frame(picture: Slopes, outer: Floats, side: float, where: tuple[int, int]) -> Frame | None:
    places, tones, weights = _pattern(where)
    toward = 1 - 2 * np.array(where)
    modules, squeeze, x, y = (one.ravel() for one in np.meshgrid(side / MODULES, SQUEEZED, OFF, OFF, indexing="ij"))
    across, down = modules * np.sqrt(squeeze), modules / np.sqrt(squeeze)
    middles = outer + np.column_stack((across * (3.5 * toward[0] + x), down * (3.5 * toward[1] + y)))
    points_x = middles[:, :1] + across[:, None] * places[:, 0]
    points_y = middles[:, 1:] + down[:, None] * places[:, 1]
    shown = cv2.remap(
        picture.grey,
        points_x.astype(np.float32),
        points_y.astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float64)
    likes = alike(shown, tones, weights)
    best = int(likes.argmax())
    start = Mesh(np.array([middles[best], (0.0, down[best]), (across[best], 0.0), (0.0, 0.0)]))
    return settled(picture, start, where)


def settled(picture: Slopes, start: Mesh, where: tuple[int, int] | None, least: float = LEAST_LIKE) -> Frame | None:
    """Return the frame of a finder pattern near an affine map in modules, or None where there is none.

    ``where``: at the right, at the foot, 1 or 0 each; None when that is not known.
    """
    places, tones, weights = _pattern(where)
    mesh = start
    fine, its, lighter = (places[:, None] + WITHIN).reshape(-1, 2), np.repeat(weights, 4), np.repeat(tones, 4) > 0
    for _ in range(3):
        tone, _, _ = picture.at(mesh.at(fine))
        light = np.average(tone[lighter], weights=its[lighter])
        dark = np.average(tone[~lighter], weights=its[~lighter])
        if light - dark < 1:
            return None
        aim = Aim(fine, np.where(lighter, light, dark), np.full(len(fine), light - dark), its)
        mesh = fitted(mesh, picture, aim, STIFF, 3)
    tone, _, _ = picture.at(mesh.at(places))
    like = float(alike(tone[None], tones, weights)[0])
    middle, down, across = mesh.coefficients[:3]
    long, high = np.linalg.norm(across), np.linalg.norm(down)
    flat = abs(across[0] * down[1] - across[1] * down[0]) < FLATTEST * long * high
    if like < least or min(long, high) < 1 or flat:
        return None
    return Frame(middle, across, down, like)


def _pattern(where: tuple[int, int] | None) -> tuple[Floats, Floats, Floats]:
    """Return the modules of a finder pattern and of its separator: from its middle, 1 light or -1 dark, and weights."""
    reach = PATTERN // 2 + 1
    across, down = (one.ravel() for one in np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)))
    ring = np.maximum(np.abs(across), np.abs(down))
    tones = np.where((ring == reach - 2) | (ring == reach), 1.0, -1.0)
    right, foot = where or (0, 0)
    outside = (across == (reach if right else -reach)) | (down == (reach if foot else -reach))
    weights = np.where(ring == reach if where is None else outside, SIDEWAYS, 1.0)
    return np.column_stack((across, down)).astype(np.float64), tones, weights


def alike(shown: npt.NDArray[np.float64], tones: Floats, weights: Floats) -> Floats:
    """Return the weighted correlation of each row with the tones."""
    share = weights / weights.sum()
    off = shown - shown @ share[:, None]
    wanted = tones - tones @ share
    power = np.sqrt(np.maximum((off**2) @ share, 4.0) * (wanted**2 @ share))
    return np.asarray(off @ (share * wanted) / power, np.float64)


SOFT = 0.8
"""Pixels by which noise is softened."""
BLOCKS = (25, 75)
"""Pixels over which dark and light are told apart."""
DARKER = 3
"""Grey levels that dark is darker than its surroundings."""
RING = 25 / 9
"""A light ring with what is in it is as many times as large as the core."""
RATIO = 1.9
"""How far from that it may be, in either direction."""
SMALLEST, LARGEST_SHARE = 40.0, 0.1
"""Pixels of a light ring with its core at least, and share of the picture at most."""
MOST = 300
"""Rings that are looked at closer."""
LEAST_LIKE_NESTS = 0.7
"""The correlation from which on a finder pattern is one."""
LEAST_FILLED = 0.6
"""The share of the box round a ring that it fills, with what is in it."""
CORNERS = 4
Outline = npt.NDArray[np.int32]


def finder_patterns(grey: Grey) -> list[Frame]:
    """Return the finder patterns in a picture, the likeliest first; which side is up is not known."""
    picture = slopes_of(np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT), np.float32))
    found: list[Frame] = []
    for quad in _rings(grey)[:MOST]:
        middle = quad.mean(axis=0)
        if any(np.linalg.norm(middle - one.middle) < 2 * np.linalg.norm(one.across) for one in found):
            continue
        across = (quad[1] - quad[0] + quad[2] - quad[3]) / 10
        down = (quad[3] - quad[0] + quad[2] - quad[1]) / 10
        frame = settled(picture, Mesh(np.array([middle, down, across, (0.0, 0.0)])), None, LEAST_LIKE_NESTS)
        if frame is not None:
            found.append(frame)
    return sorted(found, key=lambda one: -one.like)


def _rings(grey: Grey) -> list[Floats]:
    """Return the corners of light rings with a dark core, 4 x 2 each, clockwise, those first that are most like one."""
    found: list[tuple[float, Floats]] = []
    soft = cv2.GaussianBlur(grey, (0, 0), SOFT)
    for block in BLOCKS:
        light = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, DARKER)
        shapes, tree = cv2.findContours(light, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        contours = [np.asarray(shape, np.int32) for shape in shapes]
        links = np.asarray(tree, np.int32).reshape(-1, 4)  # next, one before, first hole, what it is a hole of
        for number in np.flatnonzero((links[:, 3] < 0) & (links[:, 2] >= 0)).tolist():
            outer = cv2.contourArea(contours[number])
            if SMALLEST <= outer <= LARGEST_SHARE * grey.size:
                unlike = _unlike(contours, links, number, outer)
                found += [] if unlike is None else [(unlike, _quad(contours[number]))]
    return [quad for _, quad in sorted(found, key=lambda one: one[0])]


def _unlike(contours: Sequence[Outline], tree: Outline, number: int, outer: float) -> float | None:
    """Return how much an outline is unlike that of a ring with a core, or None where it is none."""
    box = cv2.minAreaRect(contours[number])
    share = outer / max(box[1][0] * box[1][1], 1.0)
    hole, core = int(tree[number, 2]), 1.0
    while hole >= 0:
        core = max(core, cv2.contourArea(contours[hole]) - cv2.arcLength(contours[hole], True) / 2)
        hole = int(tree[hole, 0])
    off = abs(float(np.log((outer + cv2.arcLength(contours[number], True) / 2) / core / RING)))
    return off + 2 * (1 - share) if off <= np.log(RATIO) and share >= LEAST_FILLED else None


def _quad(outline: Outline) -> Floats:
    """Return four corners of an outline, clockwise: its furthest points, or those of the box round it."""
    hull = cv2.convexHull(outline)
    around = cv2.arcLength(hull, True)
    fewer = (cv2.approxPolyDP(hull, loose * around, True)[:, 0] for loose in (0.04, 0.06, 0.08, 0.1))
    quad = next((own for own in fewer if len(own) == CORNERS), cv2.boxPoints(cv2.minAreaRect(outline)))
    corners = np.asarray(quad, np.float64)
    (x, y), (u, v) = corners[2] - corners[0], corners[3] - corners[1]
    return corners if x * v > y * u else corners[::-1].copy()


# --- grouped
# From finder patterns to symbols: three that stand as a symbol's do, or two, and where the third would be.

NEAREST, FURTHEST = 11.0, 180.0
"""Modules from one finder pattern's middle to the next."""
ASIDE = 0.35
"""How far aside the next may lie, as a share of how far ahead."""
ASLANT = 0.9
"""The cosine of the angle between two sides of a symbol at most."""
AS_LARGE = 2.2
"""Times as large one may seem as another."""
UNLIKE = 1.7
"""Times as far the one may be from the first as the other."""
NEIGHBOURS = 8
"""Finder patterns, the nearest, that may stand in one symbol with another."""
MOST_TORN = 6
"""Finder patterns left alone of which any two are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """The corners that symbols may have, 4 x 2, clockwise from their own top left.

    ``whole``: those of which three finder patterns are seen; ``torn``: of which two are, each way that may be.
    """

    whole: tuple[Floats, ...]
    torn: tuple[Floats, ...]


def grouped(found: Sequence[Frame]) -> Grouped:
    """Return the symbols that finder patterns may belong to; each pattern belongs to one that has three."""
    threes = [one for number in range(len(found)) for one in _threes(found, number)]
    used, whole = set[int](), []
    for _, members, quad in sorted(threes, key=lambda one: one[0]):
        if used.isdisjoint(members):
            whole.append(quad)
            used |= set(members)
    left = [one for number, one in enumerate(found) if number not in used][:MOST_TORN]
    return Grouped(tuple(whole), tuple(quad for one, other in combinations(left, 2) for quad in _of_two(one, other)))


def _threes(found: Sequence[Frame], first: int) -> Iterator[tuple[float, tuple[int, int, int], Floats]]:
    """Give the symbols whose first corner a pattern may be: how unlikely, its patterns, and its corners."""
    one = found[first]
    near = {number: way for number in _near(found, one) if (way := _ahead(one, found[number])) is not None}
    for right, foot in permutations(near, 2):
        (across, far), (down, low) = near[right], near[foot]
        square = 1 / UNLIKE < far / low < UNLIKE and abs(_share(across, down)) < ASLANT
        if square and across[0] * down[1] > across[1] * down[0]:
            quad = _quad_grouped(one, found[right], found[foot], across, down)
            yield _unlikely(quad, one), (first, right, foot), quad


def _near(found: Sequence[Frame], one: Frame) -> list[int]:
    """Return the nearest patterns that lie straight ahead of one, in any of four directions."""
    steps = np.linalg.solve(
        np.column_stack((one.across, one.down)), np.array([other.middle - one.middle for other in found]).T
    )
    low, high = np.sort(np.abs(steps), axis=0)
    ahead = np.flatnonzero((low <= ASIDE * high) & (high > NEAREST / 2) & (high < 2 * FURTHEST))
    return [int(number) for number in ahead[np.argsort(high[ahead], kind="stable")][:NEIGHBOURS]]


def _of_two(one: Frame, other: Frame) -> list[Floats]:
    """Return where symbols may lie of which two patterns are seen."""
    ahead = _ahead(one, other)
    quads = []
    if ahead is None:
        return _of_diagonal(one, other)
    for side in (1, -1):
        first, second = (one, other) if side > 0 else (other, one)
        along = _axis(first, second.middle - first.middle)
        aside = _turned(first, along)
        far = ahead[1]
        third = Frame(first.middle + far * aside, first.across, first.down, 0.0)
        quad = _quad_grouped(first, second, third, along, aside)
        quads += [quad, np.roll(quad, -1, axis=0)]
    return quads


def _of_diagonal(one: Frame, other: Frame) -> list[Floats]:
    steps = np.linalg.solve(np.column_stack((one.across, one.down)), other.middle - one.middle)
    low, high = np.sort(np.abs(steps))
    if not (low > NEAREST and high < UNLIKE * low and high < FURTHEST and _alike(one, other)):
        return []
    quads = []
    for corner in (one.middle + steps[0] * one.across, one.middle + steps[1] * one.down):
        first = Frame(corner, one.across, one.down, 0.0)
        to_one, to_other = one.middle - corner, other.middle - corner
        right, foot = (one, other) if to_one[0] * to_other[1] - to_one[1] * to_other[0] > 0 else (other, one)
        quads.append(
            _quad_grouped(first, right, foot, _axis(first, right.middle - corner), _axis(first, foot.middle - corner))
        )
    return quads


def _quad_grouped(first: Frame, right: Frame, foot: Frame, across: Floats, down: Floats) -> Floats:
    top_left = first.middle - 3.5 * (across + down)
    top_right = right.middle + 3.5 * (_axis(right, across) - _axis(right, down))
    foot_left = foot.middle + 3.5 * (_axis(foot, down) - _axis(foot, across))
    return np.array([top_left, top_right, top_right + foot_left - top_left, foot_left])


def _ahead(one: Frame, other: Frame) -> tuple[Floats, float] | None:
    """Return which way one module leads from one pattern to the other, and how many modules it is; None if aslant."""
    steps = np.linalg.solve(np.column_stack((one.across, one.down)), other.middle - one.middle)
    low, high = np.sort(np.abs(steps))
    if low > ASIDE * high or not _alike(one, other):
        return None
    along = _axis(one, other.middle - one.middle)
    far = float(
        2 * np.linalg.norm(other.middle - one.middle) / (np.linalg.norm(along) + np.linalg.norm(_axis(other, along)))
    )
    return (along, far) if NEAREST < far < FURTHEST else None


def _alike(one: Frame, other: Frame) -> bool:
    sizes = [abs(float(own.across[0] * own.down[1] - own.across[1] * own.down[0])) for own in (one, other)]
    return max(sizes) < AS_LARGE**2 * min(sizes)


def _axis(frame: Frame, along: Floats) -> Floats:
    """Return the module of a frame, one of four, that leads most in a direction."""
    ways = (frame.across, frame.down, -frame.across, -frame.down)
    return max(ways, key=lambda way: _share(way, along))


def _turned(frame: Frame, along: Floats) -> Floats:
    """Return the module of a frame that leads to the right of a direction."""
    return _axis(frame, np.array([-along[1], along[0]]))


def _share(one: Floats, other: Floats) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-9))


def _unlikely(quad: Floats, first: Frame) -> float:
    """Return how far a quadrilateral is from a small square: by its sides, its angle and its modules."""
    top, left = quad[1] - quad[0], quad[3] - quad[0]
    across, down = np.linalg.norm(top), np.linalg.norm(left)
    modules = (across + down) / (np.linalg.norm(first.across) + np.linalg.norm(first.down))
    return float(abs(np.log(across / down)) + abs(_share(top, left)) + np.log(modules))
