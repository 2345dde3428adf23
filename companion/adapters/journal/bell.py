"""The bell of a shared database: processes tell each other what they have stored, by NOTIFY after the commit.

A notification takes a lock over the whole server, so all that happened within some milliseconds goes into one, in a
transaction of its own.  It is a hint that may be lost: versions in the database are the truth, and are looked at now
and then for what no bell told.
"""

import contextlib
import logging
import os
import selectors
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict

from companion.adapters.journal.database import ANSWER_S, SETTINGS, Link, break_line, list_migrations
from companion.service.ports import News
from companion.service.runtime import BackgroundTask

log = logging.getLogger(__name__)

CHANNEL = "companion"
GATHER_S = 0.005
LOOK_S = 2.0
RECONNECT_S = 0.3
AWAY_S = 60.0
"""How long the database may be away before this process counts as not ready; a restart must not empty a hall."""
MOST_BYTES = 7_900
"""Of one notification; PostgreSQL takes fewer than 8,000."""
STIRRED, BIN, PEOPLE, SHARED, BEGAN = "~", "bin", "people", "shared", "began"
"""In place of a version: something else at a table has changed; and words that concern no single table.

``began``: a process of the app is there anew, and what one before it had in memory has ended.  ``people``: somebody may
have been logged out; ``shared``: another of the values that processes share has changed.
"""

_HEADS = b"SELECT table_id, seq::bigint FROM heads WHERE table_id = ANY(%s) UNION ALL SELECT '', max(n) FROM moves"
_VERSIONS = b"SELECT table_id, max(seq)::bigint FROM entries WHERE table_id = ANY(%s) GROUP BY table_id"
_LATEST = b"SELECT table_id, seq, sum FROM heads ORDER BY at DESC, change DESC LIMIT 1"
_STORED = b"SELECT 1 FROM entries WHERE table_id = %s AND seq = %s AND sum = %s"
_BREAKING = b"SELECT number FROM companion_migrations WHERE NOT additive"
_NOTIFY = b"SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload"


class Bell(BackgroundTask):
    """Rings for what this process has stored, and hears what others have, over one connection of its own.

    Every call may come from any thread, and none waits for the database.
    """

    def __init__(self, url: str, watched: Callable[[], Mapping[str, int]] = dict[str, int]) -> None:
        """Store the address of the database, and what returns the tables that matter here with their versions."""
        super().__init__("bell", stop_timeout_s=LOOK_S)
        self._url = url
        self.watched_versions = watched
        self.late, self.lag_s, self.connected = 0, 0.0, False
        self._answered_at, self._fits, self._migrations = time.monotonic(), True, frozenset(list_migrations())
        self._listeners: list[Callable[[News], None]] = []
        self._in_use: tuple[Link, float] | None = None
        self._lock = threading.Lock()
        self._versions: dict[str, int] = {}
        self._words: dict[str, None] = {}
        self._rung_at = 0.0
        self._woken, self._wake = os.pipe()
        self._is_awake = False
        self._unheard: dict[str, int] = {}
        self._moves: int | None = None
        self._mark: tuple[str, int, str] | None = None
        self.when_gone_back: Callable[[], object] = end_at_once

    def ring(self, table_id: str, version: int) -> None:
        """Ring for an entry that is committed; version 0: the table was moved into the bin, or out."""
        with self._lock:
            if version:
                self._versions[table_id] = max(version, self._versions.get(table_id, 0))
            else:
                self._words[BIN] = None
            self._wake_thread()

    def stir(self, table_id: str) -> None:
        """Ring for something at a table that has changed and is no entry."""
        self.say(f"{table_id}:{STIRRED}")

    def say(self, word: str) -> None:
        """Ring with a word that concerns no single table, ``people`` for example."""
        with self._lock:
            self._words[word] = None
            self._wake_thread()

    def is_ready(self) -> bool:
        """Return whether the database has answered lately, and no newer version has made a breaking change to it."""
        return self._fits and time.monotonic() - self._answered_at < AWAY_S

    def measures(self) -> dict[str, float]:
        """Return what is measured here, by the names of metrics."""
        return {"bell_late_total": self.late, "bell_seconds": self.lag_s, "bell_connected": float(self.connected)}

    def when_heard(self, tell: Callable[[News], None]) -> None:
        """Call ``tell`` with what other processes tell from now on; it may not wait."""
        self._listeners.append(tell)

    def stop(self) -> None:
        """Ring for what is left, and end."""
        self._stopping.set()
        with self._lock:
            self._wake_thread()
        super().stop()

    def _wake_thread(self) -> None:
        if not self._is_awake:
            self._is_awake = True
            self._rung_at = time.monotonic()
            os.write(self._wake, b"!")

    def _run(self) -> None:
        given = conninfo_to_dict(self._url)
        settings: dict[str, Any] = {name: value for name, value in SETTINGS.items() if name not in given}
        threading.Thread(target=self._break_silent, name="silent bell", daemon=True).start()
        while not self._stopping.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, **settings) as connection:
                    self._in_use = connection, time.monotonic()
                    connection.execute("SET synchronous_commit = off")  # a hint need not be on a disk
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    if self._has_gone_back(connection):
                        log.error("the database is older than what was read from it: was a backup restored?")
                        self.when_gone_back()
                    self.connected = True
                    self._tell(News(topics=frozenset({BIN, PEOPLE}), is_complete=False))
                    self._attend(connection)
            except psycopg.Error as error:
                if self.connected:
                    log.warning(
                        "the bell is silent until the database is there again: %s", " ".join(str(error).split())
                    )
            except Exception:  # handles may have run out: without a bell this process would never be ready again
                log.exception("the bell is silent; trying on")
                self._stopping.wait(LOOK_S)
            self._in_use, self.connected = None, False
            self._stopping.wait(RECONNECT_S)
        with self._lock:
            self._is_awake = True  # for ever: nobody is there to be woken
            os.close(self._woken)
            os.close(self._wake)

    def _has_gone_back(self, connection: Link) -> bool:
        """Return whether the database lacks what this process has read from it, as after a restore.

        Then numbers mean other entries than those that are in memory here; a restart of the database loses none.
        """
        watched, mark = self.watched_versions(), self._mark
        latest: dict[str, int] = dict(connection.execute(_VERSIONS, (list(watched),)).fetchall())
        if any(latest.get(table_id, 0) < version for table_id, version in watched.items()):
            return True
        return mark is not None and connection.execute(_STORED, mark).fetchone() is None

    def _attend(self, connection: Link) -> None:
        """Ring, hear and look until stopped, or until the connection breaks."""
        with selectors.PollSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            look_at = 0.0
            while True:
                ready = {key.fileobj for key, _ in selector.select(max(0.0, look_at - time.monotonic()))}
                self._in_use = connection, time.monotonic()
                if self._woken in ready:
                    self._stopping.wait(GATHER_S)
                    self._send(connection)
                self._hear(connection)
                if self._stopping.is_set():
                    return
                if time.monotonic() >= look_at:
                    self._read_changes(connection)
                    look_at = time.monotonic() + LOOK_S
                    self._hear(connection)  # what came during the look is on the line no more

    def _break_silent(self) -> None:
        """Break the connection when the server does not answer on it, so that another one is made, until stopped."""
        while not self._stopping.wait(LOOK_S):
            in_use = self._in_use
            if in_use is not None and time.monotonic() - in_use[1] > LOOK_S + ANSWER_S:
                break_line(in_use[0])

    def _send(self, connection: Link) -> None:
        """Notify others of all that was rung; what cannot be told is told when the database is there again."""
        with self._lock:
            os.read(self._woken, 1)
            self._is_awake = False
            versions, self._versions = self._versions, {}
            words, self._words = self._words, {}
        try:
            payloads = list(_pack([*(f"{table_id}:{version}" for table_id, version in versions.items()), *words]))
            connection.execute(_NOTIFY, (CHANNEL, payloads))
        except psycopg.Error:
            with self._lock:
                self._versions = {**versions, **self._versions}
                self._words = {**words, **self._words}
                self._wake_thread()
            raise

    def _hear(self, connection: Link) -> None:
        mine, payloads = connection.info.backend_pid, list[str]()
        for notify in connection.notifies(timeout=0):
            if notify.pid == mine:
                self.lag_s = time.monotonic() - self._rung_at
            else:
                payloads.append(notify.payload)
        if payloads:
            news = _read(" ".join(payloads))
            for table_id, version in news.versions.items():
                if self._unheard.get(table_id, version + 1) <= version:
                    del self._unheard[table_id]
            self._tell(news)

    def _read_changes(self, connection: Link) -> None:
        """Look for what no bell told; it counts as such where no bell tells it until the next look either."""
        watched = self.watched_versions()
        latest: dict[str, int] = dict(connection.execute(_HEADS, (list(watched),)).fetchall())
        self._fits = {number for (number,) in connection.execute(_BREAKING)} <= self._migrations
        self._mark = cast("tuple[str, int, str] | None", connection.execute(_LATEST).fetchone())
        self._answered_at = time.monotonic()
        moves = latest.pop("")  # NULL where none was moved
        self.late += len(self._unheard)
        self._unheard = {
            table_id: version for table_id, version in latest.items() if version > watched.get(table_id, version)
        }
        topics = frozenset({BIN} if moves != self._moves else ())
        self._moves = moves
        if self._unheard or topics:
            self._tell(News(dict(self._unheard), topics=topics))

    def _tell(self, news: News) -> None:
        for tell in self._listeners:
            tell(news)


def end_at_once() -> None:
    """End this process as a kill does: it answers nobody any more from what it has in memory.

    Requests under way are sent to another process, and counted once; the supervisor starts this one again.
    """
    os._exit(1)


def _pack(words: list[str]) -> Iterator[str]:
    """Yield the words in as few payloads as they fit into."""
    packed, size = list[str](), 0
    for word in words:
        length = len(word.encode()) + 1
        if size + length > MOST_BYTES:
            yield " ".join(packed)
            packed, size = [], 0
        packed.append(word)
        size += length
    if packed:
        yield " ".join(packed)


def _read(payload: str) -> News:
    """Return what a payload tells; words of other versions of the program are topics that nobody knows."""
    versions, stirred, topics = dict[str, int](), set[str](), set[str]()
    for word in payload.split():
        table_id, colon, value = word.rpartition(":")
        if not colon:
            topics.add(value)
        elif value == STIRRED:
            stirred.add(table_id)
        else:
            with contextlib.suppress(ValueError):
                versions[table_id] = max(int(value), versions.get(table_id, 0))
    return News(versions, frozenset(stirred), frozenset(topics))
