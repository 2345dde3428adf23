"""Outlines as SVG writes them become the points that they go through."""

from math import hypot

import pytest

from companion.game_api.outlines import trace


@pytest.mark.parametrize(
    ("path", "points"),
    [
        ("M1 2L3 4H5V6", [(1, 2), (3, 4), (5, 4), (5, 6)]),
        ("m1 2 2 2h2v2", [(1, 2), (3, 4), (5, 4), (5, 6)]),
        ("M10-5l-2.5.5", [(10, -5), (7.5, -4.5)]),
    ],
)
def test_straight_lines_go_where_they_say(path: str, points: list[tuple[float, float]]) -> None:
    (line,) = trace(path)
    assert (line.points, line.closed) == (points, False)


def test_a_closed_line_is_followed_by_the_next_from_its_first_point() -> None:
    first, second, third = trace("M1 1h4v4zl2 2M9 9h1z")
    assert (first.points, first.closed) == ([(1, 1), (5, 1), (5, 5)], True)
    assert second.points == [(1, 1), (3, 3)]
    assert third.points == [(9, 9), (10, 9)]


@pytest.mark.parametrize(
    ("path", "middle"),
    [("M0 0q10 20 20 0", (10, 10)), ("M0 0c0 20 20 20 20 0", (10, 15)), ("M0 0C0 20 20 20 20 0", (10, 15))],
)
def test_curves_go_through_their_middle_to_their_end(path: str, middle: tuple[float, float]) -> None:
    (line,) = trace(path)
    assert line.points[len(line.points) // 2] == pytest.approx(middle)
    assert line.points[-1] == (20, 0)


def test_a_smooth_curve_goes_on_as_the_one_before_came() -> None:
    (quadratic,) = trace("M0 0q10 20 20 0t20 0")
    assert quadratic.points[18] == pytest.approx((30, -10))
    (cubic,) = trace("M0 0c0 20 20 20 20 0s20-20 20 0")
    assert cubic.points[18] == pytest.approx((30, -15))
    (alone,) = trace("M0 0t20 0")
    assert all(y == 0 for _, y in alone.points)


@pytest.mark.parametrize(("large", "clockwise"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_an_arc_keeps_its_radius_and_its_side(large: int, clockwise: int) -> None:
    """A quarter or three quarters of a circle from (10, 0) to (0, 10)."""
    (line,) = trace(f"M10 0A10 10 0 {large} {clockwise} 0 10")

    centre = (0, 0) if large != clockwise else (10, 10)
    assert all(hypot(x - centre[0], y - centre[1]) == pytest.approx(10) for x, y in line.points)
    beyond = max(hypot(x - 5, y - 5) for x, y in line.points)
    assert (beyond > 10) == bool(large)


def test_an_arc_too_small_for_its_ends_is_half_a_circle() -> None:
    (line,) = trace("M0 0a1 1 0 0 1 20 0")
    assert min(y for _, y in line.points) == pytest.approx(-10)


@pytest.mark.parametrize("path", ["L1 1", "M1", "M1 1 x", "M1 1 K2 2", "1 1", "M0 0zz 4", "M0 0 L a"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        trace(path)
