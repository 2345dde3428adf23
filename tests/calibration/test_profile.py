"""Profiles of cameras as files."""

import pytest

from calibration.bounded_toml import ProfileError
from calibration.lens import LensFit
from calibration.plane import Plane
from calibration.profile import CalibratedMat, Profile, format_profile, parse_profile, profile_file_name
from tests.calibration.simulated_lens import TRUE_LENS

FULL = Profile(
    'http://cam/"live"\x01',
    LensFit(TRUE_LENS, 0.21, 0.1, 12),
    CalibratedMat("a2", Plane((1.85, 0.0, 10.0, 0.0, 1.85, 20.0, 0.0, 0.0, 1.0)), 0.3, 0.2),
)


@pytest.mark.parametrize(
    "profile",
    [FULL, Profile("usb:0"), Profile("usb:0", FULL.lens), Profile("sim", None, FULL.mat), Profile("/🎲\U000f0000\x7f")],
)
def test_a_profile_comes_back_as_it_was(profile: Profile) -> None:
    assert parse_profile(format_profile(profile)) == profile


def test_each_camera_has_a_file_of_its_own() -> None:
    assert profile_file_name("usb:0").startswith("usb-0-")
    assert profile_file_name("usb:0") != profile_file_name("usb-0")
    assert profile_file_name("...").startswith("camera-")
    assert "/" not in profile_file_name("../../etc/passwd")


@pytest.mark.parametrize(
    ("was", "becomes", "fault"),
    [
        ("camera =", "camera", "no TOML"),
        ("camera =", "cam =", "a profile holds"),
        ("[lens]", "[lenses]", "a profile holds"),
        ("views = 12", "", "lens holds"),
        ("views = 12", "views = 0", "views is a whole number"),
        ("width_px = 960", "width_px = 960.5", "width_px is a whole number"),
        ("focal_x_px = 742.0", "focal_x_px = nan", "focal_x_px is a number"),
        ("focal_x_px = 742.0", "focal_x_px = true", "focal_x_px is a number"),
        ("focal_x_px = 742.0", "focal_x_px = 0.0", "a focal length is 48 to 96000 pixels, not 0 and"),
        ("focal_y_px = 739.0", "focal_y_px = 1e-300", "a focal length is 48 to 96000 pixels"),
        ("focal_x_px = 742.0", "focal_x_px = -742.0", "a focal length is 48 to 96000 pixels"),
        (", 0.0]  # k1", "]  # k1", "distortion lists 5"),
        ('name = "a2"', "name = 2", "name is a text"),
        ("[1.85, 0.0,", "[1.85,", "millimetres_to_pixels lists 9"),
    ],
)
def test_a_corrupt_profile_is_one_line_with_the_mend(was: str, becomes: str, fault: str) -> None:
    with pytest.raises(ProfileError, match=fault) as error:
        parse_profile(format_profile(FULL).replace(was, becomes, 1))

    assert "\n" not in str(error.value)
    assert "calibrate" in str(error.value)


def test_a_lens_that_is_no_table_is_told() -> None:
    with pytest.raises(ProfileError, match="lens holds"):
        parse_profile('camera = "usb:0"\nlens = 3\n')
