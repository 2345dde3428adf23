"""Reads any QR code in a picture: as it is, and in renderings for as long as that is worth its price.

The price is counted in pixels, for time would not be the same on another machine.
"""

import numpy as np

from companion.vision.label.renderings import CASCADE, Rendering
from companion.vision.label.sighting import Grey, Sighting, without_doubles
from companion.vision.open.closer_look import read_closer
from companion.vision.open.first_reader import Glance, glance
from companion.vision.open.last_look import last_look
from companion.vision.open.second_reader import second_opinion

BUDGET = 24_000_000
"""Pixels that are read in all for a picture that shows nothing."""
SECOND_BUDGET = 3_000_000
"""Pixels up to which the second reader is asked: it is slow."""

SMALL_SIDE, TINY_SIDE = 90.0, 60.0
"""Pixels: where codes are so small, there may be others that are read in a picture twice, or three times the size."""
LARGEST_DOUBLED, LARGEST_TREBLED = 4_000_000, 2_100_000
"""Pixels of such a picture; a whole table in 1920 x 1080 is below."""
SMALL_PICTURE = 600_000
"""Pixels up to which a picture is read at twice its size in any case: it costs little."""
SEVERAL = 2
"""Codes from which on there may be more."""
SMALLEST_SIDE = 11
"""Pixels: no symbol fits into less, and readers may stumble over such pictures."""


def read_open(grey: Grey) -> tuple[Sighting, ...]:
    """Return the QR codes in a picture, one sighting for each place.

    Where there are several, others are looked for in the same renderings as where there seems to be none.
    """
    first = glance(grey, micro=True)
    found, lost, spent = first.read, list(first.lost), 0.0
    for rendering in CASCADE:
        spent += rendering.cost(grey)
        if 0 < len(found) < SEVERAL or spent > BUDGET:
            break
        more = _rendered(grey, rendering)
        found, lost = without_doubles(found + more.read), [*lost, *more.lost]
    found += read_closer(grey, lost, found)
    if not found or len(found) >= SEVERAL:
        found += last_look(grey, lost, found)
    if found:
        return without_doubles(found + _smaller_ones(grey, found))
    return second_opinion(grey) if grey.size <= SECOND_BUDGET else ()


def _smaller_ones(grey: Grey, found: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Read a picture enlarged where it is small, or shows codes so small that others may have been missed."""
    least = min(seen.side for seen in found)
    more: tuple[Sighting, ...] = ()
    if grey.size <= SMALL_PICTURE or (least < SMALL_SIDE and grey.size <= LARGEST_DOUBLED):
        more += _rendered(grey, Rendering(None, 2.0)).read
    if least < TINY_SIDE and grey.size <= LARGEST_TREBLED:
        more += _rendered(grey, Rendering(None, 3.0)).read
    return more


def _rendered(grey: Grey, rendering: Rendering) -> Glance:
    scale = rendering.scale(grey)
    if min(grey.shape) * scale < SMALLEST_SIDE:
        return Glance()
    return glance(np.ascontiguousarray(rendering.of(grey)), rendering.binarizer, scale=scale)
