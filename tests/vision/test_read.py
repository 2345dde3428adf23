"""Reading codes in pictures."""

import cv2
import numpy as np
import pytest

from companion.qr import zbar
from companion.qr.sighting import Sighting, remove_duplicates
from companion.qr.zbar import decode_with_zbar, zbar_is_available
from companion.vision.label.tag import Deck
from companion.vision.read import filter_deck, read_codes, to_grey
from tests.vision.conftest import Symbol

needs_zbar = pytest.mark.skipif(not zbar_is_available(), reason="libzbar is not installed")


@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_corners_run_clockwise_from_the_symbols_own_top_left(symbol: Symbol, degrees: int) -> None:
    picture, corners = symbol("MB1W07", degrees)

    (seen,) = read_codes(picture)

    assert seen.text == "MB1W07"
    assert np.abs(np.array(seen.corners) - corners).max() < 2.5


@needs_zbar
@pytest.mark.parametrize("version", [1, 2, 7])
@pytest.mark.parametrize("degrees", range(0, 360, 45))
def test_corners_by_zbar_start_there_too(symbol: Symbol, degrees: int, version: int) -> None:
    picture, corners = symbol("MB1W07", degrees, version)

    (seen,) = decode_with_zbar(picture)

    assert seen.text == "MB1W07"
    assert np.abs(np.array(seen.corners) - corners).max() < 5


@needs_zbar
def test_zbar_is_not_believed_beyond_ascii(symbol: Symbol) -> None:
    picture, _ = symbol("größer", version=3)

    assert decode_with_zbar(picture) == ()


def test_a_machine_without_zbar_reads_on(symbol: Symbol, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zbar, "_zbar", lambda: None)
    picture, _ = symbol("MB1W07")

    assert not zbar_is_available()
    assert decode_with_zbar(picture) == ()
    assert [seen.text for seen in read_codes(picture)] == ["MB1W07"]
    assert read_codes(np.full((300, 300), 255, np.uint8)) == ()


def test_a_library_that_does_not_load_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyzbar", None)
    zbar._zbar.cache_clear()
    try:
        assert not zbar_is_available()
    finally:
        zbar._zbar.cache_clear()


def test_modules_below_two_pixels_are_read(symbol: Symbol) -> None:
    picture, corners = symbol("MB1W07", 20, module=8)
    small = np.asarray(cv2.resize(picture, None, fx=0.22, fy=0.22, interpolation=cv2.INTER_AREA), np.uint8)

    (seen,) = read_codes(small, "frame")

    assert np.abs(np.array(seen.corners) - corners * 0.22).max() < 1.5


def test_a_dim_picture_with_glare_is_read_in_another_rendering(symbol: Symbol) -> None:
    picture, _ = symbol("MB1W07", 10, module=4)
    x = np.linspace(0, 1, picture.shape[1])
    glaring = np.clip(picture * 0.12 + 215 + 25 * x, 0, 255).astype(np.uint8)

    assert [seen.text for seen in read_codes(glaring)] == ["MB1W07"]


def test_a_foreign_code_does_not_end_the_search_for_the_decks_labels(symbol: Symbol) -> None:
    foreign, _ = symbol("XY1W07", module=4)
    label, _ = symbol("MB1W07", 10, module=4)
    dim = np.clip(label * 0.12 + 215 + 25 * np.linspace(0, 1, label.shape[1]), 0, 255).astype(np.uint8)
    both = np.hstack([foreign, dim])

    assert [seen.text for seen in read_codes(both, deck=Deck("MB", frozenset({"W07"})))] == ["MB1W07"]


def test_several_codes_in_one_picture_are_all_read_once(symbol: Symbol) -> None:
    rows = [np.hstack([symbol(f"MB1W{10 * row + column:02}")[0] for column in range(4)]) for row in range(3)]

    seen = read_codes(np.vstack(rows))

    assert sorted(sighting.text for sighting in seen) == sorted(
        f"MB1W{10 * row + column:02}" for row in range(3) for column in range(4)
    )


@pytest.mark.parametrize("shape", [(1, 1), (1, 100), (5, 5), (10, 4000), (11, 11)])
def test_pictures_too_small_for_a_code_show_none(shape: tuple[int, int]) -> None:
    assert read_codes(np.zeros(shape, np.uint8)) == ()


def test_a_colour_picture_has_a_grey_plane() -> None:
    assert to_grey(np.full((4, 6, 3), 255, np.uint8)).tolist() == [[255] * 6] * 4
    assert to_grey(np.full((4, 6), 7, np.uint8)).tolist() == [[7] * 6] * 4


@pytest.mark.parametrize("array", [np.zeros((4, 4), np.float32), np.zeros((4, 4, 4), np.uint8), np.zeros(4, np.uint8)])
def test_what_is_no_picture_is_refused(array: np.ndarray) -> None:
    with pytest.raises(ValueError, match="not a picture"):
        to_grey(array)


def test_only_labels_of_the_deck_are_kept() -> None:
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    seen = tuple(Sighting(text, corners) for text in ("MB1W07", "MB2W07", "MB1W99", "https://example.org"))

    kept = filter_deck(seen, Deck("MB", frozenset({"W07"})))

    assert [sighting.text for sighting in kept] == ["MB1W07", "MB2W07"]


def test_the_same_place_counts_once_and_a_code_inside_a_code_is_its_own() -> None:
    def square(text: str, left: float, side: float) -> Sighting:
        right = left + side
        return Sighting(text, ((left, left), (right, left), (right, right), (left, right)))

    first, again, inner, neighbour = square("A", 0, 90), square("B", 2, 88), square("C", 35, 20), square("A", 100, 90)

    assert remove_duplicates((first, again, inner, neighbour)) == (first, inner, neighbour)
