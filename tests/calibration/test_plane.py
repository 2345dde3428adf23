"""Millimetres to pixels and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.plane import PlaneError, fit_plane, plane_from_matrix

TABLE = [(0.0, 0.0), (1000.0, 0.0), (1000.0, 560.0), (0.0, 560.0)]
PICTURE = [(90.0, 50.0), (1800.0, 20.0), (1900.0, 1010.0), (20.0, 1060.0)]


def test_known_points_come_out_where_they_were_seen() -> None:
    plane = fit_plane(TABLE, PICTURE)

    for on_table, in_picture in zip(TABLE, PICTURE, strict=True):
        assert plane.to_pixels(*on_table) == pytest.approx(in_picture, abs=1e-6)


@given(x=st.floats(0, 1000), y=st.floats(0, 560))
def test_there_and_back_is_the_same_place(x: float, y: float) -> None:
    plane = fit_plane(TABLE, PICTURE)

    assert plane.to_mm(*plane.to_pixels(x, y)) == pytest.approx((x, y), abs=1e-5)


def test_more_points_average_their_errors() -> None:
    true = fit_plane(TABLE, PICTURE)
    random = np.random.default_rng(1)
    table = [(float(x), float(y)) for x in range(0, 1001, 100) for y in range(0, 561, 80)]
    seen = [tuple(np.array(true.to_pixels(*point)) + random.normal(0, 0.5, 2)) for point in table]

    plane = fit_plane(table, seen)

    assert plane.to_pixels(430, 210) == pytest.approx(true.to_pixels(430, 210), abs=0.4)


@pytest.mark.parametrize(
    ("table", "picture"),
    [
        (TABLE[:3], PICTURE[:3]),
        (TABLE, PICTURE[:3]),
        ([(0, 0), (1, 1), (2, 2), (3, 3)], PICTURE),
        ([(0, 0)] * 4, [(0, 0)] * 4),
        (TABLE, [(0, 0), (1, 1), (2, 2), (3, 3)]),
    ],
)
def test_points_that_determine_no_plane_are_refused(
    table: list[tuple[float, float]], picture: list[tuple[float, float]]
) -> None:
    with pytest.raises(PlaneError):
        fit_plane(table, picture)


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.eye(2), np.full((3, 3), np.nan), np.ones((3, 3))])
def test_a_matrix_that_is_no_plane_is_refused(matrix: np.ndarray) -> None:
    with pytest.raises(PlaneError):
        plane_from_matrix(matrix)
