"""Bytes to pictures."""

import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.picture_sizes import announced_size
from companion.adapters.pictures import MOST_BYTES, PictureError, decode_picture

COLOURS = np.random.default_rng(1).integers(0, 256, (37, 53, 3)).astype(np.uint8)


def encoded(suffix: str, picture: np.ndarray = COLOURS) -> bytes:
    done, data = cv2.imencode(suffix, picture)
    assert done
    return bytes(data.tobytes())


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp", ".ppm"])
def test_pictures_of_the_usual_kinds_are_decoded(suffix: str) -> None:
    data = encoded(suffix)

    assert announced_size(data) == (53, 37)
    assert decode_picture(data).shape == (37, 53, 3)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".pgm"])
def test_a_grey_picture_stays_grey(suffix: str) -> None:
    assert decode_picture(encoded(suffix, COLOURS[:, :, 0])).shape == (37, 53)


def test_transparency_is_laid_on_white() -> None:
    clear = np.zeros((4, 4, 4), np.uint8)
    clear[0, 0] = (10, 20, 30, 255)

    picture = decode_picture(encoded(".png", clear))

    assert picture[0, 0].tolist() == [10, 20, 30]
    assert picture[3, 3].tolist() == [255, 255, 255]


def test_sixteen_bits_become_eight() -> None:
    deep = np.full((4, 4), 0x80FF, np.uint16)

    assert decode_picture(encoded(".png", deep)).tolist() == [[0x80] * 4] * 4


def test_lossy_and_transparent_webp_announce_their_size() -> None:
    lossy = encoded(".webp")
    cv2_lossy = cv2.imencode(".webp", COLOURS, [cv2.IMWRITE_WEBP_QUALITY, 50])[1].tobytes()
    extended = b"RIFF\0\0\0\0WEBPVP8X" + struct.pack("<I4xHBHB", 10, 52, 0, 36, 0)

    assert announced_size(lossy) == announced_size(cv2_lossy) == announced_size(extended) == (53, 37)
    assert announced_size(b"GIF89a" + struct.pack("<HH", 53, 37)) == (53, 37)
    assert announced_size(b"RIFF\0\0\0\0WEBPxxxx" + bytes(40)) is None


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "empty"),
        (b"x", "not a picture"),
        (b"{}" * 50, "not a picture"),
        (b"\x89PNG\r\n\x1a\n", "not a picture"),
        (b"\xff\xd8\xff", "not a picture"),
        (b"\xff\xd8" + b"\0" * 50, "not a picture"),
        (b"\xff\xd8\xff\xff\xff\xd0\xff\xe0\0\2", "not a picture"),
        (png(0, 5), "not a picture"),
        (png(100, 100), "broken"),
        (png(60_000, 60_000), "more than 64 million"),
        (encoded(".png")[:60], "broken"),
        (bytes(MOST_BYTES + 1), "larger than 64 MB"),
    ],
    ids=range(12),
)
def test_what_is_no_picture_is_refused_in_one_line(data: bytes, fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PictureError, match=fault) as refusal:
        decode_picture(data)

    assert "\n" not in str(refusal.value)
    assert "OpenCV" not in capfd.readouterr().err


@given(
    st.binary(max_size=60), st.sampled_from([b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM", b"P5", b"GIF89a"])
)
def test_garbage_is_a_picture_or_refused(data: bytes, start: bytes) -> None:
    try:
        picture = decode_picture(start + data)
    except PictureError:
        return
    assert picture.size > 0
