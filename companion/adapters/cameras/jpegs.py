"""JPEGs one after the other in a stream of bytes, with or without anything between them."""

from collections.abc import Iterable, Iterator

LARGEST = 20_000_000
"""Bytes of one picture; what is longer is none."""

_START = b"\xff\xd8\xff"
_END, _SCAN = 0xD9, 0xDA
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_MARKER = 4
"""Bytes of a marker and the length that follows it."""


class NoPictures(Exception):  # noqa: N818 - told by whoever knows the source
    """The bytes are no stream of JPEGs."""


def jpegs(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Give every whole JPEG in the stream.

    The headers that a server puts between two pictures are passed over, and so are small pictures inside a large one.

    Raises:
        NoPictures: when more bytes than a picture has come without one.

    """
    held = bytearray()
    reached = 0
    for chunk in chunks:
        held += chunk
        while True:
            start = held.find(_START)
            if start < 0:
                if len(held) > LARGEST:
                    raise NoPictures
                del held[: max(0, len(held) - len(_START) + 1)]
                reached = 0
                break
            if start:
                del held[:start]
                reached = 0
            end, reached = _end(held, reached)
            if end is None:
                if len(held) > LARGEST:
                    raise NoPictures
                break
            yield bytes(held[:end])
            del held[:end]
            reached = 0


def _end(held: bytearray, reached: int) -> tuple[int | None, int]:
    """Give where the JPEG at the start ends, if it does, and up to where it was understood."""
    at = reached or 2
    while at + _MARKER <= len(held):
        if held[at] != 0xFF:  # noqa: PLR2004 - every segment begins with this byte
            return at, at  # torn: what came so far is no whole picture, and no reader will take it for one
        kind = held[at + 1]
        if kind == 0xFF:  # noqa: PLR2004 - a fill byte
            at += 1
        elif kind == _END:
            return at + 2, at
        elif kind in _ALONE:
            at += 2
        else:
            after = at + 2 + int.from_bytes(held[at + 2 : at + 4], "big")
            if kind == _SCAN:
                found = _after_scan(held, after)
                if found is None:
                    return None, at
                after = found
            at = after
    if at + 2 <= len(held) and held[at] == 0xFF and held[at + 1] == _END:  # noqa: PLR2004 - the last two bytes
        return at + 2, at
    return None, at if at <= len(held) else reached


def _after_scan(held: bytearray, at: int) -> int | None:
    """Give where the next marker is after coded data, in which ``FF`` is followed by ``00`` or a restart."""
    while True:
        at = held.find(0xFF, at)
        if at < 0 or at + 1 >= len(held):
            return None
        if held[at + 1] != 0 and held[at + 1] not in _ALONE:
            return at
        at += 2
