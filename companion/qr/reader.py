"""Read any QR code in a picture: as it is, then in renderings and by other decoders while that is worth its cost.

The cost is counted in pixels, because time would not be the same on another machine.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from companion.qr.decode import decode_symbol
from companion.qr.finder_patterns import SymbolCandidates, detect_finder_patterns, group_finder_patterns
from companion.qr.sighting import F64, Corners, GreyPicture, Sighting, remove_duplicates
from companion.qr.zbar import decode_with_zbar
from companion.qr.zxing import (
    CASCADE,
    Detection,
    Rendering,
    decode_rectified,
    detect_with_zxing,
    make_unsharp_filter,
    merge_locations,
    resize,
    retry_crops,
)

BUDGET = 24_000_000
"""Pixels that are read in all in a picture that shows no code."""
MAX_ZBAR_PIXELS = 3_000_000
"""Size of a picture up to which ZBar is asked, which is slow."""

SMALL_SIDE, TINY_SIDE = 90.0, 60.0
"""Sides in pixels. If a code is smaller, others may only be readable at twice or three times the size."""
MAX_DOUBLED_PIXELS, MAX_TREBLED_PIXELS = 4_000_000, 2_100_000
"""Size of a picture up to which it is enlarged so; a whole table in 1920 x 1080 is below both."""
SMALL_PICTURE = 600_000
"""Size in pixels up to which a picture is always read at twice its size too, which costs little."""
SEVERAL = 2
"""Number of codes from which on more are expected."""
MIN_SIDE = 11
"""Side in pixels below which a picture holds no symbol, and may make decoders fail."""

MAX_SEARCHED_PIXELS, MAX_SEARCHED_DOUBLED_PIXELS = 4_000_000, 2_100_000
"""Size of a picture in which finder patterns are searched, and of one that is doubled to find small ones."""
MAX_COMPLETE, MAX_PARTIAL = 32, 4
"""Symbol candidates that are decoded module by module: with three finder patterns, and with two."""
MAX_FAILURES = 8
"""Candidates without a code after which all are left, where there are more than may be tried: a pattern, no codes."""
OWN_PATTERNS = 0.75
"""Distance from a code's centre, in sides, within which finder patterns belong to it."""
QUIET_ZONE = 4
"""Light modules round a symbol (ISO/IEC 18004, 6.3.8)."""
_SHARPEN = make_unsharp_filter(3.0)


def read_qr_codes(grey: GreyPicture) -> tuple[Sighting, ...]:
    """Return the QR codes in a picture, one sighting for each place.

    Where several are read, the picture is searched for more in the same renderings as a picture without any.
    """
    first = detect_with_zxing(grey, micro=True)
    sightings, undecoded, spent = first.decoded, list(first.undecoded), 0.0
    for rendering in CASCADE:
        spent += rendering.cost(grey)
        if 0 < len(sightings) < SEVERAL or spent > BUDGET:
            break
        detection = _detect_in_rendering(grey, rendering)
        sightings = remove_duplicates(sightings + detection.decoded)
        undecoded = [*undecoded, *detection.undecoded]
    sightings += retry_crops(grey, undecoded, sightings)
    if not sightings or len(sightings) >= SEVERAL:
        sightings += decode_remaining(grey, undecoded, sightings)
    if sightings:
        return remove_duplicates(sightings + _read_enlarged(grey, sightings))
    return decode_with_zbar(grey) if grey.size <= MAX_ZBAR_PIXELS else ()


def _read_enlarged(grey: GreyPicture, sightings: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Return the codes of an enlarged picture, if it is small or shows codes so small that others may be missed."""
    least = min(sighting.side for sighting in sightings)
    more: tuple[Sighting, ...] = ()
    if grey.size <= SMALL_PICTURE or (least < SMALL_SIDE and grey.size <= MAX_DOUBLED_PIXELS):
        more += _detect_in_rendering(grey, Rendering(None, 2.0)).decoded
    if least < TINY_SIDE and grey.size <= MAX_TREBLED_PIXELS:
        more += _detect_in_rendering(grey, Rendering(None, 3.0)).decoded
    return more


def _detect_in_rendering(grey: GreyPicture, rendering: Rendering) -> Detection:
    scale = rendering.scale(grey)
    if min(grey.shape) * scale < MIN_SIDE:
        return Detection()
    return detect_with_zxing(np.ascontiguousarray(rendering.render(grey)), rendering.binarizer, scale=scale)


def decode_remaining(
    grey: GreyPicture, undecoded: Iterable[Corners], decoded: tuple[Sighting, ...]
) -> tuple[Sighting, ...]:
    """Return further codes, located by their finder patterns and decoded module by module.

    Args:
        grey: the picture.
        undecoded: where other decoders located a code and could not decode it.
        decoded: the codes that were decoded already.

    """
    complete, partial = _locate_symbols(grey, decoded)
    sightings = retry_crops(grey, complete, decoded, len(complete))
    locations = merge_locations(complete if decoded else [*complete, *undecoded], decoded + sightings)
    tried = locations[:MAX_COMPLETE]
    located = _decode_at(grey, tried if len(locations) == len(tried) else tried[:MAX_FAILURES])
    if located and len(locations) > len(tried):
        located += _decode_at(grey, tried[MAX_FAILURES:])
    sightings += located
    if decoded + sightings:
        return remove_duplicates(sightings)
    return remove_duplicates(_decode_at(grey, partial[:MAX_PARTIAL])[:1])


def _locate_symbols(grey: GreyPicture, decoded: tuple[Sighting, ...]) -> tuple[list[Corners], list[Corners]]:
    """Return the corners of symbols with three and with two finder patterns; small ones are searched enlarged."""
    scale = 1.0
    while grey.size * scale**2 > MAX_SEARCHED_PIXELS:
        scale /= 2
    candidates = _group_in_rendering(resize(grey, scale), scale, decoded)
    if (decoded or not candidates.complete) and grey.size <= MAX_SEARCHED_DOUBLED_PIXELS:
        small = _group_in_rendering(_SHARPEN(resize(grey, 2.0)), 2.0, decoded)
        candidates = SymbolCandidates(small.complete + candidates.complete, candidates.partial + small.partial)
    return [_to_corners(quad) for quad in candidates.complete], [_to_corners(quad) for quad in candidates.partial]


def _group_in_rendering(rendered: GreyPicture, scale: float, decoded: tuple[Sighting, ...]) -> SymbolCandidates:
    """Return the symbol candidates of a rendering ``scale`` times as large, without those of decoded codes."""
    patterns = detect_finder_patterns(rendered)
    for code in decoded:
        centre, side = np.array(code.centre) * scale, code.side * scale
        patterns = [pattern for pattern in patterns if np.linalg.norm(pattern.centre - centre) > OWN_PATTERNS * side]
    candidates = group_finder_patterns(patterns)
    complete, partial = (
        tuple((quad + 0.5) / scale for quad in quads) for quads in (candidates.complete, candidates.partial)
    )
    return SymbolCandidates(complete, partial)


def _decode_at(grey: GreyPicture, locations: Sequence[Corners]) -> tuple[Sighting, ...]:
    sightings = []
    for location in locations:
        symbol = decode_symbol(grey, location)
        if symbol is None:
            continue
        light = np.pad(~symbol, QUIET_ZONE, constant_values=True)
        text = decode_rectified(np.kron(light, np.full((4, 4), 255, np.uint8)).astype(np.uint8))
        sightings += [Sighting(text, location)] if text else []
    return tuple(sightings)


def _to_corners(quad: F64) -> Corners:
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    return first, second, third, fourth
