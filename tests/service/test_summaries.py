"""Lists of tables need no journal to be folded, and a table that nobody asks for lets its positions go."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.journal.summaries import SummariesFile
from companion.engine.journal import Entry
from companion.service.ports import LatestEntry, TableSummary, UnknownTable
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.fakes import FakeJournal
from tests.service.house_tables import NUTS, OPEN, PASS, UNDO, all_tables, give

PROGRAM = "1.0"


class CountingJournal(SqliteJournal):
    """Notes which tables are read whole."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, summaries=SummariesFile(path.with_name("summaries.jsonl"), PROGRAM))
        self.read: list[str] = []

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        if not after:
            self.read.append(table_id)
        return list(super().entries(table_id, after))


@pytest.fixture
def begin(tmp_path: Path) -> Callable[[], Tables]:
    """Start over the same folder, as a program does."""

    def start() -> Tables:
        return all_tables(CountingJournal(tmp_path / "journal.sqlite"))

    return start


def read_of(tables: Tables) -> list[str]:
    journal = tables._journal
    assert isinstance(journal, CountingJournal)
    return journal.read


def three_tables(begin: Callable[[], Tables]) -> Tables:
    tables = begin()
    for _ in range(3):
        give(tables.start(Request(NUTS, "banker", "tap")), OPEN, PASS)
    return tables


def test_a_start_reads_no_table_and_lists_are_as_before(begin: Callable[[], Tables]) -> None:
    # given three tables at the end of an evening
    tables = three_tables(begin)
    tables.put_in_bin("t2")
    tables.close()
    listed, binned = tables.all(), tables.binned()

    # when the program starts again
    again = begin()

    # then lists show the same, and no journal was read
    assert again.all() == [{**about, "interrupted": True} for about in listed]
    assert again.binned() == [{**about, "interrupted": True} for about in binned]
    assert again.latest(2) == [{**about, "interrupted": True} for about in reversed(listed)]
    assert (again.torn, again.unplayable(), again.over_here(), again.is_empty()) == ({}, [], frozenset(), False)
    assert read_of(again) == []

    # and only the table that is asked for is read
    assert again.get("t3").version == 3
    assert read_of(again) == ["t3"]


def test_the_table_to_resume_is_found_by_folding_no_other(begin: Callable[[], Tables]) -> None:
    three_tables(begin)  # and the plug is pulled

    again = begin()
    latest = again.latest_unfinished()

    assert latest is not None
    assert (latest.id, latest.position is not None) == ("t3", True)
    assert set(read_of(again)) == {"t3"}


def test_a_table_played_on_without_a_summary_is_listed_as_it_is(begin: Callable[[], Tables]) -> None:
    # given a summary of before
    tables = three_tables(begin)
    tables.close()

    # when somebody plays on and the plug is pulled
    played = begin()
    give(played.get("t1"), UNDO)

    # then the next start lists what was played, and reads that table alone
    again = begin()
    assert [about["version"] for about in again.all()] == [4, 3, 3]
    assert read_of(again) == ["t1"]
    again.all()
    assert read_of(again) == ["t1"]


def test_the_lobby_reads_no_more_tables_than_it_shows(begin: Callable[[], Tables]) -> None:
    three_tables(begin)  # and the plug is pulled

    again = begin()

    assert [about["id"] for about in again.latest(2)] == ["t3", "t2"]
    assert read_of(again) == ["t3", "t2"]
    assert not again.is_empty()
    assert read_of(again) == ["t3", "t2", "t1"]


def test_tables_without_a_summary_are_read_a_few_at_a_time(begin: Callable[[], Tables]) -> None:
    three_tables(begin)  # and the plug is pulled

    again = begin()
    again.summarise_some(budget_s=0)
    assert len(read_of(again)) == 1
    again.summarise_some()
    again.summarise_some()
    assert read_of(again) == ["t3", "t2", "t1"]
    assert all(table.history_if_held is None for table in again._tables.values())


def test_a_table_that_nobody_asked_for_lets_its_positions_go_and_is_folded_again(begin: Callable[[], Tables]) -> None:
    # given a table that was played and listed
    tables = three_tables(begin)
    table = tables.get("t1")
    before = (table.show("ada"), table.journal("ada"), table.entries, table.position)
    listed = tables.all()

    # when nobody asks for it
    tables.let_go_idle(idle_s=0)

    # then its positions are gone, and lists do not bring them back
    assert table.history_if_held is None
    assert (tables.all(), tables.torn) == (listed, {})
    assert table.history_if_held is None

    # and whoever asks for it, or still holds it, finds all as it was
    assert (table.show("ada"), table.journal("ada"), table.entries, table.position) == before
    assert tables.get("t1") is table


def test_a_table_that_was_asked_for_lately_keeps_its_positions(begin: Callable[[], Tables]) -> None:
    tables = three_tables(begin)
    tables.let_go_idle(idle_s=600)
    assert all(tables.get(table_id).history_if_held is not None for table_id in ("t1", "t2", "t3"))


def test_a_table_that_is_followed_keeps_its_positions(begin: Callable[[], Tables]) -> None:
    # given two tables that nobody has asked for in an hour
    tables = three_tables(begin)
    for table_id in ("t1", "t2"):
        tables.get(table_id)._asked_at -= 3_600

    # when a screen follows one of them
    tables.get("t1").keep_awake()
    tables.get("t2")._asked_at -= 3_600
    tables.let_go_idle(idle_s=900)

    # then the other is let go
    assert tables.get("t1").history_if_held is not None
    assert tables._tables["t2"].history_if_held is None


def test_the_same_request_is_known_after_positions_were_let_go(begin: Callable[[], Tables]) -> None:
    tables = begin()
    table = tables.start(Request(NUTS, "banker", "tap"))
    first = table.submit(Request(OPEN, "banker", "tap", key="k"))
    tables.let_go_idle(idle_s=0)
    assert table.submit(Request(OPEN, "banker", "tap", key="k")) == first
    tables.let_go_idle(idle_s=0)
    assert table.stored_under("k") == first
    assert table.version == 2


def test_a_table_damaged_after_it_was_summarised_is_left_alone(begin: Callable[[], Tables]) -> None:
    # given a table whose positions were let go, and a disk that changes a byte
    tables = three_tables(begin)
    tables.let_go_idle(idle_s=0)
    journal = tables._journal
    assert isinstance(journal, CountingJournal)
    journal._connection.execute("DROP TRIGGER entries_no_update")
    journal._connection.execute("UPDATE entries SET events = '[]' WHERE table_id = 't1' AND seq = 2")

    # then whoever asks for it is told, and the others run
    with pytest.raises(UnknownTable):
        tables.get("t1")
    assert [about["id"] for about in tables.all()] == ["t2", "t3"]
    assert [about["id"] for about in tables.unplayable()] == ["t1"]

    # and so it is at the next start
    again = begin()
    assert [about["id"] for about in again.latest(3)] == ["t3", "t2"]
    assert [about["id"] for about in again.unplayable()] == ["t1"]


def test_positions_let_go_again_and_again_disturb_no_player() -> None:
    # given a table whose positions are let go all the time
    tables = all_tables(FakeJournal())
    table = tables.start(Request(NUTS, "banker", "tap"))
    over = threading.Event()

    def let_go() -> None:
        while not over.is_set():
            tables.let_go_idle(idle_s=0)

    seen: list[int] = []

    def read() -> None:
        while not over.is_set():
            shown = table.show("ada")
            seen.append(shown["version"])

    threads = [threading.Thread(target=job) for job in (let_go, read, read)]
    for thread in threads:
        thread.start()

    # when somebody plays
    try:
        for number in range(100):
            give(table, OPEN if number % 2 == 0 else UNDO)
    finally:
        over.set()
        for thread in threads:
            thread.join(10)

    # then every entry counts once
    assert [entry.seq for entry in table.entries] == list(range(1, 102))
    assert set(seen) <= set(range(1, 102))


def test_summaries_of_another_program_torn_lines_and_older_ones_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "summaries.jsonl"
    latest = LatestEntry(3, "2026-01-01T00:00:00+00:00", "abc")
    summary = TableSummary(latest, {"id": "t1", "version": 3, "name": "Zoë"})
    SummariesFile(path, "0.9").keep("old", summary)
    file = SummariesFile(path, PROGRAM)
    file.keep("t1", TableSummary(LatestEntry(2, "then", "x"), {"id": "t1", "version": 2}))
    file.keep("t1", summary)
    with path.open("a", encoding="utf-8") as torn:
        torn.write('{"table": "t2", "latest": [1]\n[]\n"half')

    assert SummariesFile(path, PROGRAM).kept == {"t1": summary}
    assert len(path.read_text("utf-8").splitlines()) == 1


def test_a_file_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = SummariesFile(tmp_path / "nowhere" / "summaries.jsonl", PROGRAM)
    for _ in range(2):
        file.keep("t1", TableSummary(LatestEntry(1, "then", ""), {"version": 1}))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
