"""Decode QR codes with zxing-cpp, and retry codes that it located but could not decode on rectified crops."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from companion.qr.arrays import Corners, GreyPicture
from companion.qr.renderings import (
    GLOBAL,
    LOCAL,
    binarise,
    equalise_contrast,
    make_unsharp_filter,
    normalise_illumination,
    rectify_symbol,
)
from companion.qr.sighting import Sighting, remove_duplicates

_ANY_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
_WITHOUT_MICRO_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
"""The smallest Micro QR codes only detect errors, so repeated attempts would find some in any texture."""

MIN_SIDE = 8.0
"""Side in pixels below which a located symbol is not retried: it holds no code that could be decoded."""
MAX_RETRIES = 12
"""Locations that are retried, those first that most renderings agree on."""
SAME_SIZE, SAME_CENTRE = 1.35, 0.3
"""Two locations are the same if their sides differ by less than this factor and their centres by fewer sides."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The codes that were decoded in one rendering, and the corners of those that were located only."""

    decoded: tuple[Sighting, ...] = ()
    undecoded: tuple[Corners, ...] = ()


def decode_with_zxing(
    grey: GreyPicture, binarizer: zxingcpp.Binarizer = LOCAL, *, quick: bool = False, scale: float = 1.0
) -> tuple[Sighting, ...]:
    """Return the codes that are decoded in a rendering, in pixels of the picture.

    Args:
        grey: the rendering.
        binarizer: how dark is separated from light.
        quick: only as it is, neither inverted (light on dark) nor reduced.
        scale: how many times larger the rendering is than the picture.

    """
    codes = zxingcpp.read_barcodes(
        grey,
        formats=_ANY_QR,
        text_mode=zxingcpp.TextMode.Plain,
        binarizer=binarizer,
        try_invert=not quick,
        try_downscale=not quick,
    )
    return tuple(Sighting(code.text, _corners_of(code)).scale_by(1 / scale) for code in codes if code.text)


def detect_with_zxing(
    grey: GreyPicture, binarizer: zxingcpp.Binarizer = LOCAL, *, micro: bool = False, scale: float = 1.0
) -> Detection:
    """Return the codes of a rendering as ``decode_with_zxing`` does, and those located but not decoded."""
    codes = zxingcpp.read_barcodes(
        grey,
        formats=_ANY_QR if micro else _WITHOUT_MICRO_QR,
        text_mode=zxingcpp.TextMode.Plain,
        binarizer=binarizer,
        return_errors=True,
    )
    results = [
        (code.text if code.valid else "", Sighting(code.text, _corners_of(code)).scale_by(1 / scale)) for code in codes
    ]
    return Detection(
        tuple(sighting for text, sighting in results if text),
        tuple(sighting.corners for text, sighting in results if not text),
    )


def decode_rectified(grey: GreyPicture, binarizer: zxingcpp.Binarizer = LOCAL) -> str:
    """Return the text of a code that was cut out and rectified; empty if it cannot be decoded."""
    codes = zxingcpp.read_barcodes(
        grey, formats=_WITHOUT_MICRO_QR, text_mode=zxingcpp.TextMode.Plain, binarizer=binarizer, try_downscale=False
    )
    return next((code.text for code in codes if code.text), "")


def _corners_of(code: zxingcpp.Barcode) -> Corners:
    """Return the corners of a symbol; its position already starts at the symbol's own top left."""
    position = code.position
    a, b, c, d = (
        (float(point.x), float(point.y))
        for point in (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    )
    return a, b, c, d


@dataclass(frozen=True, slots=True)
class _CropRendering:
    """One way to render a rectified symbol, ``side`` pixels wide and high."""

    side: int
    tone: Callable[[GreyPicture], GreyPicture] | None = None
    binarizer: zxingcpp.Binarizer = LOCAL


def _make_gaussian_filter(sigma: float) -> Callable[[GreyPicture], GreyPicture]:
    return lambda grey: np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma), np.uint8)


CROP_RENDERINGS = (
    _CropRendering(128, lambda grey: normalise_illumination(_make_gaussian_filter(1.5)(grey))),
    _CropRendering(128, make_unsharp_filter(3.0)),
    _CropRendering(256, lambda grey: equalise_contrast(_make_gaussian_filter(2.0)(grey))),
    _CropRendering(128),
    _CropRendering(384, lambda grey: binarise(grey, 23), GLOBAL),
    _CropRendering(256, _make_gaussian_filter(2.0)),
    _CropRendering(256, lambda grey: normalise_illumination(_make_gaussian_filter(1.5)(grey))),
    _CropRendering(128, lambda grey: make_unsharp_filter(6.0)(_make_gaussian_filter(1.5)(grey)), GLOBAL),
)
"""Ordered by what each adds to the ones before it for the pixels that it costs (``docs/reading.md``)."""


def retry_crops(
    grey: GreyPicture, locations: Iterable[Corners], decoded: tuple[Sighting, ...], most: int = MAX_RETRIES
) -> tuple[Sighting, ...]:
    """Return the codes that are decoded on rectified crops of at most so many locations.

    Locations at which a code was ``decoded`` already are skipped.
    """
    sightings = (_retry_crop(grey, location) for location in merge_locations(locations, decoded)[:most])
    return remove_duplicates(tuple(sighting for sighting in sightings if sighting is not None))


def _retry_crop(grey: GreyPicture, location: Corners) -> Sighting | None:
    crops: dict[int, GreyPicture] = {}
    for rendering in CROP_RENDERINGS:
        if rendering.side not in crops:
            crops[rendering.side] = rectify_symbol(grey, location, rendering.side)
        crop = crops[rendering.side]
        text = decode_rectified(crop if rendering.tone is None else rendering.tone(crop), rendering.binarizer)
        if text:
            return Sighting(text, location)
    return None


def merge_locations(locations: Iterable[Corners], decoded: tuple[Sighting, ...]) -> list[Corners]:
    """Return each location once, the most frequent first, without those at which a code was decoded."""
    groups: list[list[Sighting]] = [[sighting] for sighting in decoded]
    for location in locations:
        candidate = Sighting("", location)
        if candidate.side < MIN_SIDE:
            continue
        same = next((group for group in groups if _is_same_location(group[0], candidate)), None)
        if same is None:
            groups.append([candidate])
        else:
            same.append(candidate)
    return [group[0].corners for group in sorted(groups[len(decoded) :], key=len, reverse=True)]


def _is_same_location(first: Sighting, second: Sighting) -> bool:
    larger, smaller = max(first.side, second.side), min(first.side, second.side)
    distance = math.dist(first.centre, second.centre)
    same = distance < SAME_CENTRE * larger and larger < SAME_SIZE * smaller
    return same or (bool(first.text) and distance < larger / 2)
