"""Recognise a card without a label: align taught cards with the picture, and discriminate between the best ones.

A card is accepted only if it agrees with the picture everywhere, and if the picture tells it from every other taught
card. Two cards are compared only where they differ, and by more than a misregistration of half a pixel.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.qr.sighting import F32, Picture
from companion.vision.card_art.outline import (
    HEIGHT,
    WIDTH,
    CardPicture,
    CardPrint,
    Matrix,
    TaughtCard,
    TaughtCards,
    extract_print,
    high_pass,
    rectify_card,
    without_rim,
)

MAX_ALIGNED = 7
"""Most similar cards that are aligned exactly."""
MIN_MARGIN, MIN_DIFFERENCE, MIN_WEAKEST, MIN_CORRELATION = 0.72, 0.5, 0.87, 0.7
"""Below any of these a card is not accepted (docs/reading.md says on which pictures they were found)."""

ECC_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
ECC_SMOOTHING = 5
"""Pixels of smoothing by which ECC finds its way."""
BLUR_DIFFERENCES = (0.0, 1.0, 1.6, 2.2, 3.0, 4.0, -1.0, -1.6, -2.2, -3.0, -4.0)
"""Differences in blur between two pictures that are tried, in pixels."""
HALF_TURN: Matrix = np.array([[-1.0, 0, WIDTH - 1], [0, -1.0, HEIGHT - 1], [0, 0, 1]])
"""Rotates a rectified card by 180 degrees."""

PLAIN_NOISE, MISREGISTRATION_PX = 0.03, 0.7
"""Uncertainty of a print anywhere, and pixels by which a card may be misaligned."""
DIFFERENCE_SIGMA = 2.0
"""Pixels round a difference that count with it."""
LETTER_SIGMA = 6.0
"""Pixels: what changes over more is no letter."""
EDGE = 6
"""Pixels inside the rim where the table may still show."""
MIN_PRINT, WINDOW_SIGMA = 0.1, 2.5
"""Weaker print is ignored; pixels round each place over which it is compared."""

MAX_COMPARED = 5
"""Most similar cards that are checked for looking alike."""
LOOKALIKE_DIFFERENCE = 0.95
"""Difference below which two cards may bear the same print: two pictures of one card differed by up to 0.3, in dull
light by 0.9."""
CAMERA_SIGMA = 1.6
"""Pixels of a rectified card by which a camera over the table blurs it."""
IDENTITY: Matrix = np.eye(3)


@dataclass(frozen=True, slots=True)
class Discrimination:
    """How well the picture tells one card from another.

    ``margin``: 1 if all differences agree with the card, -1 if they agree with the other.
    ``difference``: how much the two cards differ.
    """

    margin: float
    difference: float


@dataclass(frozen=True, slots=True)
class Recognition:
    """The best taught card, the next best (if any), and how well they are told apart.

    ``correlation``: with what is printed on the card. ``weakest``: agreement where it is weakest.
    ``has_lookalike``: another card was taught with nearly the same print.
    """

    card: str
    other: str | None
    correlation: float
    weakest: float
    discrimination: Discrimination
    has_lookalike: bool

    @property
    def is_certain(self) -> bool:
        """Return whether it is this card and no other, nor one that was never taught."""
        told_apart = self.discrimination.margin >= MIN_MARGIN and self.discrimination.difference >= MIN_DIFFERENCE
        agrees = self.weakest >= MIN_WEAKEST and self.correlation >= MIN_CORRELATION
        return told_apart and not self.has_lookalike and agrees


@dataclass(frozen=True, eq=False)
class Alignment:
    """A taught card aligned with pictures: the map to their pixels, the print seen there, and its correlation."""

    taught: TaughtCard
    matrix: Matrix
    seen: CardPrint
    correlation: float

    @cached_property
    def blur_difference(self) -> float:
        """Return by how many pixels the picture is blurrier than the taught card; negative if it is sharper."""
        taught, seen = _to_grey(self.taught.card_print), _to_grey(self.seen)
        correlations = {
            sigma: _correlate(without_rim(_blur(taught, sigma)), without_rim(_blur(seen, -sigma)))
            for sigma in BLUR_DIFFERENCES
        }
        return max(correlations, key=lambda sigma: correlations[sigma])


def recognise_card(taught: TaughtCards, pictures: Sequence[Picture], start: Matrix) -> Recognition | None:
    """Return the best taught card for a place, or None if no card was taught.

    Args:
        taught: the cards of a box.
        pictures: of the same place, one after the other.
        start: an approximate map from a rectified card to the pictures; the card may be upside down.

    """
    if not taught.cards:
        return None
    _, index, turned = taught.find_most_similar(_average_card(pictures, start))
    first = _align(taught.cards[index], pictures, start @ HALF_TURN if turned else start)
    order = taught.rank(first.seen)[:MAX_ALIGNED]
    alignments = [first if other == index else _align(taught.cards[other], pictures, first.matrix) for other in order]
    best, nearest, discrimination = _find_best(sorted(alignments, key=lambda alignment: -alignment.correlation))
    other = None if nearest is None else nearest.taught.card
    lookalikes = find_lookalikes(taught, best.taught.card)
    return Recognition(
        best.taught.card,
        lookalikes[0] if lookalikes else other,
        best.correlation,
        _weakest_agreement(best),
        discrimination,
        bool(lookalikes),
    )


def find_lookalikes(taught: TaughtCards, card: str) -> list[str]:
    """Return the cards that differ too little from a card to be told apart."""
    own = next((entry for entry in taught.cards if entry.card == card), None)
    if own is None:
        return []
    if card not in taught.lookalikes:
        ranked = [taught.cards[index] for index in taught.rank(own.card_print) if taught.cards[index].card != card]
        taught.lookalikes[card] = sorted(
            other.card for other in ranked[:MAX_COMPARED] if _difference(own, other) < LOOKALIKE_DIFFERENCE
        )
    return taught.lookalikes[card]


def _difference(first: TaughtCard, second: TaughtCard) -> float:
    """Return how much two cards differ, seen with the blur of a camera."""
    seen = np.asarray(cv2.GaussianBlur(first.picture, (0, 0), CAMERA_SIGMA), np.uint8)
    return _discriminate(_align(first, [seen], IDENTITY), _align(second, [seen], IDENTITY)).difference


def _find_best(alignments: Sequence[Alignment]) -> tuple[Alignment, Alignment | None, Discrimination]:
    """Return the best card, the one that is told from it least well, and how well; by pairwise comparison."""
    best, nearest, least = alignments[0], None, Discrimination(1.0, 99.0)
    for rival in alignments[1:]:
        winner, loser, discrimination = best, rival, _discriminate(best, rival)
        if discrimination.margin < 0:
            winner, loser, discrimination = rival, best, _discriminate(rival, best)
        if discrimination.margin < least.margin or winner is not best:
            nearest, least = loser, discrimination
        best = winner
    return best, nearest, least


def _discriminate(best: Alignment, other: Alignment) -> Discrimination:
    """Return how well the picture tells one card from another."""
    other_print = other.taught.card_print
    between = _register(best.taught.card_print, other_print)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = np.asarray(cv2.warpPerspective(other_print, between, (WIDTH, HEIGHT), flags=flags), np.float32)
    sigma = best.blur_difference
    first, second, seen = (
        without_rim(high_pass(_blur(planes, amount)))
        for planes, amount in ((best.taught.card_print, sigma), (moved, sigma), (best.seen, -sigma))
    )
    uncertainty = PLAIN_NOISE + MISREGISTRATION_PX * without_rim(
        _gradient_magnitude(_blur(best.taught.card_print, sigma))
    )
    differences = np.maximum(np.abs(first - second) - uncertainty, 0).max(axis=2)
    weight = np.asarray(cv2.GaussianBlur(differences, (0, 0), DIFFERENCE_SIGMA), np.float32)
    if float(weight.sum()) < 1e-6:  # noqa: PLR2004 - nothing at all
        return Discrimination(0.0, 0.0)
    unlike = max(1 - _correlate_weighted(first, second, weight), 1e-3)
    margin = (_correlate_weighted(seen, first, weight) - _correlate_weighted(seen, second, weight)) / unlike
    return Discrimination(margin, unlike * float(differences.sum()))


def _weakest_agreement(best: Alignment) -> float:
    """Return the agreement of picture and card where it is weakest: 1 for the same print, 0 for nothing in common.

    It is the correlation round each pixel; where little is printed it is close to 1.
    """
    sigma = best.blur_difference
    expected = without_rim(high_pass(_blur(best.taught.card_print, sigma), LETTER_SIGMA))
    seen = without_rim(high_pass(_blur(best.seen, -sigma), LETTER_SIGMA))
    expected = expected * float((expected * seen).sum() / max(float((expected * expected).sum()), 1e-6))
    product, expected_power, seen_power = (
        _windowed_mean(planes) for planes in (expected * seen, expected * expected, seen * seen)
    )
    floor = MIN_PRINT**2 + (1.5 * float(np.median(np.abs(seen - expected)))) ** 2
    return float(
        ((product + floor) / np.sqrt((expected_power + floor) * (seen_power + floor)))[EDGE:-EDGE, EDGE:-EDGE].min()
    )


def _align(taught: TaughtCard, pictures: Sequence[Picture], start: Matrix) -> Alignment:
    """Return a card moved from ``start``, which is near, to where it fits best."""
    matrix = start @ _register(taught.card_print, extract_print(_average_card(pictures, start)))
    seen = extract_print(_average_card(pictures, matrix))
    correlation = _correlate(without_rim(taught.card_print), without_rim(seen))
    return Alignment(taught, matrix, seen, correlation)


def _average_card(pictures: Sequence[Picture], matrix: Matrix) -> CardPicture:
    """Return the mean of the card in all pictures, rectified: noise falls, print stays."""
    cards = [rectify_card(picture, matrix) for picture in pictures]
    return np.asarray(np.mean(cards, axis=0) + 0.5, np.uint8)


def _register(template: CardPrint, seen: CardPrint) -> Matrix:
    """Return the affine map from one print to another that maximises their ECC (Evangelidis and Psarakis 2008)."""
    warp: F32 = np.eye(2, 3, dtype=np.float32)
    try:
        # The stubs know no pictures of floats.
        _, estimated = cv2.findTransformECC(  # type: ignore[call-overload]
            _to_grey(template), _to_grey(seen), warp, cv2.MOTION_AFFINE, ECC_CRITERIA, None, ECC_SMOOTHING
        )
        warp = np.asarray(estimated, np.float32)
    except cv2.error:  # nothing in common: it stays where it was
        warp = np.eye(2, 3, dtype=np.float32)
    return np.vstack([np.asarray(warp, np.float64), (0.0, 0.0, 1.0)])


def _to_grey(card_print: CardPrint) -> F32:
    return np.asarray(cv2.GaussianBlur(card_print.mean(axis=2), (0, 0), 1.0), np.float32)


def _blur(planes: F32, sigma: float) -> F32:
    """Return the planes blurred by ``sigma`` pixels if that is positive."""
    return np.asarray(cv2.GaussianBlur(planes, (0, 0), sigma), np.float32) if sigma > 0 else planes


def _correlate(first: F32, second: F32) -> float:
    """Return the correlation of two prints, each channel about its own mean."""
    deviation, other = (planes - planes.mean(axis=(0, 1)) for planes in (first, second))
    return float((deviation * other).sum() / (np.linalg.norm(deviation) * np.linalg.norm(other) + 1e-6))


def _correlate_weighted(first: F32, second: F32, weight: F32) -> float:
    """Return the correlation of two prints, each pixel counting by its weight."""
    share = (weight / weight.sum())[:, :, None]
    deviation, other = (planes - (share * planes).sum(axis=(0, 1)) for planes in (first, second))
    powers = float((share * deviation * deviation).sum() * (share * other * other).sum())
    return float((share * deviation * other).sum()) / (float(np.sqrt(powers)) + 1e-9)


def _windowed_mean(planes: F32) -> F32:
    return np.asarray(cv2.GaussianBlur(planes.mean(axis=2), (0, 0), WINDOW_SIGMA), np.float32)


def _gradient_magnitude(card_print: CardPrint) -> F32:
    across, down = (cv2.Scharr(card_print, cv2.CV_32F, *order) / 32 for order in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(across**2 + down**2), np.float32)
