"""Decode QR codes with zxing-cpp in several renderings, and retry those that it located on rectified crops.

Each rendering of a picture brings out codes that the others lose.  They were chosen and ordered by what each adds to
the ones before it for the pixels that it costs: on half of the photographs that the tests know, as they are and
degraded in ten ways; ``docs/reading.md`` has the figures.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from companion.qr.sighting import Corners, GreyPicture, Sighting, remove_duplicates

SMALL = 300_000
"""Pixels of a picture that shows a code at its full size, and neither its own grain nor that of the paper."""
TINY = 80_000

LOCAL = zxingcpp.Binarizer.LocalAverage
GLOBAL = zxingcpp.Binarizer.GlobalHistogram

RIM = 3 / 16
"""Margin round a rectified symbol, in sides of the symbol."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """One way to render a picture.

    ``tone``: what is done to the picture after it was resized. ``size``: factor for its sides, or None for at most
    ``pixels`` in all. ``binarizer``: how the decoder separates dark from light.
    """

    tone: Callable[[GreyPicture], GreyPicture] | None = None
    size: float | None = 1.0
    pixels: int = SMALL
    binarizer: zxingcpp.Binarizer = LOCAL

    def scale(self, grey: GreyPicture) -> float:
        """Return the factor from the picture's sides to those of the rendering."""
        return self.size if self.size is not None else min(1.0, float(np.sqrt(self.pixels / grey.size)))

    def cost(self, grey: GreyPicture) -> float:
        """Return the number of pixels that the rendering has."""
        return grey.size * self.scale(grey) ** 2

    def render(self, grey: GreyPicture) -> GreyPicture:
        """Return the rendered picture."""
        scaled = resize(grey, self.scale(grey))
        return scaled if self.tone is None else self.tone(scaled)


def resize(grey: GreyPicture, scale: float) -> GreyPicture:
    """Return the picture with its sides ``scale`` times as long."""
    if scale == 1:
        return grey
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    interpolation = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(grey, size, interpolation=interpolation), np.uint8)


def rectify_symbol(grey: GreyPicture, corners: Corners, side: int) -> GreyPicture:
    """Return the symbol with these corners as seen from straight above, with a margin.

    The symbol is ``side`` pixels wide and high; its own top left lies at ``side * RIM`` in both directions.
    """
    rim = side * RIM
    square = np.array([(rim, rim), (rim + side, rim), (rim + side, rim + side), (rim, rim + side)], np.float32)
    homography = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    size = round(side + 2 * rim)
    flat = cv2.warpPerspective(grey, homography, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def make_gamma_filter(gamma: float) -> Callable[[GreyPicture], GreyPicture]:
    """Return a filter that makes a picture brighter (gamma below 1) or darker (above 1)."""
    tones = np.round(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return lambda grey: np.asarray(cv2.LUT(grey, tones), np.uint8)


def make_unsharp_filter(sigma: float) -> Callable[[GreyPicture], GreyPicture]:
    """Return an unsharp mask: a filter that reduces blur of about ``sigma`` pixels."""

    def sharpen(grey: GreyPicture) -> GreyPicture:
        soft = cv2.GaussianBlur(grey, (0, 0), sigma)
        return np.asarray(cv2.addWeighted(grey, 3.0, soft, -2.0, 0), np.uint8)

    return sharpen


def normalise_illumination(grey: GreyPicture) -> GreyPicture:
    """Return the picture divided by its local mean, which removes shadows and gradients."""
    window = max(15, min(grey.shape) // 10) | 1
    local_mean = cv2.blur(grey, (window, window)).astype(np.float32) + 8
    return np.asarray(np.clip(grey / local_mean * 128, 0, 255), np.uint8)


def equalise_contrast(grey: GreyPicture) -> GreyPicture:
    """Return the picture with full contrast in every part (CLAHE)."""
    return np.asarray(cv2.createCLAHE(4.0, (6, 6)).apply(grey), np.uint8)


def remove_grain(grey: GreyPicture) -> GreyPicture:
    """Return the picture after a median filter, which removes grain and small spots."""
    return np.asarray(cv2.medianBlur(grey, 5), np.uint8)


def binarise(grey: GreyPicture, window: int | None = None) -> GreyPicture:
    """Return 0 where the softened picture is darker than its surroundings, else 255.

    ``window``: pixels a side of these surroundings; a tenth of the picture's shorter side if not given.
    """
    window = max(11, min(grey.shape) // 10) | 1 if window is None else window
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    return np.asarray(
        cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, 2), np.uint8
    )


CASCADE = (
    Rendering(make_gamma_filter(0.5), 0.5),
    Rendering(make_gamma_filter(2.2), 0.5),
    Rendering(None, 0.5, binarizer=GLOBAL),
    Rendering(equalise_contrast, None),
    Rendering(normalise_illumination, None),
    Rendering(make_gamma_filter(2.2)),
    Rendering(None, binarizer=GLOBAL),
    Rendering(make_gamma_filter(0.25), None),
    Rendering(None, None, TINY),
    Rendering(make_unsharp_filter(1.5), None, TINY),
    Rendering(make_unsharp_filter(4.0), None),
    Rendering(None, 2.0),
    Rendering(None, 2.0, binarizer=GLOBAL),
    Rendering(make_gamma_filter(4.0)),
    Rendering(remove_grain),
    Rendering(binarise, None),
    Rendering(equalise_contrast),
    Rendering(None, 1.5),
)
"""Renderings tried, in this order, where a picture as it is yields nothing."""


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


MAX_EDGES = 1_000_000
"""Edges along the rows of a picture above which it is a texture: zxing-cpp compares each finder pattern with all
others, so that a picture full of them, a pixel a module, took minutes.  A sheet of labels at 300 dpi has a fifth."""
MIN_EDGE = 64
"""Grey levels between neighbouring pixels; a module's edge has more, noise of a camera less."""
SAMPLED_ROWS = 199
"""No multiple or divisor of the sizes that patterns have."""


def is_texture(grey: GreyPicture) -> bool:
    """Return whether a picture has so many edges that decoding it would take minutes; estimated from some rows."""
    height, width = grey.shape
    if height * width <= MAX_EDGES:
        return False
    rows = grey[np.linspace(0, height - 1, SAMPLED_ROWS).astype(np.intp)]
    edges = np.count_nonzero(cv2.absdiff(rows[:, 1:], rows[:, :-1]) > MIN_EDGE)
    return bool(edges * height > MAX_EDGES * len(rows))


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
    if is_texture(grey):
        return ()
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
    if is_texture(grey):
        return Detection()
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
