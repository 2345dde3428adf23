"""Bytes to pictures."""

import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.pictures import (
    MAX_BYTES,
    MAX_HEADER_BYTES,
    MAX_SCANS,
    PictureError,
    decode_grey_picture,
    decode_picture,
    read_size,
)
from tests.extent import by_night

MOST_MEGABYTES = 150
COLOURS = np.random.default_rng(1).integers(0, 256, (37, 53, 3)).astype(np.uint8)


def encoded(suffix: str, picture: np.ndarray = COLOURS) -> bytes:
    done, data = cv2.imencode(suffix, picture)
    assert done
    return bytes(data.tobytes())


def png(width: int, height: int, depth: int = 8) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp", ".ppm"])
def test_pictures_of_the_usual_kinds_are_decoded(suffix: str) -> None:
    data = encoded(suffix)

    assert read_size(data) == (53, 37)
    assert decode_picture(data).shape == (37, 53, 3)


def progressive(more: int = 0) -> bytes:
    """Return a progressive JPEG whose last pass is made so many times more."""
    data = bytes(cv2.imencode(".jpg", COLOURS, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes())
    last = data[data.rindex(b"\xff\xc4") : -2]
    return data[:-2] + more * last + data[-2:]


def test_a_progressive_jpeg_is_decoded_and_one_of_endless_passes_is_refused() -> None:
    passes = progressive().count(b"\xff\xda")
    assert 2 < passes < 15

    assert decode_picture(progressive()).shape == decode_picture(progressive(MAX_SCANS - passes)).shape == (37, 53, 3)

    for decode in (decode_picture, decode_grey_picture):
        with pytest.raises(PictureError, match="in more than 50 passes, which no camera makes"):
            decode(progressive(MAX_SCANS - passes + 1))


@pytest.mark.parametrize("place", ["before", "behind"])
def test_what_looks_like_passes_beside_the_pixels_counts_for_nothing(place: str) -> None:
    # given notes in the file, or another file behind its end, as phones write them
    notes = b"\xff\xda" * 200
    data = encoded(".jpg")
    segment = b"\xff\xe1" + struct.pack(">H", 2 + len(notes)) + notes

    picture = decode_picture(data[:2] + segment + data[2:] if place == "before" else data + notes)

    assert picture.shape == (37, 53, 3)


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

    assert read_size(lossy) == read_size(cv2_lossy) == read_size(extended) == (53, 37)
    assert read_size(b"GIF89a" + struct.pack("<HH", 53, 37)) == (53, 37)
    assert read_size(b"RIFF\0\0\0\0WEBPxxxx" + bytes(40)) is None


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
        (png(60_000, 60_000), "more than 16 million"),
        (png(4_001, 4_000), "more than 16 million"),
        (png(4_000, 4_000, depth=16), "more than 8 million"),
        (png(80_000, 200), "more than 32000 in one direction"),
        (encoded(".png")[:60], "broken"),
        (bytes(MAX_BYTES + 1), "larger than 64 MB"),
    ],
    ids=range(15),
)
def test_what_is_no_picture_is_refused_in_one_line(data: bytes, fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PictureError, match=fault) as refusal:
        decode_picture(data)

    assert "\n" not in str(refusal.value)
    assert "OpenCV" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "endless",
    [b"\xff\xd8" + b"\xff" * 19_000_000, b"\xff\xd8" + b"\xff\xfe\0\2" * 4_000_000, b"P5 " + b"#\n" * 9_000_000],
    ids=["fill bytes", "empty segments", "comments"],
)
def test_no_more_than_the_beginning_of_a_file_is_searched_for_its_size(endless: bytes) -> None:
    begun = time.process_time()
    assert read_size(endless) is None
    assert time.process_time() - begun < 1


def test_a_photograph_whose_size_comes_after_long_notes_is_read() -> None:
    photograph = encoded(".jpg")
    note = b"\xff\xe1" + struct.pack(">H", 65_533) + bytes(65_531)
    assert 2 * len(note) > MAX_HEADER_BYTES
    assert read_size(photograph[:2] + 2 * note + photograph[2:]) == (53, 37)


LARGEST = """
import sys
from pathlib import Path
from companion.adapters.label_readers import read_picture

def held(kind):
    return int(Path("/proc/self/status").read_text().split(kind + ":")[1].split()[0]) // 1024

first, second = (Path(name).read_bytes() for name in sys.argv[1:])
read_picture("small", first)
before = held("VmRSS")
Path("/proc/self/clear_refs").write_text("5")
assert "error" not in read_picture("large", second)
print(held("VmHWM") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux tells what a process held at most")
@pytest.mark.parametrize("planes", [4, *by_night(1, 3)])
def test_the_largest_picture_takes_at_most_150_megabytes_while_it_is_looked_at(tmp_path: Path, planes: int) -> None:
    # given a picture of sixteen million pixels in a small file
    small, large = tmp_path / "small.png", tmp_path / "large.png"
    small.write_bytes(encoded(".png"))
    large.write_bytes(encoded(".png", np.full((4_000, 4_000, planes), 120, np.uint8)))
    assert large.stat().st_size < 200_000

    # when a process reads it
    command = (sys.executable, "-c", LARGEST, str(small), str(large))
    said = subprocess.run(command, capture_output=True, text=True, check=True)

    # then that is all it took
    assert int(said.stdout) <= MOST_MEGABYTES


@given(
    st.binary(max_size=60), st.sampled_from([b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM", b"P5", b"GIF89a"])
)
def test_garbage_is_a_picture_or_refused(data: bytes, start: bytes) -> None:
    try:
        picture = decode_picture(start + data)
    except PictureError:
        return
    assert picture.size > 0
