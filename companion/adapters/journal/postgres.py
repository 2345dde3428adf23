"""The journal in a PostgreSQL database, which several processes may share.

One statement an append: the entry, its checksum and the head of its table.  The primary key (table and number) is the
optimistic lock, and triggers keep the journal append-only and without gaps (``postgres.sql``).
"""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import psycopg
from psycopg import errors

from companion.adapters.journal.database import Database, Link
from companion.adapters.journal.rows import (
    MAX_REFUSALS,
    HeadValues,
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
)

log = logging.getLogger(__name__)

OF_PROGRAM = ("program", "described")
"""Columns of a head that only one version of the program understands."""
UNKNOWN_HEAD: Mapping[str, Any] = dict.fromkeys(
    ("program", "phase", "round", "finished", "players", "searched", "described")
)
"""Columns of the head of a table that nobody has folded."""
PARAMETER_PATTERN = re.compile(r":([a-z_0-9]+)")
"""A parameter as ``heads`` writes it."""

_STORE_ENTRY = """
    INSERT INTO entries (table_id, seq, at, actor, source, command, events, key)
    VALUES (%(table)s, %(seq)s, %(at)s, %(actor)s, %(source)s, %(command)s::json, %(events)s::json, %(key)s)
    RETURNING table_id, seq, at, sum
"""
_HEAD = """
    INSERT INTO heads (table_id, game, number, seq, at, sum, change, program, phase, round, finished, players,
        searched, described)
    SELECT table_id, (SELECT game FROM tables WHERE id = table_id), (SELECT n FROM tables WHERE id = table_id),
        seq, at, sum, nextval('heads_change'), %(program)s, %(phase)s, %(round)s::integer, %(finished)s::boolean,
        %(players)s::json, COALESCE(%(searched)s, journal_searched(table_id)), %(described)s::json
    FROM {latest}
    ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, number = excluded.number, seq = excluded.seq,
        at = excluded.at, sum = excluded.sum, change = excluded.change, program = excluded.program,
        phase = excluded.phase, round = excluded.round, finished = excluded.finished, players = excluded.players,
        described = excluded.described,
        searched = COALESCE(%(searched)s, heads.searched)
    WHERE heads.seq <= excluded.seq
"""
_APPEND = f"WITH stored AS ({_STORE_ENTRY}) {_HEAD.format(latest='stored')}"
HEAD_OF_LATEST = _HEAD.format(
    latest="(SELECT * FROM entries WHERE table_id = %(table)s ORDER BY seq DESC LIMIT 1) AS stored"
)
_FILL_HEADS = """
    INSERT INTO heads (table_id, game, number, seq, at, sum, change, binned, searched)
    SELECT id, game, n, COALESCE(seq, 0), COALESCE(at, opened_at), COALESCE(sum, ''), nextval('heads_change'),
        COALESCE((SELECT moves.binned FROM moves WHERE moves.table_id = id ORDER BY moves.n DESC LIMIT 1), FALSE),
        journal_searched(id)
    FROM (
        SELECT id, tables.game, n, opened_at FROM tables LEFT JOIN heads ON table_id = id WHERE change IS NULL
        ORDER BY n
    ) AS missing
    LEFT JOIN LATERAL (SELECT seq, at, sum FROM entries WHERE table_id = id ORDER BY seq DESC LIMIT 1) AS latest ON TRUE
    ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, number = excluded.number, change = excluded.change,
        binned = excluded.binned, searched = excluded.searched
"""
"""Adds the heads of tables that have none, and what earlier versions of the program did not write into others."""
_CLUB_EVENTS = select_club_events("plan::text", '"C"')
_KEEP_REFUSAL = """
    WITH kept AS (
        INSERT INTO refusals (table_id, key, request, rule, details, at)
        VALUES (%(table)s, %(key)s, %(request)s, %(rule)s, %(details)s::json, %(at)s)
        ON CONFLICT (table_id, key) DO NOTHING
    )
    DELETE FROM refusals WHERE table_id = %(table)s AND starts_with(key, %(sender)s) AND n <= (
        SELECT n FROM refusals WHERE table_id = %(table)s AND starts_with(key, %(sender)s)
        ORDER BY n DESC LIMIT 1 OFFSET %(most)s - 1
    )
"""


class PostgresJournal:
    """The journal of every table in one database.  Thread-safe; others may write to it at the same time."""

    def __init__(self, url: str, program: str | None, tell: Callable[[str, int], None] | None = None) -> None:
        """Connect, and bring the schema up to date.

        Args:
            url: the address of the database (``postgresql://...``), or a connection string.
            program: the version of this program, whose summaries alone are used; ``None``: summaries are neither used
                nor stored.
            tell: is called with a table and its version after each commit; version 0: it was moved.

        Raises:
            JournalFileError: when the database cannot be reached or used.

        """
        self._program = program
        self._tell = tell or (lambda _table, _version: None)
        self._conflicts = self._catch_ups = 0
        self.database = Database(url)
        try:
            self.database.run(lambda connection: connection.execute(_FILL_HEADS.encode()))
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def describe_server(self) -> str:
        """Return the server's version in words, and whether the role has more rights than it needs."""
        rows = self.database.query("SELECT current_setting('server_version'), current_setting('is_superuser')")
        version, is_superuser = rows[0]
        rights = "; its role is a superuser, which triggers alone keep from changing entries"
        return f"PostgreSQL {version.split()[0]}{rights if is_superuser == 'on' else ''}"

    def measures(self) -> dict[str, float]:
        """Return what is measured here, by the names of metrics."""
        counted = {"conflicts_total": self._conflicts, "catch_ups_total": self._catch_ups}
        return {**counted, **self.database.measures()}

    # ---------------------------------------------------------------------------------------------- entries

    def open_table(self, table_id: str, game: str, first: Entry, describe: Describe | None = None) -> None:
        """Store a new table with its first entry."""
        self.import_table(table_id, game, (first,), describe)

    def import_table(
        self, table_id: str, game: str, entries: Sequence[Entry], describe: Describe | None = None
    ) -> None:
        """Store a new table with all its entries in one transaction.

        ``Conflict`` where the id is taken, or the first entry's key has begun another table.
        """
        rows = [_row(table_id, entry) for entry in entries]
        head = {"table": table_id, **self._head(table_id, describe)}

        def store(connection: Link) -> None:
            with connection.transaction(), connection.cursor() as cursor:
                opened = (table_id, game, entries[0].at)
                cursor.execute("INSERT INTO tables (id, game, opened_at) VALUES (%s, %s, %s)", opened)
                cursor.executemany(_STORE_ENTRY.encode(), rows)
                cursor.execute(HEAD_OF_LATEST.encode(), head)

        self._store(store, table_id, rows)

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        """Store the next entry; raise ``Conflict`` where it is not the next, or its key was used already."""
        row = _row(table_id, entry)
        values = {**row, **self._head(table_id, describe)}

        def store(connection: Link) -> None:
            connection.execute(_APPEND.encode(), values)

        self._store(store, table_id, [row])

    def _store(self, act: Callable[[Link], None], table_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Carry a transaction out that stores entries; raise ``Conflict`` where others are in their place.

        Where a connection breaks after the commit, the second attempt meets the entries of the first.
        """
        attempts = 0

        def count(connection: Link) -> None:
            nonlocal attempts
            attempts += 1
            act(connection)

        try:
            self.database.run(count)
        except errors.UniqueViolation as error:
            stored = self.entries(table_id, rows[0]["seq"] - 1)[: len(rows)]
            if attempts == 1 or [_row(table_id, entry) for entry in stored] != rows:
                self._conflicts += 1
                raise Conflict from error
        self._tell(table_id, rows[-1]["seq"])

    def _head(self, table_id: str, describe: Describe | None) -> Mapping[str, Any]:
        """Return the columns of a head that need the rules of the game; without ``describe`` they are unknown."""
        if describe is None:
            return UNKNOWN_HEAD
        described = describe()
        return {
            "program": self._program,
            **{name: described.get(name) for name in ("phase", "round", "finished")},
            "players": write_json(described.get("players")),
            "searched": searched_text(table_id, described),
            "described": write_json(dict(described)),
        }

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Return all entries of a table after a version in the order of their numbers."""
        self._catch_ups += after > 0
        rows = self.database.query(
            "SELECT seq, at, actor, source, command::text, events::text, key, sum FROM entries"
            " WHERE table_id = %s AND seq >= %s ORDER BY seq",
            (table_id, after),
        )
        sums = {row[0]: row[-1] for row in rows}
        return read_entries(after, [row[:-1] for row in rows if row[0] > after], sums)

    def latest_entry(self, table_id: str) -> LatestEntry | None:
        """Return what identifies a table's latest entry; its checksum covers all entries before it."""
        rows = self.database.query(
            "SELECT seq, at, sum FROM entries WHERE table_id = %s ORDER BY seq DESC LIMIT 1", (table_id,)
        )
        return LatestEntry(*rows[0]) if rows else None

    def tables(self) -> Sequence[tuple[str, str]]:
        """Return id and game of every table, in the order in which they were opened."""
        return [(table_id, game) for table_id, game in self.database.query("SELECT id, game FROM tables ORDER BY n")]

    def begun_with(self, key: str) -> str | None:
        """Return the id of the table whose first entry has this key."""
        rows = self.database.query("SELECT table_id FROM entries WHERE seq = 1 AND key = %s", (key,))
        return str(rows[0][0]) if rows else None

    # ------------------------------------------------------------------------------- refusals, and the bin

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Store the refusal of a request; a failure is logged, because the request is refused all the same."""
        try:
            values = {
                "table": table_id,
                "key": key,
                "at": at,
                "most": MAX_REFUSALS,
                "sender": sender_of(key),
                "request": kept.request,
                "rule": kept.refused.rule,
                "details": write_details(kept),
            }
            self.database.run(lambda connection: connection.execute(_KEEP_REFUSAL.encode(), values))
        except (psycopg.Error, NotStored, ValueError) as error:
            log.warning("table %s: a refusal could not be kept (%s)", table_id, error)

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Return the refusal of a request; ``None`` where there is none."""
        rows = self.database.query(
            "SELECT request, rule, details::text FROM refusals WHERE table_id = %s AND key = %s", (table_id, key)
        )
        return read_refusal(*rows[0]) if rows else None

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Store that a table was put into the bin, or taken out again, as one more row."""
        row = (table_id, binned, at)
        self.database.run(
            lambda connection: connection.execute("INSERT INTO moves (table_id, binned, at) VALUES (%s, %s, %s)", row)
        )
        self._tell(table_id, 0)

    def keep_club_event(self, event: KeptClubEvent) -> KeptClubEvent:
        """Store a club event, or return the one that was stored first under its key, or else under its id.

        Of two plans at one moment both are new by the key, and the second meets the first by the id.
        """
        row = (event.id, event.key, event.at, write_json(event.plan))
        insert = b"INSERT INTO club_events (id, key, at, plan) VALUES (%s, %s, %s, %s::json) ON CONFLICT DO NOTHING"
        self.database.run(lambda connection: connection.execute(insert, row))
        stored = "SELECT id, key, at, plan::text FROM club_events WHERE key = %s OR id = %s ORDER BY key <> %s LIMIT 1"
        return read_club_event(*self.database.query(stored, (event.key, event.id, event.key))[0])

    def club_event(self, event_id: str) -> KeptClubEvent | None:
        """Return a club event by its id."""
        rows = self.database.query(f"{_CLUB_EVENTS} AND first.id = %s", (event_id,))
        return read_club_event(*rows[0]) if rows else None

    def club_events(self, most: int, before: int | None = None) -> Sequence[KeptClubEvent]:
        """Return the latest club events, or those of lower numbers."""
        page = f"{_CLUB_EVENTS} AND first.n < COALESCE(%s, 9223372036854775807) ORDER BY first.n DESC LIMIT %s"
        return [read_club_event(*row) for row in self.database.query(page, (before, most))]

    def begun_with_any(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the ids of the tables whose first entries have these keys, by key."""
        query = "SELECT key, table_id FROM entries WHERE seq = 1 AND key = ANY(%s)"
        return {str(key): str(table_id) for key, table_id in self.database.query(query, (list(keys),))}

    # ------------------------------------------------------------------------------------------------ heads

    def heads(self, query: HeadQuery) -> Sequence[TableHead]:
        """Return the heads of tables that a query asks for, in its order."""
        return [read_head(row) for row in self._select(*select_heads(query, self._program))]

    def count_heads(self, query: HeadQuery) -> HeadCounts:
        """Count tables, finished ones, and their entries."""
        return HeadCounts(*self._select(*select_counts(query, self._program))[0])

    def last_change(self) -> int:
        """Return the number of the latest change that any process has begun."""
        query = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM heads_change"
        return int(self.database.query(query)[0][0])

    def _select(self, statement: str, values: HeadValues) -> list[tuple[Any, ...]]:
        return self.database.query(PARAMETER_PATTERN.sub(r"%(\1)s", statement), values)

    def describing(self, table_id: str) -> AbstractContextManager[None]:
        """Keep other processes from describing a table meanwhile; where one does so now, wait until it has."""
        return self.database.lock(f"describing {table_id}")

    def keep_head(self, table_id: str, latest: LatestEntry | None, described: Mapping[str, Any] | None) -> None:
        """Describe a table whose latest entry is still this one; a failure is logged."""
        if self._program is None:
            return
        columns = self._head(table_id, None if described is None else lambda: described)
        kept = ", ".join(f"{name} = COALESCE(%({name})s, {name})" for name in columns if name not in OF_PROGRAM)
        update = (
            f"UPDATE heads SET program = %(program)s, described = %(described)s, {kept}"  # noqa: S608 - names of columns
            " WHERE table_id = %(table)s AND sum = COALESCE(%(checksum)s, sum)"
        )
        values = {**columns, "table": table_id, "checksum": None if latest is None else latest.checksum}
        try:
            self.database.run(lambda connection: connection.execute(update.encode(), values))
        except (psycopg.Error, NotStored, ValueError) as error:
            log.warning("table %s: what lists show of it could not be kept (%s)", table_id, error)


def _row(table_id: str, entry: Entry) -> dict[str, Any]:
    require_storable(table_id, entry)
    return {
        "table": table_id,
        "seq": entry.seq,
        "at": entry.at,
        "actor": entry.actor,
        "source": entry.source,
        "command": write_json(entry.command),
        "events": write_json(entry.events),
        "key": entry.key,
    }
