"""A folder of backups: beside the data, or on a stick."""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from companion.adapters.backup.archive import ArchiveError, check_backup, write_backup
from companion.adapters.journal.sqlite import JournalFileError
from companion.config import DataFolder
from companion.service.backups import Backup, BackupFault, UnknownBackup

STAMP = "companion-%Y%m%dT%H%M%SZ.backup"
PATTERN = "companion-*.backup"


class BackupFolder:
    """Backups as files whose names say when they were made; other files there are nobody's business."""

    def __init__(self, data: DataFolder, folder: Path | None = None) -> None:
        """Take what is backed up, and where to; ``None``: within the data folder.

        A folder of one's own has to be there already: a stick that is not plugged in is no folder to be made.
        """
        self._data = data
        self._own = folder
        self._folder = data.path / "backups" if folder is None else folder

    @property
    def location(self) -> str:
        """The folder's path."""
        return str(self._folder)

    def all(self) -> Sequence[Backup]:
        """Give the backups that are there, the newest first; ``BackupFault``."""
        self._look_for_folder()
        found: list[Backup] = []
        try:
            for path in self._folder.glob(PATTERN):
                made = _made(path.name)
                if made is not None:
                    found.append(Backup(path.name, made, path.stat().st_size))
        except OSError as error:
            raise _fault(self._folder, error) from error
        return sorted(found, key=lambda one: one.name, reverse=True)

    def make(self, at: datetime) -> Backup:
        """Make one; ``BackupFault``."""
        made = at.astimezone(UTC).replace(microsecond=0)
        path = self._folder / made.strftime(STAMP)
        self._look_for_folder()
        try:
            for left in self._folder.glob(f"{PATTERN}.new"):  # of one that was cut off
                left.unlink()
            write_backup(self._data, path)
            return Backup(path.name, made, path.stat().st_size)
        except OSError as error:
            raise _fault(self._folder, error) from error
        except (ArchiveError, JournalFileError, sqlite3.Error) as error:
            raise BackupFault(str(error)) from error

    def remove(self, name: str) -> None:
        """Remove one; one that has gone is well gone."""
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise _fault(self._folder, error) from error

    def open(self, name: str) -> BinaryIO:
        """Open one for reading; ``UnknownBackup``."""
        if _made(name) is None:
            raise UnknownBackup(name)
        try:
            return (self._folder / name).open("rb")
        except OSError:
            raise UnknownBackup(name) from None

    def check(self, name: str) -> None:
        """Look whether one could be put in place of all that is here; ``UnknownBackup`` or ``BackupFault``."""
        self.open(name).close()
        try:
            check_backup(self.path_of(name), self._data.path)
        except OSError as error:
            raise _fault(self._folder, error) from error
        except (ArchiveError, JournalFileError, sqlite3.Error) as error:
            raise BackupFault(str(error)) from error

    def path_of(self, name: str) -> Path:
        """Give where one lies."""
        return self._folder / name

    def last_changed(self) -> datetime | None:
        """Say when tables, catalogs, boxes, profiles or settings have last changed; ``None``: there is nothing yet."""
        data = self._data
        if not data.journal.is_file():
            return None
        folders = (data.catalogs, data.boxes, data.mats, data.profiles)
        files = [data.latest, data.settings, data.preferences, *(path for one in folders for path in one.glob("*"))]
        times = [path.stat().st_mtime for path in files if path.is_file()]
        return datetime.fromtimestamp(max(times), UTC) if times else None

    def _look_for_folder(self) -> None:
        try:
            if self._own is None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _fault(self._folder, error) from error
        if not self._folder.is_dir():
            message = f"{self._folder} is not there: is the stick plugged in?"
            raise BackupFault(message)


def _made(name: str) -> datetime | None:
    """Read from a name when a backup was made; ``None``: it is none of ours."""
    try:
        return datetime.strptime(name, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _fault(folder: Path, error: OSError) -> BackupFault:
    return BackupFault(f"{folder}: {error.strerror or error}")
