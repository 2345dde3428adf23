"""The last look at what no reader reads: finder patterns are sought, and modules made out one by one."""

from collections.abc import Iterable, Sequence

import numpy as np

from companion.vision.label.renderings import resized, sharpened
from companion.vision.label.sighting import Corners, Grey, Sighting, without_doubles
from companion.vision.open.closer_look import distinct, read_closer
from companion.vision.open.first_reader import read_upright
from companion.vision.symbol.grouped import Grouped, grouped
from companion.vision.symbol.made_out import made_out
from companion.vision.symbol.mesh import Floats
from companion.vision.symbol.nests import finder_patterns

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
