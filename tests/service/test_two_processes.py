"""Two programs over one journal: the seams hold what one process takes for granted."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import Journal, KeyReused, Stale, UnknownTable
from companion.service.table.lists import TableSearch
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give


@pytest.fixture(params=["sqlite", "postgres"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Tables, Tables]]:
    journals: list[Journal]
    if request.param == "postgres":
        database = request.getfixturevalue("database")
        journals = [PostgresJournal(database, "1.0") for _ in range(2)]
    else:
        journals = [SqliteJournal(tmp_path / "journal.sqlite") for _ in range(2)]
    yield all_tables(journals[0], "a"), all_tables(journals[1], "b")
    for journal in journals:
        journal.close()


def test_a_table_that_another_process_has_begun_is_found(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    assert there.get(table.id).position == table.position


def test_who_has_not_seen_what_happened_elsewhere_is_told_so_and_nothing_is_lost(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    give(table, OPEN)
    with pytest.raises(Stale) as stale:
        other.submit(Request(OPEN, "banker", "tap", 1))
    assert stale.value.version == 2
    assert other.entries == table.entries


def test_a_command_that_does_not_mind_is_decided_anew_behind_what_happened_elsewhere(
    both: tuple[Tables, Tables],
) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    give(table, OPEN)
    assert other.submit(Request(PASS, "banker", "tap"))["seq"] == 3
    with pytest.raises(Refused, match="nothing_to_redo"):
        give(table, {"do": "redo"})
    gift = {"do": "give", "from": "bank", "to": "ada", "amount": 1}
    give(table, gift)
    assert [entry.command for entry in table.entries] == [NUTS, OPEN, PASS, gift]


def test_a_request_that_went_to_both_counts_once(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    first = table.submit(Request(OPEN, "banker", "tap", 1, "k"))
    assert other.submit(Request(OPEN, "banker", "tap", 1, "k")) == first
    with pytest.raises(KeyReused):
        other.submit(Request(PASS, "banker", "tap", 2, "k"))
    assert (table.version, other.version) == (2, 2)


def test_a_refusal_is_the_same_in_both(both: tuple[Tables, Tables]) -> None:
    position, there = both
    table = position.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    refusals = []
    for target in (table, other):
        with pytest.raises(Refused) as refused:
            target.submit(Request({**OPEN, "bid": 11}, "banker", "tap", 1, "r"))
        refusals.append((refused.value.rule, dict(refused.value.details)))
        if target is table:
            give(table, {"do": "give", "from": "bank", "to": "ada", "amount": 50})
    assert refusals[0] == refusals[1]


def test_a_start_that_went_to_both_begins_one_table(both: tuple[Tables, Tables]) -> None:
    position, there = both
    first = position.start(Request(NUTS, "banker", "tap", key="s"))
    assert there.start(Request(NUTS, "banker", "tap", key="s")).id == first.id


def test_a_start_whose_table_cannot_be_read_here_begins_no_second_one(both: tuple[Tables, Tables]) -> None:
    # given a table that was begun with a key, of a game that is not installed in another process
    tables, there = both
    table = tables.start(Request(NUTS, "banker", "tap", key="s"))
    games, there.games = there.games, {}

    # when the same request comes there, also once the game is there again, and something else with its key
    with pytest.raises(UnknownTable):
        there.get(table.id)
    there.games = games
    for command in (NUTS, {**NUTS, "seed": 5}):
        with pytest.raises(UnknownTable):
            there.start(Request(command, "banker", "tap", key="s"))

    # then there is one table
    assert [about["id"] for about in tables.all()] == [table.id]


def test_who_heard_of_a_version_is_not_answered_from_before_it(both: tuple[Tables, Tables]) -> None:
    # given a table that both have open, and an entry that one of them stores
    tables, there = both
    table = tables.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    count = other.signal.count
    give(table, OPEN)
    assert other.version == 1

    # when somebody who heard of it asks the other
    other.catch_up(2)

    # then it is there, those who wait are woken, and nobody waits for what does not exist
    assert (other.version, other.show("ada")) == (2, table.show("ada"))
    assert other.signal.count == count + 1
    other.catch_up(999)
    assert (other.version, other.signal.count) == (2, count + 1)


@pytest.fixture
def over_database(database: str) -> Iterator[tuple[Tables, Tables]]:
    journals = [PostgresJournal(database, "1.0") for _ in range(2)]
    yield all_tables(journals[0], "a"), all_tables(journals[1], "b")
    for journal in journals:
        journal.close()


def test_lists_show_what_other_processes_have_stored(over_database: tuple[Tables, Tables]) -> None:
    # given two tables begun in one process, and lists in the other
    tables, there = over_database
    table, other = (tables.start(Request(NUTS, "banker", "tap")) for _ in range(2))
    assert [about["id"] for about in there.all()] == [table.id, other.id]
    same = there.get(table.id)

    # when one is played on, and the other put into the bin
    give(table, OPEN, PASS)
    tables.put_in_bin(other.id)

    # then lists there show the same, without a table being folded for it
    assert [about["version"] for about in there.all()] == [about["version"] for about in tables.all()] == [3]
    assert [about["id"] for about in there.page(TableSearch(), 5).tables] == [table.id]
    assert [about["id"] for about in there.all(binned=True)] == [other.id]
    assert same.version == 3
    assert list(there._tables) == [table.id]


def test_what_is_stored_elsewhere_and_lists_keep_no_table_in_memory(over_database: tuple[Tables, Tables]) -> None:
    # given a table that both have open, and for which nobody has asked in one of them for an hour
    tables, there = over_database
    table = tables.start(Request(NUTS, "banker", "tap"))
    other = there.get(table.id)
    other._asked_at -= 3_600

    # when it is played on elsewhere, and lists are made
    give(table, OPEN)
    other.catch_up(2)
    there.all()

    # then it is let go all the same
    there.let_go_idle(900)
    assert other.history_if_held is None
    assert there.get(table.id).version == 2


def test_a_table_begun_in_both_at_one_moment_with_one_key_is_one_table(over_database: tuple[Tables, Tables]) -> None:
    begin = threading.Barrier(2)
    begun: list[str] = []

    def start(tables: Tables) -> None:
        begin.wait()
        begun.append(tables.start(Request(NUTS, "banker", "tap", key="s")).id)

    threads = [threading.Thread(target=start, args=(tables,)) for tables in over_database]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(begun) == 2
    assert len(set(begun)) == 1
    assert [len(tables.all()) for tables in over_database] == [1, 1]


def test_an_id_that_was_given_out_is_not_given_again(over_database: tuple[Tables, Tables]) -> None:
    tables, there = over_database
    first = tables.start(Request(NUTS, "banker", "tap"))
    ids = iter([first.id, "b7"])
    there._new_id = lambda: next(ids)
    assert there.start(Request(NUTS, "banker", "tap")).id == "b7"
    assert first.version == 1


def test_heads_that_an_update_has_left_undescribed_are_described_by_one_process(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given tables that an earlier version of the program has described, and three processes of this one
    folded: list[str] = []
    entries = PostgresJournal.entries

    def note(journal: PostgresJournal, table_id: str, after: int = 0) -> Sequence[Entry]:
        folded.append(table_id)
        return entries(journal, table_id, after)

    earlier = PostgresJournal(database, "0.9")
    begun = [all_tables(earlier, f"t{number}").start(Request(NUTS, "banker", "tap")).id for number in range(8)]
    earlier.close()
    journals = [PostgresJournal(database, "1.0") for _ in range(3)]
    monkeypatch.setattr(PostgresJournal, "entries", note)

    # when all are asked for lists at one moment, in two threads each, and one of them describes by itself
    together = threading.Barrier(7)
    listed: list[int] = []

    def describe(tables: Tables) -> None:
        together.wait()
        listed.append(len(tables.page(TableSearch(), 20).tables))

    def describe_some(tables: Tables) -> None:
        together.wait()
        tables.summarise_some(30)

    everybody = [all_tables(journal) for journal in journals]
    acts = [*((describe, tables) for tables in (*everybody, *everybody)), (describe_some, everybody[0])]
    threads = [threading.Thread(target=act, args=(tables,)) for act, tables in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    # then each shows all of them, and each table was folded once
    assert listed == [8] * 6
    assert sorted(folded) == sorted(begun)
    for journal in journals:
        journal.close()


def test_nobody_waits_for_long_for_a_process_that_describes_and_stands_still(database: str) -> None:
    # given a table to be described, and somebody who has begun to do so and does not end
    earlier = PostgresJournal(database, "0.9")
    table = all_tables(earlier).start(Request(NUTS, "banker", "tap"))
    journal = PostgresJournal(make_conninfo(database, options="-c lock_timeout=100ms"), "1.0")
    with earlier.describing(table.id):
        # then a list has it all the same
        assert [about["id"] for about in all_tables(journal).page(TableSearch(), 5).tables] == [table.id]
    for each in (earlier, journal):
        each.close()
