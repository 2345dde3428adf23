"""Reads the faces that lie up of dice at rest.

Each face but the one has two pips at opposite corners.  Any two alike spots may be such a pair: what else there is
about their middle says which face it would be, and the face round them must be of one colour and end alike on all
sides.  Nothing is guessed: dice are told only where exactly as many are found as were thrown, of one size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.bodies import ALONG, BETWEEN, Extent, Face
from companion.vision.dice.pips import Pip, Spots
from companion.vision.label.sighting import Picture

Floats = npt.NDArray[np.float64]

FAR = (4.6, 11.5)
"""How far apart pips at opposite corners are, in radii."""
ALIKE, STRENGTHS = 1.5, 1.8
"""Radii and contrasts of the pips of one face differ by these factors at most."""
PRESENT, ABSENT = 0.5, 0.3
"""A place holds a pip from so much of the others' contrast, and none up to so much."""
ENDS = (1.2, 2.75)
"""Where a face ends, in the distance of its corner pips from the middle lines."""
UNEVEN, UNEVEN_WITH_MANY = 0.22, 0.36
"""How much a face's colour may vary, as a share of the pips' contrast."""
STRETCHES, SLANTS = (0.76, 0.88, 1.0, 1.14, 1.32), (-0.3, -0.15, 0.0, 0.15, 0.3)
"""How a tilted face may look: the other diagonal longer or shorter, and aslant."""
GRID = np.array([(i, j) for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0)])
"""Where pips may be."""
SURE = 0.6
MANY = 4
"""From so many pips on they prove the face, and two edges of its body are enough."""
FAINT, USUAL = 0.5, 1.95
"""How well a face fits at most that its pips alone tell, and where such a face usually ends."""
SIZES = 1.5
"""Dice of one throw differ in side by this factor at most, as far as sides are told."""
SMALL = 44.0
"""Sides in pixels from which on pips are large enough at once."""
DOUBTFUL, HELPED = 0.35, 0.45
"""What fits as badly as that counts only beside a die that is sure, or that has many pips and is nearly so."""
CLEARLY = 1.2
"""Where two looks differ, the one that fits so much better counts."""
RIVAL = 0.8
"""What else might be a die of that size fits so much worse at least, or nobody can say which are the dice."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die: its face, the middle of that face and its side in pixels, and how well it fits, 0 to 1.

    ``pip`` and ``contrast`` are its pips' radius in pixels and their contrast in grey levels, below 0 for dark ones.
    """

    face: int
    x: float
    y: float
    side: float
    fits: float
    pip: float = 0.0
    contrast: float = 0.0

    def smaller(self, times: float) -> "SeenDie":
        """Give it as it lies in the same picture, so many times smaller."""
        x, y, side, pip = (held / times for held in (self.x, self.y, self.side, self.pip))
        return replace(self, x=x, y=y, side=side, pip=pip)


def read_dice(image: Picture, count: int) -> tuple[SeenDie, ...]:
    """Read so many dice in a picture, uint8, height x width x 3; none where it does not show exactly these.

    A picture in which they are small, or not to be told, is looked at once more at twice its size.
    """
    found = _chosen(dice_in(image), count)
    if found and min(one.side for one in found) >= SMALL:
        return found
    larger = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    again = tuple(one.smaller(2) for one in _chosen(dice_in(np.asarray(larger, np.uint8)), count))
    if not found or not again or _faces(found) == _faces(again):
        return again or found
    at_once, later = (min(one.fits for one in dice) for dice in (found, again))
    return again if later >= CLEARLY * at_once else found if at_once >= CLEARLY * later else ()


def _faces(dice: Sequence[SeenDie]) -> list[int]:
    return sorted(one.face for one in dice)


def _chosen(found: Sequence[SeenDie], count: int) -> tuple[SeenDie, ...]:
    """Choose those that were thrown together, as long as nothing else might be one of them."""
    best: tuple[float, tuple[SeenDie, ...]] = (0.0, ())
    for chosen in combinations(found, count):
        weakest, surest = (pick(one.fits for one in chosen) for pick in (min, max))
        if weakest < DOUBTFUL and surest < (HELPED if max(_faces(chosen)) >= MANY - 1 else SURE):
            continue
        if weakest > best[0] and all(_of_one_throw(one, other) for one, other in combinations(chosen, 2)):
            best = weakest, chosen
    weakest, chosen = best
    rivals = [one.fits for one in found if one not in chosen and all(_of_one_throw(one, other) for other in chosen)]
    if max(rivals, default=0.0) > RIVAL * weakest:
        return ()
    return tuple(sorted(chosen, key=lambda one: (one.x, one.y)))


def _of_one_throw(one: SeenDie, other: SeenDie) -> bool:
    """Say whether two dice are alike enough to be thrown together: in size, and in their pips' colour and size."""
    if one.contrast * other.contrast <= 0 or not 1 / SIZES <= one.side / other.side <= SIZES:
        return False
    bigger = [1.3 if die.face == 1 else 1.0 for die in (one, other)]
    pips = (one.pip / bigger[0]) / (other.pip / bigger[1])
    lit = 1.8 if min(one.fits, other.fits) >= SURE else 1.5
    return 1 / lit <= one.contrast / other.contrast <= lit and 1 / 1.45 <= pips <= 1.45


def dice_in(image: Picture) -> list[SeenDie]:
    """Find everything that looks like a die, the best fitting first; nothing twice."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    spots = Spots(grey)
    colours = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.float32)
    guesses = [*_pairs(spots, colours), *_ones(spots, colours)]
    surest = max((one for one in guesses if one.face > 1), key=lambda one: one.fits, default=None)
    if surest is not None and surest.fits >= SURE:
        guesses += _faint(spots, surest)
    guesses.sort(key=lambda one: -one.fits * one.side**0.5 * (1 + 0.1 * one.face))
    kept: list[SeenDie] = []
    for one in guesses:
        if not any(_overlap(one, other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: -one.fits)


def _overlap(one: SeenDie, other: SeenDie) -> bool:
    """Say whether two guesses cannot both be: faces of one die, or of none."""
    small, large = sorted((one.side, other.side))
    away = float(np.hypot(one.x - other.x, one.y - other.y))
    return away < 0.92 * large if large < 2 * small else away < 0.7 * small


def _pairs(spots: Spots, colours: npt.NDArray[np.float32]) -> Iterator[SeenDie]:
    for one, other in _alike(spots.found):
        found = _face(spots, colours, one, other)
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


def _face(spots: Spots, colours: npt.NDArray[np.float32], one: Pip, other: Pip) -> SeenDie | None:
    ends = np.array([(one.x, one.y), (other.x, other.y)])
    middle, half = ends.mean(axis=0), (ends[1] - ends[0]) / 2
    radius, contrast = float(np.sqrt(one.radius * other.radius)), (one.contrast + other.contrast) / 2
    across = _other_corners(spots.found, middle, half, radius, contrast)
    cross = np.array([-half[1], half[0]]) if across is None else across
    value = _value(spots, middle, half, cross, radius, contrast, crossed=across is not None)
    if value is None:
        return None
    if across is not None:
        return _on_body(colours, value, middle, half, cross, radius, contrast)
    # How the face is tilted is not told by two pips: the body says it.
    leaning = (long * cross + slant * half for long in STRETCHES for slant in SLANTS)
    found = [_on_body(colours, value, middle, half, one, radius, contrast) for one in leaning]
    return max((one for one in found if one is not None), key=lambda one: one.fits, default=None)


def _on_body(
    colours: npt.NDArray[np.float32], value: int, middle: Floats, half: Floats, cross: Floats, radius: float, contrast: float
) -> SeenDie | None:
    """Judge the face round the pips: of one colour, and with edges."""
    first, second = (half + cross) / 2, (half - cross) / 2
    face = Face(colours, middle, first, second)
    clear = float(np.clip(1.5 * radius / np.hypot(*first), 0.42, 0.52))
    uneven = face.settle(GRID, clear)
    if uneven > max(9.0, (UNEVEN_WITH_MANY if value >= MANY else UNEVEN) * abs(contrast)):
        return None
    found = _die(value, middle, face.extents(abs(contrast), *ENDS, BETWEEN), first, second)
    return None if found is None else replace(found, pip=radius, contrast=contrast)


def _other_corners(found: Sequence[Pip], middle: Floats, half: Floats, radius: float, contrast: float) -> Floats | None:
    """Find the two pips of the other corners: alike, about the same middle, across."""
    long = float(np.hypot(*half))
    near = [
        one
        for one in found
        if 1 / STRENGTHS <= one.contrast / contrast <= STRENGTHS
        and 1 / ALIKE <= one.radius / radius <= ALIKE
        and 0.68 * long <= np.hypot(one.x - middle[0], one.y - middle[1]) <= 1.45 * long
    ]
    best: tuple[float, Floats] | None = None
    for one, other in combinations(near, 2):
        between = np.array([(one.x + other.x) / 2, (one.y + other.y) / 2])
        across = np.array([other.x - one.x, other.y - one.y]) / 2
        off = float(np.hypot(*(between - middle))) / long
        slant = abs(float(across @ half)) / (float(np.hypot(*across)) * long)
        if off < 0.14 and slant < 0.45 and (best is None or off + slant < best[0]):
            best = (off + slant, across)
    return None if best is None else best[1]


def _value(
    spots: Spots, middle: Floats, half: Floats, cross: Floats, radius: float, contrast: float, *, crossed: bool
) -> int | None:
    """Say which face it is by where pips are and where none are; ``None``: none, or nobody can say."""
    reach = max(1.0, 0.16 * float(np.hypot(*half)))
    sign = 1.0 if contrast > 0 else -1.0

    def held(place: Floats, within: float = reach) -> bool | None:
        share = spots.contrast_near(*(middle + place), radius, within, sign) / abs(contrast)
        return True if share >= PRESENT else False if share <= ABSENT else None

    centre = held(np.zeros(2))
    if centre is None:
        return None
    if not crossed:
        corners = [held(cross, 1.6 * reach), held(-cross, 1.6 * reach)]
        return None if any(one is not False for one in corners) else 3 if centre else 2
    sides = [[held((half + way * cross) / 2 * sign_), ][0] for way in (1, -1) for sign_ in (1, -1)]
    if any(one is None for one in sides):
        return None
    if not any(sides):
        return 5 if centre else 4
    return 6 if not centre and sides in ([True, True, False, False], [False, False, True, True]) else None


def _die(value: int, middle: Floats, ends: Sequence[Extent], first: Floats, second: Floats) -> SeenDie | None:
    """Judge by its edges whether it is a die's face: at least three that are sure, opposite ones alike."""
    span = float(np.hypot(*first)) + float(np.hypot(*second))
    sure = [one for one in ends if one.sure >= SURE and ENDS[0] < one.at < ENDS[1] - 0.15]
    at = [one.at for one in sure]
    alike = max(at) / min(at) if at else 1.0
    if len(sure) >= (2 if value >= MANY else 3) and alike <= 1.42:
        size = float(np.median(at)) * span
        fits = float(np.mean([one.sure for one in ends])) / alike
    elif value >= MANY:
        # On a ground of the die's own colour its pips alone tell it, and less surely.
        size, fits = USUAL * span, FAINT * (value - 1) / 5
    elif len(sure) >= 2 and alike <= 1.42:
        size, fits = float(np.median(at)) * span, FAINT * len(sure) / 4
    else:
        return None
    return SeenDie(value, float(middle[0]), float(middle[1]), size, fits)


def _faint(spots: Spots, sure: SeenDie) -> Iterator[SeenDie]:
    """Give what may be the face with one pip or two of a die like one that is sure, though no body stands out."""
    like = [one for one in spots.found if 1 / 1.3 <= one.contrast / sure.contrast <= 1.3]
    ones = [one for one in like if 0.95 <= one.radius / sure.pip <= 1.7]
    twos = [one for one in like if 0.8 <= one.radius / sure.pip <= 1.25]
    alone = 0.9 * sure.side

    def others(x: float, y: float, but: tuple[Pip, ...]) -> bool:
        return any(np.hypot(one.x - x, one.y - y) < alone for one in like if one not in but)

    for one in ones:
        if not others(one.x, one.y, (one,)):
            yield SeenDie(1, one.x, one.y, sure.side, FAINT / 2, one.radius, one.contrast)
    for one, other in combinations(twos, 2):
        x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
        far = np.hypot(one.x - other.x, one.y - other.y) / sure.side
        if 0.56 <= far <= 0.86 and not others(x, y, (one, other)):
            yield SeenDie(2, x, y, sure.side, FAINT / 2, (one.radius + other.radius) / 2, one.contrast)


ONE_SIDES = (5.6, 11.0)
"""The side of a face with one pip, in the pip's radii."""
TURNS = np.deg2rad(np.arange(0, 90, 9))


def _ones(spots: Spots, colours: npt.NDArray[np.float32]) -> Iterator[SeenDie]:
    for one in spots.found:
        found = _one(spots, colours, one)
        if found is not None:
            yield found


RING = np.stack([np.cos(np.arange(0, 2 * np.pi, 0.4)), np.sin(np.arange(0, 2 * np.pi, 0.4))], 1)


def _is_edged(colours: npt.NDArray[np.float32], pip: Pip) -> bool:
    """Say whether what is close round a spot is of several colours: then it is no pip in the middle of a face."""
    spots = np.array([pip.x, pip.y]) + RING * pip.radius * 2.0
    rows, columns = (np.clip(np.round(spots[:, axis]).astype(int), 0, colours.shape[1 - axis] - 1) for axis in (1, 0))
    seen = colours[rows, columns]
    off = np.abs(seen - np.median(seen, axis=0)).mean(axis=1)
    return bool(np.percentile(off, 80) > max(9.0, UNEVEN * abs(pip.contrast)))


def _one(spots: Spots, colours: npt.NDArray[np.float32], pip: Pip) -> SeenDie | None:
    middle, unit = np.array([pip.x, pip.y]), pip.radius * 2
    best: SeenDie | None = None
    if _is_edged(colours, pip):
        return None
    for turn in TURNS:
        first = np.array([np.cos(turn), np.sin(turn)]) * unit
        second = np.array([-np.sin(turn), np.cos(turn)]) * unit
        face = Face(colours, middle, first, second)
        uneven = face.settle(np.zeros((1, 2)), clear=0.85)
        if uneven > max(8.0, UNEVEN * abs(pip.contrast)):
            continue
        ends = face.extents(abs(pip.contrast), ONE_SIDES[0] / 4, ONE_SIDES[1] / 4, ALONG)
        sure = [one.sure for one in ends]
        if min(sure) < 0.25 or sum(sure) < 4 * 0.5:
            continue
        at = [one.at for one in ends]
        if max(at) > 1.6 * min(at) or not ONE_SIDES[0] / 4 < min(at):
            continue
        alike = 1 / (1 + abs(at[0] - at[1]) / at[0] + abs(at[2] - at[3]) / at[2])
        fits = float(np.mean([one.sure for one in ends])) * alike
        if best is None or fits > best.fits:
            best = SeenDie(1, pip.x, pip.y, float(np.mean(at)) * 2 * unit, fits, pip.radius, pip.contrast)
    return best
