"""Faces with one pip, which its body alone tells; and what may be a die of few pips beside one that is sure."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.vision.dice.bodies import ALONG, Face
from companion.vision.dice.pips import FAINT, LEAST_UNEVEN, UNEVEN, Pip, SeenDie, Spots

Colours = npt.NDArray[np.float32]

SIDES = (5.6, 11.0)
"""The side of a face with one pip, in the pip's radii."""
TURNS = np.deg2rad(np.arange(0, 90, 9))
"""How such a face may lie."""
LEGS, OFF = (9.0, 26.0), 0.1
"""How far apart the middles of a QR code's corners are, in their radii: 14 to 26 modules (ISO/IEC 18004, versions 1 to
4), those being 3 wide and seen as 2 to 3; and how far off that may be, for a code that lies aslant."""
AS_LARGE, AS_DARK = 1.35, 1.5
"""Their radii and contrasts differ by these factors at most."""
CLEAR = 0.85
"""So much of its surroundings a pip covers, in its diameters."""
LEAST_SURE, MEAN_SURE, UNLIKE = 0.25, 0.5, 1.6
"""How sure its edges are, each and on the average, and by what factor they are off at most."""
_TURN = np.arange(0, 2 * np.pi, 0.4)
RING = np.stack([np.cos(_TURN), np.sin(_TURN)], 1) * 2.0
"""Round a spot, in its radii: within the face of a die."""
LIKE = 1.3
"""Contrasts of dice of one throw differ by this factor at most where nothing else tells them."""
ONES, TWOS = (0.95, 1.7), (0.8, 1.25)
"""Radii of the pips of a one and of a two, in those of another face: ones are often larger."""
APART = (0.56, 0.86)
"""The distance of the pips of a two, in the die's side."""
ALONE = 0.9
"""No other spot lies so near to them, in the die's side."""


def ones(spots: Spots, colours: Colours) -> Iterator[SeenDie]:
    """Give all that may be faces with one pip."""
    for one in spots.found:
        if not _is_edged(colours, one) and not is_finder(spots.found, one):
            found = [_one(colours, one, turn) for turn in TURNS]
            best = max((die for die in found if die is not None), key=lambda die: die.fits, default=None)
            if best is not None:
                yield best


def is_finder(found: Sequence[Pip], pip: Pip) -> bool:
    """Say whether a spot may be the middle of a QR code's corner: three alike, two of them as far from the third."""
    like = [
        (one.x - pip.x, one.y - pip.y)
        for one in found
        if one is not pip
        and 1 / AS_LARGE <= one.radius / pip.radius <= AS_LARGE
        and 1 / AS_DARK <= one.contrast / pip.contrast <= AS_DARK
        and LEGS[0] <= np.hypot(one.x - pip.x, one.y - pip.y) / pip.radius <= LEGS[1] * 2**0.5
    ]
    table = np.array(like).reshape(-1, 2)
    first, second = np.triu_indices(len(like), 1)
    legs = [table[first], table[second], table[second] - table[first]]
    for one, other in combinations(legs, 2):
        long = np.sqrt(np.hypot(*one.T) * np.hypot(*other.T))
        alike = np.abs(np.hypot(*one.T) - np.hypot(*other.T)) <= OFF * long
        upright = np.abs((one * other).sum(axis=1)) <= OFF * long**2
        if np.any(alike & upright & (long >= LEGS[0] * pip.radius) & (long <= LEGS[1] * pip.radius)):
            return True
    return False


def _is_edged(colours: Colours, pip: Pip) -> bool:
    """Say whether what is close round a spot is of several colours: then it is no pip in the middle of a face."""
    spots = np.array([pip.x, pip.y]) + RING * pip.radius
    rows, columns = (np.clip(np.round(spots[:, axis]).astype(int), 0, colours.shape[1 - axis] - 1) for axis in (1, 0))
    seen = colours[rows, columns]
    off = np.abs(seen - np.median(seen, axis=0)).mean(axis=1)
    return bool(np.percentile(off, 80) > max(LEAST_UNEVEN, UNEVEN * abs(pip.contrast)))


def _one(colours: Colours, pip: Pip, turn: float) -> SeenDie | None:
    unit = pip.radius * 2
    first = np.array([np.cos(turn), np.sin(turn)]) * unit
    face = Face(colours, np.array([pip.x, pip.y]), first, np.array([-first[1], first[0]]))
    if face.settle(np.zeros((1, 2)), CLEAR) > max(LEAST_UNEVEN, UNEVEN * abs(pip.contrast)):
        return None
    ends = face.extents(abs(pip.contrast), SIDES[0] / 4, SIDES[1] / 4, ALONG)
    sure, at = [one.sure for one in ends], [one.at for one in ends]
    if min(sure) < LEAST_SURE or np.mean(sure) < MEAN_SURE or max(at) > UNLIKE * min(at) or min(at) <= SIDES[0] / 4:
        return None
    alike = 1 / (1 + abs(at[0] - at[1]) / at[0] + abs(at[2] - at[3]) / at[2])
    return SeenDie(
        1, pip.x, pip.y, float(np.mean(at)) * 2 * unit, float(np.mean(sure)) * alike, pip.radius, pip.contrast
    )


def faint(spots: Spots, sure: SeenDie) -> Iterator[SeenDie]:
    """Give what may be the face with one pip or two of a die like one that is sure, though no body stands out."""
    like = [one for one in spots.found if 1 / LIKE <= one.contrast / sure.contrast <= LIKE]
    alone = ALONE * sure.side

    def others(x: float, y: float, but: tuple[Pip, ...]) -> bool:
        return any(np.hypot(one.x - x, one.y - y) < alone for one in like if one not in but)

    for one in like:
        if ONES[0] <= one.radius / sure.pip <= ONES[1] and not others(one.x, one.y, (one,)):
            yield SeenDie(1, one.x, one.y, sure.side, FAINT / 2, one.radius, one.contrast)
    twos = [one for one in like if TWOS[0] <= one.radius / sure.pip <= TWOS[1]]
    for one, other in combinations(twos, 2):
        x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
        far = np.hypot(one.x - other.x, one.y - other.y) / sure.side
        if APART[0] <= far <= APART[1] and not others(x, y, (one, other)):
            yield SeenDie(2, x, y, sure.side, FAINT / 2, (one.radius + other.radius) / 2, one.contrast)
