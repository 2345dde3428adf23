"""Lists of tables need no journal to be folded, and a table that nobody asks for lets its positions go."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.journal import Entry
from companion.service.ports import HeadCounts, HeadQuery, TableHead, UnknownTable
from companion.service.table import registry
from companion.service.table.lists import TableSearch, read_place
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.fakes import FakeJournal
from tests.opened import start_command
from tests.service.house_tables import NUTS, OPEN, PASS, UNDO, all_tables, give

PROGRAM = "1.0"
LAST_ACTS = (
    {**OPEN, "player": "ben", "nut": "acorn"},
    {**PASS, "player": "ada"},
    {**OPEN, "nut": "walnut"},
    PASS,
)
"""What ends a game of nuts after the first auction."""


class CountingJournal(SqliteJournal):
    """Notes which tables are read whole, and of which heads are read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, program=PROGRAM)
        self.read: list[str] = []
        self.heads_read: list[str] = []

    def heads(self, query: HeadQuery) -> Sequence[TableHead]:
        heads = super().heads(query)
        self.heads_read += [head.table_id for head in heads]
        return heads

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        if not after:
            self.read.append(table_id)
        return list(super().entries(table_id, after))


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[], Tables]]:
    """Start over the same folder, as a program does."""
    with ExitStack() as journals:

        def start() -> Tables:
            journal = CountingJournal(tmp_path / "journal.sqlite")
            journals.callback(journal.close)
            return all_tables(journal)

        yield start


def forget(tables: Tables) -> None:
    """Let the journal be as an earlier version of the program has left it."""
    journal = tables._journal
    assert isinstance(journal, CountingJournal)
    journal._connection.execute("DELETE FROM heads")


def latest(tables: Tables, most: int) -> list[dict[str, Any]]:
    return [dict(about) for about in tables.page(TableSearch(), most).tables]


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
    # given three tables, and a plug that is pulled
    tables = three_tables(begin)
    tables.put_in_bin("t2")
    listed, binned = tables.all(), tables.all(binned=True)

    # when the program starts again
    again = begin()

    # then lists show the same, and no journal was read
    assert again.all() == [{**about, "interrupted": True} for about in listed]
    assert again.all(binned=True) == [{**about, "interrupted": True} for about in binned]
    assert latest(again, 2) == [{**about, "interrupted": True} for about in reversed(listed)]
    assert (again.torn, again.unplayable(9), again.over_here(), again.is_empty()) == ({}, [], frozenset(), False)
    assert again.count() == HeadCounts(tables=2, finished=0, entries=6)
    assert read_of(again) == []

    # and only the table that is asked for is read
    assert again.get("t3").version == 3
    assert read_of(again) == ["t3"]


def test_the_table_to_resume_is_found_by_folding_no_other(begin: Callable[[], Tables]) -> None:
    three_tables(begin)

    again = begin()
    resumed = again.latest_unfinished()

    assert resumed is not None
    assert (resumed.id, resumed.position is not None) == ("t3", True)
    assert set(read_of(again)) == {"t3"}


def test_a_game_that_ended_since_the_start_is_told(begin: Callable[[], Tables]) -> None:
    # given a game that was over before, and another that goes on
    tables = three_tables(begin)
    give(tables.get("t1"), *LAST_ACTS)
    assert tables.over_here() == {"t1"}
    again = begin()
    assert again.over_here() == frozenset()

    # when that ends too
    give(again.get("t2"), *LAST_ACTS)

    # then it alone has ended here, and neither is resumed
    assert again.over_here() == {"t2"}
    assert again.count().finished == 2
    resumed = again.latest_unfinished()
    assert resumed is not None
    assert resumed.id == "t3"


def test_a_page_reads_no_heads_but_its_own_and_moves_are_looked_up_where_tables_are_held(
    begin: Callable[[], Tables],
) -> None:
    # given tables that were all open here, of which one still is
    tables = begin()
    for _ in range(12):
        tables.start(Request(NUTS, "banker", "tap"))
    tables.let_go_idle(idle_s=0)
    tables.get("t7")
    journal = tables._journal
    assert isinstance(journal, CountingJournal)
    journal.heads_read.clear()

    # when a page is made, then the heads of its tables are read, and that of the first one on the next page
    assert len(latest(tables, 3)) == 3
    assert len(journal.heads_read) == 4

    # and when another process has moved tables, the head of the one that is open
    journal.heads_read.clear()
    tables.read_bin_again()
    assert journal.heads_read == ["t7"]


def test_a_list_holds_no_table_for_which_nobody_asked(begin: Callable[[], Tables]) -> None:
    # given tables that no list can describe before they are folded
    forget(three_tables(begin))
    again = begin()

    # when they are described for a page, and by themselves
    latest(again, 2)
    again.summarise_some()

    # then none of them is looked after from then on
    assert read_of(again) == ["t3", "t2", "t1"]
    assert again._tables == {}


@pytest.mark.parametrize("damaged", ["{", "[]", '{"id": "t2"}', b"\xff\xfe"])
def test_a_damaged_head_is_made_anew(begin: Callable[[], Tables], damaged: str | bytes) -> None:
    # given what lists show of a table, which a memory card has spoilt
    listed = three_tables(begin).all()
    again = begin()
    journal = again._journal
    assert isinstance(journal, CountingJournal)
    journal._connection.execute("UPDATE heads SET described = CAST(? AS TEXT) WHERE table_id = 't2'", (damaged,))

    # then lists show it as before, it alone is read, and only once
    for _ in range(2):
        assert again.all() == [{**about, "interrupted": True} for about in listed]
    assert read_of(again) == ["t2"]


def test_tables_of_an_earlier_version_are_folded_for_the_page_that_shows_them(begin: Callable[[], Tables]) -> None:
    forget(three_tables(begin))

    again = begin()

    assert [about["id"] for about in latest(again, 2)] == ["t3", "t2"]
    assert read_of(again) == ["t3", "t2"]
    assert not again.is_empty()
    assert [about["version"] for about in again.all()] == [3, 3, 3]
    assert sorted(read_of(again)) == ["t1", "t2", "t3"]


def test_a_page_of_an_earlier_version_ends_where_too_many_would_be_folded(
    begin: Callable[[], Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    # given tables that nobody has folded yet, the oldest of which is over
    monkeypatch.setattr(registry, "MOST_FOLDED", 1)
    tables = three_tables(begin)
    give(tables.get("t1"), *LAST_ACTS)
    for name in ("t2", "t3"):
        give(tables.get(name), UNDO)
    forget(tables)

    # when finished ones are looked for
    again = begin()
    page = again.page(TableSearch(state="finished"), 1)

    # then the first page folds no more than a few, and the next one goes on behind them
    assert (page.tables, read_of(again)) == ([], ["t3", "t2"])
    assert [about["id"] for about in again.page(TableSearch(state="finished"), 1, page.after).tables] == ["t1"]


def test_tables_without_a_description_are_read_a_few_at_a_time(begin: Callable[[], Tables]) -> None:
    forget(three_tables(begin))

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
    assert [about["id"] for about in tables.unplayable(9)] == ["t1"]

    # and so it is at the next start
    again = begin()
    assert [about["id"] for about in latest(again, 3)] == ["t3", "t2"]
    assert [about["id"] for about in again.unplayable(9)] == ["t1"]


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


# ------------------------------------------------------------------------------------------ search and pages


def test_pages_follow_each_other_while_people_play(begin: Callable[[], Tables]) -> None:
    # given five tables, and a page of two
    tables = begin()
    for _ in range(5):
        tables.start(Request(NUTS, "banker", "tap"))
    first = tables.page(TableSearch(), 2)
    assert [about["id"] for about in first.tables] == ["t5", "t4"]

    # when somebody plays on at a table that comes later, and another is begun
    give(tables.get("t1"), OPEN)
    tables.start(Request(NUTS, "banker", "tap"))

    # then the next pages have what was not shown, once
    second = tables.page(TableSearch(), 2, read_place(first.next or ""))
    assert [about["id"] for about in second.tables] == ["t3", "t2"]
    assert second.next is None
    assert [about["id"] for about in tables.page(TableSearch(), 3).tables] == ["t6", "t1", "t5"]


def test_tables_are_found_by_names_games_ids_and_letters(begin: Callable[[], Tables]) -> None:
    tables = begin()
    tables.start(Request(NUTS, "banker", "tap"))
    for names in (("Zoë", "Yve"), ("Max", "Bartholomew-Maximilian von Hohenstein")):
        players = [{"id": seat, "name": name} for seat, name in zip(("blue", "red"), names, strict=True)]
        tables.start(Request({**start_command(2, 1), "players": players}, "banker", "tap"))
    for text, expected in (
        ("", ["t3", "t2", "t1"]),
        ("zoe", ["t2"]),
        ("ZOË", ["t2"]),
        ("max bartholomew-maximilian", ["t3"]),
        ("zoë yve", ["t2"]),
        ("zoë max", []),
        ("t1", ["t1"]),
        ("ada", ["t1"]),
        ("master", ["t3", "t2"]),
        ("builder yve", ["t2"]),
        ("BCDF", ["t3"]),
        ("%", []),
        ("_", []),
        ("\x00", ["t3", "t2", "t1"]),
        ("name", []),
    ):
        search = TableSearch(text=text, numbers={"BCDF": (3,)})
        assert [about["id"] for about in tables.page(search, 9).tables] == expected, text


def test_lists_are_of_what_goes_on_what_is_over_or_the_bin_and_of_one_game(begin: Callable[[], Tables]) -> None:
    tables = three_tables(begin)
    give(tables.get("t1"), *LAST_ACTS)
    tables.put_in_bin("t2")

    def listed(**wish: Any) -> list[str]:
        return [about["id"] for about in tables.page(TableSearch(**wish), 9).tables]

    assert (listed(), listed(state="running"), listed(state="finished")) == (["t1", "t3"], ["t3"], ["t1"])
    assert (listed(state="bin"), listed(game="nuts"), listed(game="chess")) == (["t2"], ["t1", "t3"], [])


@pytest.mark.parametrize("text", ["", "x", "????", "MTIz", "LTEgMjAyNg", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OSB4"])
def test_what_is_no_place_in_a_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_place(text)
