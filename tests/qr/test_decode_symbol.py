"""Codes that no reader reads are made out module by module: on bottles, in folds, torn, too small, by the dozen."""

import numpy as np
import pytest

from benchmarks.reading.any_codes import pictures
from companion.qr.decode import decode_symbol
from companion.qr.finder_patterns import detect_finder_patterns, group_finder_patterns
from companion.qr.reader import decode_remaining, read_qr_codes
from companion.qr.sighting import GreyPicture
from companion.qr.spec import build_layout
from companion.qr.zxing import detect_with_zxing
from tests.extent import of_all
from tests.qr.conftest import Symbol

FIRST = 500
"""Numbers of pictures on which nothing was tried while the reader was made."""
TEXT = "HTTPS://EXAMPLE.ORG/TABLE/7"


@pytest.mark.parametrize(
    ("kind", "at_least"),
    [
        ("damaged", of_all(2, 7)),
        *(
            pytest.param(*case, marks=pytest.mark.nightly)
            for case in (("no quiet zone", 9), ("curved", 4), ("folded", 5), ("small", 6))
        ),
    ],
)
def test_codes_are_read_that_other_readers_leave_and_nothing_else(kind: str, at_least: int) -> None:
    alone = ours = 0
    for grey, texts in pictures(kind, of_all(3, 10), FIRST):
        # when a picture is read
        read_texts = {seen.text for seen in read_qr_codes(grey)}

        # then what is told is there
        assert read_texts <= texts
        alone += {seen.text for seen in detect_with_zxing(grey).decoded} == texts
        ours += read_texts == texts
    assert ours >= at_least
    assert ours >= alone


@pytest.mark.nightly
def test_a_sheet_of_48_codes_is_read_nearly_whole() -> None:
    ((grey, texts),) = pictures("many", 1, FIRST)

    read_texts = [seen.text for seen in read_qr_codes(grey)]

    assert set(read_texts) <= texts
    assert len(read_texts) == len(set(read_texts))
    assert len(read_texts) >= 38


def test_finder_patterns_are_found_and_grouped_however_a_code_is_turned(symbol: Symbol) -> None:
    for degrees in range(0, 360, 25):
        picture, corners = symbol(TEXT, degrees, version=4, module=8)

        candidates = group_finder_patterns(detect_finder_patterns(picture))

        (quad,) = candidates.complete
        assert candidates.partial == ()
        assert np.linalg.norm(quad[[0, 1, 3]] - np.array(corners)[[0, 1, 3]], axis=1).max() < 4


def test_a_code_without_one_of_its_finder_patterns_is_read(symbol: Symbol) -> None:
    for corner in (0, 1, 3):
        picture, corners = symbol(TEXT, 20, version=4, module=8)
        middle = np.array(corners).mean(axis=0)
        x, y = np.rint(0.75 * np.array(corners[corner]) + 0.25 * middle).astype(int)
        picture[y - 30 : y + 30, x - 30 : x + 30] = 255

        assert detect_with_zxing(picture).decoded == ()
        assert [seen.text for seen in decode_remaining(picture, (), ())] == [TEXT]


def noisy(random: np.random.Generator) -> GreyPicture:
    return random.integers(0, 256, (240, 320)).astype(np.uint8)


def blocks_of_noise(random: np.random.Generator) -> GreyPicture:
    return np.kron(random.integers(0, 2, (40, 50)), np.full((6, 6), 255)).astype(np.uint8)


def test_nothing_is_made_out_of_noise_or_of_nothing() -> None:
    random = np.random.default_rng(3)
    for _ in range(6):
        for grey in (noisy(random), blocks_of_noise(random), np.full((200, 200), 128, np.uint8)):
            assert decode_remaining(grey, (), ()) == ()
            corners = tuple((float(x), float(y)) for x, y in random.uniform(0, 200, (4, 2)))
            assert decode_symbol(grey, (corners[0], corners[1], corners[2], corners[3])) is None


@pytest.mark.nightly
def test_a_symbol_whose_modules_say_nothing_is_not_read(symbol: Symbol) -> None:
    """All that is fixed is there, and format and finder patterns too; but the rest is chance."""
    random = np.random.default_rng(8)
    for _ in range(8):
        picture, corners = symbol(TEXT, 0, version=4, module=8)
        left, top = np.rint(corners[0]).astype(int)
        for row, column in build_layout(4).data * 8:
            picture[top + row : top + row + 8, left + column : left + column + 8] = 255 * random.integers(0, 2)
        place = tuple((float(x), float(y)) for x, y in corners)
        assert decode_remaining(picture, [(place[0], place[1], place[2], place[3])], ()) == ()


def test_a_place_without_extent_holds_nothing(symbol: Symbol) -> None:
    picture, _ = symbol(TEXT, 0, version=4, module=8)

    for place in (((5.0, 5.0),) * 4, ((0.0, 0.0), (90.0, 0.0), (180.0, 0.0), (270.0, 0.0))):
        assert decode_symbol(picture, place) is None
