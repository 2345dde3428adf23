"""The bell: what one process stores, another hears of at once, and what no bell told it finds by itself."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from companion.adapters.journal import bell as bells
from companion.adapters.journal.bell import Bell
from companion.adapters.journal.postgres import PostgresJournal
from companion.service.ports import News, NotStored, UnknownTable
from companion.service.runtime import ChangesHere
from companion.service.table import upkeep
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.service.table.upkeep import CatchUp
from tests.fakes import FakeClock
from tests.postgres import running_cluster
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, games, give
from tests.waiting import until


@dataclass
class Process:
    """The parts of a process that shares a database."""

    bell: Bell
    journal: PostgresJournal
    tables: Tables
    catch_up: CatchUp
    heard: list[News] = field(default_factory=list[News])

    def close(self) -> None:
        for task in (self.bell, self.catch_up):
            task.stop()
        self.journal.close()


def open_process(database: str, names: str) -> Process:
    bell = Bell(database)
    journal = PostgresJournal(database, "1.0", bell.ring)
    ids = (f"{names}{number}" for number in range(1, 1_000))
    tables = Tables(games(), journal, FakeClock(), lambda: next(ids), list, ChangesHere(bell.stir))
    catch_up = CatchUp(tables)
    process = Process(bell, journal, tables, catch_up)
    bell.watched_versions = catch_up.versions
    bell.when_heard(catch_up.hear)
    bell.when_heard(process.heard.append)
    for task in (bell, catch_up):
        task.start()
    until(lambda: bell.connected)
    return process


@pytest.fixture
def both(database: str) -> Iterator[tuple[Process, Process]]:
    processes = open_process(database, "a"), open_process(database, "b")
    yield processes
    for process in processes:
        process.close()


def test_a_table_that_is_open_elsewhere_is_brought_up_to_date_and_whoever_waits_is_woken(
    both: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a table that is open in two processes, one of which never looks by itself
    first, second = both
    monkeypatch.setattr(bells, "LOOK_S", 1e6)
    table = first.tables.start(Request(NUTS, "banker", "tap"))
    other = second.tables.get(table.id)
    count = other.signal.count

    # when a command is stored, then the other one has it
    give(table, OPEN)
    assert other.signal.wait_beyond(count, 30) > count
    assert other.show("ada") == table.show("ada")
    until(lambda: first.bell.lag_s > 0)
    assert first.bell.late == second.bell.late == 0


def test_an_older_version_that_is_heard_after_a_newer_one_changes_nothing(database: str) -> None:
    # given a table that another process has open, and has not looked at for a while
    first, second = PostgresJournal(database, "1.0"), PostgresJournal(database, "1.0")
    table = all_tables(first).start(Request(NUTS, "banker", "tap"))
    tables = all_tables(second)
    other = tables.get(table.id)
    give(table, OPEN)
    assert other.version == 1

    # when it hears of two versions before it comes to read, the newer one first
    catch_up = CatchUp(tables)
    for version in (2, 1):
        catch_up.hear(News({table.id: version}))
    catch_up.start()

    # then it has the newer one
    until(lambda: other.version == 2)
    catch_up.stop()
    for journal in (first, second):
        journal.close()


def test_what_no_bell_told_is_found_within_seconds_and_counted(
    both: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a process that dies between its commit and its bell
    first, second = both
    monkeypatch.setattr(bells, "LOOK_S", 0.05)
    table = first.tables.start(Request(NUTS, "banker", "tap"))
    other = second.tables.get(table.id)
    monkeypatch.setattr(first.journal, "_tell", print)
    give(table, OPEN)

    # then others find its entry all the same
    until(lambda: other.version == 2)
    until(lambda: second.bell.late > 0)


@pytest.mark.parametrize("fault", [NotStored("away"), psycopg.DataError("the program's own")])
def test_a_bin_that_cannot_be_read_when_it_is_told_of_is_read_later(
    both: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    # given a table that is open in two processes, one of which cannot read its database for a while
    first, second = both
    monkeypatch.setattr(upkeep, "RETRY_S", 0.05)
    table = first.tables.start(Request(NUTS, "banker", "tap"))
    other = second.tables.get(table.id)
    faults, read = [fault, fault], second.tables.read_bin_again

    def fail_first(table_ids: Sequence[str] | None = None) -> None:
        if faults:
            raise faults.pop()
        read(table_ids)

    monkeypatch.setattr(second.tables, "read_bin_again", fail_first)
    count = other.signal.count

    # when it is put into the bin, then the other process knows, without being told again
    first.tables.put_in_bin(table.id)
    assert other.signal.wait_beyond(count, 30) > count
    with pytest.raises(UnknownTable):
        second.tables.get(table.id)


def test_a_version_that_cannot_be_read_keeps_no_bin_from_being_read(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given two tables that another process has open, which cannot read entries for a while
    first, second = PostgresJournal(database, "1.0"), PostgresJournal(database, "1.0")
    tables, there = all_tables(first), all_tables(second)
    table, moved = (tables.start(Request(NUTS, "banker", "tap")) for _ in range(2))
    for each in (table, moved):
        there.get(each.id)

    def fail(*_: object) -> None:
        raise NotStored("away")

    monkeypatch.setattr(second, "entries", fail)

    # when it hears at one moment of an entry of one, and that the other was put into the bin
    give(table, OPEN)
    tables.put_in_bin(moved.id)
    catch_up = CatchUp(there)
    catch_up.hear(News({table.id: 2}, topics=frozenset({"bin"})))
    catch_up.start()

    # then it knows of the bin
    until(lambda: there.lies_in_bin(moved.id))
    catch_up.stop()
    for journal in (first, second):
        journal.close()


def test_what_is_no_entry_wakes_those_who_follow_the_table_elsewhere(both: tuple[Process, Process]) -> None:
    first, second = both
    table = first.tables.start(Request(NUTS, "banker", "tap"))
    other = second.tables.get(table.id)
    count = other.signal.count
    table.signal.bump()
    assert other.signal.wait_beyond(count, 30) > count
    assert other.version == 1


def test_a_table_that_is_put_into_the_bin_is_there_in_every_process(both: tuple[Process, Process]) -> None:
    first, second = both
    table = first.tables.start(Request(NUTS, "banker", "tap"))
    count = second.tables.get(table.id).signal.count
    first.tables.put_in_bin(table.id)
    until(lambda: second.tables.lies_in_bin(table.id))
    second.tables.take_out_of_bin(table.id)
    until(lambda: not first.tables.lies_in_bin(table.id))
    assert second.tables.get(table.id).signal.wait_beyond(count, 30) > count


def test_all_that_happens_at_once_is_one_notification(both: tuple[Process, Process], database: str) -> None:
    first, second = both
    for number in range(3_000):
        first.bell.ring(f"table-{number}", number + 1)
    first.bell.ring("table-7", 3)
    first.bell.say("people")
    until(lambda: any("people" in news.topics and news.is_complete for news in second.heard))
    versions: dict[str, int] = {}
    for news in second.heard:  # a busy machine sends in several goes, the late older number in the last of them
        versions |= {table: max(version, versions.get(table, 0)) for table, version in news.versions.items()}
    assert versions == {f"table-{number}": number + 1 for number in range(3_000)}
    assert len([news for news in second.heard if news.versions]) < 30
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM heads").fetchone() == (0,)


@pytest.mark.slow
def test_a_bell_is_heard_again_after_the_database_was_restarted() -> None:
    # given two processes over a database that is restarted as by a crash
    with running_cluster() as cluster:
        database = cluster.address("postgres", "admin")
        first, second = open_process(database, "a"), open_process(database, "b")
        table = first.tables.start(Request(NUTS, "banker", "tap"))
        other = second.tables.get(table.id)
        cluster.stop(signal.SIGQUIT)
        until(lambda: not first.bell.connected and not second.bell.connected)
        first.bell.say("people")
        second.heard.clear()
        cluster.start()

        # then nobody believes to have heard all, for what was said meanwhile may have come before one listened again
        give(table, OPEN, PASS)
        until(lambda: other.version == 3)
        until(lambda: first.bell.connected and second.bell.connected)
        assert not second.heard[0].is_complete

        # and commands and words are heard as before
        first.bell.say("people")
        until(lambda: any("people" in news.topics and news.is_complete for news in second.heard))
        for process in (first, second):
            process.close()


@pytest.mark.parametrize("others", [0, 1], ids=["lacks an entry", "has another one in its place"])
def test_a_process_that_outlives_a_restore_of_an_older_state_ends(
    database: str, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a copy of a database, in which another process may have played on, and a process that has played on here
    monkeypatch.setattr(bells, "LOOK_S", 0.05)
    name, admin = conninfo_to_dict(database)["dbname"], make_conninfo(database, dbname="postgres")
    process = open_process(database, "a")
    table_id = process.tables.start(Request(NUTS, "banker", "tap")).id
    process.close()
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}_older" TEMPLATE "{name}"'.encode())
        if others:
            other = open_process(make_conninfo(database, dbname=f"{name}_older"), "b")
            give(other.tables.get(table_id), {**OPEN, "bid": 5})
            other.close()
        process = open_process(database, "c")
        ended: list[bool] = []
        process.bell.when_gone_back = lambda: ended.append(True)
        give(process.tables.get(table_id), OPEN)
        until(lambda: process.bell._mark is not None and process.bell._mark[1] == 2)

        # when the database is restarted, then nothing happens
        terminate = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = %s AND backend_type = 'client backend'"
        )
        process.heard.clear()
        connection.execute(terminate, (name,))
        until(lambda: any(not news.is_complete for news in process.heard))
        assert ended == []

        # and when the copy takes its place, then it ends
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'.encode())

        def set_aside() -> bool:
            """Return whether nobody was connected any more; who was about to come in is listed later."""
            connection.execute(terminate, (name,))
            with suppress(psycopg.errors.ObjectInUse):
                connection.execute(f'ALTER DATABASE "{name}" RENAME TO "{name}_newer"'.encode())
                return True
            return False

        until(set_aside)
        connection.execute(f'ALTER DATABASE "{name}_older" RENAME TO "{name}"'.encode())
        until(lambda: ended)
        process.close()
        connection.execute(f'DROP DATABASE "{name}_newer"'.encode())


def test_a_bell_whose_server_stands_still_is_heard_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # given the server's process behind a bell, which stands still
    monkeypatch.setattr(bells, "LOOK_S", 0.05)
    monkeypatch.setattr(bells, "ANSWER_S", 0.3)
    process = open_process(database, "a")
    until(lambda: process.bell.connected and process.bell._in_use)
    assert process.bell._in_use is not None
    stuck = process.bell._in_use[0].info.backend_pid
    os.kill(stuck, signal.SIGSTOP)
    try:
        # then the bell is made anew, over another one
        process.heard.clear()
        until(lambda: any(not news.is_complete for news in process.heard))
        assert process.bell._in_use[0].info.backend_pid != stuck
        assert process.bell.is_ready()
    finally:
        os.kill(stuck, signal.SIGCONT)
        process.close()
