"""The whole data folder in one file, and back."""

import errno
import fcntl
import json
import lzma
import os
import shutil
import sqlite3
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.adapters.journal.sqlite import JournalFileError, NewerJournalError, SqliteJournal
from companion.adapters.keepsakes import SqliteKeepsakes
from companion.adapters.stores import SettingsError, load_settings, preferences_store
from companion.config import DataFolder

# --- restoring
# Putting a backup in place so that a kill at any moment leaves the old state or the new one, and loses neither.
# A note in the data folder is the turning point: before it is there nothing has changed; once it is there,
# whoever opens the folder next does the rest. What was there goes to ``before-restore-N``, each time to
# another.

RESTORE_NOTE = "restoring.json"
UNPACKED_PREFIX = "restoring-"
ASIDE_PREFIX = "before-restore-"


def replace_files(unpacked: Path, folder: Path, names: Iterable[str]) -> Path:
    """Move what is ``unpacked`` (a folder beside the note) in place of the files and folders of these names.

    Gives where the old ones went.  What has no new one goes aside too.
    """
    for path in (*unpacked.rglob("*"), unpacked):
        sync_to_disk(path)
    numbers = (one.name.removeprefix(ASIDE_PREFIX) for one in folder.glob(f"{ASIDE_PREFIX}*"))
    aside = folder / f"{ASIDE_PREFIX}{1 + max((int(one) for one in numbers if one.isdecimal()), default=0)}"
    aside.mkdir(mode=0o700)
    sync_to_disk(folder)
    new = sorted(path.name for path in unpacked.iterdir())
    note = {"unpacked": unpacked.name, "aside": aside.name, "names": sorted({*names, *new}), "new": new}
    beside = folder / f"{RESTORE_NOTE}.new"
    beside.write_text(json.dumps(note), encoding="utf-8")
    sync_to_disk(beside)
    beside.replace(folder / RESTORE_NOTE)
    sync_to_disk(folder)
    finish_restore(folder)
    return aside


def finish_restore(folder: Path) -> bool:
    """Do the rest of a restore that was cut off, and say whether there was one; clear what one left that never began.

    To be called before anything in the folder is opened, by whoever holds its lock.
    """
    note = folder / RESTORE_NOTE
    (folder / f"{RESTORE_NOTE}.new").unlink(missing_ok=True)
    if not note.exists():
        for left in (*folder.glob(f"{UNPACKED_PREFIX}*"), *folder.glob(f"{ASIDE_PREFIX}*")):
            if left.is_dir() and (left.name.startswith(UNPACKED_PREFIX) or not any(left.iterdir())):
                shutil.rmtree(left)
        return False
    unpacked, aside, names, new = _read(note)
    for name in names:
        coming, here, gone = unpacked / name, folder / name, aside / name
        came_already = name in new and not coming.exists()
        if here.exists() and not came_already and not gone.exists():
            here.rename(gone)
    sync_to_disk(aside)
    sync_to_disk(folder)
    for name in new:
        if (unpacked / name).exists():
            (unpacked / name).rename(folder / name)
    sync_to_disk(folder)
    note.unlink()
    sync_to_disk(folder)
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


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


MARK = "companion-backup"
FORMAT = "1"
JOURNAL, KEEPSAKES = "journal.sqlite", "keepsakes.sqlite"
SETTINGS, PREFERENCES, PRINTER = "settings.toml", "preferences.toml", "printer.toml"
FILES = (JOURNAL, KEEPSAKES, SETTINGS, PREFERENCES, PRINTER)
SIDE_FILES = tuple(f"{name}{side}" for name in (JOURNAL, KEEPSAKES) for side in ("-wal", "-shm"))
OUR_TABLES = {"tables", "entries", "_sqlite_migrations"}
FOLDERS = {"catalogs/": ".toml", "profiles/": ".toml", "mats/": ".toml", "boxes/": ".json", "pictures/": ".jpg"}
"""Folders, and what the files in each end on."""
UNPACK_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError, ValueError)
"""What unpacking raises where bytes are not what they should be."""
MAX_UNPACKED_BYTES = 2_000_000_000
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
        with _for_owner_only(beside) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MARK, FORMAT)
            _add_keepsakes(archive, folder)  # first: no picture may be of an entry that is not in the journal yet
            tables = _add_journal(archive, folder)
            for kept, suffix in FOLDERS.items():
                for path in sorted((folder.path / kept).glob(f"*{suffix}")):
                    archive.write(path, kept + path.name)
            if folder.settings.is_file():
                archive.write(folder.settings, SETTINGS)
            if folder.preferences.is_file():
                archive.write(folder.preferences, PREFERENCES)
            if folder.printer.is_file():
                archive.write(folder.printer, PRINTER)
            file.flush()
        sync_to_disk(beside)
        beside.replace(to)
        sync_to_disk(to.parent)
    finally:
        beside.unlink(missing_ok=True)
    return tables


def _for_owner_only(path: Path) -> BinaryIO:
    """Open a new file that others cannot read: the key that signs logins goes into it."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _add_journal(archive: zipfile.ZipFile, folder: DataFolder) -> int:
    """Add a copy of the journal, or a new one where there is none yet: a backup always has our tables."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / JOURNAL
        journal = SqliteJournal(folder.journal if folder.journal.is_file() else Path(scratch) / "new")
        try:
            journal.copy_to(copy)
            tables = len(journal.tables())
        finally:
            journal.close()
        check_database(copy)
        archive.write(copy, JOURNAL)
    return tables


def _add_keepsakes(archive: zipfile.ZipFile, folder: DataFolder) -> None:
    if not folder.keepsakes.is_file():
        return
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / KEEPSAKES
        keepsakes = SqliteKeepsakes(folder.keepsakes)
        try:
            keepsakes.copy_to(copy)
        finally:
            keepsakes.close()
        archive.write(copy, KEEPSAKES)


def check_database(path: Path, what: str = "journal") -> None:
    """Check a copy from end to end; ``ArchiveError`` where it is not whole."""
    connection = sqlite3.connect(path)
    try:
        fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        fault = str(error)
    finally:
        connection.close()
    if fault != "ok":
        message = f"the {what} is not whole: {fault}"
        raise ArchiveError(message)


def check_backup(file: Path, scratch: Path) -> int:
    """Look whether a backup could be put in place, in a folder of its own below ``scratch``; give its tables.

    Raises ``ArchiveError`` or ``OSError``.
    """
    with tempfile.TemporaryDirectory(dir=scratch, prefix=UNPACKED_PREFIX) as unpacked:
        return _checked(file, Path(unpacked))


def _checked(file: Path, unpacked: Path) -> int:
    _unpack(file, unpacked)
    _check_settings(unpacked / SETTINGS, file)
    if (unpacked / KEEPSAKES).is_file():
        check_database(unpacked / KEEPSAKES, "file of pictures and dials")
    _check_preferences(unpacked / PREFERENCES, file)
    return _tables_in(unpacked / JOURNAL, file)


def restore_backup(file: Path, folder: DataFolder) -> int:
    """Put a backup in place of what the data folder holds; give the number of tables.

    What was there is kept beside, in ``before-restore-N``.  Raises ``ArchiveError``; then nothing has changed.  A kill
    leaves what was there, or what ``restoring.finish_restore`` puts in place at the next start.
    """
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    finish_restore(folder.path)
    unpacked = Path(tempfile.mkdtemp(dir=folder.path, prefix=UNPACKED_PREFIX))
    try:
        tables = _checked(file, unpacked)
        replace_files(
            unpacked, folder.path, (*SIDE_FILES, *FILES, folder.latest.name, *(kept.rstrip("/") for kept in FOLDERS))
        )
    finally:
        if not (folder.path / RESTORE_NOTE).exists():
            shutil.rmtree(unpacked, ignore_errors=True)
    return tables


def _tables_in(journal: Path, file: Path) -> int:
    """Open the unpacked journal as ``serve`` would."""
    if not journal.is_file():
        message = f"{file}: holds no tables; nothing was changed"
        raise ArchiveError(message)
    check_database(journal)
    if not _has_our_tables(journal):
        message = f"{file}: its journal is not one of this companion; nothing was changed"
        raise ArchiveError(message)
    try:
        opened = SqliteJournal(journal)
    except NewerJournalError as error:
        message = f"{file}: a newer companion has written it; nothing was changed"
        raise ArchiveError(message) from error
    except JournalFileError as error:
        message = f"{file}: its journal cannot be used; nothing was changed"
        raise ArchiveError(message) from error
    try:
        return len(opened.tables())
    finally:
        opened.close()


def _has_our_tables(journal: Path) -> bool:
    with closing(sqlite3.connect(journal)) as connection:
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return found >= OUR_TABLES


def _check_settings(settings: Path, file: Path) -> None:
    if not settings.is_file():
        return
    settings.chmod(0o600)
    try:
        load_settings(settings)
    except SettingsError as error:
        message = f"{file}: its settings cannot be used; nothing was changed"
        raise ArchiveError(message) from error


def _check_preferences(preferences: Path, file: Path) -> None:
    try:
        preferences_store(preferences).read()
    except SettingsError as error:
        message = f"{file}: its choices cannot be used; nothing was changed"
        raise ArchiveError(message) from error


def _unpack(file: Path, to: Path) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if sum(info.file_size for info in archive.infolist()) > MAX_UNPACKED_BYTES:
                message = f"{file}: unpacks to more than {MAX_UNPACKED_BYTES} bytes; that is no backup"
                raise ArchiveError(message)
            if MARK not in names or archive.read(MARK) != FORMAT.encode():
                message = f"{file}: no backup of this companion"
                raise ArchiveError(message)
            foreign = [name for name in names if name not in (MARK, *FILES) and not _is_kept_file(name)]
            if foreign:
                message = f"{file}: holds {foreign[0]!r}, which no backup of this companion does"
                raise ArchiveError(message)
            for name in names:
                if name != MARK:
                    archive.extract(name, to)
    except OSError as error:
        if error.errno not in (None, errno.EINVAL):  # these two the unpacking itself stumbles over
            raise
        message = f"{file}: no readable backup ({error})"
        raise ArchiveError(message) from error
    except UNPACK_ERRORS as error:
        message = f"{file}: no readable backup ({error})"
        raise ArchiveError(message) from error


def _is_kept_file(name: str) -> bool:
    kept, _, leaf = name.partition("/")
    suffix = FOLDERS.get(f"{kept}/")
    return suffix is not None and leaf.endswith(suffix) and "/" not in leaf and "\\" not in leaf


# --- folder_lock
# One process writes to a data folder; a second one is told so.


class FolderInUse(Exception):  # noqa: N818 - told to the operator in one line
    """Another companion works on this folder."""


DATA_FILES = ("journal.sqlite", "settings.toml")
"""What tells a data folder from any other that somebody named."""


@contextmanager
def lock_folder(path: Path) -> Iterator[None]:
    """Hold the lock file; the system lets go of it when the process ends, however it ends."""
    _for_owner_only_folder_lock(path.parent)
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{path.parent} is in use by another companion; stop that one, or name another --data folder"
            raise FolderInUse(message) from error
        yield


def _for_owner_only_folder_lock(folder: Path) -> None:
    """Make the folder, or close one of ours that was made when others could still look in."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    ours = any((folder / name).exists() for name in DATA_FILES) and status.st_uid == os.geteuid()
    if ours and stat.S_IMODE(status.st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        folder.chmod(0o700)
