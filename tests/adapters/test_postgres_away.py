"""A database that is away and comes back: what is refused meanwhile was not stored, and nothing is stored twice."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

import psycopg
import pytest

from companion.adapters import shared
from companion.adapters.journal import database
from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.shared import SharedStore
from companion.service.access.guests import Guest, Guests
from companion.service.access.logins import Caller, PinGuard
from companion.service.ports import NotStored
from companion.service.table.table import Request
from tests.adapters.kept import entry, is_stored
from tests.postgres import Cluster, break_after_commit, running_cluster
from tests.service.house_tables import NUTS, OPEN, all_tables, give
from tests.waiting import until

pytestmark = pytest.mark.slow
_numbers = count(1)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as running:
        yield running


@pytest.fixture
def journal(cluster: Cluster) -> Iterator[PostgresJournal]:
    name = f"away_{next(_numbers)}"
    with psycopg.connect(cluster.address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    opened = PostgresJournal(cluster.address(name), "1.0")
    yield opened
    opened.close()


def test_while_it_is_away_commands_are_refused_at_once_and_lists_and_open_tables_go_on(
    cluster: Cluster, journal: PostgresJournal, caplog: pytest.LogCaptureFixture
) -> None:
    # given an open table, and a server that ends as by a crash
    tables = all_tables(journal)
    table = tables.start(Request(NUTS, "banker", "tap"))
    shown, listed = table.show("ada"), tables.all()
    cluster.stop(signal.SIGQUIT)

    # when somebody plays on, then it is refused, soon and then at once
    for limit_s in (5.0, 3.0, 3.0):
        begun = time.monotonic()
        with pytest.raises(NotStored, match="away"):
            table.submit(Request(OPEN, "banker", "tap", 1, "k"))
        assert time.monotonic() - begun < limit_s
    assert (table.show("ada"), tables.all()) == (shown, listed)

    # and when the server is there again, the same request counts once
    cluster.start()
    stored: list[int] = []
    until(lambda: is_stored(table, stored))
    assert stored == [2]
    assert [kept.key for kept in journal.entries(table.id)] == [None, "k"]
    lines = [record.message for record in caplog.records if record.name == "companion.adapters.journal.database"]
    assert len(lines) == 2, "one that it is away, and one that it is back"


def test_while_it_is_away_guests_stay_in_and_no_pin_is_looked_at(
    cluster: Cluster, journal: PostgresJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a guest who is in, and one who joined by another process
    monkeypatch.setattr(shared, "LOOK_S", 0.0)
    first, second = (Guests(SharedStore(journal.database, shared.GUESTS)) for _ in range(2))
    guard = PinGuard("2468", time.time, SharedStore(journal.database, shared.PIN_GUESSES))
    in_seat = [Caller("player", name, "t1", 0, name, 1) for name in ("blue", "red")]
    first.came(Guest("blue", "t1", "blue", listed=True))
    assert second.admits(in_seat[0])
    first.came(Guest("red", "t1", "red", listed=True))

    # when the database goes away
    cluster.stop(signal.SIGQUIT)
    try:
        # then the one stays in everywhere, and of the other and of PINs nobody knows
        begun = time.monotonic()
        for _ in range(20):
            assert [guests.admits(in_seat[0]) for guests in (first, second)] == [True, True]
        assert time.monotonic() - begun < 40 * database.PATIENCE_AWAY_S / 2, "nobody waits for it"
        with pytest.raises(NotStored, match="away"):
            second.admits(in_seat[1])
        assert not second.knows(in_seat[1])
        with pytest.raises(NotStored, match="away"):
            guard.right("2468", "10.0.0.9")
        with pytest.raises(NotStored, match="away"):
            first.log_out("blue")
    finally:
        cluster.start()

    # and when it is back, all is as before
    def is_back() -> bool:
        with suppress(NotStored):
            return second.admits(in_seat[1])
        return False

    until(is_back)
    assert first.admits(in_seat[0])
    assert guard.right("2468", "10.0.0.9")


def test_connections_that_a_restart_has_broken_cost_nobody_a_command(
    cluster: Cluster, journal: PostgresJournal
) -> None:
    # given eight connections, which the next users would meet broken
    for name in range(8):
        journal.open_table(str(name), "nuts", entry(1))
    together = threading.Barrier(8)

    def hold() -> None:
        with journal.database._pool.connection():
            together.wait()

    threads = [threading.Thread(target=hold) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cluster.stop(signal.SIGQUIT)
    cluster.start()

    # then each of the next commands is stored at its first attempt
    for name in range(8):
        journal.append(str(name), entry(2))
    assert [len(journal.entries(str(name))) for name in range(8)] == [2] * 8


def backends(cluster: Cluster, journal: PostgresJournal) -> list[int]:
    """Return the server's processes that serve a journal."""
    with psycopg.connect(cluster.address("postgres", "admin")) as connection:
        name = journal.database.query("SELECT current_database()")[0][0]
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", (name,)).fetchall()
    return [pid for (pid,) in rows]


def test_a_server_that_stands_still_holds_nobody_for_ever(
    cluster: Cluster, journal: PostgresJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a connection whose process of the server answers no more
    monkeypatch.setattr(database, "ANSWER_S", 0.5)
    table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
    silent = backends(cluster, journal)
    assert silent
    for process in silent:
        os.kill(process, signal.SIGSTOP)
    stored: list[int] = []
    # when somebody plays on, then it is stored by another connection, or refused and stored when it is sent again
    try:
        until(lambda: is_stored(table, stored))
    finally:
        for process in silent:
            os.kill(process, signal.SIGCONT)

    # and what the silent process was asked for meanwhile does not count twice, once it goes on
    until(lambda: not set(silent) & set(backends(cluster, journal)))
    assert stored == [2]
    assert [kept.seq for kept in journal.entries(table.id)] == [1, 2]


def test_an_entry_whose_acknowledgement_was_lost_counts_as_stored(
    journal: PostgresJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a connection that breaks after the commit
    table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
    breaks = break_after_commit(journal.database, monkeypatch)

    # when a command is given, then it counts, once
    give(table, OPEN)
    assert breaks == []
    assert [kept.seq for kept in journal.entries(table.id)] == [1, 2]
