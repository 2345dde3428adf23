"""The mat as data, and found in pictures."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.bounded_toml import MatError
from calibration.lens import make_radial_lens
from calibration.mat import (
    FORGOTTEN_MS,
    LONGEST_STEP_MS,
    SEARCH_EVERY_MS,
    Mat,
    MatTracker,
    draw_mat,
    format_mat,
    parse_mat,
    read_mats,
)
from companion.resources import packaged_path
from companion.simulator.art import PlacedMat
from companion.simulator.optics import SEVERITIES, Optics, sample_optics
from companion.simulator.scene import Scene
from tests.calibration.simulated_lens import TRUE_LENS
from tests.extent import by_night

MATS = read_mats(packaged_path("games", "master_builder", "cards", "mats"))
A2 = MATS["a2"]
LYING = PlacedMat(A2, 220.0, 80.0, 1.5)
Picture = npt.NDArray[np.uint8]

SMALL = """
name = "small"
title = "Small"
width_mm = 200
height_mm = 150
[markers]
side_mm = 20
margin_mm = 5
numbers = [1, 2, 3, 4]
[[zone]]
name = "tray"
corners_mm = [[30, 30], [170, 30], [170, 120], [30, 120]]
"""


def pictured(severity: str, seed: int, lying: PlacedMat = LYING) -> tuple[Picture, Optics]:
    optics = sample_optics(SEVERITIES[severity], np.random.default_rng(seed))
    return Scene(optics, {}, seed, mat=lying).render([]), optics


def misses_mm(tracker: MatTracker, optics: Optics, lying: PlacedMat = LYING) -> float:
    """By how far the middle of a zone is missed, at worst."""
    assert tracker.latest is not None
    worst = 0.0
    for zone in lying.mat.zones.zones:
        middle = np.array(zone.corners_mm).mean(axis=0)
        pixel = optics.plane.to_pixels(*lying.to_table(*middle))
        worst = max(worst, float(np.linalg.norm(np.array(tracker.latest.table.to_mm(*pixel)) - middle)))
        assert tracker.zone_at_pixel(*pixel) == zone.name
    return worst


def test_the_bundled_mats_have_markers_and_zones_of_their_own() -> None:
    numbers = [marker.number for mat in MATS.values() for marker in mat.markers]

    assert set(MATS) == {"a2", "a3", "table"}
    assert len(set(numbers)) == len(numbers), "a mat is known by its markers"
    for mat in MATS.values():
        names = {zone.name for zone in mat.zones.zones}
        assert {"tray", "market", "contracts", "event", "economy"} <= names
        marked = [corner for marker in mat.markers for corner in marker.corners_mm]
        assert all(mat.zones.zone_at(x, y) is None for x, y in marked), "no zone covers a marker"


@pytest.mark.parametrize("severity", ["hard", *by_night("mild", "medium")])
def test_the_mat_is_found_in_one_frame_and_zones_lie_where_they_are(severity: str) -> None:
    for seed in (1, 2):
        picture, optics = pictured(severity, seed)
        tracker = MatTracker(list(MATS.values()))

        detected_mat = tracker.observe(0, picture)

        assert detected_mat is not None
        assert detected_mat.mat is A2
        assert misses_mm(tracker, optics) < 3.0
        assert detected_mat.error_mm < 1.5


def test_without_a_mat_the_whole_picture_is_the_tray() -> None:
    tracker = MatTracker(list(MATS.values()))

    assert tracker.observe(0, np.full((400, 600), 90, np.uint8)) is None
    assert tracker.zone_at_pixel(30, 30) == "tray"


def test_a_bumped_camera_mends_itself_in_the_next_frame() -> None:
    first, _ = pictured("mild", 3)
    tracker = MatTracker([A2])
    tracker.observe(0, first)
    before = tracker.latest
    bumped, optics = pictured("mild", 4, replace(LYING, left_mm=260.0, angle=-2.0))

    tracker.observe(100, bumped)

    assert tracker.latest is not before
    assert misses_mm(tracker, optics, replace(LYING, left_mm=260.0, angle=-2.0)) < 3.0


def test_a_still_camera_keeps_its_plane_to_the_last_digit() -> None:
    picture, _ = pictured("mild", 3)
    tracker = MatTracker([A2])
    detected_mat = tracker.observe(0, picture)

    assert tracker.observe(100, picture) is detected_mat


def test_a_hand_over_the_markers_changes_nothing() -> None:
    picture, optics = pictured("mild", 3)
    tracker = MatTracker([A2])
    detected_mat = tracker.observe(0, picture)
    covered = picture.copy()
    covered[:, : picture.shape[1] // 2] = 80

    assert tracker.observe(100, covered) is detected_mat
    assert tracker.observe(200, np.full_like(picture, 80)) is detected_mat
    assert tracker.observe(300 + SEARCH_EVERY_MS, picture) is detected_mat
    assert misses_mm(tracker, optics) < 3.0


def test_a_mat_that_was_taken_away_is_forgotten_after_a_while_and_found_when_it_is_back() -> None:
    # given a mat in view
    picture, _ = pictured("mild", 3)
    tracker = MatTracker([A2])
    tracker.observe(0, picture)

    # when it is taken away, and nothing moves where its markers were
    bare = np.full_like(picture, 80)
    tracker.observe(100, bare)
    end_ms = 100 + FORGOTTEN_MS
    seen = [tracker.observe(at_ms, bare) for at_ms in range(100 + LONGEST_STEP_MS, end_ms + 1, LONGEST_STEP_MS)]

    # then the whole picture is the tray after a while
    assert seen[-2] is not None
    assert seen[-1] is None
    assert (tracker.zone_at_pixel(5, 5), tracker.located_in) == ("tray", (0, 0))

    # and once it is laid again, it is found
    assert tracker.observe(end_ms + SEARCH_EVERY_MS, picture) is not None


def test_a_mat_over_whose_markers_hands_move_is_not_forgotten() -> None:
    picture, _ = pictured("mild", 3)
    tracker = MatTracker([A2])
    detected_mat = tracker.observe(0, picture)

    for number in range(2 * FORGOTTEN_MS // LONGEST_STEP_MS):
        hands = np.full_like(picture, 60 + 60 * (number % 2))
        assert tracker.observe(number * LONGEST_STEP_MS, hands) is detected_mat


def test_a_mat_that_is_doubted_is_forgotten_unless_it_is_seen() -> None:
    picture, _ = pictured("mild", 3)
    tracker = MatTracker([A2])
    detected_mat = tracker.observe(0, picture)

    tracker.doubt()
    assert tracker.observe(100, picture) is detected_mat

    tracker.doubt()
    assert tracker.observe(200, np.full_like(picture, 80)) is None


def test_a_mat_half_covered_at_first_is_known_better_as_soon_as_it_is_bare() -> None:
    picture, optics = pictured("mild", 3)
    covered = picture.copy()
    covered[:, picture.shape[1] // 2 :] = 80
    tracker = MatTracker([A2])

    half = tracker.observe(0, covered)
    whole = tracker.observe(100, picture)

    assert half is not None
    assert whole is not None
    assert (half.markers, whole.markers) == (2, 4)
    assert misses_mm(tracker, optics) < 3.0


def test_behind_a_known_lens_too_a_mat_half_covered_at_first_is_known_better_when_it_is_bare() -> None:
    # given a mat seen through a lens that bends it, and something over its right half
    lens = make_radial_lens(-0.22, 960, 540)
    mat = parse_mat(SMALL)
    page = np.pad(draw_mat(mat, 3.4), 40, constant_values=120)
    page = np.pad(page, ((0, max(0, 540 - page.shape[0])), (140, 960)), constant_values=120)[:540, :960]
    y, x = np.mgrid[:540, :960].astype(np.float32)
    straight = lens.undistort(np.stack((x, y), axis=-1).reshape(-1, 2)).reshape(540, 960, 2).astype(np.float32)
    picture = np.asarray(
        cv2.remap(page, straight[..., 0], straight[..., 1], cv2.INTER_LINEAR, borderValue=120), np.uint8
    )
    covered = picture.copy()
    covered[:, 480:] = 80
    tracker = MatTracker([mat], lens)

    # when it is bare in the next frame
    half = tracker.observe(0, covered)
    whole = tracker.observe(100, picture)

    # then all of its markers are known
    assert half is not None
    assert whole is not None
    assert (half.markers, whole.markers) == (2, 4)
    assert whole.error_px < 1.0


def test_one_marker_alone_is_no_mat_and_is_not_searched_for_in_every_frame() -> None:
    picture, _ = pictured("mild", 3)
    covered = picture.copy()
    covered[:, picture.shape[1] // 2 :] = 80
    covered[picture.shape[0] // 2 :] = 80
    tracker = MatTracker([A2])

    assert tracker.observe(0, covered) is None
    assert tracker.observe(100, picture) is None, "looked a moment ago"
    assert tracker.observe(SEARCH_EVERY_MS, picture) is not None


def test_markers_in_the_wrong_places_are_no_mat() -> None:
    picture, _ = pictured("mild", 3)
    crossed = Mat(A2.name, A2.title, A2.width_mm, A2.height_mm, A2.markers[::-1], A2.zones)
    swapped = tuple(
        replace(marker, number=other.number)
        for marker, other in zip(A2.markers, (*A2.markers[2:], *A2.markers[:2]), strict=True)
    )

    assert MatTracker([replace(crossed, markers=swapped)]).observe(0, picture) is None


def test_a_small_picture_is_searched_as_it_is() -> None:
    small = parse_mat(SMALL)
    page = np.pad(draw_mat(small, 3.0), 60, constant_values=120)
    tracker = MatTracker([small])

    detected_mat = tracker.observe(0, page)

    assert detected_mat is not None
    assert detected_mat.pixels_a_mm == pytest.approx(3.0, rel=0.01)
    assert tracker.zone_at_pixel(60 + 300, 60 + 200) == "tray"
    assert tracker.zone_at_pixel(60 + 30, 60 + 200) is None


def test_a_known_lens_straightens_what_it_bends() -> None:
    small = parse_mat(SMALL)
    page = np.pad(draw_mat(small, 4.0), 60, constant_values=120)[:540, :960]
    page = np.pad(page, ((0, 540 - page.shape[0]), (0, 960 - page.shape[1])), constant_values=120)
    tracker = MatTracker([small], TRUE_LENS)

    assert tracker.observe(0, page) is not None
    assert tracker.observe(50, page) is tracker.latest
    assert tracker.latest is not None
    assert tracker.latest.lens is TRUE_LENS
    assert tracker.zone_at_pixel(60 + 400, 60 + 300) == "tray"


def test_behind_a_lens_without_an_inverse_no_mat_is_found_and_frames_go_on() -> None:
    picture, _ = pictured("mild", 3)
    height, width = picture.shape[:2]
    lens = replace(make_radial_lens(0.0, width, height), focal_x=1e-300, focal_y=1e-300)
    tracker = MatTracker([A2], lens)

    assert [tracker.observe(at_ms, picture) for at_ms in (0, 100)] == [None, None]


def test_a_lens_says_nothing_of_pictures_of_another_size() -> None:
    small = parse_mat(SMALL)
    page = np.pad(draw_mat(small, 3.0), 60, constant_values=120)

    detected_mat = MatTracker([small], TRUE_LENS).observe(0, page)

    assert detected_mat is not None
    assert detected_mat.lens is None


@pytest.mark.parametrize(
    ("was", "becomes", "fault"),
    [
        ("name =", "name", "line 2"),
        ('title = "Small"', "", "and nothing else"),
        ('name = "small"', 'name = "s/m"', "name is a word"),
        ("width_mm = 200", 'width_mm = "wide"', "width_mm is a number"),
        ("width_mm = 200", "width_mm = -3", "width_mm is a number"),
        ("width_mm = 200", "width_mm = 40", "do not fit"),
        ("[1, 2, 3, 4]", "[1, 2, 3, 3]", "4 different"),
        ("[1, 2, 3, 4]", "[1, 2, 3, 400]", "4 different"),
        ("[1, 2, 3, 4]", "3", "4 different"),
        ("side_mm = 20", "", "markers holds"),
        ("[170, 120]", "[170, 320]", "over the edge"),
        ("[[30, 30], [170, 30], [170, 120], [30, 120]]", "3", "corners_mm"),
    ],
)
def test_a_broken_mat_says_what_is_wrong_in_one_line(was: str, becomes: str, fault: str) -> None:
    with pytest.raises(MatError, match=fault) as error:
        parse_mat(SMALL.replace(was, becomes, 1))
    assert "\n" not in str(error.value)


def test_a_folder_of_mats_names_the_file_that_is_broken(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("name = ")

    with pytest.raises(MatError, match=r"mine\.toml"):
        read_mats(tmp_path)
    assert read_mats(tmp_path / "none") == {}


@pytest.mark.parametrize("name", ["a2", "a3", "table"])
def test_a_mat_that_is_written_down_is_read_as_the_same(name: str) -> None:
    mat = read_mats(packaged_path("games", "master_builder", "cards", "mats"))[name]

    assert parse_mat(format_mat(mat)) == mat


@pytest.mark.parametrize("title", ["Küche 🎲", 'a "b" \\ c', "\x7f\t\n\x85\u2028", "\U0001d49c\U000f0000"])
def test_letters_of_any_kind_survive_being_written_down(title: str) -> None:
    mat = replace(parse_mat(SMALL), title=title)
    zone = replace(mat.zones.zones[0], name=title)
    named = replace(mat, zones=replace(mat.zones, zones=(zone,)))

    assert parse_mat(format_mat(mat)).title == title
    assert parse_mat(format_mat(named)) == named


def test_a_camera_that_is_turned_says_no_zone_until_it_sees_the_mat_again() -> None:
    # given a mat that was found, and a camera that is turned
    picture, _ = pictured("mild", 3)
    tracker = MatTracker([A2])
    tracker.observe(0, picture)
    upright = np.full((picture.shape[1], picture.shape[0], 3), 90, np.uint8)

    # when the mat is not in view, then nothing lies in a zone
    for at_ms in range(100, 3_000, 100):
        tracker.observe(at_ms, upright)
    points = [(x, y) for x in range(0, upright.shape[1], 50) for y in range(0, upright.shape[0], 50)]
    assert {tracker.zone_at_pixel(x, y) for x, y in points} == {None}

    # when it is in view again, then it says the zones
    assert tracker.observe(3_100, np.ascontiguousarray(np.rot90(picture))) is not None
    assert {tracker.zone_at_pixel(x, y) for x, y in points} > {None, "tray"}
