"""Small files of the data folder that calibration makes: printer corrections and camera profiles.

Apart from the other stores, because they load OpenCV.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from calibration.bounded_toml import ProfileError, parse_toml
from calibration.papers import PAPERS
from calibration.printer_sheet import SIDES, PrinterOffset
from calibration.profile import Profile, format_profile, parse_profile, profile_file_name
from companion.adapters.stores import FileStore, read_small_text, write_atomically

_PRINTER_FIGURES = ("right", "down", "across", "along")


def printer_store(path: Path) -> FileStore[Mapping[str, PrinterOffset]]:
    """Return the store of the printer's measured errors by side (TOML); unusable ones count as not measured."""
    return FileStore(path, {}, _parse_printer, _printer_toml)


def _printer_toml(sides: Mapping[str, PrinterOffset]) -> str:
    tables = {
        side: {
            "paper": printed.paper,
            **{name: round(float(getattr(printed, name)), 5) for name in _PRINTER_FIGURES},
        }
        for side, printed in sides.items()
    }
    return tomli_w.dumps(tables)


def _parse_printer(text: str) -> Mapping[str, PrinterOffset]:
    data = parse_toml(text)
    measured = {side: _printed(side, data.get(side)) for side in SIDES}
    return {side: printed for side, printed in measured.items() if printed is not None}


def _printed(side: str, table: Any) -> PrinterOffset | None:
    if not isinstance(table, dict) or table.get("paper") not in PAPERS:
        return None
    figures = [table.get(name) for name in _PRINTER_FIGURES]
    if not all(isinstance(figure, int | float) and math.isfinite(figure) for figure in figures):
        return None
    right, down, across, along = (float(figure) for figure in figures if figure is not None)
    return PrinterOffset(str(table["paper"]), side, right, down, across, along) if min(across, along) > 0 else None


# Profiles of cameras, as files.


def load_profile(folder: Path, camera: str) -> Profile | None:
    """Return a camera's profile, as ``companion calibrate`` stored it; ``None`` before it was calibrated.

    Raises:
        ProfileError: when the file cannot be used; one line that names it.
        OSError: when it cannot be read.

    """
    path = folder / profile_file_name(camera)
    if not path.exists():
        return None
    try:
        return parse_profile(read_small_text(path))
    except ValueError as fault:
        message = f"{path}: {fault if isinstance(fault, ProfileError) else 'no text; calibrate this camera again'}"
        raise ProfileError(message) from fault


def save_profile(folder: Path, profile: Profile) -> Path:
    """Write a profile and return its file; raise ``OSError`` where the disk refuses."""
    path = folder / profile_file_name(profile.camera)
    write_atomically(path, format_profile(profile).encode())
    return path


class ProfileFolder:
    """The profiles of all cameras in one folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        """Store the folder."""
        self._folder = folder

    def load(self, camera: str) -> Profile | None:
        """Return a camera's profile; raise ``ProfileError`` or ``OSError``."""
        return load_profile(self._folder, camera)

    def save(self, profile: Profile) -> None:
        """Write a profile; raise ``OSError``."""
        save_profile(self._folder, profile)
