"""Back up a data folder to one file, restore it, and lock it against a second process.

A restore that is killed leaves either the old files or the new ones, and loses neither.  Its turning point is a note in
the data folder: before the note is written nothing has changed; afterwards whoever opens the folder next completes the
restore (``finish_restore``).  Replaced files move to ``before-restore-N``, a new one each time.
"""

import errno
import fcntl
import json
import logging
import lzma
import os
import re
import shutil
import sqlite3
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.adapters.journal.sqlite import JournalFileError, SqliteJournal
from companion.adapters.keepsakes import SHAPE, SqliteKeepsakes
from companion.adapters.stores import MAX_TEXT_BYTES, SettingsError, load_settings, preferences_store
from companion.adapters.system import (
    OperatorError,
    add_text,
    is_own_file,
    open_private,
    scratch_folder,
)
from companion.config import DataFolder

log = logging.getLogger(__name__)

MARK = "companion-backup"
FORMAT = "1"
JOURNAL, KEEPSAKES = "journal.sqlite", "keepsakes.sqlite"
SETTINGS, PREFERENCES, PRINTER = "settings.toml", "preferences.toml", "printer.toml"
FILES = (JOURNAL, KEEPSAKES, SETTINGS, PREFERENCES, PRINTER)
SIDE_FILES = tuple(f"{name}{side}" for name in (JOURNAL, KEEPSAKES) for side in ("-wal", "-shm"))
FOLDERS = {"catalogs/": ".toml", "profiles/": ".toml", "mats/": ".toml", "boxes/": ".json", "pictures/": ".jpg"}
"""Folders in a backup, and the suffix of the files in each."""
UNPACK_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError, ValueError)
"""What the standard library raises for a damaged archive."""
MAX_UNPACKED_BYTES = 2_000_000_000
"""Of all files in a backup together; many evenings take a few megabytes."""
UNSUSPICIOUS_BYTES, MAX_RATIO = 50_000_000, 100
"""Unpacked bytes above which the ratio of unpacked to packed size is limited; a journal of thousands of games shrinks
to a tenth."""
MAX_FILES = 20_000
TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids of tables and names of games."""
MAX_NAME_BYTES = 245
"""Of a file in a folder: names get longer while a file is written, and when it is set aside."""
MAX_SMALL_BYTES = {MARK: 100, **dict.fromkeys((SETTINGS, PREFERENCES, PRINTER), MAX_TEXT_BYTES)}
"""Of files with a name of their own; databases are limited by the whole."""
MAX_BYTES_BY_SUFFIX = {".toml": MAX_TEXT_BYTES, ".json": MAX_TEXT_BYTES, ".jpg": 20_000_000}
SPARE_BYTES = 50_000_000
"""That remain free on the disk beside what is unpacked."""
DATA_FILES = ("journal.sqlite", "settings.toml")
"""Files by which a data folder is told from another folder that somebody named."""

RESTORE_NOTE = "restoring.json"
WRITING_PREFIX = ".backing-up-"
"""Of a folder beside a backup, in which it is written: nobody's file is in the way, and that disk has the room."""
UNPACKED_PREFIX = "restoring-"
ASIDE_PREFIX = "before-restore-"


class ArchiveError(OperatorError):
    """The file is no backup, or cannot be restored; the message is one line."""


class FolderInUse(OperatorError):  # noqa: N818 - told to the operator in one line
    """Another process uses this data folder."""


def write_backup(folder: DataFolder, to: Path) -> int:
    """Write every table, catalog and setting to one file and return the number of tables; games may go on.

    Raises:
        ArchiveError: when there is nothing to back up, or a copy is damaged; no file is written.
        JournalFileError: when the journal cannot be opened; no file is written.
        OSError: when a file cannot be read or written; no file is written.

    """
    if not folder.path.is_dir():
        message = f"{folder.path}: no data folder; nothing to back up"
        raise ArchiveError(message)
    with write_beside(to) as scratch:
        unfinished = scratch / "backup"
        with open_private(unfinished) as file:  # it holds the key that signs logins
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
                add_text(archive, MARK, FORMAT)
                _add_keepsakes(archive, folder, scratch)  # before the journal: every crop must belong to an entry in it
                tables = _add_journal(archive, folder, scratch)
                _add_small_files(archive, folder)
            file.flush()
        with zipfile.ZipFile(unfinished) as archive:
            fault = _find_fault(archive, unfinished.stat().st_size)
        if fault is not None:
            message = f"{folder.path}: no backup of it could be restored, it {fault}"
            raise ArchiveError(message)
        sync_to_disk(unfinished)
        unfinished.replace(to)
        sync_to_disk(to.parent)
    return tables


@contextmanager
def write_beside(to: Path) -> Generator[Path]:
    """Yield a folder beside a backup in which it is written; what killed processes have left there is removed."""
    with scratch_folder(to.parent, WRITING_PREFIX) as scratch:
        yield scratch


def _add_small_files(archive: zipfile.ZipFile, folder: DataFolder) -> None:
    """Add all other files; what no backup may hold is left out, with a line in the log."""
    names = [path.name for path in (folder.settings, folder.preferences, folder.printer) if path.parent == folder.path]
    for name, suffix in FOLDERS.items():
        names += sorted(name + path.name for path in (folder.path / name).glob(f"*{suffix}"))
    files, size = len(archive.filelist), sum(info.file_size for info in archive.filelist)
    for name in names:
        path = folder.path / name
        if not is_own_file(path):
            continue
        own_size = path.stat().st_size
        files, size = files + 1, size + own_size
        fault = f"{own_size} bytes" if own_size > _max_bytes_of(name) else _find_fault_of_name(name)
        if files > MAX_FILES or size > MAX_UNPACKED_BYTES:
            log.warning("left out of the backup: %a and what follows it (there is too much)", name)
            return
        if fault is None:
            archive.write(path, name)
        else:
            log.warning("left out of the backup: %a (%s)", name, fault)


def _add_journal(archive: zipfile.ZipFile, folder: DataFolder, scratch: Path) -> int:
    """Add a copy of the journal, or a new one where there is none yet; return the number of tables."""
    from companion.adapters.journal import migrations  # noqa: PLC0415 - it loads numpy

    copy = scratch / JOURNAL
    journal = SqliteJournal(folder.journal if folder.journal.is_file() else scratch / "new")
    try:
        journal.copy_to(copy)
        tables = len(journal.tables())
    finally:
        journal.close()
    check_database(copy)
    migrations.drop_foreign(copy, migrations.read_own_schema())
    fault = migrations.find_journal_fault(copy)
    if fault is not None:
        message = f"{folder.path}: {fault}, so that no backup of it could be restored"
        raise ArchiveError(message)
    archive.write(copy, JOURNAL)
    return tables


def _add_keepsakes(archive: zipfile.ZipFile, folder: DataFolder, scratch: Path) -> None:
    from companion.adapters.journal import migrations  # noqa: PLC0415 - it loads numpy

    if not folder.keepsakes.is_file():
        return
    copy = scratch / KEEPSAKES
    keepsakes = SqliteKeepsakes(folder.keepsakes)
    try:
        keepsakes.copy_to(copy)
    finally:
        keepsakes.close()
    migrations.drop_foreign(copy, migrations.read_schema_of(SHAPE))
    archive.write(copy, KEEPSAKES)


def check_database(path: Path, what: str = "journal") -> None:
    """Check a SQLite file completely; raise ``ArchiveError`` where it is damaged."""
    connection = sqlite3.connect(path)
    try:
        fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        fault = str(error)
    finally:
        connection.close()
    if fault != "ok":
        message = f"the {what} is damaged: {fault}"
        raise ArchiveError(message)


def check_backup(file: Path, scratch: Path, find_fault: Callable[[Path], str | None] | None = None) -> int:
    """Check that a backup can be restored, unpacking it below ``scratch``; return its number of tables.

    ``find_fault``: returns why this installation could not start with an unpacked data folder, or ``None``.

    Raises:
        ArchiveError: when it cannot.
        OSError: when a file cannot be read or written.

    """
    with tempfile.TemporaryDirectory(dir=scratch, prefix=UNPACKED_PREFIX) as unpacked:
        tables = _unpack_and_check(file, Path(unpacked))
        fault = None if find_fault is None else find_fault(Path(unpacked))
        if fault is not None:
            message = f"{file}: {fault}; nothing was changed"
            raise ArchiveError(message)
        return tables


def _unpack_and_check(file: Path, unpacked: Path) -> int:
    """Unpack a backup and open everything in it as ``serve`` does; return its number of tables."""
    from companion.adapters.unusable_files import find_unusable  # noqa: PLC0415 - it loads OpenCV, for restores only

    _unpack(file, unpacked)
    if (unpacked / KEEPSAKES).is_file():
        _check_keepsakes(unpacked / KEEPSAKES, file)
    _check_settings(DataFolder(unpacked), file)
    for path, reason in find_unusable(DataFolder(unpacked)):
        name = path.relative_to(unpacked)
        log.warning("%s: %s cannot be used (%s); it is set aside at the next start", file, name, reason)
    return _count_tables(unpacked / JOURNAL, file)


def _check_keepsakes(keepsakes: Path, file: Path) -> None:
    from companion.adapters.journal import migrations  # noqa: PLC0415 - it loads numpy

    fault = migrations.find_schema_fault(keepsakes, migrations.read_schema_of(SHAPE))
    try:
        if fault is None:
            check_database(keepsakes, "file of pictures and dials")
            SqliteKeepsakes(keepsakes).close()
    except sqlite3.Error as error:
        fault = _in_one_line(error)
    if fault is not None:
        message = f"{file}: its pictures and dials cannot be read ({fault}); nothing was changed"
        raise ArchiveError(message)


def restore_backup(file: Path, folder: DataFolder) -> int:
    """Replace the contents of the data folder by a backup and return its number of tables.

    The earlier contents are moved to ``before-restore-N``.

    Raises:
        ArchiveError: when the backup cannot be used; nothing has changed.
        OSError: when a file cannot be read or written.

    """
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    finish_restore(folder.path)
    unpacked = Path(tempfile.mkdtemp(dir=folder.path, prefix=UNPACKED_PREFIX))
    try:
        tables = _unpack_and_check(file, unpacked)
        replace_files(
            unpacked, folder.path, (*SIDE_FILES, *FILES, folder.latest.name, *(name.rstrip("/") for name in FOLDERS))
        )
    finally:
        if not (folder.path / RESTORE_NOTE).exists():
            shutil.rmtree(unpacked, ignore_errors=True)
    make_private_folder(folder.path)
    return tables


def _count_tables(journal: Path, file: Path) -> int:
    """Open the unpacked journal as ``serve`` does and return its number of tables."""
    from companion.adapters.journal import migrations  # noqa: PLC0415 - it loads numpy

    if not journal.is_file():
        message = f"{file}: holds no tables; nothing was changed"
        raise ArchiveError(message)
    fault = migrations.find_journal_fault(journal)
    if fault is not None:
        message = f"{file}: {fault}; nothing was changed"
        raise ArchiveError(message)
    check_database(journal)
    with closing(sqlite3.connect(journal)) as connection, connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "heads" in names:  # what lists show is made anew from the games, so that no file can say what it likes
            connection.execute("DELETE FROM heads")
    try:
        opened = SqliteJournal(journal)
    except JournalFileError as error:
        message = f"{file}: its journal cannot be used ({_in_one_line(error.__cause__ or error)}); nothing was changed"
        raise ArchiveError(message) from error
    try:
        tables = opened.tables()
        for table_id, game in tables:
            f"{table_id} {game}".encode()
            if not all(TABLE_NAME.fullmatch(str(name)) for name in (table_id, game)):  # bytes too have no such text
                raise ValueError(f"no table is called {table_id!a} of {game!a}")  # noqa: TRY301 - told below
            opened.latest_entry(table_id)
        opened.last_change()
        for event in opened.club_events(MAX_FILES):
            if not event.plan:
                log.warning("%s: the plan of event %a cannot be read; the event is left out", file, event.id)
        with closing(sqlite3.connect(journal)) as connection:  # needed only once somebody uses the bin or a list
            connection.execute("SELECT n, table_id, binned, at FROM moves LIMIT 1")
            connection.execute("SELECT table_id, game, number, change, seq, at, sum FROM heads").fetchall()
        return len(tables)
    except (sqlite3.Error, UnicodeEncodeError, TypeError, ValueError) as error:
        message = f"{file}: its journal cannot be read ({_in_one_line(error)}); nothing was changed"
        raise ArchiveError(message) from error
    finally:
        opened.close()


def _in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _check_settings(folder: DataFolder, file: Path) -> None:
    what = "settings"
    try:
        if folder.settings.is_file():
            folder.settings.chmod(0o600)
            load_settings(folder.settings)
        what = "choices"
        preferences_store(folder.preferences).read()
    except SettingsError as error:
        message = f"{file}: its {what} cannot be used; nothing was changed"
        raise ArchiveError(message) from error


def _unpack(file: Path, to: Path) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            _check_contents(archive, file, shutil.disk_usage(to).free)
            for name in archive.namelist():
                if name != MARK:
                    archive.extract(name, to)
    except OSError as error:
        if error.errno not in (None, errno.EINVAL):  # raised by zipfile itself for a damaged archive
            raise
        message = f"{file}: no readable backup ({error})"
        raise ArchiveError(message) from error
    except UNPACK_ERRORS as error:
        message = f"{file}: no readable backup ({error})"
        raise ArchiveError(message) from error


def _check_contents(archive: zipfile.ZipFile, file: Path, free_bytes: int) -> None:
    """Raise ``ArchiveError`` for names or sizes that no backup of this companion has, and where there is no room."""
    fault = _find_fault(archive, file.stat().st_size, free_bytes)
    if fault is not None:
        message = f"{file}: {fault}"
        raise ArchiveError(message)


def _find_fault(archive: zipfile.ZipFile, packed_bytes: int, free_bytes: int | None = None) -> str | None:
    """Return why an archive is no backup, or finds no room on the disk; ``None``: it can be unpacked."""
    infos = archive.infolist()
    size = sum(info.file_size for info in infos)
    most = min(MAX_UNPACKED_BYTES, max(UNSUSPICIOUS_BYTES, MAX_RATIO * packed_bytes))
    if size > most:
        return f"unpacks to more than {most} bytes; that is no backup"
    if len(infos) > MAX_FILES:
        return f"holds more than {MAX_FILES} files; that is no backup"
    if free_bytes is not None and size + SPARE_BYTES > free_bytes:
        return f"takes {size // 1_000_000 + 1} MB, and the disk has {free_bytes // 1_000_000} MB free"
    large = next((info for info in infos if info.file_size > _max_bytes_of(info.filename)), None)
    if large is not None:
        return f"holds {large.filename!r} of {large.file_size} bytes, which no backup of this companion does"
    names = archive.namelist()
    if MARK not in names or archive.read(MARK) != FORMAT.encode():
        return "no backup of this companion"
    foreign = next((name for name in names if _find_fault_of_name(name) is not None), None)
    return None if foreign is None else f"holds {foreign!r}, which no backup of this companion does"


def _max_bytes_of(name: str) -> int:
    return MAX_SMALL_BYTES.get(name, MAX_BYTES_BY_SUFFIX.get(Path(name).suffix, MAX_UNPACKED_BYTES))


def _find_fault_of_name(name: str) -> str | None:
    """Return why no backup may hold a file of this name; ``None``: one may."""
    folder, _, leaf = name.partition("/")
    suffix = FOLDERS.get(f"{folder}/")
    if name in (MARK, *FILES):
        return None
    if suffix is None or not leaf.endswith(suffix) or "/" in leaf or "\\" in leaf:
        return "its name"
    try:
        return "its name is too long" if len(leaf.encode()) > MAX_NAME_BYTES else None
    except UnicodeEncodeError:
        return "its name is no UTF-8"


# Replacing the files of a folder, all or none.


def replace_files(unpacked: Path, folder: Path, names: Iterable[str]) -> Path:
    """Replace files and folders of ``folder`` by those in ``unpacked``, a folder in it; return where the old ones are.

    ``names``: those that are moved away even if ``unpacked`` has no successor.
    """
    for path in (*unpacked.rglob("*"), unpacked):
        sync_to_disk(path)
    numbers = (path.name.removeprefix(ASIDE_PREFIX) for path in folder.glob(f"{ASIDE_PREFIX}*"))
    aside = folder / f"{ASIDE_PREFIX}{1 + max((int(number) for number in numbers if number.isdecimal()), default=0)}"
    aside.mkdir(mode=0o700)
    sync_to_disk(folder)
    new = sorted(path.name for path in unpacked.iterdir())
    note = {"unpacked": unpacked.name, "aside": aside.name, "names": sorted({*names, *new}), "new": new}
    unfinished = folder / f"{RESTORE_NOTE}.new"
    unfinished.write_text(json.dumps(note), encoding="utf-8")
    sync_to_disk(unfinished)
    unfinished.replace(folder / RESTORE_NOTE)
    sync_to_disk(folder)
    finish_restore(folder)
    return aside


def finish_restore(folder: Path) -> bool:
    """Complete an interrupted restore and return whether there was one; remove the files of one that never began.

    Call this with the folder locked, before anything in it is opened.
    """
    note = folder / RESTORE_NOTE
    (folder / f"{RESTORE_NOTE}.new").unlink(missing_ok=True)
    if not note.exists():
        for leftover in (*folder.glob(f"{UNPACKED_PREFIX}*"), *folder.glob(f"{ASIDE_PREFIX}*")):
            if leftover.is_dir() and (leftover.name.startswith(UNPACKED_PREFIX) or not any(leftover.iterdir())):
                shutil.rmtree(leftover)
        return False
    unpacked, aside, names, new = _read_note(note)
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in names:
        successor, current, replaced = unpacked / name, folder / name, aside / name
        already_replaced = name in new and not successor.exists()
        if current.exists() and not already_replaced and not replaced.exists():
            current.rename(replaced)
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


def _read_note(note: Path) -> tuple[Path, Path, list[str], list[str]]:
    """Return the folders of new and old files, the names to move away and the names to move in."""
    try:
        data = json.loads(note.read_text(encoding="utf-8"))
        unpacked, aside, names, new = (data[key] for key in ("unpacked", "aside", "names", "new"))
        outside = [name for name in (unpacked, aside, *names, *new) if not name or "/" in name or name.startswith(".")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = (
            f"{note}: a restore was interrupted and its note cannot be read ({error}); restore again into a new folder"
        )
        raise SettingsError(message) from error
    if outside:
        raise SettingsError(f"{note}: leads to {outside[0]!r}, which is not in this folder; delete it")
    return note.parent / unpacked, note.parent / aside, names, new


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the list of files in a folder, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# A lock file, so that one process at a time uses a folder.


@contextmanager
def lock_folder(path: Path) -> Iterator[None]:
    """Hold a lock file for the block; raise ``FolderInUse`` where another process holds it.

    The system releases the lock when the process ends, however it ends.
    """
    make_private_folder(path.parent)
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{path.parent} is in use by another companion; stop that one, or name another --data folder"
            raise FolderInUse(message) from error
        yield


def make_private_folder(folder: Path) -> None:
    """Create the folder, or close one of an earlier version that others may read."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:  # exist_ok speaks of folders
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from error
    status = folder.stat()
    ours = any((folder / name).exists() for name in DATA_FILES) and status.st_uid == os.geteuid()
    if ours and stat.S_IMODE(status.st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        folder.chmod(0o700)
