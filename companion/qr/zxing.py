"""The first reader, zxing-cpp: what it reads in a picture, and what it finds there and cannot read."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from companion.qr.renderings import GLOBAL, LOCAL, contrasted, evened, sharpened
from companion.qr.sighting import Corners, Grey, Sighting, straightened, without_doubles

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
_NOT_MICRO = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
"""The smallest Micro QR codes only notice errors: who looks often enough finds some anywhere."""


@dataclass(frozen=True, slots=True)
class Glance:
    """The codes that were read, and the corners of those that were found only."""

    read: tuple[Sighting, ...] = ()
    lost: tuple[Corners, ...] = ()


def first_reader(
    grey: Grey, binarizer: zxingcpp.Binarizer = LOCAL, *, quick: bool = False, scale: float = 1.0
) -> tuple[Sighting, ...]:
    """Read one rendering, and say where things are in the picture ``scale`` times smaller.

    ``quick``: as it is only, neither light on dark nor reduced.
    """
    codes = zxingcpp.read_barcodes(
        grey,
        formats=_QR,
        text_mode=zxingcpp.TextMode.Plain,
        binarizer=binarizer,
        try_invert=not quick,
        try_downscale=not quick,
    )
    return tuple(Sighting(code.text, _corners(code)).scaled(1 / scale) for code in codes if code.text)


def glance(grey: Grey, binarizer: zxingcpp.Binarizer = LOCAL, *, micro: bool = False, scale: float = 1.0) -> Glance:
    """Read one rendering as ``first_reader`` does; give also what was found and not read."""
    codes = zxingcpp.read_barcodes(
        grey,
        formats=_QR if micro else _NOT_MICRO,
        text_mode=zxingcpp.TextMode.Plain,
        binarizer=binarizer,
        return_errors=True,
    )
    seen = [(code.text if code.valid else "", Sighting(code.text, _corners(code)).scaled(1 / scale)) for code in codes]
    return Glance(tuple(one for text, one in seen if text), tuple(one.corners for text, one in seen if not text))


def read_upright(grey: Grey, binarizer: zxingcpp.Binarizer = LOCAL) -> str:
    """Return what a code says that was cut out and straightened; nothing where that is not sure."""
    codes = zxingcpp.read_barcodes(
        grey, formats=_NOT_MICRO, text_mode=zxingcpp.TextMode.Plain, binarizer=binarizer, try_downscale=False
    )
    return next((code.text for code in codes if code.text), "")


def _corners(code: zxingcpp.Barcode) -> Corners:
    """Return the corners of a symbol; its position already starts at the symbol's own top left."""
    where = code.position
    a, b, c, d = (
        (float(point.x), float(point.y))
        for point in (where.top_left, where.top_right, where.bottom_right, where.bottom_left)
    )
    return a, b, c, d


# --- closer_look
# Looks closer at codes that were found and not read: each cut out, straightened, and shown in other lights.

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
