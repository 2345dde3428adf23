"""Each file of a data folder with one member removed or replaced is read, told in a line or set aside: no fault."""

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

from calibration.lens import Lens, LensFit
from calibration.plane import plane_from_matrix
from calibration.printer_sheet import PrinterOffset
from calibration.profile import CalibratedMat, Profile, format_profile
from companion.adapters.backup.archive import RESTORE_NOTE, finish_restore
from companion.adapters.boxes import BoxFolder
from companion.adapters.calibration_stores import printer_store
from companion.adapters.stores import SettingsError, guests_store, load_settings, preferences_store
from companion.adapters.unusable_files import set_aside_unusable
from companion.config import DataFolder
from companion.service.access.guests import Guest, GuestList
from companion.service.access.preferences import PreferenceValues

ROOT = Path(__file__).resolve().parents[2]
INSTEAD: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**70,
    1.5,
    "",
    "x",
    "a/b",
    [],
    [1],
    [["x"]],
    {},
    {"x": 1},
    {"x": {"x": []}},
)
"""What stands in the place of a member, where the format has it."""


def variants(value: Any) -> Iterator[Any]:
    """Yield a value with one of its members, at any depth, removed or replaced."""
    for path in places(value):
        for instead in (KeyError, *INSTEAD):
            changed = deepcopy(value)
            inner = changed
            for key in path[:-1]:
                inner = inner[key]
            if instead is KeyError:
                del inner[path[-1]]
            else:
                inner[path[-1]] = deepcopy(instead)
            yield changed
    yield from INSTEAD


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield (key,)
        yield from ((key, *path) for path in places(value[key]))


def toml(value: Any) -> str | None:
    """Return a value as TOML; ``None`` where it cannot be written so."""
    try:
        return tomli_w.dumps(value)
    except (TypeError, AttributeError, ValueError):
        return None


def set_aside(folder: DataFolder) -> None:
    set_aside_unusable(folder)
    BoxFolder(folder.boxes, folder.catalogs).read()


def profile() -> str:
    plane = plane_from_matrix(np.array([[1.5, 0.0, 3.0], [0.0, 1.5, 4.0], [0.0, 0.0, 1.0]]))
    lens = LensFit(Lens(1920, 1080, 1480.0, 1480.0, 960.0, 540.0, (0.1, 0.0, 0.0, 0.0, 0.0)), 0.2, 0.1, 12)
    return format_profile(Profile("usb:0", lens, CalibratedMat("a2", plane, 0.3, 0.2)))


BOX = {
    "game": "master_builder", "name": "Mine", "catalog": "mine", "earlier": ["older"],
    "cards": {"W01": {"type": "MC", "wage": 5_000, "quirks": ["S"]}},
}  # fmt: skip
NOTE = {"unpacked": "restoring-1", "aside": "before-restore-1", "names": ["journal.sqlite"], "new": ["journal.sqlite"]}
Sample = Callable[[DataFolder], Any]


def written(store: Callable[[Path], Any], path: Callable[[DataFolder], Path], value: Any) -> Sample:
    """Return what a store writes, as it is parsed."""

    def write(folder: DataFolder) -> Any:
        store(path(folder)).write(value)
        text = path(folder).read_text(encoding="utf-8")
        return json.loads(text) if path(folder).suffix == ".json" else tomllib.loads(text)

    return write


def settings(folder: DataFolder) -> Any:
    load_settings(folder.settings)
    return tomllib.loads(folder.settings.read_text(encoding="utf-8"))


GUESTS = GuestList(
    2, "t2", (Guest("a", "t1", "blue", "Ada", 1, listed=True),), ("b",), {"t1": "t2"}, 2, "c", {"t1/blue": 1}
)
KINDS: dict[str, tuple[str, Sample, Callable[[DataFolder], Any]]] = {
    "box": ("boxes/mine.json", lambda _: BOX, set_aside),
    "mat": (
        "mats/a2.toml",
        lambda _: tomllib.loads((ROOT / "companion/games/master_builder/cards/mats/a2.toml").read_text("utf-8")),
        set_aside,
    ),
    "profile": ("profiles/usb.toml", lambda _: tomllib.loads(profile()), set_aside),
    "settings": ("settings.toml", settings, lambda folder: load_settings(folder.settings)),
    "preferences": (
        "preferences.toml",
        written(
            preferences_store,
            lambda folder: folder.preferences,
            PreferenceValues(welcomed=True, deck="house", notes=frozenset({"t1"}), hammers={"t1": 5}),
        ),
        lambda folder: preferences_store(folder.preferences).read(),
    ),
    "printer": (
        "printer.toml",
        written(
            printer_store, lambda folder: folder.printer, {"front": PrinterOffset("A4", "front", 0.5, 0.5, 1.0, 1.0)}
        ),
        lambda folder: printer_store(folder.printer).read(),
    ),
    "guests": (
        "guests.json",
        written(guests_store, lambda folder: folder.guests, GUESTS),
        lambda folder: guests_store(folder.guests).read(),
    ),
    "note of a restore": (RESTORE_NOTE, lambda _: NOTE, lambda folder: finish_restore(folder.path)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_with_one_member_missing_or_of_another_type_keeps_no_start_back(kind: str, tmp_path: Path) -> None:
    # given a file as the program writes it
    place, sample, start = KINDS[kind]
    folder, path = DataFolder(tmp_path), tmp_path / place
    path.parent.mkdir(exist_ok=True)
    value = sample(folder)

    # when each of its members is missing, or something else
    tried = 0
    for changed in variants(value):
        text = json.dumps(changed) if path.suffix == ".json" else toml(changed)
        if text is None:
            continue
        path.write_text(text, encoding="utf-8")

        # then it is read, set aside, or told in one line
        tried += 1
        with suppress(SettingsError):
            start(folder)
        path.with_name(path.name + ".torn").unlink(missing_ok=True)
    assert tried > 20
