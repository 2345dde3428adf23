"""Journals in SQLite: an entry is on the disk before it is acknowledged, and never changed afterwards.

WAL and ``synchronous=FULL``: what was committed survives a pulled plug.  One INSERT a command, inside
``BEGIN IMMEDIATE``; triggers refuse UPDATE and DELETE.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.adapters.sqlite_intact import check_intact
from companion.engine.journal import Entry

_WRITER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class JournalFileError(Exception):
    """The file cannot serve as a journal; the message is one line for the operator."""


class SqliteJournal:
    """The journal of every table in one file."""

    def __init__(self, path: Path) -> None:
        """Open or create the file; ``JournalFileError`` where it is torn or not to be written."""
        self.path = path
        self._using = threading.Lock()
        try:
            self._connection = _connected(path)
        except sqlite3.Error as error:
            told = " ".join(str(error).split())
            message = f"{path}: no readable journal ({told}); restore it with: companion restore FILE"
            raise JournalFileError(message) from error

    def close(self) -> None:
        """Close the file."""
        with self._using:
            self._connection.close()

    @contextmanager
    def _atomic(self) -> Iterator[sqlite3.Connection]:
        """One writer, one durable block."""
        with self._using:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Store a new table with its first entry."""
        with self._atomic() as connection:
            connection.execute("INSERT INTO tables (id, game, opened_at) VALUES (?, ?, ?)", (table_id, game, first.at))
            _insert(connection, table_id, first)

    def append(self, table_id: str, entry: Entry) -> None:
        """Store the next entry."""
        with self._atomic() as connection:
            _insert(connection, table_id, entry)

    def entries(self, table_id: str) -> Sequence[Entry]:
        """Give all entries of a table in the order of their numbers."""
        with self._using:
            rows = self._connection.execute(
                "SELECT seq, at, actor, source, command, events, key FROM entries WHERE table_id = ? ORDER BY seq",
                (table_id,),
            ).fetchall()
        return [_entry(row) for row in rows]

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give id and game of every table, in the order in which they were opened."""
        with self._using:
            return self._connection.execute("SELECT id, game FROM tables ORDER BY rowid").fetchall()

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Store that a table was put into the bin, or taken out again: one more row, its entries stay as they are."""
        with self._atomic() as connection:
            row = (table_id, int(binned), at)
            connection.execute("INSERT INTO moves (table_id, binned, at) VALUES (?, ?, ?)", row)

    def binned(self) -> frozenset[str]:
        """Name the tables whose latest move was into the bin."""
        with self._using:
            rows = self._connection.execute(
                "SELECT table_id FROM moves WHERE binned AND n IN (SELECT MAX(n) FROM moves GROUP BY table_id)"
            ).fetchall()
        return frozenset(table_id for (table_id,) in rows)

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy while the game goes on."""
        with self._using, closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)


def _connected(path: Path) -> sqlite3.Connection:
    from companion.adapters.journal_migrations import migrate  # noqa: PLC0415 - it loads numpy: only who opens a file

    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    connection.text_factory = _lenient
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        check_intact(connection)
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _insert(connection: sqlite3.Connection, table_id: str, entry: Entry) -> None:
    row = (
        table_id,
        entry.seq,
        entry.at,
        entry.actor,
        entry.source,
        _compact(entry.command),
        _compact(entry.events),
        entry.key,
    )
    connection.execute(
        "INSERT INTO entries (table_id, seq, at, actor, source, command, events, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )


def _compact(value: Any) -> str:
    return _WRITER.encode(value)


def _entry(row: tuple[Any, ...]) -> Entry:
    seq, at, actor, source, command, events, key = row
    try:
        for text in (at, actor, source, command, events, key or ""):
            text.encode()
        asked, led_to = json.loads(command), json.loads(events)
    except (AttributeError, ValueError, RecursionError):
        return _torn(seq)
    if not isinstance(asked, dict) or not isinstance(led_to, list) or not all(isinstance(one, dict) for one in led_to):
        return _torn(seq)
    return Entry(seq, at, actor, source, asked, tuple(led_to), key)


def _torn(seq: int) -> Entry:
    """Stand in for a row that cannot be read: the fold tells it by its number, and the other tables go on."""
    return Entry(seq, "", "", "", {}, ({"event": "torn"},))


def _lenient(text: bytes) -> str:
    """Let bytes that are no text through, as half characters, to where their row is told."""
    return text.decode("utf-8", "surrogateescape")
