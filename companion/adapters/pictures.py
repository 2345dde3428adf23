"""Decode picture files, within limits, and encode JPEGs for screens.

The size that a file announces is checked before anything is decompressed.
"""

import ctypes
import re
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import GreyPicture, Picture
from companion.service.ports import ForeignPicture, UnreadablePicture

Size = tuple[int, int]
"""Width, height."""

MAX_BYTES = 64_000_000
MAX_PIXELS = 16_000_000
"""A 12-megapixel camera is below; a small file that decompresses to gigabytes is far above."""
MAX_SIDE = 32_000
"""Pixels; zxing-cpp fails if twice the size is more than 65,535."""

_ALPHA_PLANES = 4
_DEEP = 16
_LARGE = 4_000_000
_large_picture = threading.Lock()
"""Decoding takes several times the memory of the result, so one large picture is decoded at a time."""
_STRIP = 128
"""Rows that are blended at once, so that intermediate arrays stay small."""
_LEAST_BYTES = 64
"""OpenCV rejects very short files; padding after the end does no harm."""
MAX_HEADER_BYTES = 65_536
"""Bytes of a file that are searched for its size."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_WITH_ALPHA = (b"\x04", b"\x06")
"""The kinds of PNG with transparency for each pixel: grey and coloured."""
_PLAIN = re.compile(rb"P[2356]\s+(?:#[^\n]*\n\s*)*(\d{1,9})\s+(?:#[^\n]*\n\s*)*(\d{1,9})\s")
_JPEG_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG = b"\xff\xd8\xff"
_JPEG_SCAN, _JPEG_END = 0xDA, 0xD9
_NEXT_SEGMENT = re.compile(rb"\xff([\x02-\xcf\xd8-\xfe])")
"""The next marker of a segment, as decoders look for it: behind pixels, fill bytes and whatever else stands there."""
MAX_SCANS = 50
"""Passes over a JPEG; progressive ones of cameras and programs have about ten.  Each takes its time on all pixels."""
QUALITY = 80
"""Of JPEGs for screens."""
_SILENT = 0

_log: Any = cv2 if hasattr(cv2, "setLogLevel") else cv2.utils.logging
"""Where the log level lies: at the top in OpenCV 4, in a module of its own in OpenCV 5."""


class PictureError(Exception):
    """The bytes are no picture that can be decoded; the message is one line."""


def decode_picture(data: bytes) -> Picture:
    """Return the picture in the bytes of a PNG, JPEG, WebP, GIF, BMP or PNM file.

    The result is uint8, height x width (grey files) or height x width x 3 (blue, green, red), rotated as its camera
    recorded; transparency is blended on white.

    Raises:
        PictureError: for an empty, broken, foreign or oversized file.

    """
    with _reserve_decoder(data):
        return _decode_colours(data)


def decode_grey_picture(data: bytes) -> GreyPicture:
    """Return the picture in the bytes of a file in grey, uint8, height x width; otherwise as ``decode_picture``.

    A large one never exists in colours where its format allows that: they take three times the memory.

    Raises:
        PictureError: for an empty, broken, foreign or oversized file.

    """
    with _reserve_decoder(data) as is_large:
        if is_large and not _may_be_transparent(data) and read_depth(data) != _DEEP:
            return _decode_or_fail(data, cv2.IMREAD_GRAYSCALE)
        picture = _decode_colours(data)
        return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)  # noqa: PLR2004 - axes


@contextmanager
def _reserve_decoder(data: bytes) -> Iterator[bool]:
    """Check the announced size, wait while another large picture is decoded, and yield whether this one is large.

    Raises:
        PictureError: for an empty, foreign or oversized file.

    """
    if not data:
        raise PictureError("the file is empty")
    if len(data) > MAX_BYTES:
        raise PictureError(f"the picture is larger than {MAX_BYTES // 1_000_000} MB")
    size = read_size(data)
    if size is None or 0 in size:
        raise PictureError("not a picture: PNG, JPEG, WebP, GIF, BMP and PNM can be read")
    most = MAX_PIXELS // 2 if read_depth(data) == _DEEP else MAX_PIXELS  # two bytes a sample take twice the memory
    if size[0] * size[1] > most:
        raise PictureError(f"{size[0]} x {size[1]} pixels are more than {most // 1_000_000} million")
    if max(size) > MAX_SIDE:
        raise PictureError(f"{max(size)} pixels are more than {MAX_SIDE} in one direction")
    if data.startswith(_JPEG[:2]) and not has_few_scans(data):
        raise PictureError(f"a JPEG in more than {MAX_SCANS} passes, which no camera makes")
    is_large = size[0] * size[1] > _LARGE
    with _large_picture if is_large else nullcontext():
        if is_large:
            _release_freed_memory()
        yield is_large


def _release_freed_memory() -> None:
    """Hand back to the system the memory that the C library keeps of earlier pictures; decoding needs it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
    if trim is not None:
        trim(0)


def _may_be_transparent(data: bytes) -> bool:
    """Return whether a file may have transparency: any WebP and GIF, and a PNG that says so before its pixels."""
    if data.startswith(_PNG):
        return data[25:26] in _PNG_WITH_ALPHA or b"tRNS" in data[: data.find(b"IDAT")]
    return data.startswith((b"RIFF", b"GIF8"))


def _decode_colours(data: bytes) -> Picture:
    """Return a picture in its colours, on white; raise ``PictureError``."""
    transparent = _may_be_transparent(data)
    return _blend_on_white(_decode_or_fail(data, cv2.IMREAD_UNCHANGED if transparent else cv2.IMREAD_ANYCOLOR))


def _decode_or_fail(data: bytes, flags: int) -> npt.NDArray[np.uint8]:
    """Return what OpenCV makes of the bytes, 8 bits a sample; raise ``PictureError`` if that is nothing."""
    decoded = _decode(data, flags)
    if decoded is None or decoded.size == 0:
        raise PictureError("a picture file that is broken")
    return decoded


def _decode(data: bytes, flags: int) -> npt.NDArray[np.uint8] | None:
    with silence_opencv():
        try:
            decoded = cv2.imdecode(np.frombuffer(data.ljust(_LEAST_BYTES, b"\0"), np.uint8), flags)
        except cv2.error:
            return None  # the caller says so
    if decoded is None:
        return None
    if decoded.dtype == np.uint16:
        deep = decoded.view(np.uint16)
        return np.right_shift(deep, 8, out=deep).astype(np.uint8)  # in place: a copy would take twice the memory
    return decoded.astype(np.uint8, copy=False)


def _blend_on_white(decoded: npt.NDArray[np.uint8]) -> Picture:
    planes = 1 if decoded.ndim == 2 else decoded.shape[2]  # noqa: PLR2004 - axes
    if planes == 1:
        return decoded.reshape(decoded.shape[:2])
    if planes < _ALPHA_PLANES:
        return decoded[:, :, :3] if planes == 3 else decoded[:, :, 0]  # noqa: PLR2004 - colours
    blended = np.empty((*decoded.shape[:2], 3), np.uint8)
    for top in range(0, len(decoded), _STRIP):
        strip = decoded[top : top + _STRIP]
        alpha = strip[:, :, 3:].astype(np.float32) / 255
        blended[top : top + _STRIP] = np.rint(strip[:, :, :3] * alpha + 255 * (1 - alpha))
    return blended


def decode_posted_picture(data: bytes) -> Picture:
    """Return the picture in the bytes of a JPEG or PNG file that a browser or program sent, uint8.

    Raises:
        ForeignPicture: for any other format.
        UnreadablePicture: for a broken or too large file.

    """
    return _decode_posted(data, decode_picture)


def decode_posted_grey_picture(data: bytes) -> GreyPicture:
    """Return the same in grey, as ``decode_grey_picture`` does; the errors are those of ``decode_posted_picture``."""
    return _decode_posted(data, decode_grey_picture)


def _decode_posted(data: bytes, decode: Callable[[bytes], Picture]) -> Picture:
    if not data.startswith((_JPEG, _PNG)):
        raise ForeignPicture("a frame is a JPEG or a PNG")
    try:
        return decode(data)
    except PictureError as fault:
        raise UnreadablePicture(str(fault)) from fault


def encode_jpeg(image: npt.NDArray[np.uint8]) -> bytes:
    """Return a picture (uint8, height x width (x 3), blue green red) as JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        message = f"no JPEG can be made of {image.dtype} {image.shape}"
        raise ValueError(message)
    return data.tobytes()


@contextmanager
def silence_opencv() -> Iterator[None]:
    """Turn OpenCV's log off within the block: it writes many lines about a broken file, which the caller reports."""
    before = _log.getLogLevel()
    _log.setLogLevel(_SILENT)
    try:
        yield
    finally:
        _log.setLogLevel(before)


# What the header of a picture says, without decoding it.


def read_depth(data: bytes) -> int:
    """Return the bits per sample of a PNG file; 8 for other formats, which decode to no more."""
    return data[24] if data.startswith(_PNG) and len(data) > 24 else 8  # noqa: PLR2004 - a place in its header


def read_size(data: bytes) -> Size | None:
    """Return width and height of a PNG, JPEG, WebP, GIF, BMP or PNM file; None for others or a broken header.

    A header is searched no longer than ``MAX_HEADER_BYTES`` bytes; segments that a JPEG skips do not count.
    """
    try:
        if data.startswith(_PNG):
            return _two(">II", data, 16)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return _two("<HH", data, 6)
        if data.startswith(b"BM"):
            return _two("<ii", data, 18)
    except struct.error:  # the file ends within its header
        return None
    plain = _PLAIN.match(data[:MAX_HEADER_BYTES])
    return (int(plain[1]), int(plain[2])) if plain is not None else None


def _two(form: str, data: bytes, start: int) -> Size:
    width, height = struct.unpack_from(form, data, start)
    return abs(width), abs(height)


def _jpeg(data: bytes) -> Size | None:
    """Return the size in a JPEG's frame segment."""
    at = 2
    for _ in range(MAX_HEADER_BYTES // 4):
        mark, kind = struct.unpack_from(">BB", data, at)
        if mark != 0xFF:  # noqa: PLR2004 - every segment begins with this byte
            return None
        if kind in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if kind == 0xFF:  # noqa: PLR2004 - a fill byte
            at += 1
        elif kind in _JPEG_STANDALONE:
            at += 2
        else:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def has_few_scans(data: bytes) -> bool:
    """Return whether a JPEG is decoded in no more passes than real ones need, and has no endless list of segments."""
    if data.count(bytes((0xFF, _JPEG_SCAN))) <= MAX_SCANS:
        return True
    at, scans = 2, 0
    for _ in range(MAX_HEADER_BYTES // 4):
        marker = _NEXT_SEGMENT.search(data, at)
        kind = _JPEG_END if marker is None else marker[1][0]
        if marker is None or kind == _JPEG_END or len(data) < marker.end() + 2:
            return True
        at = marker.end() + struct.unpack_from(">H", data, marker.end())[0]
        scans += kind == _JPEG_SCAN
        if scans > MAX_SCANS:
            return False
    return False


def _webp(data: bytes) -> Size | None:
    match data[12:16]:
        case b"VP8 ":
            width, height = _two("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            bits = struct.unpack_from("<I", data, 21)[0]
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            low = struct.unpack_from("<HBHB", data, 24)
            return low[0] + (low[1] << 16) + 1, low[2] + (low[3] << 16) + 1
        case _:
            return None
