"""Reads any QR code in a picture: as it is, and in renderings for as long as that is worth its price.

The price is counted in pixels, for time would not be the same on another machine.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from companion.qr.decode import made_out
from companion.qr.finder_patterns import Grouped, finder_patterns, grouped
from companion.qr.renderings import CASCADE, Rendering, resized, sharpened
from companion.qr.sampling import Floats
from companion.qr.sighting import Corners, Grey, Sighting, without_doubles
from companion.qr.zbar import second_opinion
from companion.qr.zxing import Glance, distinct, glance, read_closer, read_upright

# --- last_look
# The last look at what no reader reads: finder patterns are sought, and modules made out one by one.

LARGEST, LARGEST_DOUBLED = 4_000_000, 2_100_000
"""Pixels of a picture in which finder patterns are sought, and of one that is doubled to find small ones."""
MOST, MOST_TORN = 32, 4
"""Symbols that are made out, and of those of which a finder pattern is not seen."""
WITHIN = 0.75
"""Sides from a code's middle within which finder patterns are its own."""
QUIET = 4
"""Modules of light round a symbol."""
_SHARP = sharpened(3.0)


def last_look(grey: Grey, lost: Iterable[Corners], read: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Return the codes that are made out where none was read; ``lost``: places where others found one."""
    whole, torn = _sought(grey, read)
    found = read_closer(grey, whole, read, len(whole))
    found += _made_out(grey, distinct(whole if read else [*whole, *lost], read + found)[:MOST])
    return without_doubles(found if read + found else _made_out(grey, torn[:MOST_TORN])[:1])


def _sought(grey: Grey, read: tuple[Sighting, ...]) -> tuple[list[Corners], list[Corners]]:
    """Return the corners of symbols by their finder patterns, whole and torn ones; small ones are sought enlarged."""
    scale = 1.0
    while grey.size * scale**2 > LARGEST:
        scale /= 2
    seen = _grouped(resized(grey, scale), scale, read)
    if (read or not seen.whole) and grey.size <= LARGEST_DOUBLED:
        small = _grouped(_SHARP(resized(grey, 2.0)), 2.0, read)
        seen = Grouped(small.whole + seen.whole, seen.torn + small.torn)
    return [_corners(quad) for quad in seen.whole], [_corners(quad) for quad in seen.torn]


def _grouped(shown: Grey, scale: float, read: tuple[Sighting, ...]) -> Grouped:
    """Group the finder patterns of a picture ``scale`` times as large, but for those of codes that were read."""
    patterns = finder_patterns(shown)
    for code in read:
        middle, side = np.array(code.centre) * scale, code.side * scale
        patterns = [one for one in patterns if np.linalg.norm(one.middle - middle) > WITHIN * side]
    found = grouped(patterns)
    whole, torn = (tuple((quad + 0.5) / scale for quad in quads) for quads in (found.whole, found.torn))
    return Grouped(whole, torn)


def _made_out(grey: Grey, places: Sequence[Corners]) -> tuple[Sighting, ...]:
    found = []
    for place in places:
        symbol = made_out(grey, place)
        if symbol is None:
            continue
        light = np.pad(~symbol, QUIET, constant_values=True)
        text = read_upright(np.kron(light, np.full((4, 4), 255, np.uint8)).astype(np.uint8))
        found += [Sighting(text, place)] if text else []
    return tuple(found)


def _corners(quad: Floats) -> Corners:
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    return first, second, third, fourth


BUDGET = 24_000_000
"""Pixels that are read in all for a picture that shows nothing."""
SECOND_BUDGET = 3_000_000
"""Pixels up to which the second reader is asked: it is slow."""

SMALL_SIDE, TINY_SIDE = 90.0, 60.0
"""Pixels: where codes are so small, there may be others that are read in a picture twice, or three times the size."""
LARGEST_DOUBLED_OPEN_READ, LARGEST_TREBLED = 4_000_000, 2_100_000
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
    if grey.size <= SMALL_PICTURE or (least < SMALL_SIDE and grey.size <= LARGEST_DOUBLED_OPEN_READ):
        more += _rendered(grey, Rendering(None, 2.0)).read
    if least < TINY_SIDE and grey.size <= LARGEST_TREBLED:
        more += _rendered(grey, Rendering(None, 3.0)).read
    return more


def _rendered(grey: Grey, rendering: Rendering) -> Glance:
    scale = rendering.scale(grey)
    if min(grey.shape) * scale < SMALLEST_SIDE:
        return Glance()
    return glance(np.ascontiguousarray(rendering.of(grey)), rendering.binarizer, scale=scale)
