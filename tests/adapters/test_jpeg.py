"""Pictures of the table for screens."""

import cv2
import numpy as np
import pytest

from companion.adapters.pictures import encode_jpeg
from companion.qr.sighting import Corners, Sighting
from companion.vision.label.label import MIN_HALF_SIDE, crop_around


@pytest.mark.parametrize("shape", [(40, 60), (40, 60, 3)])
def test_grey_and_coloured_pictures_become_jpeg(shape: tuple[int, ...]) -> None:
    decoded = cv2.imdecode(np.frombuffer(encode_jpeg(np.full(shape, 90, np.uint8)), np.uint8), cv2.IMREAD_UNCHANGED)

    assert decoded is not None
    assert decoded.shape == shape
    assert abs(int(decoded.mean()) - 90) <= 1


def test_a_part_of_a_picture_becomes_jpeg() -> None:
    wide = np.zeros((100, 200, 3), np.uint8)

    assert encode_jpeg(wide[10:50, 20:90]).startswith(b"\xff\xd8\xff")


@pytest.mark.parametrize("shape", [(0, 60, 3), (4, 70_000)])
def test_what_makes_no_jpeg_is_an_error(shape: tuple[int, ...]) -> None:
    with pytest.raises((ValueError, cv2.error)):
        encode_jpeg(np.zeros(shape, np.uint8))


def square(x: float, y: float, side: float) -> Sighting:
    corners: Corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return Sighting("MB1W07", corners)


@pytest.mark.parametrize("shape", [(200, 300), (200, 300, 3)])
def test_a_crop_is_a_square_around_the_symbol(shape: tuple[int, ...]) -> None:
    crop = crop_around(np.zeros(shape, np.uint8), square(100, 80, 40))

    assert crop.shape == (96, 96, *shape[2:])


@pytest.mark.parametrize("place", [(-20, -20), (290, 190), (-500, 90), (900, 900), (140, -3)])
def test_at_the_border_a_crop_ends_with_the_picture_and_is_never_empty(place: tuple[int, int]) -> None:
    crop = crop_around(np.zeros((200, 300, 3), np.uint8), square(*place, 40))

    assert crop.size > 0
    assert encode_jpeg(crop)


def test_of_a_tiny_symbol_enough_is_kept_to_see_something() -> None:
    assert crop_around(np.zeros((200, 300), np.uint8), square(150, 100, 3)).shape == (
        2 * MIN_HALF_SIDE,
        2 * MIN_HALF_SIDE,
    )
