"""The size that a picture file announces, read from its first bytes before anything is unfolded."""

import re
import struct

Size = tuple[int, int]
"""Width, height."""

MOST_SEARCHED = 65_536
"""Bytes of a file that are looked at for its size, however long it is."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PLAIN = re.compile(rb"P[2356]\s+(?:#[^\n]*\n\s*)*(\d{1,9})\s+(?:#[^\n]*\n\s*)*(\d{1,9})\s")
_JPEG_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def announced_depth(data: bytes) -> int:
    """Return the bits a sample of a PNG file; 8 for anything else, which is unfolded to no more."""
    return data[24] if data.startswith(_PNG) and len(data) > 24 else 8  # noqa: PLR2004 - a place in its header


def announced_size(data: bytes) -> Size | None:
    """Return width and height of a PNG, JPEG, WebP, GIF, BMP or PNM file; None for anything else or a torn header.

    A header is searched no longer than ``MOST_SEARCHED`` bytes; the segments that a JPEG tells to skip are not.
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
    plain = _PLAIN.match(data[:MOST_SEARCHED])
    return (int(plain[1]), int(plain[2])) if plain is not None else None


def _two(form: str, data: bytes, start: int) -> Size:
    width, height = struct.unpack_from(form, data, start)
    return abs(width), abs(height)


def _jpeg(data: bytes) -> Size | None:
    """Walk the segments to the one that says the size."""
    at = 2
    for _ in range(MOST_SEARCHED // 4):
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
