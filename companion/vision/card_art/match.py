"""A taught face laid exactly upon the one in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Picture
from companion.vision.card_art.features import (
    BROAD,
    RIM,
    TALL,
    Face,
    KnownFace,
    KnownFaces,
    Matrix,
    Shown,
    near,
    shown_on,
    warped,
)

STEPS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
SMOOTHING = 5
"""Pixels over which ECC smooths."""
SOFTNESSES = (0.0, 1.0, 1.6, 2.2, 3.0, 4.0, -1.0, -1.6, -2.2, -3.0, -4.0)
"""Pixels by which one picture is softer than another."""
TURN: Matrix = np.array([[-1.0, 0, BROAD - 1], [0, -1.0, TALL - 1], [0, 0, 1]])
"""Half a turn of a face."""
Planes = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Laid:
    """A known face, the map from its pixels to the picture's, what is seen there, and the correlation of both."""

    known: KnownFace
    onto: Matrix
    shown: Shown
    fits: float

    @cached_property
    def softer(self) -> float:
        """By how many pixels what is seen is softer than what was taught; below nought: sharper."""
        ours, theirs = in_grey(self.known.shown), in_grey(self.shown)
        tried = {by: alike(without_rim(soft(ours, by)), without_rim(soft(theirs, -by))) for by in SOFTNESSES}
        return max(tried, key=lambda by: tried[by])


def laid(known: KnownFace, pictures: Sequence[Picture], start: Matrix) -> Laid:
    """Move a face until it fits best; ``start`` is near."""
    onto = start @ moved_upon(known.shown, shown_on(together(pictures, start)))
    shown = shown_on(together(pictures, onto))
    return Laid(known, onto, shown, alike(without_rim(known.shown), without_rim(shown)))


def together(pictures: Sequence[Picture], onto: Matrix) -> Face:
    """Cut the face out of all pictures, and take the mean: noise goes, what is printed stays."""
    faces = [warped(picture, onto) for picture in pictures]
    return np.asarray(np.mean(faces, axis=0) + 0.5, np.uint8)


def moved_upon(wanted: Shown, there: Shown) -> Matrix:
    """Give the map from one face's pixels to another's that makes them most alike (Evangelidis, Psarakis 2008)."""
    step: Planes = np.eye(2, 3, dtype=np.float32)
    try:
        # Its stubs know no pictures of floating numbers.
        _, found = cv2.findTransformECC(  # type: ignore[call-overload]
            in_grey(wanted), in_grey(there), step, cv2.MOTION_AFFINE, STEPS, None, SMOOTHING
        )
        step = np.asarray(found, np.float32)
    except cv2.error:  # nothing in common: it stays where it lay
        step = np.eye(2, 3, dtype=np.float32)
    return np.vstack([np.asarray(step, np.float64), (0.0, 0.0, 1.0)])


def in_grey(shown: Shown) -> Planes:
    """Give a face without its colours."""
    return np.asarray(cv2.GaussianBlur(shown.mean(axis=2), (0, 0), 1.0), np.float32)


def soft(shown: Planes, by: float) -> Planes:
    """Soften a face by so many pixels, if any."""
    return np.asarray(cv2.GaussianBlur(shown, (0, 0), by), np.float32) if by > 0 else shown


def without_rim(planes: Planes) -> Planes:
    """Give a face without its rim."""
    return planes[RIM:-RIM, RIM:-RIM]


def alike(one: Planes, other: Planes) -> float:
    """Correlate both, colour by colour."""
    first, second = (part - part.mean(axis=(0, 1)) for part in (one, other))
    return float((first * second).sum() / (np.linalg.norm(first) * np.linalg.norm(second) + 1e-6))


# --- told
# Two faces told from each other by what is seen: only where they differ, and by more than lying half a pixel
# off.

PLAIN_NOISE, ASKEW_PX = 0.03, 0.7
"""What is unsure anywhere, and how many pixels a face may lie off."""
TELLING_SIGMA = 2.0
"""Pixels round a telling one that count with it."""
LOCAL_SIGMA = 6.0
"""Pixels: what changes over more is no letter."""
EDGE = 6
"""Pixels inside the rim where the table shines in still."""
LEAST_PRINT, WINDOW_SIGMA = 0.1, 2.5
"""Weaker print tells nothing; pixels about which faces are compared place by place."""


@dataclass(frozen=True, slots=True)
class Told:
    """How far a face is told from another one.

    ``margin``: 1 where all that tells them apart says this one, -1 where it says the other.  ``apart``: how much there
    is that tells them apart.
    """

    margin: float
    apart: float


def told(best: Laid, other: Laid) -> Told:
    """Say how far what is seen tells one face from another."""
    there = other.known.shown
    between = moved_upon(best.known.shown, there)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = np.asarray(cv2.warpPerspective(there, between, (BROAD, TALL), flags=flags), np.float32)
    by = best.softer
    ours, theirs, seen = (
        without_rim(near(soft(one, much))) for one, much in ((best.known.shown, by), (moved, by), (best.shown, -by))
    )
    unsure = PLAIN_NOISE + ASKEW_PX * without_rim(_steepness(soft(best.known.shown, by)))
    telling = np.maximum(np.abs(ours - theirs) - unsure, 0).max(axis=2)
    weight = np.asarray(cv2.GaussianBlur(telling, (0, 0), TELLING_SIGMA), np.float32)
    if float(weight.sum()) < 1e-6:  # noqa: PLR2004 - nothing at all
        return Told(0.0, 0.0)
    differ = max(1 - _weighed(ours, theirs, weight), 1e-3)
    margin = (_weighed(seen, ours, weight) - _weighed(seen, theirs, weight)) / differ
    return Told(margin, differ * float(telling.sum()))


def least(best: Laid) -> float:
    """Say how alike what is seen and the face are in the place where they are least alike.

    The correlation about each pixel, 1: the same, 0: nothing in common; where little is printed nothing is told.
    """
    by = best.softer
    ours = without_rim(near(soft(best.known.shown, by), LOCAL_SIGMA))
    seen = without_rim(near(soft(best.shown, -by), LOCAL_SIGMA))
    ours = ours * float((ours * seen).sum() / max(float((ours * ours).sum()), 1e-6))
    product, ours_square, seen_square = (_mean(one) for one in (ours * seen, ours * ours, seen * seen))
    floor = LEAST_PRINT**2 + (1.5 * float(np.median(np.abs(seen - ours)))) ** 2
    return float(
        ((product + floor) / np.sqrt((ours_square + floor) * (seen_square + floor)))[EDGE:-EDGE, EDGE:-EDGE].min()
    )


def _mean(product: Planes) -> Planes:
    return np.asarray(cv2.GaussianBlur(product.mean(axis=2), (0, 0), WINDOW_SIGMA), np.float32)


def _weighed(one: Planes, other: Planes, weight: Planes) -> float:
    """Correlate both, each place counting by its weight."""
    share = (weight / weight.sum())[:, :, None]
    first, second = (part - (share * part).sum(axis=(0, 1)) for part in (one, other))
    sizes = float((share * first * first).sum() * (share * second * second).sum())
    return float((share * first * second).sum()) / (float(np.sqrt(sizes)) + 1e-9)


def _steepness(shown: Shown) -> npt.NDArray[np.float32]:
    across, down = (cv2.Scharr(shown, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(across**2 + down**2), np.float32)


# --- alike
# Faces that cannot be told from each other: the same thing is printed on both, or nearly so.

COMPARED = 5
"""So many of the likest faces are held beside one."""
ALIKE = 0.95
"""Pictures that differ by less may be of one print: two of one differed by 0.3 at most, in dull light by 0.9."""
SOFT = 1.6
"""Pixels of a face by which a camera over the table softens it."""
AS_IT_IS: Matrix = np.eye(3)


def are_alike(one: KnownFace, other: KnownFace) -> bool:
    """Say whether two faces differ by too little, seen as softly as they may be later."""
    return apart(one, other) < ALIKE


def apart(one: KnownFace, other: KnownFace) -> float:
    """Say how much there is that tells two faces apart (``Told.apart``) where they are seen softly."""
    seen = np.asarray(cv2.GaussianBlur(one.face, (0, 0), SOFT), np.uint8)
    return told(laid(one, [seen], AS_IT_IS), laid(other, [seen], AS_IT_IS)).apart


def looks_alike(known: KnownFaces, card: str) -> list[str]:
    """Name the cards whose faces differ from one by too little."""
    mine = next((one for one in known.faces if one.card == card), None)
    if mine is None:
        return []
    if card not in known.alike:
        order = [known.faces[number] for number in known.order(mine.shown) if known.faces[number].card != card]
        known.alike[card] = sorted(other.card for other in order[:COMPARED] if are_alike(mine, other))
    return known.alike[card]


# --- recognise
# Which of the taught faces lies under the camera, and how sure that is.

LOOKED_AT = 7
"""So many of the likest faces are laid upon the picture exactly."""
SURE_MARGIN, SURE_APART, SURE_LEAST, SURE_FITS = 0.72, 0.5, 0.87, 0.7
"""Below these nothing is proposed (docs/reading.md says on what they were found)."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The likest face: its card and the next likest one's (if any), and how far they are told apart (``Told``).

    ``fits``: correlation with what is printed there; ``least``: how alike they are where they are least alike;
    ``twins``: another card was taught with nearly the same print.
    """

    card: str
    other: str | None
    fits: float
    least: float
    told: Told
    twins: bool

    @property
    def sure(self) -> bool:
        """Say whether it may be proposed: it is this card and no other, nor one that was never taught."""
        apart = self.told.margin >= SURE_MARGIN and self.told.apart >= SURE_APART
        return apart and not self.twins and self.least >= SURE_LEAST and self.fits >= SURE_FITS


def recognise(known: KnownFaces, pictures: Sequence[Picture], start: Matrix) -> Recognised | None:
    """Tell which face lies in pictures of one place, each a later one; ``None`` where none was taught.

    ``start``: how it lies about, the map from the pixels of a face to those of the picture; it may stand on its head.
    """
    if not known.faces:
        return None
    _, number, turned = known.likest(together(pictures, start))
    first = laid(known.faces[number], pictures, start @ TURN if turned else start)
    order = known.order(first.shown)[:LOOKED_AT]
    found = [first if one == number else laid(known.faces[one], pictures, first.onto) for one in order]
    best, nearest, how = _best(sorted(found, key=lambda one: -one.fits))
    other = None if nearest is None else nearest.known.card
    twins = looks_alike(known, best.known.card)
    return Recognised(best.known.card, twins[0] if twins else other, best.fits, least(best), how, bool(twins))


def _best(found: Sequence[Laid]) -> tuple[Laid, Laid | None, Told]:
    """Hold each beside the best so far; give the best, the one that is least told from it, and how far."""
    best, nearest, how = found[0], None, Told(1.0, 99.0)
    for rival in found[1:]:
        winner, loser, here = best, rival, told(best, rival)
        if here.margin < 0:
            winner, loser, here = rival, best, told(rival, best)
        if here.margin < how.margin or winner is not best:
            nearest, how = loser, here
        best = winner
    return best, nearest, how
