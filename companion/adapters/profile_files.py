"""The profiles of cameras as files: what ``companion calibrate`` found out."""

import os
from pathlib import Path

from calibration.errors import ProfileError
from calibration.profile import Profile, file_name_of, parse_profile, profile_text


def kept_profile(folder: Path, camera: str) -> Profile | None:
    """Read what is known of a camera; None when it was never calibrated.

    Raises ``ProfileError`` (one line that names the file) or ``OSError``.
    """
    path = folder / file_name_of(camera)
    if not path.exists():
        return None
    try:
        return parse_profile(path.read_text(encoding="utf-8"))
    except ValueError as fault:
        message = f"{path}: {fault if isinstance(fault, ProfileError) else 'no text; calibrate this camera again'}"
        raise ProfileError(message) from fault


def keep_profile(folder: Path, profile: Profile) -> Path:
    """Write a profile beside and rename it into place; give the file.  ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name_of(profile.camera)
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(profile_text(profile))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return path


class ProfileFolder:
    """The profiles in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which need not be there yet."""
        self._folder = folder

    def kept(self, camera: str) -> Profile | None:
        """Read what is known of a camera; ``ProfileError`` or ``OSError``."""
        return kept_profile(self._folder, camera)

    def keep(self, profile: Profile) -> None:
        """Write what is known of a camera; ``OSError``."""
        keep_profile(self._folder, profile)
