"""The guests of an installation in a JSON file of the data folder."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.adapters.settings_file import SettingsError
from companion.service.people.guests import Guest, GuestList


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
