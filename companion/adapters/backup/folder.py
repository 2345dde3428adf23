"""A folder of backups: within the data folder, or on a USB stick."""

import os
import sqlite3
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from companion.adapters.backup.archive import WRITING_PREFIX, check_backup, write_backup
from companion.adapters.system import OperatorError, is_own_file, os_error_reason, remove_left_folders
from companion.config import DataFolder
from companion.service.backups import Backup, BackupFault, UnknownBackup

STAMP = "companion-%Y%m%dT%H%M%SZ.backup"
PATTERN = "companion-*.backup"


class BackupFolder:
    """Backups as files whose names hold the time they were made; other files in the folder are ignored."""

    def __init__(
        self,
        data: DataFolder,
        folder: Path | None = None,
        find_fault: Callable[[Path], str | None] | None = None,
    ) -> None:
        """Store what is backed up, and the folder for backups; ``None``: within the data folder.

        A given folder is never created: it may be on a stick that is not plugged in.  ``find_fault`` is for
        ``check_backup``.
        """
        self._data = data
        self._external = folder
        self._find_fault = find_fault
        self._folder = data.path / "backups" if folder is None else folder

    @property
    def location(self) -> str:
        """The folder's path."""
        return str(self._folder)

    def all(self) -> Sequence[Backup]:
        """Return all backups, newest first; raise ``BackupFault``."""
        self._require_folder()
        backups: list[Backup] = []
        try:
            for path in self._folder.glob(PATTERN):
                made = _parse_time(path.name)
                if made is not None and is_own_file(path):
                    backups.append(Backup(path.name, made, path.stat().st_size))
        except OSError as error:
            raise _fault(self._folder, error) from error
        return sorted(backups, key=lambda backup: backup.name, reverse=True)

    def remove_unfinished(self) -> None:
        """Delete what a process that was killed has left of a backup; what cannot be deleted stays."""
        for unfinished in self._folder.glob(f"{PATTERN}.new"):  # of earlier versions
            with suppress(OSError):
                unfinished.unlink()
        remove_left_folders(self._folder, WRITING_PREFIX)

    def make(self, at: datetime) -> Backup:
        """Make a backup and return it; raise ``BackupFault``."""
        made = at.astimezone(UTC).replace(microsecond=0)
        path = self._folder / made.strftime(STAMP)
        self._require_folder()
        try:
            self.remove_unfinished()
            write_backup(self._data, path)
            return Backup(path.name, made, path.stat().st_size)
        except OSError as error:
            raise _fault(self._folder, error) from error
        except (OperatorError, sqlite3.Error, ValueError) as error:
            raise BackupFault(" ".join(str(error).split())) from error

    def remove(self, name: str) -> None:
        """Delete a backup, if it is there; raise ``BackupFault``."""
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise _fault(self._folder, error) from error

    def open(self, name: str) -> BinaryIO:
        """Open a backup for reading; raise ``UnknownBackup``."""
        if _parse_time(name) is None:
            raise UnknownBackup(name)
        try:
            file = os.fdopen(os.open(self._folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except OSError:
            raise UnknownBackup(name) from None
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise UnknownBackup(name)
        return file

    def check(self, name: str) -> None:
        """Check that a backup can be restored here; raise ``UnknownBackup`` or ``BackupFault``."""
        self.open(name).close()
        try:
            check_backup(self.path_of(name), self._data.path, self._find_fault)
        except OSError as error:
            raise _fault(self._folder, error) from error
        except (OperatorError, sqlite3.Error) as error:
            raise BackupFault(str(error)) from error

    def path_of(self, name: str) -> Path:
        """Return the file of a backup."""
        return self._folder / name

    def last_changed(self) -> datetime | None:
        """Return when tables, catalogs, boxes, profiles or settings last changed; ``None`` before there is a table."""
        data = self._data
        if not data.journal.is_file():
            return None
        folders = (data.catalogs, data.boxes, data.mats, data.profiles)
        files = [
            data.latest,
            data.settings,
            data.preferences,
            *(path for folder in folders for path in folder.glob("*")),
        ]
        times = [path.stat().st_mtime for path in files if path.is_file()]
        return datetime.fromtimestamp(max(times), UTC) if times else None

    def _require_folder(self) -> None:
        try:
            if self._external is None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _fault(self._folder, error) from error
        if not self._folder.is_dir():
            message = f"{self._folder} is not there: is the stick plugged in?"
            raise BackupFault(message)


def _parse_time(name: str) -> datetime | None:
    """Return when a backup was made, from its file's name; ``None`` for other files."""
    try:
        return datetime.strptime(name, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _fault(folder: Path, error: OSError) -> BackupFault:
    return BackupFault(f"{folder}: {os_error_reason(error)}")
