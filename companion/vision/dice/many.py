"""Faces with two pips and more: any two alike spots may lie at opposite corners of one.

What else there is about their middle says which face it would be, and the face round them must be of one colour and
end alike on its sides.  From four pips on these alone are proof, though less sure where no edge is seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.vision.dice.bodies import BETWEEN, Extent, Face
from companion.vision.dice.pips import FAINT, LEAST_UNEVEN, SURE, UNEVEN, Pip, SeenDie, Spots

Floats = npt.NDArray[np.float64]
Colours = npt.NDArray[np.float32]

MANY = 4
FAR = (4.6, 11.5)
"""How far apart pips at opposite corners are, in radii."""
ALIKE, STRENGTHS = 1.5, 1.8
"""Radii and contrasts of the pips of one face differ by these factors at most."""
DIAGONALS, OFF, ASLANT = (0.68, 1.45), 0.14, 0.45
"""The other diagonal: its length and how far off its middle lies, in the first one's half, and how far from upright."""
NEAR = 0.16
"""How far from its place a pip is looked for, in half of a diagonal."""
PRESENT, ABSENT = 0.5, 0.3
"""A place holds a pip from so much of the others' contrast, and none up to so much."""
UNEVEN_WITH_MANY = 0.36
CLEAR = (0.42, 0.52)
"""A pip covers so much of its surroundings, in half of the distance between pips."""
STRETCHES, SLANTS = (0.76, 0.88, 1.0, 1.14, 1.32), (-0.3, -0.15, 0.0, 0.15, 0.3)
"""How a tilted face may look: the other diagonal longer or shorter, and aslant."""
GRID = np.array([(i, j) for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0)])
"""Where pips may be."""
ENDS, LAST, USUAL = (1.2, 2.75), 2.6, 1.95
"""Where a face ends, in the distance of its corner pips from the middle lines: at all, at the latest, and usually."""
EVEN_ENDS = 1.42
"""Ends of one face differ by this factor at most."""
LEAST_EDGES = 2


@dataclass(frozen=True, slots=True)
class _Corners:
    """Two pips at opposite corners: their middle, half of the diagonal, their radius and contrast."""

    middle: Floats
    half: Floats
    radius: float
    contrast: float


def faces(spots: Spots, colours: Colours) -> Iterator[SeenDie]:
    """Give all faces with two pips and more; many more than once, and some that are none."""
    for one, other in _alike(spots.found):
        ends = np.array([(one.x, one.y), (other.x, other.y)])
        radius, contrast = float(np.sqrt(one.radius * other.radius)), (one.contrast + other.contrast) / 2
        found = _face(spots, colours, _Corners(ends.mean(axis=0), (ends[1] - ends[0]) / 2, radius, contrast))
        if found is not None:
            yield found


def _alike(found: Sequence[Pip]) -> list[tuple[Pip, Pip]]:
    """Give the spots that may be pips at opposite corners of one face."""
    if not found:
        return []
    table = np.array([(one.x, one.y, one.radius, one.contrast) for one in found])
    first, second = np.triu_indices(len(found), 1)
    (x, y, radius, contrast), (at_x, at_y, its_radius, its_contrast) = table[first].T, table[second].T
    away = np.hypot(x - at_x, y - at_y) / np.sqrt(radius * its_radius)
    sizes, strengths = np.abs(np.log(radius / its_radius)), np.abs(np.log(np.abs(contrast / its_contrast)))
    fit = (contrast * its_contrast > 0) & (sizes <= np.log(ALIKE)) & (strengths <= np.log(STRENGTHS))
    fit &= (away >= FAR[0]) & (away <= FAR[1])
    return [(found[one], found[other]) for one, other in zip(first[fit], second[fit], strict=True)]


def _face(spots: Spots, colours: Colours, corners: _Corners) -> SeenDie | None:
    across = _other_corners(spots.found, corners)
    upright = np.array([-corners.half[1], corners.half[0]])
    value = _value(spots, corners, upright if across is None else across, crossed=across is not None)
    if value is None:
        return None
    if across is not None:
        return _on_body(colours, value, corners, across)
    # How the face is tilted is not told by two pips: the body says it.
    leaning = (long * upright + slant * corners.half for long in STRETCHES for slant in SLANTS)
    found = [_on_body(colours, value, corners, one) for one in leaning]
    return max((one for one in found if one is not None), key=lambda one: one.fits, default=None)


def _other_corners(found: Sequence[Pip], corners: _Corners) -> Floats | None:
    """Find the two pips of the other corners: alike, about the same middle, across."""
    (x, y), long = corners.middle, float(np.hypot(*corners.half))
    near = [
        one
        for one in found
        if 1 / STRENGTHS <= one.contrast / corners.contrast <= STRENGTHS
        and 1 / ALIKE <= one.radius / corners.radius <= ALIKE
        and DIAGONALS[0] * long <= np.hypot(one.x - x, one.y - y) <= DIAGONALS[1] * long
    ]
    best: tuple[float, Floats] | None = None
    for one, other in combinations(near, 2):
        between = np.array([(one.x + other.x) / 2, (one.y + other.y) / 2])
        across = np.array([other.x - one.x, other.y - one.y]) / 2
        wide = float(np.hypot(*across))
        if wide < DIAGONALS[0] * long:  # one spot at two scales, or two on one side
            continue
        off = float(np.hypot(*(between - corners.middle))) / long
        slant = abs(float(across @ corners.half)) / (wide * long)
        if off < OFF and slant < ASLANT and (best is None or off + slant < best[0]):
            best = (off + slant, across)
    return None if best is None else best[1]


def _value(spots: Spots, corners: _Corners, cross: Floats, *, crossed: bool) -> int | None:
    """Say which face it is by where pips are and where none are; ``None``: none, or nobody can say."""
    reach = max(1.0, NEAR * float(np.hypot(*corners.half)))
    sign = 1.0 if corners.contrast > 0 else -1.0

    def held(place: Floats, within: float = reach) -> bool | None:
        at = corners.middle + place
        share = spots.contrast_near(float(at[0]), float(at[1]), corners.radius, within, sign) / abs(corners.contrast)
        return True if share >= PRESENT else False if share <= ABSENT else None

    centre = held(np.zeros(2))
    if centre is None:
        return None
    if not crossed:
        free = [held(place, 1.6 * reach) is False for place in (cross, -cross)]
        return (3 if centre else 2) if all(free) else None
    sides = [held((corners.half + way * cross) / 2 * end) for way in (1, -1) for end in (1, -1)]
    if not any(one is not False for one in sides):
        return 5 if centre else 4
    return 6 if not centre and sides in ([True, True, False, False], [False, False, True, True]) else None


def _on_body(colours: Colours, value: int, corners: _Corners, cross: Floats) -> SeenDie | None:
    """Judge the face round the pips: of one colour, and with edges."""
    first, second = (corners.half + cross) / 2, (corners.half - cross) / 2
    face = Face(colours, corners.middle, first, second)
    uneven = face.settle(GRID, float(np.clip(1.5 * corners.radius / np.hypot(*first), *CLEAR)))
    share = UNEVEN_WITH_MANY if value >= MANY else UNEVEN
    if uneven > max(LEAST_UNEVEN, share * abs(corners.contrast)):
        return None
    ends = face.extents(abs(corners.contrast), *ENDS, BETWEEN)
    found = _judged(value, ends, float(np.hypot(*first)) + float(np.hypot(*second)))
    if found is None:
        return None
    x, y = (float(at) for at in corners.middle)
    return replace(found, x=x, y=y, pip=corners.radius, contrast=corners.contrast)


def _judged(value: int, ends: Sequence[Extent], span: float) -> SeenDie | None:
    """Judge by its edges whether it is a die's face."""
    sure = [one for one in ends if one.sure >= SURE and ENDS[0] < one.at < LAST]
    at = [one.at for one in sure]
    alike = max(at) / min(at) if at else 1.0
    even = alike <= EVEN_ENDS
    if even and len(sure) >= (LEAST_EDGES if value >= MANY else LEAST_EDGES + 1):
        return SeenDie(value, 0, 0, float(np.median(at)) * span, float(np.mean([one.sure for one in ends])) / alike)
    if value >= MANY:
        # On a ground of the die's own colour its pips alone tell it, and less surely.
        return SeenDie(value, 0, 0, USUAL * span, FAINT * (value - 1) / 5)
    if even and len(sure) >= LEAST_EDGES:
        return SeenDie(value, 0, 0, float(np.median(at)) * span, FAINT * len(sure) / 4)
    return None
