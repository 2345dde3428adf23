"""Looks for labels in a picture: places first, then each closer, as often as that tells more."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.renderings import resized
from companion.qr.sighting import Grey, Sighting
from companion.vision.change import Box
from companion.vision.deck.finder import (
    CLOSER,
    LARGEST_SIDE,
    USUAL_SIDE,
    first_of_each,
    moved_by,
    numbers_of,
    places_in,
    quads_of,
    sizes_of,
)
from companion.vision.label.pattern import Floats

# --- closer
# Looks closer at places where labels may be: whether one lies there, which way up it is, and where its corners
# are. Each place is cut out, turned upright and made equally large and bright; a second small net says the
# rest.

Floats_closer = npt.NDArray[np.float32]
Quads = npt.NDArray[np.float64]

SIDE = 48
"""Samples a side of what is cut out."""
REACH = 1.5
"""Half sides of a symbol that a cut reaches from its middle: quiet zone, frame, and something of what is round it."""
LEAST_CONTRAST = 2.0
"""Grey levels: where there is less, it is noise."""
AT_ONCE = 4
"""Cuts that the net is asked about at once."""
DOUBTFUL = 0.1
"""Another corner that is as likely the symbol's own first is tried, too."""


def looked_closer(grey: Grey, quads: Quads) -> tuple[Quads, Floats_closer, Floats_closer]:
    """Return the corners of symbols at these places, clockwise from a symbol's own first, and how likely each is one.

    ``quads``: n x 4 x 2 pixels, corners in the order in which they were found; (0, 0) is the first pixel's middle.
    Returned last: how likely each corner is the first after all, n x 4, in the order in which they are returned.
    """
    if not len(quads):
        return quads, np.empty(0, np.float32), np.empty((0, 4), np.float32)
    onto = upright(quads)
    told = _told(cut_out(grey, onto)).astype(np.float64)
    corners = SQUARE + told[:, 5:].reshape(-1, 4, 2)
    placed = np.einsum("nij,nkj->nki", onto[:, :, :2], corners) + onto[:, None, :, 2]
    first = told[:, 1:5].argmax(axis=1)
    turned = np.take_along_axis(placed, ((np.arange(4) - first[:, None]) % 4)[:, :, None], axis=1)
    turns = np.exp(told[:, 1:5] - told[:, 1:5].max(axis=1, keepdims=True))
    turns = np.take_along_axis(turns / turns.sum(axis=1, keepdims=True), (np.arange(4) + first[:, None]) % 4, axis=1)
    return turned, np.asarray(1 / (1 + np.exp(-told[:, 0])), np.float32), np.asarray(turns, np.float32)


def _told(cuts: Floats_closer) -> Floats_closer:
    """Return what the net says to cuts, n x 13: asked about equally many each time, for which it stays ready."""
    none = np.zeros((-len(cuts) % AT_ONCE, *cuts.shape[1:]), np.float32)
    pieces = np.concatenate((cuts, none)).reshape(-1, AT_ONCE, *cuts.shape[1:])
    told = np.concatenate([CLOSER.answers(piece) for piece in pieces])
    return np.asarray(told[: len(cuts)].reshape(len(cuts), -1), np.float32)


def every_way_up(quads: Quads, likely: Floats_closer, turns: Floats_closer) -> tuple[Quads, Floats_closer]:
    """Return these symbols, and once more each that may lie another way up, that way."""
    number, turn = np.nonzero(turns[:, 1:] >= DOUBTFUL)
    other = [np.roll(quads[n], t + 1, axis=0) for n, t in zip(number, turn, strict=True)]
    return np.concatenate((quads, *(one[None] for one in other))), np.concatenate((likely, likely[number]))


SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""The corners of the square of half side 1, clockwise."""


def upright(quads: Quads) -> npt.NDArray[np.float64]:
    """Return the maps from the square of half side 1 to the parallelograms that these are nearest to, n x 2 x 3."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 4
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 4
    return np.stack((across, down, quads.mean(axis=1)), axis=2)


def cut_out(grey: Grey, onto: npt.NDArray[np.float64]) -> Floats_closer:
    """Return what lies under these maps, equally bright: float32 n x 1 x SIDE x SIDE."""
    x, y = (onto.astype(np.float32) @ _ticks()).transpose(1, 0, 2)
    shown = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    shown = shown.reshape(len(onto), -1)
    shown -= shown.mean(axis=1, keepdims=True)
    shown /= np.sqrt(np.square(shown).mean(axis=1, keepdims=True) + np.float32(LEAST_CONTRAST**2))
    return np.asarray(shown.reshape(-1, 1, SIDE, SIDE), np.float32)


@cache
def _ticks() -> Floats_closer:
    """Return the places of the samples, 3 x SIDE * SIDE: across, down, and 1."""
    ticks = (((np.arange(SIDE) + 0.5) / SIDE * 2 - 1) * REACH).astype(np.float32)
    across, down = np.meshgrid(ticks, ticks)
    return np.stack((across.ravel(), down.ravel(), np.ones(SIDE * SIDE, np.float32)))


MOST_PLACES = 64
"""Places that are looked at closer."""
LEAST_PLACE = 0.05
"""How likely a label is at a place that is looked at closer."""
LEAST_AT_LOOK = (0.05, 0.1)
"""How likely a label is after each closer look at a place that is kept.

The first look may be half a label off, and the second, from where the first saw the corners, be sure.
"""
PATIENT = (0.01, 0.05)
"""The same for who asks what lies there unread, and looks from several places at each."""
BESIDE = 0.25
"""Sides to each side of a place from where it is looked at, too: what nobody can read is found less exactly."""
SURE, NEAR, FAR = 0.9, 0.06, 0.04
"""What the first look is so sure of, no more sides from where it was thought to be, is not looked at again; what the
second one has moved further than the last is looked at once more."""
LIKELY, MANY = 0.5, 8
"""How likely labels are that show how large they are here, and how many of them do."""
TIMES_LARGER = 2.0
"""Where so many lie none is sought that is larger than the middle one of them by more than that."""
SEEN_TWICE = 0.7
"""The share of the largest side that is found at full size from which on symbols are sought in the reduced picture."""
AROUND = 48
"""Pixels round a part of a picture that are looked at with it: what lies round a label helps to find it."""


def label_places(grey: Grey, within: Box, known: Sequence[Sighting] = ()) -> tuple[Quads, Floats, Floats]:
    """Return the corners of symbols that may lie in a part of a picture, n x 4 x 2, and how likely each is one.

    And, n x 4, how likely each corner is the symbol's own first.  (0, 0) is the first pixel's middle.
    Where ``known`` symbols lie is not looked.
    """
    left, top = (max(0, start - AROUND) for start in within[:2])
    part = np.ascontiguousarray(grey[top : within[3] + AROUND, left : within[2] + AROUND])
    here = [one.moved(-left, -top) for one in known]
    quads, likely, turns = _looked_at(part, _likeliest(part, here), LEAST_AT_LOOK)
    quads = quads + np.array([left, top])
    middles = quads.mean(axis=1)
    inside = (middles >= within[:2]).all(axis=1) & (middles < within[2:]).all(axis=1)
    return np.asarray(quads[inside], np.float64), likely[inside], turns[inside]


def unread_places(grey: Grey, known: Sequence[Sighting], side: float | None) -> tuple[Quads, Floats]:
    """Return where symbols may lie in a picture beside those that are known, and how likely each is one.

    That takes three times as long as ``label_places``, and finds such as nobody can read.  ``side``: how large symbols
    are here (pixels), if that is known.
    """
    quads, likely, _ = _looked_at(grey, _about(_likeliest(grey, known), side), PATIENT)
    order = np.argsort(-likely, kind="stable")
    quads, likely = quads[order], likely[order]
    first = first_of_each(quads.mean(axis=1), sizes_of(quads) / 2)
    return quads[first], likely[first]


def _about(quads: Quads, side: float | None) -> Quads:
    """Return these places, and each once more a little off to every side, as large as symbols are here."""
    middles, shapes = numbers_of(quads)
    if side is not None:
        shapes[:, 0] = np.log(side / USUAL_SIDE)
    shapes[:, 1:3] /= 2
    off = BESIDE * USUAL_SIDE * np.exp(shapes[:, :1])
    ways = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    return np.concatenate([quads_of(middles + off * way, shapes) for way in ways])


def elsewhere(quads: Quads, known: Sequence[Sighting]) -> npt.NDArray[np.bool_]:
    """Say of which symbols the middle lies in none that is known."""
    middles = quads.mean(axis=1) + 0.5
    apart = np.ones(len(quads), np.bool_)
    for one in known:
        apart &= np.hypot(*(middles - one.centre).T) > one.side / 2
    return apart


def _likeliest(part: Grey, known: Sequence[Sighting]) -> Quads:
    """Return the likeliest places for labels that are not known; large ones are sought in reduced pictures.

    Labels on a table are about as large: where many are seen, none is sought that is several times larger.
    """
    most = MOST_PLACES + len(known)
    found = [places_in(part, most, LEAST_PLACE)]
    sizes = sizes_of(found[0].quads[found[0].likely >= LIKELY])
    largest = TIMES_LARGER * float(np.median(sizes)) if len(sizes) >= MANY else np.inf
    scale = 2
    while min(part.shape) > 2 * scale * SEEN_TWICE * LARGEST_SIDE and largest > scale * LARGEST_SIDE / 2:
        reduced = places_in(resized(part, 1 / scale), most, LEAST_PLACE)
        found.append(reduced.enlarged(scale, LARGEST_SIDE * SEEN_TWICE / 2))
        scale *= 2
    quads, likely = np.concatenate([one.quads for one in found]), np.concatenate([one.likely for one in found])
    quads = quads[np.argsort(-likely, kind="stable")]
    return np.asarray(quads[elsewhere(quads, known)][:MOST_PLACES], np.float64)


def _looked_at(part: Grey, quads: Quads, least_at_look: tuple[float, float]) -> tuple[Quads, Floats, Floats]:
    """Look closer at places, each time from where the look before saw the corners."""
    before, (quads, likely, turns) = quads, looked_closer(part, quads)
    for least, sure, near in ((least_at_look[0], SURE, NEAR), (least_at_look[1], 0.0, FAR)):
        keep = likely >= least
        off = moved_by(before[keep], quads[keep])
        quads, likely, turns = quads[keep], likely[keep], turns[keep]
        again = np.flatnonzero((likely < sure) | (off > near))
        before = quads.copy()
        quads[again], likely[again], turns[again] = looked_closer(part, quads[again])
    keep = likely >= LEAST_AT_LOOK[-1]
    return quads[keep], likely[keep], turns[keep]
