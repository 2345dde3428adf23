"""The journal in SQLite: an entry is durable before it is acknowledged, and never changed afterwards.

WAL and ``synchronous=FULL``: committed transactions survive a power failure.  One INSERT a command, inside
``BEGIN IMMEDIATE``; triggers refuse UPDATE and DELETE.
"""

import json
import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.adapters.journal.checksums import LatestChecksums, LatestNumbers, find_first_changed, store_checksum
from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import Conflict, KeptRefusal, LatestEntry, NotStored, Why

log = logging.getLogger(__name__)

MAX_REFUSALS = 1_000
"""Refusals that are stored for each table."""

_WRITER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)

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
MIN_FREE_BYTES = 1_000_000
"""With fewer free bytes SQLite cannot create its side files, and reports an I/O error."""

ADVICE: dict[Why, str] = {
    "full": "the disk is full; make room on it and start again: nothing is lost, and nothing needs to be restored",
    "locked": "another program has it open; stop that one and start again",
    "read_only": "it may not be written; see who owns it and whether its disk is mounted read-only",
    "failing": "its disk cannot be read or written ({reason}); copy the folder to another disk",
    "torn": "no readable journal ({reason}); restore it with: companion restore FILE",
}
"""What the operator should do, in one line."""


class JournalFileError(Exception):
    """The file cannot serve as a journal; the message is one line for the operator."""


class NewerJournalError(JournalFileError):
    """A newer version has written the file; nothing was changed."""


class SqliteJournal:
    """The journal of every table in one file."""

    def __init__(self, path: Path, latest: LatestNumbers | None = None) -> None:
        """Open or create the file.

        Args:
            path: the file.
            latest: where each table's latest number is recorded as well.

        Raises:
            JournalFileError: when the file is damaged, or cannot be written.

        """
        self.path = path
        self._latest = latest
        self._sums: LatestChecksums = {}
        self._lock = threading.Lock()
        try:
            self._connection = _connect(path)
        except sqlite3.Error as error:
            advice = ADVICE[diagnose(error, path)].format(reason=" ".join(str(error).split()))
            message = f"{path}: {advice}"
            raise JournalFileError(message) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _atomic(self) -> Iterator[sqlite3.Connection]:
        """Run one durable transaction; raise ``NotStored``, with nothing changed, where the disk refuses."""
        try:
            with self._lock, self._transaction() as connection:
                yield connection
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.IntegrityError):
                raise
            raise NotStored(diagnose(error, self.path)) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException:
            self._sums.clear()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Store a new table with its first entry."""
        self.import_table(table_id, game, (first,))

    def import_table(self, table_id: str, game: str, entries: Sequence[Entry]) -> None:
        """Store a new table with all its entries in one durable transaction."""
        with self._atomic() as connection:
            row = (table_id, game, entries[0].at)
            connection.execute("INSERT INTO tables (id, game, opened_at) VALUES (?, ?, ?)", row)
            for entry in entries:
                _insert(connection, table_id, entry, self._sums)
        self._record_number(table_id, entries[-1].seq)

    def append(self, table_id: str, entry: Entry) -> None:
        """Store the next entry; raise ``Conflict`` where it is not the next, or its key was used already."""
        try:
            with self._atomic() as connection:
                _insert(connection, table_id, entry, self._sums)
        except sqlite3.IntegrityError as error:
            if self._has_moved_on(table_id, entry):
                raise Conflict from error
            raise
        self._record_number(table_id, entry.seq)

    def _record_number(self, table_id: str, number: int) -> None:
        """Record a stored entry's number; a failure is logged, because the journal is complete without it."""
        if self._latest is None:
            return
        try:
            self._latest.record(table_id, number)
        except OSError as error:
            log.warning("table %s: its latest number could not be noted (%s)", table_id, error)

    def latest_numbers(self) -> dict[str, int]:
        """Return the number of each table's latest entry."""
        with self._lock:
            return dict(self._connection.execute("SELECT table_id, MAX(seq) FROM entries GROUP BY table_id").fetchall())

    def _has_moved_on(self, table_id: str, entry: Entry) -> bool:
        """Return whether another writer has stored this entry's number, or used its key."""
        with self._lock:
            row = self._connection.execute(
                "SELECT EXISTS (SELECT 1 FROM entries WHERE table_id = :table AND (seq >= :seq OR key = :key))"
                " OR EXISTS (SELECT 1 FROM refusals WHERE table_id = :table AND key = :key)",
                {"table": table_id, "seq": entry.seq, "key": entry.key},
            ).fetchone()
        return bool(row[0])

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Return all entries of a table after a version in the order of their numbers."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT seq, at, actor, source, command, events, key FROM entries"
                " WHERE table_id = ? AND seq > ? ORDER BY seq",
                (table_id, after),
            ).fetchall()
            changed, sound = find_first_changed(self._connection, table_id, after, rows)
        return [
            _torn_entry(row[0]) if row[0] == changed else _parse_entry(row, is_text=row[0] <= sound) for row in rows
        ]

    def latest_entry(self, table_id: str) -> LatestEntry | None:
        """Return what identifies a table's latest entry; its checksum covers all entries before it."""
        with self._lock:
            row = self._connection.execute(
                "SELECT entries.seq, at, COALESCE(sum, '') FROM entries LEFT JOIN sums USING (table_id, seq)"
                " WHERE table_id = ? ORDER BY entries.seq DESC LIMIT 1",
                (table_id,),
            ).fetchone()
        return None if row is None else LatestEntry(*row)

    def tables(self) -> Sequence[tuple[str, str]]:
        """Return id and game of every table, in the order in which they were opened."""
        with self._lock:
            return self._connection.execute("SELECT id, game FROM tables ORDER BY rowid").fetchall()

    def begun_with(self, key: str) -> str | None:
        """Return the id of the table whose first entry has this key."""
        with self._lock:
            row = self._connection.execute(
                "SELECT table_id FROM entries WHERE seq = 1 AND key = ? ORDER BY rowid", (key,)
            ).fetchone()
        return None if row is None else str(row[0])

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Store the refusal of a request; a failure is logged, because the request is refused all the same."""
        refused = kept.refused
        try:
            row = (table_id, key, kept.request, refused.rule, _compact(dict(refused.details)), at)
            with self._atomic() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO refusals (table_id, key, request, rule, details, at)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    row,
                )
                connection.execute(
                    "DELETE FROM refusals WHERE table_id = ? AND n <= (SELECT n FROM refusals WHERE table_id = ?"
                    " ORDER BY n DESC LIMIT 1 OFFSET ?)",
                    (table_id, table_id, MAX_REFUSALS),
                )
        except (sqlite3.Error, NotStored, ValueError) as error:
            log.warning("table %s: a refusal could not be kept (%s)", table_id, error)

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Return the refusal of a request; ``None`` where there is none."""
        with self._lock:
            row = self._connection.execute(
                "SELECT request, rule, details FROM refusals WHERE table_id = ? AND key = ?", (table_id, key)
            ).fetchone()
        if row is None:
            return None
        request, rule, details = row
        figures = {
            name: tuple(value) if isinstance(value, list) else value for name, value in json.loads(details).items()
        }
        return KeptRefusal(request, Refused(rule, **figures))

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Store that a table was put into the bin, or taken out again, as one more row."""
        with self._atomic() as connection:
            row = (table_id, int(binned), at)
            connection.execute("INSERT INTO moves (table_id, binned, at) VALUES (?, ?, ?)", row)

    def binned(self) -> frozenset[str]:
        """Return the ids of the tables whose latest move was into the bin."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT table_id FROM moves WHERE binned AND n IN (SELECT MAX(n) FROM moves GROUP BY table_id)"
            ).fetchall()
        return frozenset(table_id for (table_id,) in rows)

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy; other threads may go on."""
        with self._lock, closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)


def diagnose(error: sqlite3.Error, path: Path) -> Why:
    """Return why SQLite could not use a file: remedies differ, and the wrong one does harm."""
    code = getattr(error, "sqlite_errorcode", None)
    cause = "torn" if code is None else _BY_CODE.get(code & 0xFF, "torn")
    if cause == "failing":  # an I/O error; the file system knows more
        return _diagnose_disk(path)
    return cause


def _diagnose_disk(path: Path) -> Why:
    try:
        if shutil.disk_usage(path.parent).free < MIN_FREE_BYTES:
            return "full"
        writable = os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
    except OSError:
        return "failing"
    return "failing" if writable else "read_only"


def check_intact(connection: sqlite3.Connection) -> None:
    """Run SQLite's quick check; raise ``sqlite3.DatabaseError`` for a damaged file."""
    fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise sqlite3.DatabaseError(fault)


def _connect(path: Path) -> sqlite3.Connection:
    from companion.adapters.journal.migrations import (  # noqa: PLC0415 - it loads numpy, which only an opened file needs
        UnknownMigration,
        migrate,
    )

    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    connection.text_factory = _lenient
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        check_intact(connection)
        migrate(connection)
    except UnknownMigration as error:
        connection.close()
        message = (
            f"{path}: a newer companion has written it ({error}); use that one, or restore an earlier backup; "
            "nothing was changed"
        )
        raise NewerJournalError(message) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _insert(connection: sqlite3.Connection, table_id: str, entry: Entry, sums: LatestChecksums) -> None:
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
    store_checksum(connection, table_id, row[1:], sums)


def _compact(value: Any) -> str:
    return _WRITER.encode(value)


def _parse_entry(row: tuple[Any, ...], *, is_text: bool) -> Entry:
    """Return the entry in a row; ``is_text``: its checksum has shown that all columns are valid UTF-8."""
    seq, at, actor, source, command, events, key = row
    try:
        for text in () if is_text else (at, actor, source, command, events, key or ""):
            text.encode()
        command_json, events_json = json.loads(command), json.loads(events)
        if "\\u" in command or "\\u" in events:  # escapes may stand for half characters, which fit on no page
            json.dumps((command_json, events_json), ensure_ascii=False).encode()
    except (AttributeError, TypeError, ValueError, RecursionError):
        return _torn_entry(seq)
    if not (
        isinstance(command_json, dict)
        and isinstance(events_json, list)
        and all(isinstance(event, dict) for event in events_json)
    ):
        return _torn_entry(seq)
    return Entry(seq, at, actor, source, command_json, tuple(events_json), key)


def _torn_entry(seq: int) -> Entry:
    """Return a stand-in for an unreadable row: folding reports its number, and other tables are not affected."""
    return Entry(seq, "", "", "", {}, ({"event": "torn"},))


def _lenient(text: bytes) -> str:
    """Decode a column; invalid bytes become surrogates, by which ``_parse_entry`` recognises a damaged row."""
    return text.decode("utf-8", "surrogateescape")
