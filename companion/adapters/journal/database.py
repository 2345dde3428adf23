"""A PostgreSQL database that several processes share: its connections, what is the matter with it, and its schema."""

import logging
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import psycopg
from psycopg import Connection, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from companion.adapters.journal.sqlite import JournalFileError, NewerJournalError
from companion.service.ports import NotStored, Why

T = TypeVar("T")
Link: TypeAlias = Connection[tuple[Any, ...]]
"""A connection whose rows are tuples."""

log = logging.getLogger(__name__)

SCHEMA = Path(__file__).with_name("postgres.sql")
MIGRATION_PATTERN = re.compile(r"^--- (\d+) (additive|breaking): (.+)$", re.MULTILINE)
MIGRATION_LOCK = 7_410_317_122_046
"""Of PostgreSQL's advisory locks: one process at a time changes the schema."""
FOR_MIGRATIONS = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"
"""An index on a large table takes minutes, and whoever starts meanwhile waits for it."""
FOR_CHANGES = "SET LOCAL lock_timeout = '5s'"
"""Whatever waits for a table makes everybody wait who comes after it."""
OLDEST_SERVER, ENCODING = 15, "UTF8"
PATIENCE_S, PATIENCE_AWAY_S = 2.0, 0.5
"""How long a request waits for a connection; and where the database was away a moment ago."""
BRIEFLY_S, BRIEFLY_AWAY_S = 0.3, 0.01
"""The same for what can do without the database."""
ANSWER_S, LOOK_S = 10.0, 0.5
"""Seconds without an answer after which a connection counts as broken; and how often it is checked."""
MOST_CONNECTIONS = 8
SETTINGS = {
    "application_name": "companion",
    "client_encoding": ENCODING,
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "options": "-c statement_timeout=20s -c lock_timeout=5s -c idle_in_transaction_session_timeout=30s",
}
"""Of each connection, unless the address says otherwise: a host that has vanished must not hold a request for ever."""

_COUNT_CONNECTIONS = """
    SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END) FROM pg_settings
    WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')
"""

_BY_STATE: dict[str | None, Why] = {
    errors.DiskFull.sqlstate: "full",
    errors.ReadOnlySqlTransaction.sqlstate: "read_only",
    errors.InsufficientPrivilege.sqlstate: "read_only",
    errors.IoError.sqlstate: "failing",
    errors.DataCorrupted.sqlstate: "torn",
    errors.IndexCorrupted.sqlstate: "torn",
    errors.LockNotAvailable.sqlstate: "locked",
    errors.QueryCanceled.sqlstate: "locked",
    errors.DeadlockDetected.sqlstate: "locked",
}


class Database:
    """A pool of connections to one database, whose schema is brought up to date first.  Thread-safe."""

    def __init__(self, url: str) -> None:
        """Connect.

        Args:
            url: the address of the database (``postgresql://...``), or a connection string.

        Raises:
            JournalFileError: when the database cannot be reached or used.

        """
        self._away = False
        self._in_use: dict[int, tuple[float, Link]] = {}
        self._closing = threading.Event()
        self._pool = _open_pool(url)
        threading.Thread(target=self._break_silent, name="silent connections", daemon=True).start()

    @property
    def most_connections(self) -> int:
        """How many connections a process has at most, with that of its bell."""
        return MOST_CONNECTIONS + 1

    def count_connections(self) -> int:
        """Return how many connections the server has for roles without further rights."""
        return int(self.query(_COUNT_CONNECTIONS)[0][0])

    def close(self) -> None:
        """Close all connections."""
        self._closing.set()
        self._pool.close()

    @contextmanager
    def _connection(self, give_up_at: float) -> Iterator[Link]:
        """Lend a connection; raise ``NotStored`` where none is to be had in time."""
        try:
            with self._pool.connection(timeout=max(0.01, give_up_at - time.monotonic())) as connection:
                self._in_use[id(connection)] = (time.monotonic() + ANSWER_S, connection)
                try:
                    yield connection
                finally:
                    del self._in_use[id(connection)]
        except (PoolTimeout, PoolClosed) as error:
            self._note_away(error)
            raise NotStored("away") from error

    def _break_silent(self) -> None:
        """Break every connection whose server does not answer, so that no request waits for ever, until closed.

        The server's own limits do not help where it stands still, or its host has gone.
        """
        while not self._closing.wait(LOOK_S):
            for due, connection in list(self._in_use.values()):
                if due < time.monotonic():
                    break_line(connection)

    def run(self, act: Callable[[Link], T], *, briefly: bool = False) -> T:
        """Carry something out, again where its connection breaks.  ``NotStored`` where the database refuses or is away.

        ``briefly``: nobody waits for it for long, because there is something to show without it.  ``act`` may have been
        carried out before its connection broke, so it must be one transaction whose repetition is refused by the
        database, or changes nothing.
        """
        patience, patience_away = (BRIEFLY_S, BRIEFLY_AWAY_S) if briefly else (PATIENCE_S, PATIENCE_AWAY_S)
        give_up_at = time.monotonic() + (patience_away if self._away else patience)
        while True:
            try:
                with self._connection(give_up_at) as connection:
                    result = act(connection)
            except psycopg.Error as error:
                why = diagnose(error)
                if why is None:
                    raise
                if why == "away" and time.monotonic() < give_up_at:
                    continue
                if why == "away":
                    self._note_away(error)
                raise NotStored(why) from error
            if self._away:
                self._away = False
                log.warning("the database is there again")
            return result

    def _note_away(self, error: Exception) -> None:
        if not self._away:
            log.warning("the database cannot be reached (%s); trying on", " ".join(str(error).split()))
        self._away = True

    def query(
        self, query: str, values: Sequence[Any] | Mapping[str, Any] = (), *, briefly: bool = False
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query; none where it asks for a text with a NUL character, which no column holds.

        ``NotStored`` where the database is away.
        """
        asked = values.values() if isinstance(values, Mapping) else values
        if any("\0" in value for value in asked if isinstance(value, str)):
            return []
        return self.run(lambda connection: connection.execute(query.encode(), values).fetchall(), briefly=briefly)

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Keep other processes out that lock the same name; whoever has waited as long as for a lock goes on without.

        It lends a connection meanwhile, so a process does this once at a time.  ``NotStored`` where none is to be had.
        """
        with self._connection(time.monotonic() + PATIENCE_S) as connection:
            with suppress(psycopg.Error):
                connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (name,))
            try:
                yield
            finally:
                with suppress(psycopg.Error):  # where it is broken, the server has let go of the lock
                    connection.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (name,))

    def measures(self) -> dict[str, float]:
        """Return how requests wait for connections, by the names of metrics."""
        stats = self._pool.get_stats()
        waits, wait_ms = stats.get("requests_queued", 0), stats.get("requests_wait_ms", 0)
        return {"pool_waits_total": waits, "pool_wait_seconds_total": wait_ms / 1000}


def break_line(connection: Link) -> None:
    """Break a connection, from any thread: whoever waits for an answer on it gets an error."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def diagnose(error: psycopg.Error) -> Why | None:
    """Return why the database could not carry something out; ``None``: it was asked for what it must refuse.

    ``away``: nobody knows whether it was carried out.
    """
    lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return _BY_STATE.get(error.sqlstate, "away" if lost else None)


def choose_settings(url: str) -> dict[str, Any]:
    """Return the settings of a connection that its address leaves open."""
    given = conninfo_to_dict(url)
    return {name: value for name, value in SETTINGS.items() if name not in given}


def _open_pool(url: str) -> ConnectionPool[Link]:
    """Connect once, bring the schema up to date, and return a pool; raise ``JournalFileError``."""
    try:
        settings = choose_settings(url)
        with psycopg.connect(url, autocommit=True, **settings) as connection:
            _migrate(connection)
    except psycopg.Error as error:
        message = f"the database cannot be used: {' '.join(str(error).split())}"
        raise JournalFileError(message) from error
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it tells of every attempt while the database is away
    return ConnectionPool(
        url,
        min_size=1,
        max_size=MOST_CONNECTIONS,
        kwargs={"autocommit": True, "prepare_threshold": 1, **settings},
        reconnect_timeout=PATIENCE_AWAY_S / 2,  # then the next request tries anew, at once
        name="journal",
        open=True,
    )


def list_migrations() -> dict[int, tuple[str, bool, str]]:
    """Return name, whether it is additive, and SQL of each migration by its number."""
    _, *parts = MIGRATION_PATTERN.split(SCHEMA.read_text("utf-8"))
    numbered = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
    return {int(number): (name, kind == "additive", sql) for number, kind, name, sql in numbered}


def find_pending(url: str) -> list[tuple[int, str, bool]]:
    """Return number and name of each migration that a database lacks, and whether it is additive.

    ``JournalFileError`` where the database cannot be reached.
    """
    try:
        with psycopg.connect(url, autocommit=True, **choose_settings(url)) as connection:
            exists = connection.execute("SELECT to_regclass('companion_migrations')").fetchone() != (None,)
            rows = connection.execute("SELECT number FROM companion_migrations").fetchall() if exists else []
    except psycopg.Error as error:
        message = f"the database cannot be used: {' '.join(str(error).split())}"
        raise JournalFileError(message) from error
    applied = {number for (number,) in rows}
    migrations = list_migrations().items()
    return [(number, name, additive) for number, (name, additive, _) in migrations if number not in applied]


def _migrate(connection: Link) -> None:
    """Apply all missing migrations, one process after the other.

    ``NewerJournalError``, with nothing changed, where a newer version of the program has made a breaking change; its
    additive ones do not matter.  ``JournalFileError`` for a server that is too old, and for another encoding.
    """
    version = connection.info.server_version // 10_000
    if version < OLDEST_SERVER:
        message = f"the database is of PostgreSQL {version}; at least {OLDEST_SERVER} is needed"
        raise JournalFileError(message)
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != ENCODING:
        message = (
            f"the database is in the encoding {encoding}, which cannot hold every name; make another one with "
            f"createdb --encoding {ENCODING} --template template0, and name that"
        )
        raise JournalFileError(message)
    migrations = list_migrations()
    with connection.transaction():
        connection.execute(FOR_MIGRATIONS)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        connection.execute(FOR_CHANGES)
        existing = connection.execute("SELECT to_regclass('companion_migrations')").fetchone()
        if existing == (None,):
            connection.execute(
                "CREATE TABLE companion_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
                " additive BOOLEAN NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())"
            )
        applied = connection.execute("SELECT number, name, additive FROM companion_migrations").fetchall()
        for number, name, additive in applied:
            if number not in migrations and not additive:
                message = (
                    f"the database: a newer companion has changed it (migration {number}, {name}); use that one; "
                    "nothing was changed"
                )
                raise NewerJournalError(message)
        for number, (name, additive, sql) in migrations.items():
            if number not in {applied_number for applied_number, *_ in applied}:
                connection.execute(sql.encode())
                connection.execute(
                    "INSERT INTO companion_migrations (number, name, additive) VALUES (%s, %s, %s)",
                    (number, name, additive),
                )
