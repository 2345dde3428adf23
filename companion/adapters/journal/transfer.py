"""Copy all tables from one journal to another, row by row, and compare them: between SQLite and PostgreSQL, both ways.

Rows are copied as they are stored, so checksums, keys and times are the same afterwards, and so are the numbers of
tables where they are free, of which the letters of printed sheets are made.  A transfer that was killed
goes on when it is begun again, and one that was complete changes nothing.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import psycopg

from companion.adapters.journal.database import choose_settings
from companion.adapters.journal.postgres import HEAD_OF_LATEST, UNKNOWN_HEAD, PostgresJournal
from companion.adapters.journal.rows import find_first_changed
from companion.adapters.journal.sqlite import JournalFileError, LatestNumbers, SqliteJournal

StoredRow: TypeAlias = tuple[Any, ...]

ENTRIES_AT_ONCE = 500
"""Entries in one transaction: PostgreSQL holds a lock for the key of each."""
COUNT_FROM = """
    SELECT setval(numbers, GREATEST(%s, pg_sequence_last_value(numbers)))
    FROM (SELECT pg_get_serial_sequence('tables', 'n')::regclass AS numbers) AS counted
"""
"""Lets tables that are opened from now on have numbers behind one."""
NO_LIMITS: dict[str, Any] = {"options": ""}
"""Of a connection: a large table takes longer than a request may."""
FAULTS_OF_ROWS = (sqlite3.IntegrityError, psycopg.IntegrityError, psycopg.DataError, UnicodeEncodeError)
"""Exceptions of a journal that does not take the rows of one table; it may take those of others."""


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of one table as they are stored, with the texts of their JSON.

    Attributes:
        entries: seq, at, actor, source, command, events, key, sum.
        refusals: key, request, rule, details, at.
        moves: binned (0 or 1), at: into the bin and out of it.

    """

    entries: Sequence[StoredRow] = ()
    refusals: Sequence[StoredRow] = ()
    moves: Sequence[StoredRow] = ()


class RowStore(Protocol):
    """A journal, read and written as rows.  Every method may raise the error of its driver."""

    def tables(self) -> dict[str, StoredRow]:
        """Return game and time of opening of every table by its id, in the order in which they were opened."""
        ...

    def numbers(self) -> dict[str, int]:
        """Return the number of every table by its id."""
        ...

    def rows(self, table_id: str) -> TableRows:
        """Return all rows of a table; none where there is no such table."""
        ...

    def add(self, table_id: str, opened: StoredRow, rows: TableRows, number: int) -> None:
        """Store more rows of a table, and the table itself where it is new, in one transaction.

        ``number``: that of a new table, unless another one has it.
        """
        ...

    def club_events(self) -> dict[str, StoredRow]:
        """Return key, time and plan of every club event by its id, in the order in which they were stored."""
        ...

    def add_club_event(self, event_id: str, row: StoredRow) -> None:
        """Store a club event."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class SqliteRows:
    """The rows of a journal file."""

    def __init__(self, path: Path, latest: LatestNumbers | None = None) -> None:
        """Open a file, which is created and migrated where that is needed; raise ``JournalFileError``.

        Args:
            path: the file, whose data folder the caller has locked.
            latest: where each table's latest number is recorded as well.

        """
        SqliteJournal(path).close()
        self._latest = latest
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.text_factory = _decode
        self._connection.execute("PRAGMA synchronous=FULL")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def tables(self) -> dict[str, StoredRow]:
        """Return game and time of opening of every table by its id."""
        rows = self._connection.execute("SELECT id, game, opened_at FROM tables ORDER BY rowid")
        return {table_id: tuple(opened) for table_id, *opened in rows}

    def numbers(self) -> dict[str, int]:
        """Return the number of every table by its id."""
        return dict(self._connection.execute("SELECT id, rowid FROM tables").fetchall())

    def rows(self, table_id: str) -> TableRows:
        """Return all rows of a table."""

        def select(query: str) -> list[StoredRow]:
            return self._connection.execute(query, (table_id,)).fetchall()

        return TableRows(
            select(
                "SELECT seq, at, actor, source, command, events, key, COALESCE(sum, '') FROM entries"
                " LEFT JOIN sums USING (table_id, seq) WHERE table_id = ? ORDER BY seq"
            ),
            select("SELECT key, request, rule, details, at FROM refusals WHERE table_id = ? ORDER BY n"),
            select("SELECT binned, at FROM moves WHERE table_id = ? ORDER BY n"),
        )

    def add(self, table_id: str, opened: StoredRow, rows: TableRows, number: int) -> None:
        """Store more rows of a table in one transaction."""
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            if connection.execute("SELECT 1 FROM tables WHERE id = ?", (table_id,)).fetchone() is None:
                connection.execute(
                    "INSERT INTO tables (rowid, id, game, opened_at)"
                    " VALUES ((SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM tables WHERE rowid = ?1)), ?2, ?3, ?4)",
                    (number, table_id, *opened),
                )
            connection.execute("DELETE FROM heads WHERE table_id = ?", (table_id,))  # which the next start adds anew
            for statement, width, into in (
                ("entries (table_id, seq, at, actor, source, command, events, key)", 7, rows.entries),
                ("sums (table_id, seq, sum)", 2, [(row[0], row[7]) for row in rows.entries]),
                ("refusals (table_id, key, request, rule, details, at)", 5, rows.refusals),
                ("moves (table_id, binned, at)", 2, rows.moves),
            ):
                places = ", ".join("?" * (1 + width))
                connection.executemany(
                    f"INSERT INTO {statement} VALUES ({places})",  # noqa: S608 - the statements above
                    [(table_id, *row[:width]) for row in into],
                )
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        if self._latest is not None and rows.entries:
            with suppress(OSError):  # the journal is complete without
                self._latest.record(table_id, rows.entries[-1][0])

    def club_events(self) -> dict[str, StoredRow]:
        """Return key, time and plan of every club event by its id."""
        rows = self._connection.execute("SELECT id, key, at, plan FROM club_events ORDER BY n")
        return {event_id: tuple(row) for event_id, *row in rows}

    def add_club_event(self, event_id: str, row: StoredRow) -> None:
        """Store a club event."""
        self._connection.execute("INSERT INTO club_events (id, key, at, plan) VALUES (?, ?, ?, ?)", (event_id, *row))


class PostgresRows:
    """The rows of a journal in a database."""

    def __init__(self, address: str, *, is_source: bool) -> None:
        """Connect, and bring the schema up to date; raise ``JournalFileError``.

        ``is_source``: read all as it is at this moment, whatever others store meanwhile.
        """
        PostgresJournal(address, None).close()
        self._connection = psycopg.connect(address, autocommit=not is_source, **(choose_settings(address) | NO_LIMITS))
        if is_source:
            self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def tables(self) -> dict[str, StoredRow]:
        """Return game and time of opening of every table by its id."""
        rows = self._connection.execute("SELECT id, game, opened_at FROM tables ORDER BY n")
        return {table_id: tuple(opened) for table_id, *opened in rows}

    def numbers(self) -> dict[str, int]:
        """Return the number of every table by its id."""
        return dict(self._connection.execute("SELECT id, n FROM tables").fetchall())

    def rows(self, table_id: str) -> TableRows:
        """Return all rows of a table."""

        def select(query: str) -> list[StoredRow]:
            return self._connection.execute(query.encode(), (table_id,)).fetchall()

        return TableRows(
            select(
                "SELECT seq, at, actor, source, command::text, events::text, key, sum FROM entries"
                " WHERE table_id = %s ORDER BY seq"
            ),
            select("SELECT key, request, rule, details::text, at FROM refusals WHERE table_id = %s ORDER BY n"),
            select("SELECT binned::integer, at FROM moves WHERE table_id = %s ORDER BY n"),
        )

    def add(self, table_id: str, opened: StoredRow, rows: TableRows, number: int) -> None:
        """Store more rows of a table in one transaction, with its head, which lists read."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            if cursor.execute("SELECT 1 FROM tables WHERE id = %s", (table_id,)).fetchone() is None:
                cursor.execute(COUNT_FROM.encode(), (number,))  # first, so that nobody takes the number meanwhile
                is_taken = cursor.execute("SELECT 1 FROM tables WHERE n = %s", (number,)).fetchone() is not None
                cursor.execute(
                    "INSERT INTO tables (n, id, game, opened_at) OVERRIDING SYSTEM VALUE VALUES"
                    " (COALESCE(%s, nextval(pg_get_serial_sequence('tables', 'n'))), %s, %s, %s)",
                    (None if is_taken else number, table_id, *opened),
                )
            cursor.executemany(
                "INSERT INTO entries (table_id, seq, at, actor, source, command, events, key)"
                " VALUES (%s, %s, %s, %s, %s, %s::json, %s::json, %s)",
                [(table_id, *row[:7]) for row in rows.entries],
            )
            if rows.entries:
                cursor.execute(HEAD_OF_LATEST.encode(), {"table": table_id, **UNKNOWN_HEAD})
            cursor.executemany(
                "INSERT INTO refusals (table_id, key, request, rule, details, at)"
                " VALUES (%s, %s, %s, %s, %s::json, %s)",
                [(table_id, *row) for row in rows.refusals],
            )
            cursor.executemany(
                "INSERT INTO moves (table_id, binned, at) VALUES (%s, %s::integer::boolean, %s)",
                [(table_id, *row) for row in rows.moves],
            )
            if rows.entries:  # the database computes checksums itself
                last = rows.entries[-1]
                stored = cursor.execute(
                    "SELECT sum FROM entries WHERE table_id = %s AND seq = %s", (table_id, last[0])
                ).fetchone()
                if stored != (last[7],):
                    raise psycopg.DataError("its checksums would not be the same")

    def club_events(self) -> dict[str, StoredRow]:
        """Return key, time and plan of every club event by its id."""
        rows = self._connection.execute("SELECT id, key, at, plan::text FROM club_events ORDER BY n")
        return {event_id: tuple(row) for event_id, *row in rows}

    def add_club_event(self, event_id: str, row: StoredRow) -> None:
        """Store a club event."""
        self._connection.execute(
            "INSERT INTO club_events (id, key, at, plan) VALUES (%s, %s, %s, %s::json)", (event_id, *row)
        )


@dataclass(slots=True)
class Transferred:
    """The result of a transfer.

    Attributes:
        tables: number of tables whose rows are all in the target, compared one by one.
        entries: number of their entries.
        added: number of entries that were not in the target before.
        renumbered: tables that have another number in the target, where theirs was taken.
        ahead: tables that were played on in the target since an earlier transfer; they are left as they are there.
        left: tables that could not be transferred, each with the reason in one line.

    """

    tables: int = 0
    entries: int = 0
    added: int = 0
    renumbered: list[str] = field(default_factory=list[str])
    ahead: list[str] = field(default_factory=list[str])
    left: dict[str, str] = field(default_factory=dict[str, str])


def transfer_tables(source: RowStore, target: RowStore, report: Callable[[str], None]) -> Transferred:
    """Copy every table from one journal to another, and compare every row of it afterwards.

    Args:
        source: where the tables are; it is not changed.
        target: another journal; tables that it has of its own stay.
        report: is told how far the transfer is.

    Raises:
        JournalFileError: where the target has another history of a table: nothing was changed; and where either
            journal cannot be read or written any more.

    """
    result = Transferred()
    try:
        tables, there = source.tables(), target.tables()
        numbers = source.numbers()
        events = _find_missing_events(source.club_events(), target.club_events())
        for table_id in _reported(tables, "looked at", report):
            if table_id in there:
                _require_one_history(table_id, (tables[table_id], there[table_id]), source, target)
        taken = set(target.numbers().values())
        free_first = sorted(tables, key=lambda table_id: numbers[table_id] in taken)  # others get numbers behind them
        for table_id in _reported(free_first, "moved", report):
            rows = source.rows(table_id)
            missing = _find_missing(rows, target.rows(table_id))
            if table_id not in there or missing != TableRows():
                _move(table_id, (*tables[table_id], numbers[table_id]), rows, missing, target, result)
        for event_id, row in events.items():
            target.add_club_event(event_id, row)
        for table_id in _reported(tables, "compared", report):
            if table_id not in result.left:
                _compare(table_id, source.rows(table_id), target.rows(table_id), result)
        numbers_there = target.numbers()
        result.renumbered += [
            each for each in tables if each not in there and numbers_there.get(each) not in (None, numbers[each])
        ]
    except (sqlite3.Error, psycopg.Error) as error:
        message = f"not everything was moved ({_one_line(error)}); the same command goes on from there"
        raise JournalFileError(message) from error
    return result


def _find_missing_events(events: Mapping[str, StoredRow], there: Mapping[str, StoredRow]) -> dict[str, StoredRow]:
    """Return the club events that a target lacks; raise ``JournalFileError`` where it has another one of an id."""
    for event_id, row in events.items():
        if there.get(event_id, row) != row:
            message = f"club event {event_id} is another one there; nothing was moved"
            raise JournalFileError(message)
    return {event_id: row for event_id, row in events.items() if event_id not in there}


def _reported(tables: Collection[str], what: str, report: Callable[[str], None]) -> Iterable[str]:
    for number, table_id in enumerate(tables):
        report(f"{number} of {len(tables)} tables {what}")
        yield table_id


def _require_one_history(
    table_id: str, opened: tuple[StoredRow, StoredRow], source: RowStore, target: RowStore
) -> None:
    """Raise ``JournalFileError`` where a table has two histories, neither of which goes on from the other."""
    ours, theirs = source.rows(table_id), target.rows(table_id)
    pairs = ((ours.entries, theirs.entries), (ours.moves, theirs.moves))
    if opened[0] == opened[1] and all(_has_same_beginning(*pair) for pair in pairs):
        return
    message = f"table {table_id} has another history there; nothing was moved"
    raise JournalFileError(message)


def _has_same_beginning(ours: Sequence[StoredRow], theirs: Sequence[StoredRow]) -> bool:
    shorter = min(len(ours), len(theirs))
    return list(ours[:shorter]) == list(theirs[:shorter])


def _find_missing(rows: TableRows, there: TableRows) -> TableRows:
    """Return the rows that a target lacks; one that was played on since keeps its own refusals."""
    keys = {row[0] for row in there.refusals}
    is_behind = len(there.entries) <= len(rows.entries)
    return TableRows(
        rows.entries[len(there.entries) :],
        [row for row in rows.refusals if is_behind and row[0] not in keys],
        rows.moves[len(there.moves) :],
    )


def _move(
    table_id: str, opened: StoredRow, rows: TableRows, missing: TableRows, target: RowStore, result: Transferred
) -> None:
    """Store the missing rows of a table in the target, or why it takes none; ``opened`` ends with its number."""
    sums = {row[0]: row[7] for row in rows.entries}
    damaged, _ = find_first_changed(0, [row[:7] for row in rows.entries], sums)
    if damaged is not None:
        result.left[table_id] = f"its entry {damaged} is damaged"
        return
    *about, number = opened
    last = max(0, len(missing.entries) - 1) // ENTRIES_AT_ONCE * ENTRIES_AT_ONCE
    try:
        for begin in range(0, last, ENTRIES_AT_ONCE):
            target.add(table_id, tuple(about), TableRows(missing.entries[begin : begin + ENTRIES_AT_ONCE]), number)
        target.add(table_id, tuple(about), TableRows(missing.entries[last:], missing.refusals, missing.moves), number)
    except FAULTS_OF_ROWS as error:
        result.left[table_id] = _one_line(error)
    else:
        result.added += len(missing.entries)


def _compare(table_id: str, ours: TableRows, theirs: TableRows, result: Transferred) -> None:
    """Compare every row of a table in both journals."""
    is_ahead = len(theirs.entries) > len(ours.entries) or len(theirs.moves) > len(ours.moves)
    refusals = {row[0]: row for row in theirs.refusals}
    is_same = (
        list(theirs.entries[: len(ours.entries)]) == list(ours.entries)
        and list(theirs.moves[: len(ours.moves)]) == list(ours.moves)
        and (is_ahead or all(refusals.get(row[0]) == row for row in ours.refusals))
    )
    if not is_same:
        result.left[table_id] = "its rows differ"
        return
    if is_ahead:
        result.ahead.append(table_id)
    result.tables += 1
    result.entries += len(ours.entries)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _decode(text: bytes) -> str:
    """Decode a column; what is no UTF-8 stays recognisable."""
    return text.decode("utf-8", "surrogateescape")
