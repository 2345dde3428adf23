"""The database itself keeps the journal append-only, and databases of other versions of the program serve on."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from companion.adapters.journal import database as database_module
from companion.adapters.journal.database import list_migrations
from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.journal.sqlite import JournalFileError, NewerJournalError
from companion.engine.game import Refused
from companion.service.ports import Conflict, HeadQuery, KeptClubEvent, KeptRefusal, SearchWord
from companion.service.table.lists import TableSearch
from companion.service.table.table import Request
from tests.adapters.kept import entry
from tests.postgres import new_database
from tests.service.house_tables import NUTS, OPEN, all_tables, give
from tests.waiting import PATIENCE_S, until

PROGRAM = "1.0"
INSERT = "INSERT INTO entries (table_id, seq, at, actor, source, command, events)"


@pytest.fixture
def journal(database: str) -> Iterator[PostgresJournal]:
    opened = PostgresJournal(database, PROGRAM)
    opened.open_table("t", "nuts", entry(1))
    for seq in (2, 3):
        opened.append("t", entry(seq))
    yield opened
    opened.close()


def outside(database: str, statement: str) -> list[tuple[Any, ...]]:
    """Do something to the database as any other program of the same role might."""
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


@pytest.mark.usefixtures("journal")
def test_a_database_in_which_something_is_missing_is_left_without_a_connection(database: str) -> None:
    ours = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    before = len(outside(database, ours))
    outside(database, "ALTER TABLE heads RENAME COLUMN searched TO gone")
    with pytest.raises(psycopg.errors.UndefinedColumn):
        PostgresJournal(database, PROGRAM)
    until(lambda: len(outside(database, ours)) <= before)


def test_the_role_may_not_change_the_journal(journal: PostgresJournal, database: str) -> None:
    journal.move("t", binned=True, at="")
    for table in ("tables", "entries", "moves", "club_events"):
        column = "id" if table == "tables" else "at"
        for statement in ("UPDATE {} SET at_or_id = 'x'", "DELETE FROM {}", "TRUNCATE {}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                outside(database, statement.format(table).replace("at_or_id", column))
    assert len(journal.entries("t")) == 3


@pytest.mark.parametrize("statement", ["UPDATE entries SET at = 'x'", "DELETE FROM entries", "TRUNCATE entries"])
def test_a_role_with_the_rights_may_not_change_it_either(
    journal: PostgresJournal, database: str, statement: str
) -> None:
    outside(database, "GRANT UPDATE, DELETE, TRUNCATE ON entries TO CURRENT_USER")
    with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
        outside(database, statement)
    assert len(journal.entries("t")) == 3


@pytest.mark.parametrize(
    ("table", "seq", "why"), [("t", 5, "without gaps"), ("t", 3, "without gaps"), ("t", 0, "gaps"), ("u", 1, "table")]
)
def test_the_database_refuses_what_does_not_follow(
    journal: PostgresJournal, database: str, table: str, seq: int, why: str
) -> None:
    with pytest.raises(psycopg.IntegrityError, match=why):
        outside(database, f"{INSERT} VALUES ('{table}', {seq}, '', '', '', '{{}}', '[]')")
    assert len(journal.entries("t")) == 3


def test_the_key_of_a_first_entry_begins_one_table(journal: PostgresJournal) -> None:
    journal.open_table("u", "nuts", entry(1, key="k"))
    with pytest.raises(Conflict):
        journal.open_table("v", "nuts", entry(1, key="k"))
    assert [name for name, _ in journal.tables()] == ["t", "u"]
    assert journal.begun_with("k") == "u"


def test_a_plan_that_meets_another_one_by_its_id_alone_is_told_of_that_one(journal: PostgresJournal) -> None:
    first = KeptClubEvent("e.2", "k", "now", {"name": "Monday"})
    assert journal.keep_club_event(first) == first
    for key in ("l", "k"):
        assert journal.keep_club_event(KeptClubEvent("e.2", key, "later", {"name": "Tuesday"})) == first


@pytest.mark.nightly
def test_of_plans_that_are_stored_at_one_moment_one_is_stored_and_nobody_meets_an_error(database: str) -> None:
    journals = [PostgresJournal(database, None) for _ in range(4)]
    begin = threading.Barrier(len(journals), timeout=PATIENCE_S)

    def store(which: int) -> list[KeptClubEvent]:
        stored: list[KeptClubEvent] = []
        for number in range(3_000):
            begin.wait()
            stored.append(
                journals[which].keep_club_event(KeptClubEvent(f"e{number}.2", f"k{number}", "", {"by": which}))
            )
        return stored

    with ThreadPoolExecutor(len(journals)) as threads:
        first, *others = threads.map(store, range(len(journals)))
    assert others == [first] * len(others)
    for opened in journals:
        opened.close()


def test_a_refusal_whose_key_led_to_an_entry_is_not_kept(journal: PostgresJournal) -> None:
    journal.append("t", entry(4, key="k"))
    journal.keep_refusal("t", "k", KeptRefusal("[]", Refused("no")), "")
    assert journal.refusal("t", "k") is None


def test_a_changed_row_is_named_and_nothing_behind_it_is_believed(journal: PostgresJournal, database: str) -> None:
    outside(database, "GRANT UPDATE ON entries TO CURRENT_USER")
    outside(database, "ALTER TABLE entries DISABLE TRIGGER entries_append_only")
    outside(database, "UPDATE entries SET source = 'tip' WHERE seq = 2")
    assert [kept.events[0]["event"] for kept in journal.entries("t")] == ["X", "torn", "X"]
    assert journal.entries("t", after=1)[0].events == ({"event": "torn"},)


def test_an_append_is_one_statement(journal: PostgresJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a table that is played on
    tables = all_tables(journal)
    table = tables.start(Request(NUTS, "banker", "tap"))
    said: list[str] = []
    execute = psycopg.Connection.execute

    def listened(connection: psycopg.Connection[Any], query: Any, *values: Any, **more: Any) -> psycopg.Cursor[Any]:
        said.append(" ".join(bytes(query).decode().split())[:20])
        return execute(connection, query, *values, **more)

    monkeypatch.setattr(psycopg.Connection, "execute", listened)

    # when a command with a key is given, then the database is asked once
    table.submit(Request(OPEN, "banker", "tap", 1, "k"))
    assert said == ["WITH stored AS ( INS"]


def test_heads_show_what_lists_need_with_the_entry_itself(journal: PostgresJournal, database: str) -> None:
    table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
    give(table, OPEN)
    rows = outside(database, "SELECT seq, at, finished, players, program FROM heads WHERE table_id <> 't'")
    players = [{"id": "ada", "name": "ada"}, {"id": "ben", "name": "ben"}]
    assert rows == [(2, table.entries[-1].at, False, players, PROGRAM)]


def test_heads_of_another_version_of_the_program_are_folded_again(journal: PostgresJournal, database: str) -> None:
    table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
    newer = PostgresJournal(database, "2.0")
    (head,) = newer.heads(HeadQuery(limit=9, ids=[table.id]))
    assert (head.latest.seq, head.finished, head.described) == (1, False, None)
    tables = all_tables(newer)
    assert [about["version"] for about in tables.all()] == [1]
    (head,) = newer.heads(HeadQuery(limit=9, ids=[table.id]))
    assert head.described is not None
    newer.close()


# ------------------------------------------------------------------------------------------------- encodings


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_in_another_encoding_is_refused_in_one_line_that_says_what_to_do(
    postgres_server: str, encoding: str
) -> None:
    with (
        new_database(postgres_server, encoding) as other,
        pytest.raises(
            JournalFileError, match=f"{encoding}, .*createdb --encoding UTF8 --template template0"
        ) as refusal,
    ):
        PostgresJournal(other, PROGRAM)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_texts_are_read_as_they_were_written_whatever_the_server_proposes_to_clients(
    database: str, encoding: str
) -> None:
    outside(
        database,
        f"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET client_encoding = {encoding}', current_database()); END $$",
    )
    opened = PostgresJournal(database, PROGRAM)
    opened.open_table("Łukasz", "nuts", entry(1))
    assert list(opened.tables()) == [("Łukasz", "nuts")]
    opened.close()


# ------------------------------------------------------------------------------------ versions of the schema


def test_opening_a_database_again_changes_nothing_in_it(journal: PostgresJournal, database: str) -> None:
    journal.append("t", entry(4))
    shape = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'"
    before = sorted(outside(database, shape))
    PostgresJournal(database, PROGRAM).close()
    assert sorted(outside(database, shape)) == before
    assert [number for (number,) in outside(database, "SELECT number FROM companion_migrations")] == list(
        list_migrations()
    )


def test_a_newer_database_that_only_has_more_is_used(journal: PostgresJournal, database: str) -> None:
    outside(database, "ALTER TABLE heads ADD COLUMN hall TEXT")
    outside(database, "INSERT INTO companion_migrations (number, name, additive) VALUES (999, 'halls', true)")
    again = PostgresJournal(database, PROGRAM)
    again.append("t", entry(4))
    assert len(journal.entries("t")) == 4
    again.close()


def test_a_program_that_knows_the_first_part_alone_plays_on_beside_a_newer_one(
    journal: PostgresJournal, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a program of the first version, which knows no later part of the schema, all of them additive
    every = list_migrations()
    assert all(additive for _, additive, _ in every.values())
    monkeypatch.setattr(database_module, "list_migrations", lambda: {1: every[1]})
    older = PostgresJournal(database, PROGRAM)
    monkeypatch.undo()

    # when both store at one table, then all is there for both
    older.append("t", entry(4, key="k"))
    older.keep_refusal("t", "r", KeptRefusal("[]", Refused("no")), "now")
    journal.append("t", entry(5))
    assert [kept.seq for kept in older.entries("t")] == [kept.seq for kept in journal.entries("t")] == [1, 2, 3, 4, 5]
    assert journal.refusal("t", "r") is not None
    older.close()


OPENED_BY_THE_FIRST_PROGRAM = """
    BEGIN;
    INSERT INTO tables (id, game, opened_at) VALUES ('older', 'nuts', 'now');
    INSERT INTO entries (table_id, seq, at, actor, source, command, events)
        SELECT 'older', seq, at, actor, source, command, events FROM entries WHERE table_id <> 't';
    INSERT INTO heads (table_id, seq, at, sum, finished)
        SELECT table_id, seq, at, sum, FALSE FROM entries WHERE table_id = 'older'
        ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, at = excluded.at, sum = excluded.sum;
    COMMIT
"""


def test_a_table_that_an_earlier_program_opens_is_found_and_played_on(journal: PostgresJournal, database: str) -> None:
    tables = all_tables(journal)
    like = tables.start(Request(NUTS, "banker", "tap"))
    outside(database, OPENED_BY_THE_FIRST_PROGRAM)

    assert {about["id"] for about in tables.all()} == {like.id, "older"}
    assert (tables.number_of("older"), tables.joinable([3], None)) == (3, "older")
    (head,) = journal.heads(HeadQuery(limit=9, ids=["older"], words=(SearchWord("ben"),)))
    assert (head.game, head.change) == ("nuts", journal.last_change())
    give(tables.get("older"), OPEN)
    assert tables.get("older").version == 2


PLAYED_ON_BY_THE_FIRST_PROGRAM = """
    BEGIN;
    INSERT INTO entries (table_id, seq, at, actor, source, command, events)
        SELECT table_id, seq + 1, '2126-01-01T00:00:00+00:00', actor, source, command, events FROM entries
        WHERE table_id = 'older' ORDER BY seq DESC LIMIT 1;
    INSERT INTO heads (table_id, seq, at, sum, program, finished)
        SELECT table_id, seq, at, sum, 'first', FALSE FROM entries WHERE table_id = 'older' ORDER BY seq DESC LIMIT 1
        ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, at = excluded.at, sum = excluded.sum,
            program = excluded.program WHERE heads.seq <= excluded.seq;
    COMMIT
"""


def test_what_an_earlier_program_stores_beside_this_one_is_news_for_its_lists(
    journal: PostgresJournal, database: str
) -> None:
    # given a table of an earlier program, and a newer one that has begun since
    all_tables(journal).start(Request(NUTS, "banker", "tap"))
    outside(database, OPENED_BY_THE_FIRST_PROGRAM)
    tables = all_tables(journal)
    assert [about["interrupted"] for about in tables.all() if about["id"] == "older"] == [True]
    before = journal.last_change()

    # when the earlier one plays on, then lists of the newer one show the entry, first, and as played on
    outside(database, PLAYED_ON_BY_THE_FIRST_PROGRAM)
    latest = tables.page(TableSearch(), 5).tables[0]
    assert (latest["id"], latest["version"], latest["interrupted"]) == ("older", 2, False)
    assert [head.table_id for head in journal.heads(HeadQuery(limit=9, changed_after=before))] == ["older"]


def test_a_table_whose_head_does_not_know_its_game_is_no_torn_one(journal: PostgresJournal, database: str) -> None:
    # given a head as an earlier program left it in a database that a newer one had changed meanwhile
    table_id = all_tables(journal).start(Request(NUTS, "banker", "tap")).id
    outside(database, f"UPDATE heads SET game = NULL, number = NULL, change = NULL WHERE table_id = '{table_id}'")  # noqa: S608

    # when it is asked for, then it is there, and the next entry makes its head whole
    tables = all_tables(journal)
    give(tables.get(table_id), OPEN)
    assert tables.torn == {}
    assert tables.number_of(table_id) == 2
    assert [about["id"] for about in tables.all()] == [table_id]


def test_a_newer_database_that_is_another_one_is_refused_and_left_as_it_is(
    journal: PostgresJournal, database: str
) -> None:
    outside(database, "INSERT INTO companion_migrations (number, name, additive) VALUES (999, 'renamed', false)")
    with pytest.raises(NewerJournalError, match=r"newer companion.*999, renamed"):
        PostgresJournal(database, PROGRAM)
    assert len(journal.entries("t")) == 3


IMPATIENT = "-c statement_timeout=100ms -c lock_timeout=100ms"
"""Settings of connections with which a migration lasts too long."""


def test_two_processes_that_start_at_once_make_one_schema(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a process that is in the middle of it
    monkeypatch.setitem(database_module.SETTINGS, "options", IMPATIENT)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query_start < now() - interval '0.3 s'"
    with psycopg.connect(database) as first, ThreadPoolExecutor(1) as thread:
        first.execute("SELECT 1")
        database_module._migrate(first)

        # then the second waits for it, however long that takes, and does not begin on its own
        second = thread.submit(PostgresJournal, database, PROGRAM)
        try:
            until(lambda: outside(database, waiting) or second.done())
            assert not second.done()
        finally:
            first.commit()
        second.result().close()


def test_a_change_of_the_schema_may_last_longer_than_any_request_and_waits_for_no_table(
    journal: PostgresJournal, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a newer version, whose first change takes long, and whose second needs a table
    monkeypatch.setitem(database_module.SETTINGS, "options", IMPATIENT)
    monkeypatch.setattr(database_module, "FOR_CHANGES", "SET LOCAL lock_timeout = '100ms'")
    changes = {98: ("slow", True, "SELECT pg_sleep(0.5)"), 99: ("table", True, "ALTER TABLE heads ADD COLUMN new TEXT")}
    monkeypatch.setattr(database_module, "list_migrations", lambda: {**list_migrations(), **changes})

    # when somebody else uses the table for long, then it gives up, and nothing is changed; those who play go on
    with psycopg.connect(database) as other:
        other.execute("SELECT 1 FROM heads")
        with pytest.raises(JournalFileError, match="lock timeout"):
            PostgresJournal(database, PROGRAM)
    journal.append("t", entry(4))
    assert outside(database, "SELECT 1 FROM companion_migrations WHERE number > 90") == []

    # when nobody does, then it has all the time that it needs
    PostgresJournal(database, PROGRAM).close()
    assert len(outside(database, "SELECT 1 FROM companion_migrations WHERE number > 90")) == 2


@pytest.mark.parametrize("address", ["postgresql://nobody@127.0.0.1:9/none", "postgresql://[", "no such thing"])
def test_a_database_that_is_not_there_is_told_in_one_line(address: str) -> None:
    with pytest.raises(JournalFileError, match="the database cannot be used") as failure:
        PostgresJournal(address, PROGRAM)
    assert "\n" not in str(failure.value)


def test_names_of_migrations_are_numbered_without_gaps() -> None:
    assert list(list_migrations()) == list(range(1, len(list_migrations()) + 1))
    assert json.dumps([name for name, _, _ in list_migrations().values()])
