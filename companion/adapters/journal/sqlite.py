"""Journals in SQLite: an entry is on the disk before it is acknowledged, and never changed afterwards.

WAL and ``synchronous=FULL``: what was committed survives a pulled plug.  One INSERT a command, inside
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
from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.service.ports import Conflict, KeptRefusal, LatestEntry, NotStored, Why

# --- sqlite_faults
# Why SQLite refused: a disk that is full is no torn file, and what helps against one does harm against the
# other.

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
"""Bytes: with less SQLite cannot lay its side files beside a journal, and says no more than that it failed."""

ADVICE: dict[Why, str] = {
    "full": "the disk is full; make room on it and start again: nothing is lost, and nothing needs to be restored",
    "locked": "another program has it open; stop that one and start again",
    "read_only": "it may not be written; see who owns it and whether its disk is mounted read-only",
    "failing": "its disk cannot be read or written ({reason}); copy the folder to another disk",
    "torn": "no readable journal ({reason}); restore it with: companion restore FILE",
}
"""What an operator does about it, on one line."""


def diagnose(error: sqlite3.Error, path: Path) -> Why:
    """Say what kept SQLite from using a file."""
    code = getattr(error, "sqlite_errorcode", None)
    found = "torn" if code is None else _BY_CODE.get(code & 0xFF, "torn")
    if found == "failing":  # SQLite knows no more; the disk does
        return _of_the_disk(path)
    return found


def _of_the_disk(path: Path) -> Why:
    try:
        if shutil.disk_usage(path.parent).free < MIN_FREE_BYTES:
            return "full"
        writable = os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
    except OSError:
        return "failing"
    return "failing" if writable else "read_only"


# --- sqlite_intact
# Whether a SQLite file is whole.


def check_intact(connection: sqlite3.Connection) -> None:
    """Look through the file, as far as can be done quickly.  Raises ``sqlite3.DatabaseError`` where it is torn."""
    fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise sqlite3.DatabaseError(fault)


log = logging.getLogger(__name__)

MAX_REFUSALS = 1_000
"""So many refusals are remembered for each table."""

_WRITER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class JournalFileError(Exception):
    """The file cannot serve as a journal; the message is one line for the operator."""


class NewerJournalError(JournalFileError):
    """A newer companion has written it; nothing was changed."""


class SqliteJournal:
    """The journal of every table in one file."""

    def __init__(self, path: Path, latest: LatestNumbers | None = None) -> None:
        """Open or create the file; ``JournalFileError`` where it is torn or not to be written.

        ``latest``: where each table's latest number is noted besides.
        """
        self.path = path
        self._latest = latest
        self._sums: LatestChecksums = {}
        self._using = threading.Lock()
        try:
            self._connection = _connected(path)
        except sqlite3.Error as error:
            advice = ADVICE[diagnose(error, path)].format(reason=" ".join(str(error).split()))
            message = f"{path}: {advice}"
            raise JournalFileError(message) from error

    def close(self) -> None:
        """Close the file."""
        with self._using:
            self._connection.close()

    @contextmanager
    def _atomic(self) -> Iterator[sqlite3.Connection]:
        """One writer, one durable block; ``NotStored`` where the disk does not take it, then nothing has changed."""
        try:
            with self._using, self._block() as connection:
                yield connection
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.IntegrityError):
                raise
            raise NotStored(diagnose(error, self.path)) from error

    @contextmanager
    def _block(self) -> Iterator[sqlite3.Connection]:
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
        """Store a new table with all its entries in one durable block."""
        with self._atomic() as connection:
            row = (table_id, game, entries[0].at)
            connection.execute("INSERT INTO tables (id, game, opened_at) VALUES (?, ?, ?)", row)
            for entry in entries:
                _insert(connection, table_id, entry, self._sums)
        self._note(table_id, entries[-1].seq)

    def append(self, table_id: str, entry: Entry) -> None:
        """Store the next entry; ``Conflict`` where the table has moved on, or the entry's key was used already."""
        try:
            with self._atomic() as connection:
                _insert(connection, table_id, entry, self._sums)
        except sqlite3.IntegrityError as error:
            if self._has_moved_on(table_id, entry):
                raise Conflict from error
            raise
        self._note(table_id, entry.seq)

    def _note(self, table_id: str, number: int) -> None:
        """Note what is stored already; where the note cannot be written, the journal is whole all the same."""
        if self._latest is None:
            return
        try:
            self._latest.record(table_id, number)
        except OSError as error:
            log.warning("table %s: its latest number could not be noted (%s)", table_id, error)

    def latest_numbers(self) -> dict[str, int]:
        """Give the number of each table's latest entry."""
        with self._using:
            return dict(self._connection.execute("SELECT table_id, MAX(seq) FROM entries GROUP BY table_id").fetchall())

    def _has_moved_on(self, table_id: str, entry: Entry) -> bool:
        """Say whether another process has stored the next entry, or answered this request."""
        with self._using:
            found = self._connection.execute(
                "SELECT EXISTS (SELECT 1 FROM entries WHERE table_id = :table AND (seq >= :seq OR key = :key))"
                " OR EXISTS (SELECT 1 FROM refusals WHERE table_id = :table AND key = :key)",
                {"table": table_id, "seq": entry.seq, "key": entry.key},
            ).fetchone()
        return bool(found[0])

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Give all entries of a table behind a version in the order of their numbers."""
        with self._using:
            rows = self._connection.execute(
                "SELECT seq, at, actor, source, command, events, key FROM entries"
                " WHERE table_id = ? AND seq > ? ORDER BY seq",
                (table_id, after),
            ).fetchall()
            changed, sound = find_first_changed(self._connection, table_id, after, rows)
        return [_torn(row[0]) if row[0] == changed else _entry(row, legible=row[0] <= sound) for row in rows]

    def latest_entry(self, table_id: str) -> LatestEntry | None:
        """Return what identifies a table's latest entry; its checksum covers all entries before it."""
        with self._using:
            row = self._connection.execute(
                "SELECT entries.seq, at, COALESCE(sum, '') FROM entries LEFT JOIN sums USING (table_id, seq)"
                " WHERE table_id = ? ORDER BY entries.seq DESC LIMIT 1",
                (table_id,),
            ).fetchone()
        return None if row is None else LatestEntry(*row)

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give id and game of every table, in the order in which they were opened."""
        with self._using:
            return self._connection.execute("SELECT id, game FROM tables ORDER BY rowid").fetchall()

    def begun_with(self, key: str) -> str | None:
        """Give the id of the table whose first entry has this key."""
        with self._using:
            row = self._connection.execute(
                "SELECT table_id FROM entries WHERE seq = 1 AND key = ? ORDER BY rowid", (key,)
            ).fetchone()
        return None if row is None else str(row[0])

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Remember what a request was refused with; where the disk takes no more it is refused all the same."""
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
        """Give what a request was refused with."""
        with self._using:
            row = self._connection.execute(
                "SELECT request, rule, details FROM refusals WHERE table_id = ? AND key = ?", (table_id, key)
            ).fetchone()
        if row is None:
            return None
        request, rule, details = row
        held = {name: tuple(one) if isinstance(one, list) else one for name, one in json.loads(details).items()}
        return KeptRefusal(request, Refused(rule, **held))

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
    from companion.adapters.journal.migrations import (  # noqa: PLC0415 - it loads numpy: only who opens a file
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
            f"{path}: a newer companion has written it ({error}); use that one, or restore a backup of before; "
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


def _entry(row: tuple[Any, ...], *, legible: bool) -> Entry:
    """Read a row; ``legible``: its sum has shown that it is text throughout."""
    seq, at, actor, source, command, events, key = row
    try:
        for text in () if legible else (at, actor, source, command, events, key or ""):
            text.encode()
        asked, led_to = json.loads(command), json.loads(events)
    except (AttributeError, TypeError, ValueError, RecursionError):
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
