"""The settings of an installation: the PIN, and the key that signs logins.  Made up once and kept."""

import json
import math
import os
import re
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tomli_w

from calibration.mat import PAPERS, ProfileError
from calibration.printer_sheet import SIDES, Printed
from calibration.profile import Profile, file_name_of, parse_profile, profile_text
from companion.service.access.guests import Guest, GuestList
from companion.service.access.preferences import LAYINGS, Chosen

PIN_DIGITS = 6
"""Of one that is made up; people may choose shorter and longer ones."""
SECRET_BYTES = 32
A_PIN = re.compile(r"[0-9]{4,12}")
A_SECRET = re.compile(r"[0-9a-f]{32,}")


class SettingsError(Exception):
    """The file cannot be used; the message is one line for the operator."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``pin``: digits that make somebody the banker; ``secret``: never shown."""

    pin: str
    secret: str


def kept_settings(path: Path, pin: str | None = None) -> Settings:
    """Read the settings, or make them up and keep them; a ``pin`` that is given replaces the kept one.

    Raises ``SettingsError`` or ``OSError``; then nothing has changed.
    """
    if pin is not None and not A_PIN.fullmatch(pin):
        message = f"--pin {pin}: the PIN must be 4 to 12 digits"
        raise SettingsError(message)
    kept = _read(path) if path.exists() else None
    settings = Settings(
        pin=pin or (kept.pin if kept else "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))),
        secret=kept.secret if kept else secrets.token_hex(SECRET_BYTES),
    )
    if settings != kept:
        _write(path, settings)
    return settings


def _read(path: Path) -> Settings:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        pin, secret = data["pin"], data["secret"]
    except (ValueError, KeyError) as error:
        message = f"{path}: no readable settings ({error}); delete it to have a new PIN made up"
        raise SettingsError(message) from error
    if not (isinstance(pin, str) and A_PIN.fullmatch(pin)):
        message = f"{path}: the PIN must be 4 to 12 digits in quotes; delete the file to have a new one made up"
        raise SettingsError(message)
    if not (isinstance(secret, str) and A_SECRET.fullmatch(secret)):
        message = f"{path}: the secret is not one that was made up here; delete the file to have a new one made up"
        raise SettingsError(message)
    return Settings(pin, secret)


def _write(path: Path, settings: Settings) -> None:
    """Write beside and rename: a full disk or a pulled plug leaves the old file whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(f'pin = "{settings.pin}"\nsecret = "{settings.secret}"\n')
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


# --- preferences_file
# The choices of an installation in a TOML file of the data folder.

A_NAME = re.compile(r"[^\x00-\x1f\"\\\x7f]{1,200}")
"""What may stand between quotes as it is: a deck's name, a table's id."""


class PreferencesFile:
    """One small file.  What an older or newer companion does not know is passed over."""

    def __init__(self, path: Path) -> None:
        """Take the file, which need not be there yet."""
        self._path = path

    def read(self) -> Chosen:
        """Give what was kept.  ``SettingsError`` where the file cannot be used."""
        if not self._path.exists():
            return Chosen()
        try:
            return _chosen(tomllib.loads(self._path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            message = f"{self._path}: no readable choices ({error}); delete it to be asked again"
            raise SettingsError(message) from error

    def write(self, chosen: Chosen) -> None:
        """Write beside and rename: a full disk or a pulled plug leaves the old file whole."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        notes = ", ".join(f'"{table}"' for table in sorted(chosen.notes))
        lines = (
            f"welcomed = {str(chosen.welcomed).lower()}",
            f'deck = "{_quotable(chosen.deck)}"',
            f'laying = "{chosen.laying}"',
            f"notes = [{notes}]",
            "[hammers]",
            *(f'"{_quotable(table)}" = {seconds}' for table, seconds in sorted(chosen.hammers.items())),
        )
        beside = self._path.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)


def _chosen(data: dict[str, Any]) -> Chosen:
    default = Chosen()
    welcomed, deck = data.get("welcomed", default.welcomed), data.get("deck", default.deck)
    laying, notes = data.get("laying", default.laying), data.get("notes", [])
    if not isinstance(welcomed, bool):
        raise TypeError("welcomed is neither true nor false")
    if not isinstance(deck, str):
        raise TypeError("deck is no name")
    if laying not in LAYINGS:
        raise ValueError(f"laying is none of {', '.join(LAYINGS)}")
    if not isinstance(notes, list) or not all(isinstance(one, str) for one in notes):
        raise TypeError("notes is no list of tables")
    hammers = data.get("hammers", {})
    if not isinstance(hammers, dict) or any(type(one) is not int for one in hammers.values()):
        raise TypeError("hammers are no seconds by table")
    return Chosen(welcomed, deck, laying, frozenset(notes), hammers)


def _quotable(name: str) -> str:
    if not A_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a deck")
    return name


# --- guests_file
# The guests of an installation in a JSON file of the data folder.


class GuestsFile:
    """One small file."""

    def __init__(self, path: Path) -> None:
        """Take the file, which need not be there yet."""
        self._path = path

    def read(self) -> GuestList:
        """Give what was kept.  ``SettingsError`` where the file cannot be used."""
        if not self._path.exists():
            return GuestList()
        try:
            return _guests(json.loads(self._path.read_text(encoding="utf-8")))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            message = f"{self._path}: no readable list of guests ({error}); delete it, and phones join anew"
            raise SettingsError(message) from error

    def write(self, guests: GuestList) -> None:
        """Write beside and rename: a full disk or a pulled plug leaves the old file whole."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as file:
            json.dump(asdict(guests), file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)


def _guests(data: dict[str, Any]) -> GuestList:
    evening, current, out = data["evening"], data["current"], data["out"]
    if not isinstance(evening, int) or isinstance(evening, bool) or not isinstance(current, str | None):
        raise TypeError("evening and current are a number and a table")
    following = dict(data["next"])
    if not all(isinstance(one, str) for one in (*out, *following, *following.values())):
        raise TypeError("out and next hold names")
    return GuestList(evening, current, tuple(_guest(one) for one in data["guests"]), tuple(out), following)


def _guest(data: dict[str, Any]) -> Guest:
    sitter = data.get("sitter", 0)  # lists from before seats could be left have none
    if type(sitter) is not int:
        raise TypeError("sitter is a number")
    guest = Guest(data["device"], data["table"], data["player"], data["name"], sitter)
    named = all(isinstance(one, str) for one in (guest.device, guest.table, guest.name))
    if not named or not isinstance(guest.player, str | None):
        raise TypeError("a guest has a device, a table, a player and a name")
    return guest


# --- profile_files
# The profiles of cameras as files: what ``companion calibrate`` found out.


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


# --- written
# Files that are written whole or not at all.


def written(path: Path, data: bytes) -> None:
    """Write beside, sync, rename, sync the folder; ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.part")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# --- printer_file
# What the printer is out by, in a TOML file of the data folder: a table for each side.

_FIGURES = ("right", "down", "across", "along")


class PrinterFile:
    """One small file; one that cannot be read counts as none."""

    def __init__(self, path: Path) -> None:
        """Take the file, which need not be there yet."""
        self._path = path

    def read(self) -> Mapping[str, Printed]:
        """Give what is known, by side."""
        try:
            data = tomllib.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        found = {side: _printed(side, data.get(side)) for side in SIDES}
        return {side: one for side, one in found.items() if one is not None}

    def write(self, sides: Mapping[str, Printed]) -> None:
        """Keep it.  ``OSError``."""
        tables = {
            side: {"paper": one.paper, **{name: round(float(getattr(one, name)), 5) for name in _FIGURES}}
            for side, one in sides.items()
        }
        written(self._path, tomli_w.dumps(tables).encode())


def _printed(side: str, held: Any) -> Printed | None:
    if not isinstance(held, dict) or held.get("paper") not in PAPERS:
        return None
    figures = [held.get(name) for name in _FIGURES]
    if not all(isinstance(one, int | float) and math.isfinite(one) for one in figures):
        return None
    right, down, across, along = (float(one) for one in figures if one is not None)
    return Printed(str(held["paper"]), side, right, down, across, along) if min(across, along) > 0 else None
