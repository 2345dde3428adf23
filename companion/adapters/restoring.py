"""Putting a backup in place so that a kill at any moment leaves the old state or the new one, and loses neither.

A note in the data folder is the turning point: before it is there nothing has changed; once it is there, whoever opens
the folder next does the rest.  What was there goes to ``before-restore-N``, each time to another.
"""

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from companion.adapters.settings_file import SettingsError

NOTE = "restoring.json"
UNPACKED = "restoring-"
ASIDE = "before-restore-"


def put_in_place(unpacked: Path, folder: Path, names: Iterable[str]) -> Path:
    """Move what is ``unpacked`` (a folder beside the note) in place of the files and folders of these names.

    Gives where the old ones went.  What has no new one goes aside too.
    """
    for path in (*unpacked.rglob("*"), unpacked):
        on_the_disk(path)
    numbers = (one.name.removeprefix(ASIDE) for one in folder.glob(f"{ASIDE}*"))
    aside = folder / f"{ASIDE}{1 + max((int(one) for one in numbers if one.isdecimal()), default=0)}"
    aside.mkdir(mode=0o700)
    on_the_disk(folder)
    new = sorted(path.name for path in unpacked.iterdir())
    note = {"unpacked": unpacked.name, "aside": aside.name, "names": sorted({*names, *new}), "new": new}
    beside = folder / f"{NOTE}.new"
    beside.write_text(json.dumps(note), encoding="utf-8")
    on_the_disk(beside)
    beside.replace(folder / NOTE)
    on_the_disk(folder)
    finish_restore(folder)
    return aside


def finish_restore(folder: Path) -> bool:
    """Do the rest of a restore that was cut off, and say whether there was one; clear what one left that never began.

    To be called before anything in the folder is opened, by whoever holds its lock.
    """
    note = folder / NOTE
    (folder / f"{NOTE}.new").unlink(missing_ok=True)
    if not note.exists():
        for left in (*folder.glob(f"{UNPACKED}*"), *folder.glob(f"{ASIDE}*")):
            if left.is_dir() and (left.name.startswith(UNPACKED) or not any(left.iterdir())):
                shutil.rmtree(left)
        return False
    unpacked, aside, names, new = _read(note)
    for name in names:
        coming, here, gone = unpacked / name, folder / name, aside / name
        came_already = name in new and not coming.exists()
        if here.exists() and not came_already and not gone.exists():
            here.rename(gone)
    on_the_disk(aside)
    on_the_disk(folder)
    for name in new:
        if (unpacked / name).exists():
            (unpacked / name).rename(folder / name)
    on_the_disk(folder)
    note.unlink()
    on_the_disk(folder)
    shutil.rmtree(unpacked, ignore_errors=True)
    return True


def _read(note: Path) -> tuple[Path, Path, list[str], list[str]]:
    try:
        said = json.loads(note.read_text(encoding="utf-8"))
        unpacked, aside, names, new = (said[key] for key in ("unpacked", "aside", "names", "new"))
        elsewhere = [name for name in (unpacked, aside, *names, *new) if "/" in name or name.startswith(".")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = (
            f"{note}: a restore was cut off and its note cannot be read ({error}); restore again into a new folder"
        )
        raise SettingsError(message) from error
    if elsewhere:
        raise SettingsError(f"{note}: leads to {elsewhere[0]!r}, which is not in this folder; delete it")
    return note.parent / unpacked, note.parent / aside, names, new


def on_the_disk(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
