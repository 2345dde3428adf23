"""Read the top faces of dice at rest.

Nothing is guessed: dice are reported only if exactly as many are found as were thrown, of similar size and with similar
pips, wholly in the picture, and nothing else might be one of them.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import cv2
import numpy as np

from companion.qr.sighting import Picture
from companion.vision.dice.faces import (
    CERTAIN,
    MANY_PIPS,
    CrowdedPictureError,
    SeenDie,
    SurfaceCount,
    detect_faces,
    detect_faint_faces,
    detect_ones,
)
from companion.vision.dice.pips import SpotDetector

MAX_SIDE_RATIO, MAX_PIP_RATIO, PIP_OF_ONE = 1.5, 1.45, 1.3
"""Ratio of sides and of the pips' radii within one throw at most; the pip of a one is larger by the third."""
MAX_CONTRAST_RATIO, MAX_CERTAIN_CONTRAST_RATIO = 1.5, 1.8
"""Ratio of the pips' contrasts, because a lamp lights one die more than the other; the second if both are certain."""
DOUBTFUL, SUPPORTED = 0.35, 0.45
"""Score below which a die counts only beside a certain one, or beside one with many pips of at least the second."""
MAX_RIVAL = 0.8
"""Score of another candidate of that size at most, relative to the weakest die, or the reading is ambiguous."""
MIN_SIDE = 15.0
"""Pixels below which nothing is read, because artwork and print are full of such spots."""
MIN_SCORE_OF_ONES = 0.7
"""Score of each die at least if all are ones, because two spots are so common."""
LARGE_SIDE = 44.0
"""Pixels from which on a first reading suffices."""
MAX_ENLARGED_PIXELS, MIN_FACTOR = 1_000_000, 1.25
"""Of the second reading: pixels at most, and the factor below which it would tell nothing new."""
MAX_COMBINATIONS = 20_000
"""Combinations of candidates that are compared."""
CLEARLY_BETTER = 1.2
"""Factor by which the score of one of two different readings must be higher to be accepted."""
MIN_DISTANCE, MIN_DISTANCE_INSIDE = 0.92, 0.7
"""Distance of two dice in sides of the larger at least; for much smaller ones, in sides of the smaller."""


def read_dice(image: Picture, count: int) -> tuple[SeenDie, ...]:
    """Return ``count`` dice in a picture, grey or in colours; none if it does not show exactly these.

    A picture in which they are small, or not clear, is read once more at up to twice its size.
    """
    try:
        return _read_twice(_in_colour(image), count)
    except CrowdedPictureError:
        return ()


def _read_twice(image: Picture, count: int) -> tuple[SeenDie, ...]:
    """Return the dice of a throw; raise ``CrowdedPictureError``."""
    dice = _choose_throw(detect_dice(image), count, image.shape)
    if dice and min(die.side for die in dice) >= LARGE_SIDE:
        return dice
    factor = min(2.0, (MAX_ENLARGED_PIXELS / (image.shape[0] * image.shape[1])) ** 0.5)
    if factor < MIN_FACTOR:
        return dice
    larger = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    enlarged_dice = _choose_throw(detect_dice(np.asarray(larger, np.uint8)), count, larger.shape, factor * MIN_SIDE)
    again = tuple(die.reduce_by(factor) for die in enlarged_dice)
    if not dice or not again or _faces_of(dice) == _faces_of(again):
        return again or dice
    first_score, second_score = (min(die.score for die in reading) for reading in (dice, again))
    if second_score >= CLEARLY_BETTER * first_score:
        return again
    return dice if first_score >= CLEARLY_BETTER * second_score else ()


def detect_dice(image: Picture) -> list[SeenDie]:
    """Return everything that looks like a die, without overlaps, the highest score first.

    Raises:
        CrowdedPictureError: where too much looks like pips, as in print and noise.

    """
    detector = SpotDetector(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    colours = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)
    surfaces = SurfaceCount()
    candidates = [*detect_faces(detector, colours, surfaces), *detect_ones(detector, colours, surfaces)]
    best = max((die for die in candidates if die.face > 1), key=lambda die: die.score, default=None)
    if best is not None and best.score >= CERTAIN:
        candidates += detect_faint_faces(detector, best)
    candidates.sort(key=lambda die: -die.score * die.side**0.5 * (1 + 0.1 * die.face))
    kept: list[SeenDie] = []
    for die in candidates:
        if not any(_overlap(die, other) for other in kept):
            kept.append(die)
    return sorted(kept, key=lambda die: -die.score)


def _in_colour(image: Picture) -> Picture:
    """Return a picture with three channels; cameras may send grey ones, as at night."""
    return image if image.ndim > 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)  # noqa: PLR2004


def _faces_of(dice: Sequence[SeenDie]) -> list[int]:
    return sorted(die.face for die in dice)


def _overlap(first: SeenDie, second: SeenDie) -> bool:
    """Return whether two candidates cannot both be dice."""
    small, large = sorted((first.side, second.side))
    distance = float(np.hypot(first.x - second.x, first.y - second.y))
    return distance < MIN_DISTANCE * large if large < 2 * small else distance < MIN_DISTANCE_INSIDE * small


def _choose_throw(
    candidates: Sequence[SeenDie], count: int, shape: tuple[int, ...], min_side: float = MIN_SIDE
) -> tuple[SeenDie, ...]:
    """Return the dice that were thrown together, from left to right; none if another candidate might be one of them.

    None either if one of them reaches over the edge of the picture (its shape is given): it may have more pips there.

    Raises:
        CrowdedPictureError: where there are too many candidates.

    """
    weakest = 0.0
    chosen: tuple[SeenDie, ...] = ()
    if comb(len(candidates), count) > MAX_COMBINATIONS:
        raise CrowdedPictureError
    for dice in combinations(candidates, count):
        scores = [die.score for die in dice]
        if min(die.side for die in dice) < min_side or (max(_faces_of(dice)) == 1 and min(scores) < MIN_SCORE_OF_ONES):
            continue
        if min(scores) < DOUBTFUL and max(scores) < (SUPPORTED if max(_faces_of(dice)) >= MANY_PIPS - 1 else CERTAIN):
            continue
        if min(scores) > weakest and all(_is_one_throw(first, second) for first, second in combinations(dice, 2)):
            weakest, chosen = min(scores), dice
    rivals = [
        die.score for die in candidates if die not in chosen and all(_is_one_throw(die, other) for other in chosen)
    ]
    if max(rivals, default=0.0) > MAX_RIVAL * weakest or any(_is_cut(die, shape) for die in chosen):
        return ()
    return tuple(sorted(chosen, key=lambda die: (die.x, die.y)))


def _is_cut(die: SeenDie, shape: tuple[int, ...]) -> bool:
    """Return whether a die reaches over the edge of a picture."""
    return min(die.x, die.y, shape[1] - die.x, shape[0] - die.y) < die.side / 2


def _is_one_throw(first: SeenDie, second: SeenDie) -> bool:
    """Return whether two dice are similar enough to be thrown together: in size, and in their pips' colour and size."""
    if first.contrast * second.contrast <= 0 or not 1 / MAX_SIDE_RATIO <= first.side / second.side <= MAX_SIDE_RATIO:
        return False
    radius1, radius2 = (die.pip / (PIP_OF_ONE if die.face == 1 else 1.0) for die in (first, second))
    certain = min(first.score, second.score) >= CERTAIN
    ratio = MAX_CERTAIN_CONTRAST_RATIO if certain else MAX_CONTRAST_RATIO
    contrasts = 1 / ratio <= first.contrast / second.contrast <= ratio
    return contrasts and 1 / MAX_PIP_RATIO <= radius1 / radius2 <= MAX_PIP_RATIO
