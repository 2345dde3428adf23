"""Looks closer at codes that were found and not read: each cut out, straightened, and shown in other lights."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from companion.vision.label.renderings import GLOBAL, LOCAL, contrasted, evened, sharpened
from companion.vision.label.sighting import Corners, Grey, Sighting, without_doubles
from companion.vision.label.straightened import straightened
from companion.vision.open.first_reader import read_upright

SMALLEST_SIDE = 8.0
"""Pixels: what is smaller holds no code that anybody could read."""
MOST = 12
"""Places that are looked at, those first at which most renderings have found one."""
ALIKE = 1.35
"""Times as large: two places about one middle are the same."""
APART = 0.3
"""Sides that two places are apart at least."""


@dataclass(frozen=True, slots=True)
class _Look:
    """One way to show what was cut out, with a symbol of so many pixels a side."""

    side: int
    tone: Callable[[Grey], Grey] | None = None
    binarizer: zxingcpp.Binarizer = LOCAL


def _softened(by: float) -> Callable[[Grey], Grey]:
    return lambda grey: np.asarray(cv2.GaussianBlur(grey, (0, 0), by), np.uint8)


def _locally(grey: Grey) -> Grey:
    """Return what is darker than its near surroundings."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    return np.asarray(cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 23, 2), np.uint8)


LOOKS = (
    _Look(128, lambda grey: evened(_softened(1.5)(grey))),
    _Look(128, sharpened(3.0)),
    _Look(256, lambda grey: contrasted(_softened(2.0)(grey))),
    _Look(128),
    _Look(384, _locally, GLOBAL),
    _Look(256, _softened(2.0)),
    _Look(256, lambda grey: evened(_softened(1.5)(grey))),
    _Look(128, lambda grey: sharpened(6.0)(_softened(1.5)(grey)), GLOBAL),
)
"""In the order in which each adds most to the ones before it for the pixels that it costs (``docs/reading.md``)."""


def read_closer(
    grey: Grey, places: Iterable[Corners], read: tuple[Sighting, ...], most: int = MOST
) -> tuple[Sighting, ...]:
    """Return the codes at places where none was read, ``most`` of which are looked at; ``read``: those that were."""
    found = (_read_at(grey, place) for place in distinct(places, read)[:most])
    return without_doubles(tuple(one for one in found if one is not None))


def _read_at(grey: Grey, place: Corners) -> Sighting | None:
    cut: dict[int, Grey] = {}
    for look in LOOKS:
        if look.side not in cut:
            cut[look.side] = straightened(grey, place, look.side)
        shown = cut[look.side] if look.tone is None else look.tone(cut[look.side])
        text = read_upright(shown, look.binarizer)
        if text:
            return Sighting(text, place)
    return None


def distinct(places: Iterable[Corners], read: tuple[Sighting, ...]) -> list[Corners]:
    """Return each place once, those first that were found most often; none where a code was read."""
    kept: list[list[Sighting]] = [[one] for one in read]
    for place in places:
        here = Sighting("", place)
        if here.side < SMALLEST_SIDE:
            continue
        same = next((group for group in kept if _is_same(group[0], here)), None)
        if same is None:
            kept.append([here])
        else:
            same.append(here)
    return [group[0].corners for group in sorted(kept[len(read) :], key=len, reverse=True)]


def _is_same(one: Sighting, other: Sighting) -> bool:
    larger, smaller = max(one.side, other.side), min(one.side, other.side)
    apart = math.dist(one.centre, other.centre)
    return (apart < APART * larger and larger < ALIKE * smaller) or (bool(one.text) and apart < larger / 2)
