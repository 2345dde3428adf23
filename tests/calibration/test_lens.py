"""A lens that is known is found again from pictures of the board."""

import dataclasses

import numpy as np
import numpy.typing as npt
import pytest

from calibration.fiducials import (
    Board,
    BoardView,
    detect_board,
    find_markers,
    marker_modules,
    to_int_list,
    to_pixel_array,
)
from calibration.lens import LensError, fit_lens, is_new, measure_coverage
from tests.calibration.simulated_lens import TRUE_LENS, album

BOARD = Board()


@pytest.fixture(scope="module")
def pictures() -> list[npt.NDArray[np.uint8]]:
    return album(BOARD)


@pytest.fixture(scope="module")
def views(pictures: list[npt.NDArray[np.uint8]]) -> list[BoardView]:
    seen = [detect_board(picture, BOARD) for picture in pictures]
    return [view for view in seen if view is not None]


def test_the_lens_of_a_known_camera_is_recovered_within_one_percent(views: list[BoardView]) -> None:
    assert len(views) == 12

    fit = fit_lens(views, TRUE_LENS.width, TRUE_LENS.height)

    lens = fit.lens
    assert lens.focal_x == pytest.approx(TRUE_LENS.focal_x, rel=0.01)
    assert lens.focal_y == pytest.approx(TRUE_LENS.focal_y, rel=0.01)
    assert lens.centre_x == pytest.approx(TRUE_LENS.centre_x, rel=0.01)
    assert lens.centre_y == pytest.approx(TRUE_LENS.centre_y, rel=0.01)
    edge = np.array([(30.0, 30.0), (930.0, 30.0), (30.0, 510.0), (930.0, 510.0), (480.0, 20.0)])
    moved = TRUE_LENS.undistort(edge) - edge
    apart = np.abs(lens.undistort(edge) - TRUE_LENS.undistort(edge)).max()
    assert np.abs(moved).max() > 15, "a lens that bends nothing would be no test"
    assert apart < 0.01 * TRUE_LENS.width / 2
    assert 0.0 < fit.error_px < 0.5
    assert fit.error_mm == pytest.approx(fit.error_px * 440 / 740, rel=0.15)
    assert fit.views == 12


def test_a_lens_that_bends_nothing_leaves_points_where_they_are() -> None:
    lens = dataclasses.replace(TRUE_LENS, distortion=(0.0,) * 5)

    assert lens.undistort_point(17.0, 400.0) == pytest.approx((17.0, 400.0), abs=1e-6)


def test_too_few_pictures_say_how_many_are_needed(views: list[BoardView]) -> None:
    with pytest.raises(LensError, match="6 or more"):
        fit_lens(views[:3], TRUE_LENS.width, TRUE_LENS.height)


def test_a_board_that_was_never_tilted_determines_no_lens(views: list[BoardView]) -> None:
    places = views[0].on_board
    flat = [BoardView(places, places * 2 + (100 + 20 * shift, 50)) for shift in range(8)]

    with pytest.raises(LensError, match="tilt it"):
        fit_lens(flat, TRUE_LENS.width, TRUE_LENS.height)


def test_pictures_that_contradict_each_other_determine_no_lens(views: list[BoardView]) -> None:
    random = np.random.default_rng(5)
    blurred = [
        BoardView(view.on_board, view.in_picture + random.normal(0, 12, view.in_picture.shape)) for view in views
    ]

    with pytest.raises(LensError, match="contradict"):
        fit_lens(blurred[:6], TRUE_LENS.width, TRUE_LENS.height)


def test_what_is_no_board_is_not_seen() -> None:
    assert detect_board(np.full((200, 300), 255, np.uint8), BOARD) is None
    assert find_markers(np.full((200, 300), 255, np.uint8)) == {}


def test_a_strip_of_the_board_is_not_enough(pictures: list[npt.NDArray[np.uint8]]) -> None:
    hidden = pictures[8].copy()
    hidden[:, :620] = 128

    assert detect_board(hidden, BOARD) is None


def test_coverage_says_what_is_missing_until_nothing_is(views: list[BoardView]) -> None:
    none = measure_coverage([], TRUE_LENS.width, TRUE_LENS.height)
    some = measure_coverage(views[:2], TRUE_LENS.width, TRUE_LENS.height)
    all_of_them = measure_coverage(views, TRUE_LENS.width, TRUE_LENS.height)

    assert len(none.parts_missing) == 9
    assert (some.views_missing, some.is_enough) == (8, False)
    assert some.tilted_missing < none.tilted_missing
    assert all_of_them.is_enough, all_of_them


def test_the_board_held_still_is_one_picture_only(views: list[BoardView]) -> None:
    assert is_new(views[0], [], TRUE_LENS.width)
    assert not is_new(views[0], views, TRUE_LENS.width)
    assert is_new(views[0], views[1:], TRUE_LENS.width)


def test_both_shapes_in_which_opencv_gives_its_finds_are_taken() -> None:
    ids = [4, 7]
    places = [(1.0, 2.0), (3.0, 4.0)]

    for shaped in (np.array(ids), np.array(ids).reshape(-1, 1)):
        assert to_int_list(shaped) == ids
    for layout in ((2, 2), (2, 1, 2), (1, 2, 2)):
        assert to_pixel_array(np.array(places).reshape(layout)).tolist() == [[1.5, 2.5], [3.5, 4.5]]
    assert to_int_list(None) == []
    assert to_pixel_array(None).shape == (0, 2)


def test_the_board_as_boxes_is_the_board_as_opencv_draws_it() -> None:
    board = Board(4, 3, 36.0, 28.0)
    drawn = board.draw(1.0)
    boxes = np.full_like(drawn, 255)

    for left, top, width, height in board.black_boxes_mm():
        boxes[round(top) : round(top + height), round(left) : round(left + width)] = 0

    assert np.array_equal(boxes > 127, drawn > 127)


def test_a_marker_lies_where_it_was_drawn() -> None:
    page = np.full((300, 400), 255, np.uint8)
    page[100:170, 200:270] = np.kron(~marker_modules(61), np.ones((10, 10))).astype(np.uint8) * 255

    markers = find_markers(page)

    assert list(markers) == [61]
    assert np.abs(markers[61] - [(200, 100), (270, 100), (270, 170), (200, 170)]).max() < 0.6


def test_a_marker_seen_twice_is_none_of_ours() -> None:
    page = np.full((300, 400), 255, np.uint8)
    for left in (50, 250):
        page[100:170, left : left + 70] = np.kron(~marker_modules(61), np.ones((10, 10))).astype(np.uint8) * 255

    assert find_markers(page) == {}


def test_a_board_of_another_size_says_its_corners() -> None:
    assert Board(5, 4).corners == 12
