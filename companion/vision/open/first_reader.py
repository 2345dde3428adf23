"""The first reader, zxing-cpp: what it reads in a picture, and what it finds there and cannot read."""

from dataclasses import dataclass

import zxingcpp

from companion.vision.label.renderings import LOCAL
from companion.vision.label.sighting import Corners, Grey, Sighting

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
