"""The bin: a table that nobody finds any more, and of which nothing is lost."""

from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.ports import UnknownTable
from companion.service.table.table import Request, Table
from tests.fakes import FakeJournal, readable_tables
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give


def test_a_table_in_the_bin_is_found_by_nobody_and_comes_back_as_it_was() -> None:
    # given two tables, one of them played on
    tables = all_tables(FakeJournal())
    table, other = (tables.start(Request(NUTS, "banker", "tap")) for _ in range(2))
    give(table, OPEN)
    left: list[Table] = []
    tables.when_left(left.append)
    before = tables.all()

    # when the first goes into the bin
    tables.put_in_bin("t1")

    # then only the other is there, and who looked at the first is told
    assert (readable_tables(tables), left) == ([other], [table])
    assert [about["id"] for about in tables.all(binned=True)] == ["t1"]
    with pytest.raises(UnknownTable):
        tables.get("t1")

    # when it is taken out, then it stands as it stood, in its old place
    tables.take_out_of_bin("t1")
    assert tables.all() == before
    assert tables.all(binned=True) == []
    give(tables.get("t1"), PASS)


def test_a_table_that_never_was_is_neither_put_into_the_bin_nor_taken_out() -> None:
    tables = all_tables(FakeJournal())
    for move in (tables.put_in_bin, tables.take_out_of_bin):
        with pytest.raises(UnknownTable):
            move("nobody")


def test_a_move_that_was_carried_out_by_a_process_that_died_then_is_carried_out_for_whoever_asks_another_one() -> None:
    # given two processes over one journal
    journal = FakeJournal()
    died, lives = all_tables(journal), all_tables(journal, "e")
    died.start(Request(NUTS, "banker", "tap"))
    left: list[Table] = []
    lives.when_left(left.append)

    # when one of them dies after it has put a table into the bin, and the other one is asked for the same
    died.put_in_bin("t1")
    for _ in range(2):
        lives.put_in_bin("t1")

    # then it lies there, and nobody is told that it has left once more
    assert lives.lies_in_bin("t1")
    assert left == []

    # and so it is when it is taken out
    all_tables(journal, "f").take_out_of_bin("t1")
    for _ in range(2):
        lives.take_out_of_bin("t1")
    assert lives.get("t1").version == 1


def test_a_full_disk_leaves_the_table_where_it_is() -> None:
    journal = FakeJournal()
    tables = all_tables(journal)
    table = tables.start(Request(NUTS, "banker", "tap"))
    journal.full = True
    with pytest.raises(OSError, match="no space"):
        tables.put_in_bin("t1")
    assert tables.get("t1") is table


def test_a_restart_remembers_what_lies_in_the_bin(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    tables = all_tables(journal)
    for _ in range(3):
        tables.start(Request(NUTS, "banker", "tap"))
    for table in ("t1", "t2"):
        tables.put_in_bin(table)
    tables.take_out_of_bin("t1")
    journal.close()

    journal = SqliteJournal(tmp_path / "journal.sqlite")
    again = all_tables(journal, "u")
    assert [table.id for table in readable_tables(again)] == ["t1", "t3"]
    again.take_out_of_bin("t2")
    assert [table.id for table in readable_tables(again)] == ["t1", "t2", "t3"]
    journal.close()


def test_a_table_that_another_process_moved_while_its_history_was_let_go_is_looked_up_again() -> None:
    # given two processes over one journal, and tables that one of them had open for a while
    journal = FakeJournal()
    ours, elsewhere = all_tables(journal), all_tables(journal, "e")
    for _ in range(2):
        ours.start(Request(NUTS, "banker", "tap"))
    ours.put_in_bin("t2")
    ours.let_go_idle(idle_s=0)

    # when the other one puts one into the bin and takes the other out
    elsewhere.put_in_bin("t1")
    elsewhere.take_out_of_bin("t2")

    # then this one finds the one that is out, and only that
    assert (ours.lies_in_bin("t1"), ours.lies_in_bin("t2")) == (True, False)
    assert ours.get("t2").version == 1
    with pytest.raises(UnknownTable):
        ours.get("t1")
    ours.take_out_of_bin("t1")
    assert ours.get("t1").version == 1
