"""Profiles on disk."""

from pathlib import Path

import pytest

from calibration.bounded_toml import ProfileError
from calibration.profile import Profile
from companion.adapters.calibration_stores import load_profile, save_profile


def test_a_kept_profile_is_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    assert load_profile(folder, "usb:0") is None

    path = save_profile(folder, Profile("usb:0"))

    assert load_profile(folder, "usb:0") == Profile("usb:0")
    assert [file.name for file in folder.iterdir()] == [path.name]


@pytest.mark.parametrize("content", [b"camera = ", b"\xff\xfe"])
def test_a_corrupt_profile_is_one_line_that_names_the_file(tmp_path: Path, content: bytes) -> None:
    path = save_profile(tmp_path, Profile("usb:0"))
    path.write_bytes(content)

    with pytest.raises(ProfileError, match=path.name) as raised:
        load_profile(tmp_path, "usb:0")

    assert "calibrate this camera again" in str(raised.value)
    assert "\n" not in str(raised.value)
