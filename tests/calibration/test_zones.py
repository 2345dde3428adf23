"""Named areas of the table."""

import pytest

from calibration.lens import Lens
from calibration.plane import fit_plane
from calibration.zones import ZonedTable, Zones, ZonesError, parse_zones

TWO = """
[[zone]]
name = "tray"
corners_mm = [[0, 0], [100, 0], [100, 100.5], [0, 100.5]]

[[zone]]
name = "hook"
corners_mm = [[200, 0], [300, 0], [300, 100], [250, 100], [250, 50], [200, 50]]
"""


def test_a_point_is_in_the_zone_around_it() -> None:
    zones = parse_zones(TWO)

    assert zones.zone_at(50, 50) == "tray"
    assert zones.zone_at(225, 25) == "hook"
    assert zones.zone_at(225, 75) is None
    assert zones.zone_at(150, 50) is None


def test_a_pixel_is_in_the_zone_under_it() -> None:
    plane = fit_plane([(0, 0), (100, 0), (100, 100), (0, 100)], [(0, 0), (200, 0), (200, 200), (0, 200)])
    table = ZonedTable(plane, parse_zones(TWO))

    assert table.zone_at_pixel(150, 150) == "tray"
    assert table.zone_at_pixel(150, 250) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("zone = [", "Invalid value"),
        ("", "at least one"),
        ("zone = []", "at least one"),
        ("zone = 3", "at least one"),
        ("zone = [3]", "zone 1: needs"),
        ("extra = 1\n" + TWO, "nothing else"),
        ('[[zone]]\nname = "a"', "zone 1: needs"),
        ("[[zone]]\nname = 3\ncorners_mm = []", "name is a word"),
        ('[[zone]]\nname = "a"\ncorners_mm = [[0, 0], [1, 1]]', "three corners"),
        ('[[zone]]\nname = "a"\ncorners_mm = [[0, 0], [1, 1], [2]]', "a corner is"),
        ('[[zone]]\nname = "a"\ncorners_mm = [[0, 0], [1, 1], [2, nan]]', "a corner is"),
        ('[[zone]]\nname = "a"\ncorners_mm = [[0, 0], [1, 1], [2, true]]', "a corner is"),
        (TWO + TWO, "twice"),
    ],
)
def test_a_broken_zone_file_says_where(text: str, fault: str) -> None:
    with pytest.raises(ZonesError, match=fault):
        parse_zones(text)


def test_a_point_of_the_table_is_where_the_lens_shows_it() -> None:
    plane = fit_plane([(0, 0), (400, 0), (400, 300), (0, 300)], [(100, 80), (860, 90), (840, 500), (90, 480)])
    lens = Lens(960, 540, 742.0, 739.0, 487.0, 263.0, (-0.16, 0.05, 0.001, -0.0008, 0.0))

    for table in (ZonedTable(plane, Zones(()), lens), ZonedTable(plane, Zones(()))):
        for x, y in ((10.0, 20.0), (390.0, 280.0), (200.0, 150.0)):
            assert table.to_mm(*table.to_pixel(x, y)) == pytest.approx((x, y), abs=0.01)
