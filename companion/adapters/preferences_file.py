"""The choices of an installation in a TOML file of the data folder."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from companion.adapters.settings_file import SettingsError
from companion.service.people.preferences import LAYINGS, Chosen

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
