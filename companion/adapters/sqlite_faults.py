"""Why SQLite refused: a disk that is full is no torn file, and what helps against one does harm against the other."""

import os
import shutil
import sqlite3
from pathlib import Path

from companion.service.errors import Why

_BY_CODE: dict[int, Why] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_AUTH: "read_only",
    sqlite3.SQLITE_IOERR: "failing",
    sqlite3.SQLITE_CANTOPEN: "failing",
}
LEAST_FREE = 1_000_000
"""Bytes: with less SQLite cannot lay its side files beside a journal, and says no more than that it failed."""

ADVICE: dict[Why, str] = {
    "full": "the disk is full; make room on it and start again: nothing is lost, and nothing needs to be restored",
    "locked": "another program has it open; stop that one and start again",
    "read_only": "it may not be written; see who owns it and whether its disk is mounted read-only",
    "failing": "its disk cannot be read or written ({reason}); copy the folder to another disk",
    "torn": "no readable journal ({reason}); restore it with: companion restore FILE",
}
"""What an operator does about it, on one line."""


def why(error: sqlite3.Error, path: Path) -> Why:
    """Say what kept SQLite from using a file."""
    code = getattr(error, "sqlite_errorcode", None)
    found = "torn" if code is None else _BY_CODE.get(code & 0xFF, "torn")
    if found == "failing":  # SQLite knows no more; the disk does
        return _of_the_disk(path)
    return found


def _of_the_disk(path: Path) -> Why:
    try:
        if shutil.disk_usage(path.parent).free < LEAST_FREE:
            return "full"
        writable = os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
    except OSError:
        return "failing"
    return "failing" if writable else "read_only"
