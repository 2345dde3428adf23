"""One process writes to a data folder; a second one is told so."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FolderInUse(Exception):  # noqa: N818 - told to the operator in one line
    """Another companion works on this folder."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock file; the system lets go of it when the process ends, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{path.parent} is in use by another companion; stop that one, or name another --data folder"
            raise FolderInUse(message) from error
        yield
