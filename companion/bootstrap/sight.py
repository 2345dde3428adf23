"""What the camera needs to know of the table: the mats that there are, and the profiles of cameras."""

from pathlib import Path

from calibration.mat import Mat, mats_in
from calibration.mat_sight import MatSight
from companion.adapters.profile_files import kept_profile
from companion.config import DataFolder
from companion.resources import calibration_folder


def known_mats(folder: Path | None = None) -> dict[str, Mat]:
    """Give the bundled mats and those of an installation by name; its own one counts.  ``MatError``."""
    own = {} if folder is None else mats_in(folder)
    return {**mats_in(calibration_folder() / "mats"), **own}


def mat_sight(folder: DataFolder, camera: str) -> MatSight:
    """Give what finds the mat in this camera's pictures.  ``MatError``, ``ProfileError`` or ``OSError``."""
    profile = kept_profile(folder.profiles, camera)
    lens = None if profile is None or profile.lens is None else profile.lens.lens
    return MatSight(list(known_mats(folder.mats).values()), lens)
