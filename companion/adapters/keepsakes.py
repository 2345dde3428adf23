"""Automation levels and card crops in a SQLite file apart from the journal, so that no write here can damage a game.

The file is in WAL mode and survives a power failure.  Automation levels are durable when written; the latest crop may
be lost, because a picture is not worth a second sync at every card.
"""

import json
import logging
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType

from companion.adapters.journal.sqlite import check_intact, decode_leniently, diagnose
from companion.service.camera.proposals import (
    AUTOMATION_LEVELS,
    MOST_BYTES_OF_CROPS,
    AutomationLevel,
    AutomationSettings,
    Crop,
)
from companion.service.ports import NotStored

log = logging.getLogger(__name__)

SHAPE = """
CREATE TABLE IF NOT EXISTS dials (table_id TEXT PRIMARY KEY, dial TEXT NOT NULL, apart TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS crops (
    number INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    picture BLOB NOT NULL,
    UNIQUE (table_id, entry)
);
"""
_COLUMNS = {
    "dials": {"table_id", "dial", "apart"},
    "crops": {"number", "table_id", "entry", "viewer", "picture"},
}


class SqliteKeepsakes:
    """All keepsakes of an installation in one file.  Thread-safe."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES_OF_CROPS) -> None:
        """Open or create the file; an unreadable one is renamed to ``.torn``, and a new one is begun.

        Raises:
            sqlite3.Error: when a new file cannot be written either.
            OSError: likewise.

        """
        self.path = path
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        try:
            self._connection = _connect(path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            log.warning("%s: not readable (%s); dials and pictures of cards begin anew", path, error)
            _put_aside(path)
            self._connection = _connect(path)
        row = self._connection.execute("SELECT COALESCE(SUM(LENGTH(picture)), 0) FROM crops").fetchone()
        self._stored_bytes = int(row[0])
        for table_id, *stored in self._connection.execute("SELECT table_id, dial, apart FROM dials").fetchall():
            try:
                _parse_setting(*stored)
            except ValueError as error:
                log.warning(
                    "%s: the dial of table %a cannot be read (%s); it stands as at first", path, table_id, error
                )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _atomic(self, sync: str) -> Iterator[sqlite3.Connection]:
        """Run one transaction; ``sync``: ``FULL`` waits for the disk, ``NORMAL`` does not."""
        with self._lock:
            self._connection.execute(f"PRAGMA synchronous={sync}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def settings(self, table_id: str) -> AutomationSettings:
        """Return a table's automation level; the default where none or an unknown one is stored."""
        with self._lock:
            row = self._connection.execute("SELECT dial, apart FROM dials WHERE table_id = ?", (table_id,)).fetchone()
        try:
            return AutomationSettings() if row is None else _parse_setting(*row)
        except ValueError:  # logged when the file was opened
            return AutomationSettings()

    def keep_settings(self, table_id: str, setting: AutomationSettings) -> None:
        """Store a table's automation level durably; raise ``NotStored`` where the disk refuses, and change nothing."""
        apart = json.dumps(dict(setting.level_by_kind), sort_keys=True)
        try:
            with self._atomic("FULL") as connection:
                connection.execute("INSERT OR REPLACE INTO dials VALUES (?, ?, ?)", (table_id, setting.level, apart))
        except sqlite3.DatabaseError as error:
            raise NotStored(diagnose(error, self.path)) from error

    def crop(self, table_id: str, entry: int) -> Crop | None:
        """Return the crop that an entry was read from; ``None`` where there is none."""
        with self._lock:
            row = self._connection.execute(
                "SELECT picture, viewer FROM crops WHERE table_id = ? AND entry = ?", (table_id, entry)
            ).fetchone()
        return Crop(*row) if row is not None and isinstance(row[0], bytes) and _is_text(row[1]) else None

    def keep_crop(self, table_id: str, entry: int, crop: Crop) -> None:
        """Store the crop that an entry was read from, and delete the oldest of all tables beyond the limit.

        A failure is logged and otherwise ignored: the entry is valid without its picture.
        """
        try:
            with self._atomic("NORMAL") as connection:
                replaced = _drop(connection, "table_id = ? AND entry = ?", table_id, entry)
                size = self._stored_bytes + len(crop.picture) - replaced
                connection.execute(
                    "INSERT INTO crops (table_id, entry, viewer, picture) VALUES (?, ?, ?, ?)",
                    (table_id, entry, crop.viewer, crop.picture),
                )
                while size > self._most_bytes:
                    size -= _drop(connection, "number = (SELECT MIN(number) FROM crops)")
                self._stored_bytes = size
        except sqlite3.OperationalError as error:
            log.warning("table %s, entry %d: its picture could not be kept (%s)", table_id, entry, error)

    def crops(self, table_id: str) -> Mapping[int, str]:
        """Return the entries that have a crop, each with the viewer whose camera saw it."""
        with self._lock:
            rows = self._connection.execute("SELECT entry, viewer FROM crops WHERE table_id = ?", (table_id,))
            return {entry: viewer for entry, viewer in rows.fetchall() if _is_text(viewer)}

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy; other threads may go on."""
        with self._lock, closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    connection.text_factory = decode_leniently
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        check_intact(connection)
        connection.executescript(SHAPE)
        _check_columns(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_columns(connection: sqlite3.Connection) -> None:
    """Raise ``sqlite3.DatabaseError`` for tables of the same names with other columns."""
    for table, columns in _COLUMNS.items():
        rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
        if not columns <= {name for (name,) in rows}:
            raise sqlite3.DatabaseError(f"the table {table} is not one of this companion")


def _put_aside(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        file = path.with_name(path.name + end)
        if file.exists():
            file.replace(file.with_name(f"{path.name}.torn{end}"))


def _drop(connection: sqlite3.Connection, condition: str, *values: str | int) -> int:
    """Delete crops and return how many bytes their pictures took."""
    rows = connection.execute(
        f"DELETE FROM crops WHERE {condition} RETURNING LENGTH(picture)",  # noqa: S608 - all conditions are written above
        values,
    )
    return sum(size for (size,) in rows.fetchall())


def _is_text(value: object) -> bool:
    """Return whether a column holds text whose bytes are valid UTF-8."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _parse_setting(dial: str, apart: str) -> AutomationSettings:
    """Return the stored level and its exceptions by kind of card; unknown values are ignored.

    Raises:
        ValueError: where the bytes are damaged.

    """
    if not (_is_text(dial) and _is_text(apart)):
        raise ValueError("no UTF-8")
    try:
        exceptions = json.loads(apart)
    except RecursionError:
        raise ValueError("brackets within brackets without end") from None
    pairs = exceptions.items() if isinstance(exceptions, dict) else ()
    levels: dict[str, AutomationLevel] = {level: level for level in AUTOMATION_LEVELS}
    by_kind = {kind: levels[stored] for kind, stored in pairs if isinstance(stored, str) and stored in levels}
    return AutomationSettings(levels[dial], MappingProxyType(by_kind)) if dial in levels else AutomationSettings()
