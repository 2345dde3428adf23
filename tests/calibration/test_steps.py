"""Calibrating step by step."""

import numpy as np
import pytest

from calibration.fiducials import Board
from calibration.lens import LensError
from calibration.mat import MatTracker, draw_mat, parse_mat
from calibration.steps import LensCalibration, observe_table
from tests.calibration.simulated_lens import TRUE_LENS, photograph, rotation
from tests.calibration.test_mat import SMALL

BOARD = Board()


def test_each_picture_says_what_it_showed_and_what_is_missing() -> None:
    steps = LensCalibration(BOARD)
    photo = photograph(BOARD, TRUE_LENS, rotation(25, 90), (0.0, 0.0, 420.0))

    nothing = steps.observe(np.full_like(photo, 128))
    first = steps.observe(photo)
    again = steps.observe(photo)

    assert (nothing.corners, nothing.taken, nothing.coverage.views) == (0, False, 0)
    assert (first.corners, first.taken, first.coverage.views) == (24, True, 1)
    assert (again.taken, again.coverage.views) == (False, 1)
    with pytest.raises(LensError, match="6 or more"):
        steps.fit()


def test_pictures_of_two_sizes_are_not_mixed() -> None:
    steps = LensCalibration(BOARD)
    steps.observe(np.full((100, 200), 128, np.uint8))

    with pytest.raises(LensError, match="differ in size"):
        steps.observe(np.full((200, 100), 128, np.uint8))


def test_of_a_table_the_hidden_markers_are_named() -> None:
    small = parse_mat(SMALL)
    page = np.pad(draw_mat(small, 3.0), 60, constant_values=120)
    page[: page.shape[0] // 2, : page.shape[1] // 2] = 120

    step = observe_table(MatTracker([small]), 0, page, [])
    bare = observe_table(MatTracker([small]), 0, np.full((300, 300), 120, np.uint8), [])

    assert step.mat is not None
    assert step.hidden == ("top left",)
    assert (bare.mat, bare.hidden) == (None, ())
