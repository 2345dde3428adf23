"""The whole data folder in one file, and back."""

import sqlite3
import tempfile
import zipfile
from pathlib import Path

from companion.adapters.sqlite_journal import SqliteJournal
from companion.config import DataFolder

MARK = "companion-backup"
FORMAT = "1"
JOURNAL, SETTINGS, CATALOGS = "journal.sqlite", "settings.toml", "catalogs/"
LARGEST = 2_000_000_000
"""Bytes that a backup may unpack to: many evenings take a few millions."""


class ArchiveError(Exception):
    """The file is no backup, or cannot be put in place; the message is one line."""


def write_backup(folder: DataFolder, to: Path) -> int:
    """Write every table, catalog and setting to one file while games go on; give the number of tables.

    Raises ``ArchiveError``, ``JournalFileError`` or ``OSError``; then there is no new file.
    """
    if not folder.path.is_dir():
        message = f"{folder.path}: no data folder; nothing to back up"
        raise ArchiveError(message)
    beside = to.with_name(f"{to.name}.new")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MARK, FORMAT)
            tables = _add_journal(archive, folder)
            for path in sorted(folder.catalogs.glob("*.toml")) if folder.catalogs.is_dir() else ():
                archive.write(path, CATALOGS + path.name)
            if folder.settings.is_file():
                archive.write(folder.settings, SETTINGS)
        beside.replace(to)
    finally:
        beside.unlink(missing_ok=True)
    return tables


def _add_journal(archive: zipfile.ZipFile, folder: DataFolder) -> int:
    if not folder.journal.is_file():
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / JOURNAL
        journal = SqliteJournal(folder.journal)
        try:
            journal.copy_to(copy)
            tables = len(journal.tables())
        finally:
            journal.close()
        check_journal(copy)
        archive.write(copy, JOURNAL)
    return tables


def check_journal(path: Path) -> None:
    """Check a copy from end to end; ``ArchiveError`` where it is not whole."""
    connection = sqlite3.connect(path)
    try:
        fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        fault = str(error)
    finally:
        connection.close()
    if fault != "ok":
        message = f"the journal is not whole: {fault}"
        raise ArchiveError(message)


def restore_backup(file: Path, folder: DataFolder) -> int:
    """Put a backup in place of what the data folder holds; give the number of tables.

    What was there is kept beside, in ``before-restore``.  Raises ``ArchiveError``; then nothing has changed.
    """
    folder.path.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.path, prefix="restoring-") as scratch:
        unpacked = Path(scratch)
        _unpack(file, unpacked)
        journal = unpacked / JOURNAL
        tables = 0
        if journal.is_file():
            check_journal(journal)
            opened = SqliteJournal(journal)
            tables = len(opened.tables())
            opened.close()
        _swap(unpacked, folder)
    return tables


def _unpack(file: Path, to: Path) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if MARK not in names or archive.read(MARK).decode() != FORMAT:
                message = f"{file}: no backup of this companion"
                raise ArchiveError(message)
            if sum(info.file_size for info in archive.infolist()) > LARGEST:
                message = f"{file}: unpacks to more than {LARGEST} bytes; that is no backup"
                raise ArchiveError(message)
            for name in names:
                if name in (JOURNAL, SETTINGS) or _is_catalog(name):
                    archive.extract(name, to)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        message = f"{file}: no readable backup ({error})"
        raise ArchiveError(message) from error


def _is_catalog(name: str) -> bool:
    leaf = name.removeprefix(CATALOGS)
    return name.startswith(CATALOGS) and leaf.endswith(".toml") and "/" not in leaf and "\\" not in leaf


def _swap(unpacked: Path, folder: DataFolder) -> None:
    """Move the old things aside and the new ones in; a journal's own side files go with it."""
    aside = folder.path / "before-restore"
    _clear(aside)
    aside.mkdir()
    sides = [folder.journal.with_name(folder.journal.name + end) for end in ("", "-wal", "-shm")]
    for path in (*sides, folder.settings, folder.catalogs):
        if path.exists():
            path.rename(aside / path.name)
    for name in (JOURNAL, SETTINGS, CATALOGS.rstrip("/")):
        if (unpacked / name).exists():
            (unpacked / name).rename(folder.path / name)


def _clear(path: Path) -> None:
    if not path.exists():
        return
    for inner in sorted(path.rglob("*"), reverse=True):
        if inner.is_dir():
            inner.rmdir()
        else:
            inner.unlink()
    path.rmdir()
