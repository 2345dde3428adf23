"""The journal in SQLite: an entry is durable before it is acknowledged, and never changed afterwards.

WAL and ``synchronous=FULL``: committed transactions survive a power failure.  One INSERT a command, inside
``BEGIN IMMEDIATE``; triggers refuse UPDATE and DELETE.
"""

import logging
import os
import re
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias

from companion.adapters.journal.rows import (
    MAX_REFUSALS,
    HeadValues,
    compute_checksum,
    read_club_event,
    read_entries,
    read_head,
    read_refusal,
    require_storable,
    searched_text,
    select_club_events,
    select_counts,
    select_heads,
    sender_of,
    write_details,
    write_json,
)
from companion.adapters.system import OperatorError
from companion.engine.journal import Entry
from companion.service.ports import (
    Conflict,
    Describe,
    HeadCounts,
    HeadQuery,
    KeptClubEvent,
    KeptRefusal,
    LatestEntry,
    NotStored,
    TableHead,
    Why,
)

log = logging.getLogger(__name__)

NOTE_PATTERN = re.compile(r"(\S+) ([0-9]{1,9})")
_CLUB_EVENTS = select_club_events("plan", "BINARY")
LatestChecksums: TypeAlias = dict[str, tuple[int, str]]
"""Number and checksum of the latest entry of each table; cleared when a transaction is rolled back."""

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


_ADD_HEAD = """
    INSERT INTO heads (table_id, game, number, change, seq, at, sum, finished, binned, searched, program, described)
    SELECT id, game, rowid, :change, :seq, :at, :sum, :finished, 0, COALESCE(:searched, id), :program, :described
    FROM tables WHERE id = :table
"""
_FOLLOW_WITH_HEAD = """
    UPDATE heads SET change = :change, seq = :seq, at = :at, sum = :sum, finished = :finished,
        searched = COALESCE(:searched, searched), program = :program, described = :described
    WHERE table_id = :table
"""
_CHANGE_HEAD = """
    UPDATE heads SET finished = COALESCE(:finished, finished), searched = COALESCE(:searched, searched),
        program = :program, described = :described
    WHERE table_id = :table AND sum = COALESCE(:checksum, sum)
"""


class JournalFileError(OperatorError):
    """The file cannot serve as a journal; the message is one line for the operator."""


class NewerJournalError(JournalFileError):
    """A newer version has written the file; nothing was changed."""


class LatestNumbers:
    """The number of each table's latest entry, in a file apart from the journal: shows if the journal loses its end.

    A line is appended for each entry and not synced: a lost line can only under-report, never over-report.
    """

    def __init__(self, path: Path) -> None:
        """Read the file, ignoring invalid lines, and write it anew with one line a table."""
        self._path = path
        self._recorded: dict[str, int] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if (note := NOTE_PATTERN.fullmatch(line)) is not None:
                    self._recorded[note[1]] = max(int(note[2]), self._recorded.get(note[1], 0))
        lines = (f"{table} {number}\n" for table, number in self._recorded.items())
        unfinished = path.with_suffix(".new")
        unfinished.write_text("".join(lines), encoding="utf-8")
        unfinished.replace(path)

    def record(self, table_id: str, number: int) -> None:
        """Append the number of a table's latest entry; raise ``OSError`` where the disk refuses."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{table_id} {number}\n")

    @property
    def recorded(self) -> Mapping[str, int]:
        """The number of each table's latest entry when the file was read."""
        return self._recorded


_KEEP_REFUSAL = "INSERT OR IGNORE INTO refusals (table_id, key, request, rule, details, at) VALUES (?, ?, ?, ?, ?, ?)"
_DROP_REFUSALS = """
    DELETE FROM refusals WHERE table_id = :table AND substr(key, 1, length(:sender)) = :sender AND n <= (
        SELECT n FROM refusals WHERE table_id = :table AND substr(key, 1, length(:sender)) = :sender
        ORDER BY n DESC LIMIT 1 OFFSET :most)"""


class SqliteJournal:
    """The journal of every table in one file."""

    def __init__(self, path: Path, latest: LatestNumbers | None = None, program: str | None = None) -> None:
        """Open or create the file.

        Args:
            path: the file.
            latest: where each table's latest number is recorded as well.
            program: the version of this program, whose descriptions of tables alone are used; ``None``: none are.

        Raises:
            JournalFileError: when the file is damaged, or cannot be written.

        """
        self.path = path
        self._latest = latest
        self._program = program
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

    def open_table(self, table_id: str, game: str, first: Entry, describe: Describe | None = None) -> None:
        """Store a new table with its first entry."""
        self.import_table(table_id, game, (first,), describe)

    def import_table(
        self, table_id: str, game: str, entries: Sequence[Entry], describe: Describe | None = None
    ) -> None:
        """Store a new table with all its entries in one durable transaction; ``Conflict`` where the id is taken."""
        head = self._head(table_id, describe)
        try:
            with self._atomic() as connection:
                row = (table_id, game, entries[0].at)
                connection.execute("INSERT INTO tables (id, game, opened_at) VALUES (?, ?, ?)", row)
                changes = [_insert(connection, table_id, entry, self._sums) for entry in entries]
                connection.execute(_ADD_HEAD, {**head, **_latest(entries[-1], changes[-1], self._sums[table_id][1])})
        except sqlite3.IntegrityError as error:
            if self.latest_entry(table_id) is not None:
                raise Conflict from error
            raise
        self._record_number(table_id, entries[-1].seq)

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        """Store the next entry; raise ``Conflict`` where it is not the next, or its key was used already."""
        head = self._head(table_id, describe)
        try:
            with self._atomic() as connection:
                change = _insert(connection, table_id, entry, self._sums)
                connection.execute(_FOLLOW_WITH_HEAD, {**head, **_latest(entry, change, self._sums[table_id][1])})
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

    def find_lost(self, recorded: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """Return the tables with fewer entries than recorded: the number they have, and the number they had."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT noted.key, COALESCE((SELECT MAX(seq) FROM entries WHERE table_id = noted.key), 0) AS there,"
                " value FROM json_each(?) AS noted WHERE there < value",
                (write_json(dict(recorded)),),
            ).fetchall()
        return {table_id: (there, number) for table_id, there, number in rows}

    def _has_moved_on(self, table_id: str, entry: Entry) -> bool:
        """Return whether the table has another version than the entry expects, or the entry's key was used."""
        with self._lock:
            row = self._connection.execute(
                "SELECT (SELECT MAX(seq) FROM entries WHERE table_id = :table) <> :seq - 1"
                " OR EXISTS (SELECT 1 FROM entries WHERE table_id = :table AND key = :key)"
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
            sums: dict[int, str] = dict(
                self._connection.execute(
                    "SELECT seq, sum FROM sums WHERE table_id = ? AND seq >= ?", (table_id, after)
                ).fetchall()
            )
        return read_entries(after, rows, sums)

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
        try:
            row = (table_id, key, kept.request, kept.refused.rule, write_details(kept), at)
            with self._atomic() as connection:
                connection.execute(_KEEP_REFUSAL, row)
                connection.execute(_DROP_REFUSALS, {"table": table_id, "sender": sender_of(key), "most": MAX_REFUSALS})
        except (sqlite3.Error, NotStored, ValueError) as error:
            log.warning("table %s: a refusal could not be kept (%s)", table_id, error)

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Return the refusal of a request; ``None`` where there is none."""
        with self._lock:
            row = self._connection.execute(
                "SELECT request, rule, details FROM refusals WHERE table_id = ? AND key = ?", (table_id, key)
            ).fetchone()
        return None if row is None else read_refusal(*row)

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Store that a table was put into the bin, or taken out again, as one more row."""
        with self._atomic() as connection:
            row = (table_id, int(binned), at)
            connection.execute("INSERT INTO moves (table_id, binned, at) VALUES (?, ?, ?)", row)

    def heads(self, query: HeadQuery) -> Sequence[TableHead]:
        """Return the heads of tables that a query asks for, in its order."""
        return [read_head(row) for row in self._select(*select_heads(query, self._program))]

    def count_heads(self, query: HeadQuery) -> HeadCounts:
        """Count tables, finished ones, and their entries."""
        return HeadCounts(*self._select(*select_counts(query, self._program))[0])

    def last_change(self) -> int:
        """Return the number of the latest row of all entries."""
        return int(self._select("SELECT COALESCE(MAX(rowid), 0) FROM entries", {})[0][0])

    def _select(self, statement: str, values: HeadValues) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(statement, values).fetchall()

    def keep_club_event(self, event: KeptClubEvent) -> KeptClubEvent:
        """Store a club event, or return the one that was stored first under its key."""
        row = (event.id, event.key, event.at, write_json(event.plan))
        with self._atomic() as connection:
            connection.execute(
                "INSERT INTO club_events (id, key, at, plan) SELECT ?1, ?2, ?3, ?4"
                " WHERE NOT EXISTS (SELECT 1 FROM club_events WHERE key = ?2)",
                row,
            )
            stored = connection.execute(
                "SELECT id, key, at, plan FROM club_events WHERE key = ?", (event.key,)
            ).fetchone()
        return read_club_event(*stored)

    def club_event(self, event_id: str) -> KeptClubEvent | None:
        """Return a club event by its id."""
        with self._lock:
            row = self._connection.execute(f"{_CLUB_EVENTS} AND first.id = ?", (event_id,)).fetchone()
        return None if row is None else read_club_event(*row)

    def club_events(self, most: int, before: int | None = None) -> Sequence[KeptClubEvent]:
        """Return the latest club events, or those of lower numbers."""
        page = f"{_CLUB_EVENTS} AND (?1 IS NULL OR first.n < ?1) ORDER BY first.n DESC LIMIT ?2"
        with self._lock:
            rows = self._connection.execute(page, (before, most)).fetchall()
        return [read_club_event(*row) for row in rows]

    def begun_with_any(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the ids of the tables whose first entries have these keys, by key."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT key, table_id FROM entries WHERE seq = 1 AND key IN (SELECT value FROM json_each(?))",
                (write_json(list(keys)),),
            ).fetchall()
        return dict(rows)

    def describing(self, table_id: str) -> AbstractContextManager[None]:  # noqa: ARG002 - the port's
        """Return at once: no other process has this file."""
        return nullcontext()

    def keep_head(self, table_id: str, latest: LatestEntry | None, described: Mapping[str, Any] | None) -> None:
        """Describe a table whose latest entry is still this one; a failure is logged."""
        if self._program is None:
            return
        checksum = None if latest is None else latest.checksum
        values = {**self._head(table_id, None if described is None else lambda: described), "checksum": checksum}
        try:
            with self._atomic() as connection:
                connection.execute(_CHANGE_HEAD, values)
        except (sqlite3.Error, NotStored) as error:
            log.warning("table %s: what lists show of it could not be kept (%s)", table_id, error)

    def _head(self, table_id: str, describe: Describe | None) -> HeadValues:
        """Return the values of a head that need the rules of the game; without ``describe`` they are unknown."""
        if describe is None:
            return {"table": table_id, **dict.fromkeys(("finished", "searched", "program", "described"))}
        described = dict(describe())
        return {
            "table": table_id,
            "finished": described.get("finished"),
            "searched": searched_text(table_id, described),
            "program": self._program,
            "described": write_json(described),
        }

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy; other threads may go on."""
        with self._lock, closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)


def diagnose(error: sqlite3.Error, path: Path) -> Why:
    """Return why SQLite could not use a file: remedies differ, and the wrong one does harm."""
    code = getattr(error, "sqlite_errorcode", None)
    cause = "torn" if code is None else _BY_CODE.get(code & 0xFF, "torn")
    return _diagnose_disk(path) if cause == "failing" else cause  # of an I/O error the file system knows more


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
    from companion.adapters.journal import migrations  # noqa: PLC0415 - it loads numpy, which only an opened file needs

    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    connection.text_factory = decode_leniently
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        check_intact(connection)
        migrations.migrate(connection)
    except migrations.UnknownMigration as error:
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


def _latest(entry: Entry, change: int, checksum: str) -> HeadValues:
    return {"seq": entry.seq, "at": entry.at, "sum": checksum, "change": change}


def _insert(connection: sqlite3.Connection, table_id: str, entry: Entry, sums: LatestChecksums) -> int:
    """Store an entry with its checksum; return the number of its row."""
    require_storable(table_id, entry)
    row = (
        table_id,
        entry.seq,
        entry.at,
        entry.actor,
        entry.source,
        write_json(entry.command),
        write_json(entry.events),
        entry.key,
    )
    stored = connection.execute(
        "INSERT INTO entries (table_id, seq, at, actor, source, command, events, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )
    _store_checksum(connection, table_id, row[1:], sums)
    return stored.lastrowid or 0


def _store_checksum(connection: sqlite3.Connection, table_id: str, row: Sequence[Any], latest: LatestChecksums) -> None:
    """Store the checksum of an entry that was just stored; the one before is read where ``latest`` lacks it."""
    number, before = latest.get(table_id, (0, ""))
    if number != row[0] - 1:
        stored = connection.execute(
            "SELECT sum FROM sums WHERE table_id = ? AND seq = ?", (table_id, row[0] - 1)
        ).fetchone()
        before = "" if stored is None else stored[0]
    checksum = compute_checksum(before, row)
    connection.execute("INSERT INTO sums (table_id, seq, sum) VALUES (?, ?, ?)", (table_id, row[0], checksum))
    latest[table_id] = (row[0], checksum)


def decode_leniently(text: bytes) -> str:
    """Decode a column; invalid bytes become surrogates, by which a damaged row is recognised."""
    return text.decode("utf-8", "surrogateescape")
