import sqlite3
import threading
from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest

from companion.service.ports import Conflict, NotStored, TornJournal
from companion.service.table.table import Request
from tests.adapters.kept import entry, opened, write
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give
from tests.waiting import PATIENCE_S


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


# ---------------------------------------------------------------------------------------- durable
def test_what_is_committed_survives_a_pulled_plug(path: Path) -> None:
    with opened(path) as journal:
        asked = {
            name: journal._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_every_entry_is_a_transaction_of_its_own(path: Path) -> None:
    with opened(path) as journal:
        said: list[str] = []
        journal._connection.set_trace_callback(said.append)
        journal.open_table("t", "nuts", entry(1))
        journal.append("t", entry(2))
        changes = (line for line in said if not line.startswith(("--", "SELECT")))
        result = [name for name, _ in groupby(line.split("(")[0].split(" SET ")[0].strip() for line in changes)]
    assert result == [
        "BEGIN IMMEDIATE",
        "INSERT INTO tables",
        "INSERT INTO entries",
        "INSERT INTO sums",
        "INSERT INTO heads",
        "COMMIT",
        "BEGIN IMMEDIATE",
        "INSERT INTO entries",
        "INSERT INTO sums",
        "UPDATE heads",
        "COMMIT",
    ]


def test_another_reader_sees_an_entry_as_soon_as_it_is_acknowledged(path: Path) -> None:
    with opened(path) as journal, closing(sqlite3.connect(path)) as reader:
        journal.open_table("t", "nuts", entry(1))
        for seq in range(2, 6):
            journal.append("t", entry(seq))
            assert reader.execute("SELECT max(seq) FROM entries").fetchone() == (seq,)


def test_a_full_disk_acknowledges_nothing_and_changes_nothing(path: Path) -> None:
    with opened(path) as journal:
        table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
        give(table, OPEN)
        before = table.show("banker"), table.entries
        pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        long = {**NUTS, "players": ["x" * 100_000]}
        with pytest.raises(NotStored, match="full"):
            all_tables(journal, "u").start(Request(long, "banker", "tap"))
        last = before
        with pytest.raises(NotStored, match="full"):  # noqa: PT012 - nobody knows which one it will be
            while True:
                last = table.show("banker"), table.entries
                table.submit(Request({"do": "ponder"}, "banker", "x" * 500))
        assert (table.show("banker"), table.entries) == last
        assert last[0]["position"] == before[0]["position"]
        assert len(journal.entries(table.id)) == table.version
        journal._connection.execute("PRAGMA max_page_count = 1000000")
        give(table, PASS)
        assert journal.entries(table.id) == list(table.entries)
        assert [name for name, _ in journal.tables()] == ["t1"]


def test_a_second_writer_cannot_take_a_number_that_is_taken(path: Path) -> None:
    write(path)
    with opened(path) as first, opened(path) as other:
        first.append("t", entry(4, "first"))
        with pytest.raises(Conflict):
            other.append("t", entry(4, "second"))
        assert [kept.command["words"] for kept in other.entries("t")] == ["", "", "", "first"]
        other.append("t", entry(5, "third"))


def test_a_second_writer_waits_for_the_first(path: Path) -> None:
    write(path)
    with opened(path) as journal, closing(sqlite3.connect(path, isolation_level=None)) as busy:
        busy.execute("BEGIN IMMEDIATE")
        waiting = threading.Thread(target=journal.append, args=("t", entry(4)))
        waiting.start()
        waiting.join(0.1)
        assert waiting.is_alive()
        busy.execute("COMMIT")
        waiting.join(PATIENCE_S)
        assert len(journal.entries("t")) == 4


def test_a_table_that_meets_what_it_cannot_read_is_let_go(path: Path) -> None:
    with opened(path) as journal:
        table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
        with opened(path) as other:
            other.append(table.id, entry(2))
        with pytest.raises(TornJournal, match="no event is called 'X'"):
            give(table, OPEN)
        assert table.history_if_held is None
        assert [kept.seq for kept in journal.entries(table.id)] == [1, 2]
