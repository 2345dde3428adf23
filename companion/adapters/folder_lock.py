"""One process writes to a data folder; a second one is told so."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FolderInUse(Exception):  # noqa: N818 - told to the operator in one line
    """Another companion works on this folder."""


OURS = ("journal.sqlite", "settings.toml")
"""What tells a data folder from any other that somebody named."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock file; the system lets go of it when the process ends, however it ends."""
    _for_owner_only(path.parent)
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{path.parent} is in use by another companion; stop that one, or name another --data folder"
            raise FolderInUse(message) from error
        yield


def _for_owner_only(folder: Path) -> None:
    """Make the folder, or close one of ours that was made when others could still look in."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    ours = any((folder / name).exists() for name in OURS) and status.st_uid == os.geteuid()
    if ours and stat.S_IMODE(status.st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        folder.chmod(0o700)
