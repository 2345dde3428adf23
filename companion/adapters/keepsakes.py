"""Dials and crops in a SQLite file of their own beside the journal: nothing written here can tear a game.

WAL, so that a pulled plug leaves the file whole.  A dial is on the disk before it is acknowledged.  The latest crop may
be lost: a picture is not worth a second wait for the disk at every card.
"""

import json
import logging
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType

from companion.adapters.journal.sqlite import check_intact
from companion.service.camera.keepsakes import MOST_BYTES, Crop
from companion.service.camera.proposals import DIALS, Dial, Setting

log = logging.getLogger(__name__)

_SHAPE = """
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


class SqliteKeepsakes:
    """What is kept beside the journals, in one file."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        """Open or create the file; one that cannot be read is put aside, ending in ``.torn``, and begun anew.

        Raises ``sqlite3.Error`` or ``OSError`` where a new one cannot be written either.
        """
        self.path = path
        self._most = most_bytes
        self._using = threading.Lock()
        try:
            self._connection = _connected(path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            log.warning("%s: not readable (%s); dials and pictures of cards begin anew", path, error)
            _put_aside(path)
            self._connection = _connected(path)
        held = self._connection.execute("SELECT COALESCE(SUM(LENGTH(picture)), 0) FROM crops").fetchone()
        self._held = int(held[0])

    def close(self) -> None:
        """Close the file."""
        with self._using:
            self._connection.close()

    @contextmanager
    def _atomic(self, sync: str) -> Iterator[sqlite3.Connection]:
        """Write one block; ``sync`` says what is waited for: ``FULL`` the disk, ``NORMAL`` nothing."""
        with self._using:
            self._connection.execute(f"PRAGMA synchronous={sync}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def setting(self, table_id: str) -> Setting:
        """Say how a table's dial was left; what cannot be understood asks before all."""
        with self._using:
            row = self._connection.execute("SELECT dial, apart FROM dials WHERE table_id = ?", (table_id,)).fetchone()
        return Setting() if row is None else _setting(*row)

    def keep_setting(self, table_id: str, setting: Setting) -> None:
        """Remember how a dial stands; it is durable when this returns."""
        apart = json.dumps(dict(setting.apart), sort_keys=True)
        with self._atomic("FULL") as connection:
            connection.execute("INSERT OR REPLACE INTO dials VALUES (?, ?, ?)", (table_id, setting.dial, apart))

    def crop(self, table_id: str, entry: int) -> Crop | None:
        """Give what an entry was read from."""
        with self._using:
            row = self._connection.execute(
                "SELECT picture, viewer FROM crops WHERE table_id = ? AND entry = ?", (table_id, entry)
            ).fetchone()
        return None if row is None else Crop(*row)

    def keep_crop(self, table_id: str, entry: int, crop: Crop) -> None:
        """Remember what an entry was read from; the oldest pictures of all tables go first.

        Where the disk takes no more the entry stands all the same: then its picture is missing, and the log says so.
        """
        try:
            with self._atomic("NORMAL") as connection:
                held = self._held + len(crop.picture) - _drop(connection, "table_id = ? AND entry = ?", table_id, entry)
                connection.execute(
                    "INSERT INTO crops (table_id, entry, viewer, picture) VALUES (?, ?, ?, ?)",
                    (table_id, entry, crop.viewer, crop.picture),
                )
                while held > self._most:
                    held -= _drop(connection, "number = (SELECT MIN(number) FROM crops)")
                self._held = held
        except sqlite3.OperationalError as error:
            log.warning("table %s, entry %d: its picture could not be kept (%s)", table_id, entry, error)

    def crops(self, table_id: str) -> Mapping[int, str]:
        """Say of which entries there is a crop, and whose eye saw each."""
        with self._using:
            rows = self._connection.execute("SELECT entry, viewer FROM crops WHERE table_id = ?", (table_id,))
            return dict(rows.fetchall())

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy while the game goes on."""
        with self._using, closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        check_intact(connection)
        connection.executescript(_SHAPE)
    except BaseException:
        connection.close()
        raise
    return connection


def _put_aside(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        found = path.with_name(path.name + end)
        if found.exists():
            found.replace(found.with_name(f"{path.name}.torn{end}"))


def _drop(connection: sqlite3.Connection, which: str, *values: str | int) -> int:
    """Drop pictures; give how many bytes they took."""
    rows = connection.execute(
        f"DELETE FROM crops WHERE {which} RETURNING LENGTH(picture)",  # noqa: S608 - ``which`` is written above
        values,
    )
    return sum(size for (size,) in rows.fetchall())


def _setting(dial: str, apart: str) -> Setting:
    try:
        held = json.loads(apart)
    except ValueError:
        return Setting()
    kept = held.items() if isinstance(held, dict) else ()
    kinds: dict[str, Dial] = {kind: one for kind, held in kept for one in DIALS if one == held}
    return next((Setting(one, MappingProxyType(kinds)) for one in DIALS if one == dial), Setting())
