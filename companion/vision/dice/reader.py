"""Reads the faces that lie up of dice at rest.

Nothing is guessed: dice are told only where exactly as many are found as were thrown, alike in size and in their pips,
and nothing else might be one of them.
"""

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from companion.qr.sighting import Picture
from companion.vision.dice.few import faint, ones
from companion.vision.dice.many import MANY, faces
from companion.vision.dice.pips import SURE, SeenDie, Spots

SIZES, PIPS, PIP_OF_ONE = 1.5, 1.45, 1.3
"""Dice of one throw differ in side, and in their pips' radius, by these factors at most; a one's pip is larger."""
LIT, LIT_SURELY = 1.5, 1.8
"""And in their pips' contrast: a lamp lights one more than the other.  The second, where both are sure."""
DOUBTFUL, HELPED = 0.35, 0.45
"""What fits as badly as that counts only beside a die that is sure, or that has many pips and is nearly so."""
RIVAL = 0.8
"""What else might be a die of that size fits so much worse at least, or nobody can say which are the dice."""
SMALLEST = 15.0
"""Sides in pixels below which nothing is told: art and print are full of such spots."""
TWO_ONES = 0.7
"""As well as that each of several ones fits, when all are: nothing is as common as two spots."""
SMALL = 44.0
"""Sides in pixels from which on pips are large enough at once."""
CLEARLY = 1.2
"""Where two looks differ, the one that fits so much better counts."""
TOGETHER, INSIDE = 0.92, 0.7
"""Middles of two dice are so far apart at least, in the larger side; much smaller ones in their own."""


def read_dice(image: Picture, count: int) -> tuple[SeenDie, ...]:
    """Read so many dice in a picture, uint8, height x width x 3; none where it does not show exactly these.

    A picture in which they are small, or not to be told, is looked at once more at twice its size.
    """
    found = _chosen(dice_in(image), count)
    if found and min(one.side for one in found) >= SMALL:
        return found
    larger = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    again = tuple(one.smaller(2) for one in _chosen(dice_in(np.asarray(larger, np.uint8)), count, 2 * SMALLEST))
    if not found or not again or _values(found) == _values(again):
        return again or found
    at_once, later = (min(one.fits for one in dice) for dice in (found, again))
    return again if later >= CLEARLY * at_once else found if at_once >= CLEARLY * later else ()


def dice_in(image: Picture) -> list[SeenDie]:
    """Find everything that looks like a die, the best fitting first; nothing twice."""
    spots = Spots(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    colours = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.float32)
    guesses = [*faces(spots, colours), *ones(spots, colours)]
    surest = max((one for one in guesses if one.face > 1), key=lambda one: one.fits, default=None)
    if surest is not None and surest.fits >= SURE:
        guesses += faint(spots, surest)
    guesses.sort(key=lambda one: -one.fits * one.side**0.5 * (1 + 0.1 * one.face))
    kept: list[SeenDie] = []
    for one in guesses:
        if not any(_overlap(one, other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: -one.fits)


def _values(dice: Sequence[SeenDie]) -> list[int]:
    return sorted(one.face for one in dice)


def _overlap(one: SeenDie, other: SeenDie) -> bool:
    """Say whether two guesses cannot both be: faces of one die, or of none."""
    small, large = sorted((one.side, other.side))
    away = float(np.hypot(one.x - other.x, one.y - other.y))
    return away < TOGETHER * large if large < 2 * small else away < INSIDE * small


def _chosen(found: Sequence[SeenDie], count: int, smallest: float = SMALLEST) -> tuple[SeenDie, ...]:
    """Choose those that were thrown together, no smaller than said, if nothing else might be one of them."""
    weakest = 0.0
    chosen: tuple[SeenDie, ...] = ()
    for some in combinations(found, count):
        fits = [one.fits for one in some]
        if min(one.side for one in some) < smallest or (max(_values(some)) == 1 and min(fits) < TWO_ONES):
            continue
        if min(fits) < DOUBTFUL and max(fits) < (HELPED if max(_values(some)) >= MANY - 1 else SURE):
            continue
        if min(fits) > weakest and all(_of_one_throw(one, other) for one, other in combinations(some, 2)):
            weakest, chosen = min(fits), some
    rivals = [one.fits for one in found if one not in chosen and all(_of_one_throw(one, other) for other in chosen)]
    if max(rivals, default=0.0) > RIVAL * weakest:
        return ()
    return tuple(sorted(chosen, key=lambda one: (one.x, one.y)))


def _of_one_throw(one: SeenDie, other: SeenDie) -> bool:
    """Say whether two dice are alike enough to be thrown together: in size, and in their pips' colour and size."""
    if one.contrast * other.contrast <= 0 or not 1 / SIZES <= one.side / other.side <= SIZES:
        return False
    mine, its = (die.pip / (PIP_OF_ONE if die.face == 1 else 1.0) for die in (one, other))
    lit = LIT_SURELY if min(one.fits, other.fits) >= SURE else LIT
    return 1 / lit <= one.contrast / other.contrast <= lit and 1 / PIPS <= mine / its <= PIPS
