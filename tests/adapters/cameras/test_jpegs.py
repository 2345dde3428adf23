"""JPEGs in a stream of bytes, however it is cut."""

from typing import Any

import pytest

from companion.adapters.cameras.stream import MAX_PICTURE_BYTES, JpegScan, NotJpegStream, split_jpegs
from tests.adapters.cameras.waiting import picture


@pytest.mark.parametrize("size", [1, 2, 7, 1000, 10_000_000])
def test_jpegs_are_found_however_the_bytes_are_cut(size: int) -> None:
    small, large = picture(40), picture(200)
    thumbnail = b"\xff\xe1" + (2 + len(large)).to_bytes(2, "big") + large  # a whole JPEG inside another's header
    with_thumbnail = small[:2] + thumbnail + small[2:]
    stream = b"--frame\r\n\r\n" + small + b"\r\n--frame\xff\r\n" + large + with_thumbnail + large[:40]

    result = list(split_jpegs(stream[at : at + size] for at in range(0, len(stream), size)))

    assert result == [small, large, with_thumbnail]


def test_a_torn_jpeg_does_not_hide_the_next_one() -> None:
    whole = picture(40)
    torn = b"\xff\xd8\xff\xe0\x00\x04ab" + b"garbage"

    assert list(split_jpegs([torn + whole]))[-1] == whole


def test_restarts_and_fill_bytes_belong_to_a_jpeg() -> None:
    whole = b"\xff\xd8\xff\xff\xdb\0\3a\xff\xd0\xff\xda\0\2ab\xff\0c\xff\xd1d\xff\xd9"

    assert list(split_jpegs([b"x", whole, whole[:10], whole[10:]])) == [whole, whole]


@pytest.mark.parametrize("noise", [b"noise", b"\xff\xd8\xff\xda\0\2"])
def test_what_never_becomes_a_picture_is_no_stream_of_jpegs(noise: bytes) -> None:
    with pytest.raises(NotJpegStream):
        list(split_jpegs([noise, b"\1" * (MAX_PICTURE_BYTES + 1)]))


class CountingBuffer(bytearray):
    """Counts the bytes that are searched in it."""

    searched = 0

    def find(self, *arguments: Any) -> int:
        offset = super().find(*arguments)
        self.searched += (len(self) if offset < 0 else offset + 1) - arguments[1]
        return offset


def test_no_byte_of_a_picture_is_searched_twice() -> None:
    # given a large picture that arrives in small pieces
    whole = b"\xff\xd8\xff\xda\0\2" + b"ab\xff\0" * 50_000 + b"\xff\xd9"
    buffer, scan = CountingBuffer(), JpegScan()
    # when its end is looked for after each
    ends = []
    for at in range(0, len(whole), 100):
        buffer += whole[at : at + 100]
        ends.append(scan.find_end(buffer))
    # then the work grows with the picture alone
    assert ends == [None] * (len(ends) - 1) + [len(whole)]
    assert buffer.searched <= 2 * len(whole)
