"""Promises of every journal: in memory, in a SQLite file, in a PostgreSQL database."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import (
    Conflict,
    HeadCounts,
    HeadQuery,
    Journal,
    KeptClubEvent,
    KeptRefusal,
    SearchWord,
    Unstorable,
)
from companion.service.table.lists import TableSearch
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.adapters.kept import entry
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give
from tests.waiting import PATIENCE_S

PROGRAM = "1.0"
KINDS = ("memory", "sqlite", "postgres")


@pytest.fixture(params=KINDS)
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Journal]]:
    """Open the same journal once more, as the next start does; the one in memory is the same one."""
    opened: list[Journal] = []
    database = request.getfixturevalue("database") if request.param == "postgres" else ""

    def open_journal() -> Journal:
        match request.param:
            case "memory":
                journal: Journal = opened[0] if opened else InMemoryJournal()
            case "sqlite":
                journal = SqliteJournal(tmp_path / "journal.sqlite", program=PROGRAM)
            case _:
                journal = PostgresJournal(database, PROGRAM)
        opened.append(journal)
        return journal

    yield open_journal
    for journal in opened:
        journal.close()


@pytest.fixture
def journal(reopen: Callable[[], Journal]) -> Journal:
    return reopen()


def filled(journal: Journal, entries: int = 3) -> Journal:
    journal.open_table("t", "nuts", entry(1))
    for seq in range(2, entries + 1):
        journal.append("t", entry(seq))
    return journal


def test_entries_come_back_as_they_were_stored(reopen: Callable[[], Journal]) -> None:
    journal = reopen()
    odd = {"do": "x", "n": [1, 1.0, 1e300, True, None], "deep": {"a": {"b": []}}, "nul": "\x00", "tab": "\t\u2028"}
    entries = [
        entry(1, "Zoë 🏠"),
        entry(2, '"; DROP TABLE entries; --', "k1"),
        entry(3, "%s \\u0041 \\ '", "k2"),
        Entry(4, "2026", "ada", "play", odd, ({"event": "X", "command": odd}, {"event": "Y"}), None),
    ]
    journal.open_table("t", "nuts", entries[0])
    for later in entries[1:]:
        journal.append("t", later)
    for again in (journal, reopen()):
        assert list(again.entries("t")) == entries
        assert list(again.entries("t", after=2)) == entries[2:]
        assert list(again.entries("t", after=4)) == []


@pytest.mark.parametrize(
    "unfit",
    [entry(4, "x", "a\0b"), Entry(4, "", "a\0", "", {}, (), None), Entry(4, "", "", "\0", {}, (), None)],
    ids=["key", "actor", "source"],
)
def test_a_text_that_no_journal_can_store_is_refused_in_one_line(journal: Journal, unfit: Entry) -> None:
    # given a NUL character, which JSON can write and columns of PostgreSQL cannot hold
    filled(journal)
    with pytest.raises(Unstorable, match="NUL character") as refused:
        journal.append("t", unfit)
    assert "\n" not in str(refused.value)
    with pytest.raises(Unstorable):
        journal.import_table("u\0", "nuts", [entry(1)])

    # then nothing was stored, and whoever asks for such a name finds nothing
    assert [stored.seq for stored in journal.entries("t")] == [1, 2, 3]
    assert list(journal.tables()) == [("t", "nuts")]
    assert (journal.latest_entry("u\0"), journal.begun_with("a\0b"), journal.refusal("t", "a\0b")) == (None,) * 3


def test_tables_are_told_in_the_order_in_which_they_were_opened(journal: Journal) -> None:
    assert list(journal.tables()) == []
    for name in ("z", "a", "m"):
        journal.open_table(name, "nuts", entry(1))
    assert list(journal.tables()) == [("z", "nuts"), ("a", "nuts"), ("m", "nuts")]


@pytest.mark.parametrize("seq", [1, 2, 3, 5, 9])
def test_an_entry_that_is_not_the_next_meets_a_conflict_and_changes_nothing(journal: Journal, seq: int) -> None:
    filled(journal)
    with pytest.raises(Conflict):
        journal.append("t", entry(seq, "another"))
    assert list(journal.entries("t")) == [entry(1), entry(2), entry(3)]
    journal.append("t", entry(4))


def test_a_table_is_opened_once(journal: Journal) -> None:
    filled(journal)
    with pytest.raises(Conflict):
        journal.open_table("t", "nuts", entry(1))
    with pytest.raises(Conflict):
        journal.import_table("t", "nuts", [entry(1), entry(2)])
    assert (len(journal.entries("t")), list(journal.tables())) == (3, [("t", "nuts")])


def test_a_whole_game_is_taken_in_as_it_is(reopen: Callable[[], Journal]) -> None:
    whole = [entry(seq, str(seq), f"k{seq}") for seq in range(1, 101)]
    reopen().import_table("t", "nuts", whole)
    again = reopen()
    assert list(again.entries("t")) == whole
    assert again.begun_with("k1") == "t"
    latest = again.latest_entry("t")
    assert latest is not None
    assert latest.seq == 100


def test_a_key_counts_once_a_table(journal: Journal) -> None:
    # given a key that led to an entry, and one that led to a refusal
    journal.open_table("t", "nuts", entry(1, key="k"))
    kept = KeptRefusal("[]", Refused("no", why=("a", "b"), cards=("W01",)))
    journal.keep_refusal("t", "r", kept, "now")

    # then neither leads to another entry
    for key in ("k", "r"):
        with pytest.raises(Conflict):
            journal.append("t", entry(2, key=key))
    assert [stored.seq for stored in journal.entries("t")] == [1]

    # and the refusal is as it was, with its figures
    again = journal.refusal("t", "r")
    assert again is not None
    assert (again.request, again.refused.rule, dict(again.refused.details)) == (
        "[]",
        "no",
        {"why": ("a", "b"), "cards": ("W01",)},
    )
    assert journal.refusal("t", "x") is None
    assert journal.refusal("u", "r") is None


def test_of_many_refusals_the_oldest_of_their_sender_go(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in KINDS:
        monkeypatch.setattr(f"companion.adapters.journal.{module}.MAX_REFUSALS", 2)
    filled(journal)
    keys = ["banker:a", "guest%:b", *(f"guest:{number}" for number in range(4))]
    for name, key in product(("t", "u"), keys):
        journal.keep_refusal(name, key, KeptRefusal(key, Refused("no")), "now")
    assert [key for key in keys if journal.refusal("t", key)] == ["banker:a", "guest%:b", "guest:2", "guest:3"]


def test_what_lies_in_the_bin_is_what_was_put_there_last(reopen: Callable[[], Journal]) -> None:
    journal = reopen()
    for name in ("t", "u", "v"):
        journal.open_table(name, "nuts", entry(1))
    for name, binned in (("t", True), ("u", True), ("t", False), ("v", True), ("v", False), ("v", True)):
        journal.move(name, binned=binned, at="now")
    assert ids(reopen(), binned=True, in_order_of_opening=True) == ["u", "v"]
    assert len(list(journal.tables())) == 3


def test_the_latest_entry_covers_all_before_it(journal: Journal) -> None:
    assert journal.latest_entry("t") is None
    filled(journal)
    latest = journal.latest_entry("t")
    assert latest is not None
    assert (latest.seq, latest.at) == (3, entry(3).at)
    journal.open_table("u", "nuts", entry(1, "other"))
    for seq in (2, 3):
        journal.append("u", entry(seq))
    other = journal.latest_entry("u")
    assert other != latest or latest.checksum == ""  # a journal in memory has no checksums


def test_checksums_are_the_same_wherever_they_are_made(tmp_path: Path, database: str) -> None:
    journals: list[Journal] = [SqliteJournal(tmp_path / "journal.sqlite"), PostgresJournal(database, PROGRAM)]
    for journal in journals:
        journal.open_table("t", "nuts", entry(1, "Zoë 🏠 \x00 \\"))
        journal.append("t", entry(2, key="k"))
    file, shared = (journal.latest_entry("t") for journal in journals)
    assert file == shared
    for journal in journals:
        journal.close()


def test_two_threads_that_store_one_number_store_one_of_them(journal: Journal) -> None:
    # given eight threads that all want to store the next entry
    filled(journal, entries=1)
    stored: list[str] = []
    begin = threading.Barrier(8)

    def write(name: str) -> None:
        begin.wait(PATIENCE_S)
        for seq in range(2, 12):
            try:
                journal.append("t", entry(seq, name))
            except Conflict:
                continue
            stored.append(name)

    threads = [threading.Thread(target=write, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    # then each number is there once, by the thread that was told so
    entries = journal.entries("t")
    assert [kept.seq for kept in entries] == list(range(1, 1 + len(entries)))
    assert sorted(kept.command["words"] for kept in entries[1:]) == sorted(stored)


# ----------------------------------------------------------------------------------------------- heads


def described(table_id: str, version: int, *names: str, finished: bool = False) -> dict[str, Any]:
    players = [{"id": f"seat {number}", "name": name} for number, name in enumerate(names)]
    others = dict.fromkeys(("game", "started_at", "changed_at", "round", "phase", "standings"))
    return {"id": table_id, "version": version, "players": players, "finished": finished, **others}


def store(journal: Journal, name: str, minute: int, *names: str, game: str = "nuts", finished: bool = False) -> None:
    """Begin a table at a minute, whose head says who plays and whether the game is over."""
    first = replace(entry(1), at=f"2026-01-01T00:{minute:02}:00+00:00")
    journal.open_table(name, game, first, lambda: described(name, 1, *names, finished=finished))


@pytest.fixture
def club(reopen: Callable[[], Journal]) -> Callable[[], Journal]:
    """Five tables of two games: running, finished, in the bin, and one that nobody has described."""
    journal = reopen()
    store(journal, "a1", 5, "Zoë", "Yve")
    store(journal, "a2", 4, "zoe%", "Bo_", finished=True)
    store(journal, "b1", 4, "Änne Ötken", game="chess")
    store(journal, "b2", 1, "Max", finished=True)
    journal.open_table("c1", "nuts", replace(entry(1), at="2026-01-01T00:00:00+00:00"))
    for binned in (True, False, True):
        journal.move("b2", binned=binned, at="now")
    return reopen


def ids(journal: Journal, **query: Any) -> list[str]:
    """Return the ids of the tables that a query asks for, which is counted alike."""
    heads = journal.heads(HeadQuery(**{"limit": 9, **query}))
    if "limit" not in query and "after" not in query:
        assert journal.count_heads(HeadQuery(limit=0, **query)).tables == len(heads)
    return [head.table_id for head in heads]


def test_a_head_is_stored_with_the_entry_and_there_at_the_next_start(reopen: Callable[[], Journal]) -> None:
    journal = reopen()
    before = journal.last_change()
    journal.open_table("t", "nuts", entry(1), lambda: described("t", 1, "Zoë 🏠"))
    changes: list[int] = []
    for seq in (2, 3):
        about = described("t", seq, "Zoë 🏠", finished=seq == 3)
        journal.append("t", entry(seq), partial(dict, about))
        for again in (journal, reopen()):
            (head,) = again.heads(HeadQuery(limit=1))
            assert head.latest == again.latest_entry("t")
            assert (head.table_id, head.game, head.number, head.binned) == ("t", "nuts", 1, False)
            assert (head.finished, head.described) == (seq == 3, about)
            changes.append(head.change)
            assert again.last_change() == head.change
    assert before < changes[0] == changes[1] < changes[2]


def test_what_was_not_stored_has_no_head(journal: Journal) -> None:
    store(journal, "t", 1, "Zoë")
    with pytest.raises(Conflict):
        journal.append("t", entry(1), lambda: described("t", 1, "Max", finished=True))
    (head,) = journal.heads(HeadQuery(limit=9))
    assert (head.latest.seq, head.finished, head.described) == (1, False, described("t", 1, "Zoë"))


def test_an_entry_without_a_description_leaves_none_of_an_earlier_one(reopen: Callable[[], Journal]) -> None:
    journal = reopen()
    store(journal, "t", 1, "Zoë", finished=True)
    journal.append("t", entry(2))
    for again in (journal, reopen()):
        (head,) = again.heads(HeadQuery(limit=9))
        assert (head.latest.seq, head.finished, head.described) == (2, None, None)


def test_heads_are_listed_by_their_latest_entry_or_in_the_order_of_opening(club: Callable[[], Journal]) -> None:
    for journal in (club(), club()):
        assert ids(journal) == ["a1", "b1", "a2", "b2", "c1"]
        assert ids(journal, in_order_of_opening=True) == ["a1", "a2", "b1", "b2", "c1"]
    club().append("c1", replace(entry(2), at="2026-01-01T00:06:00+00:00"))
    assert ids(club(), limit=2) == ["c1", "a1"]
    assert ids(club(), limit=2, in_order_of_opening=True) == ["a1", "a2"]


def test_pages_have_every_head_once(club: Callable[[], Journal]) -> None:
    journal = club()
    for size, in_order in product((1, 2, 3), (True, False)):
        seen: list[str] = []
        after: tuple[str, int] | int | None = None
        while heads := journal.heads(HeadQuery(limit=size, after=after, in_order_of_opening=in_order)):
            seen += [head.table_id for head in heads]
            after = heads[-1].number if in_order else (heads[-1].latest.at, heads[-1].change)
        assert seen == ids(journal, in_order_of_opening=in_order)


QUERIES: list[tuple[dict[str, Any], list[str]]] = [
    ({"finished": True}, ["a2", "b2", "c1"]),
    ({"finished": False}, ["a1", "b1", "c1"]),
    ({"binned": True}, ["b2"]),
    ({"binned": False, "finished": True}, ["a2", "c1"]),
    ({"games": {"chess"}}, ["b1"]),
    ({"games": ()}, []),
    ({"other_games": {"nuts"}}, ["b1"]),
    ({"other_games": ()}, ["a1", "b1", "a2", "b2", "c1"]),
    ({"described": False}, ["c1"]),
    ({"described": True}, ["a1", "b1", "a2", "b2"]),
    ({"ids": ["c1", "a2", "x"]}, ["a2", "c1"]),
    ({"ids": []}, []),
    ({"numbers": [1, 5, 99]}, ["a1", "c1"]),
    ({"words": [SearchWord("zoe")]}, ["a1", "a2"]),
    ({"words": [SearchWord("ZOË"), SearchWord("yv")]}, ["a1"]),
    ({"words": [SearchWord("e%")]}, ["a2"]),
    ({"words": [SearchWord("o_")]}, ["a2"]),
    ({"words": [SearchWord("seat")]}, []),
    ({"words": [SearchWord("anne otken")]}, ["b1"]),
    ({"words": [SearchWord("c1")]}, ["c1"]),
    ({"words": [SearchWord("x", games=frozenset({"chess"})), SearchWord("änne")]}, ["b1"]),
    ({"words": [SearchWord("x", numbers=(2, 4))]}, ["a2", "b2"]),
    ({"words": [SearchWord("x", numbers=(2, 4)), SearchWord("max")]}, ["b2"]),
    ({"words": [SearchWord("'; --")]}, []),
    ({"words": [SearchWord("\x00")], "games": {"chess"}}, ["b1"]),
]


def test_a_query_finds_what_it_asks_for(club: Callable[[], Journal]) -> None:
    journal = club()
    for query, expected in QUERIES:
        assert ids(journal, **query) == expected, query


def test_what_changed_later_is_found(club: Callable[[], Journal]) -> None:
    journal = club()
    change = journal.last_change()
    assert ids(journal, changed_after=change) == []
    journal.append("a2", entry(2), lambda: described("a2", 2, finished=True))
    assert ids(journal, changed_after=change) == ["a2"]


def test_a_table_that_nobody_has_described_is_found_by_the_names_that_began_it(tmp_path: Path, database: str) -> None:
    # given tables as an earlier version of the program has left them, without heads
    started = {"do": "start", "players": [{"id": "a", "name": "Zoë Ödön"}, {"id": "b", "name": "Bo\nb"}], "x": "Nobody"}
    taken_over = {"do": "take_over", "position": {"players": {"a": {"name": "ÄNNE"}}, "nul": "\x00"}}
    for journal in (SqliteJournal(tmp_path / "journal.sqlite"), PostgresJournal(database, PROGRAM)):
        journal.open_table("t", "nuts", replace(entry(1), command=started))
        journal.open_table("u", "nuts", replace(entry(1), command=taken_over))
        journal.move("u", binned=True, at="now")
        journal.close()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as file:
        file.execute("DELETE FROM heads")
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DELETE FROM heads")

    # when they are opened again, then they are listed, and found
    for journal in (SqliteJournal(tmp_path / "journal.sqlite"), PostgresJournal(database, PROGRAM)):
        assert ids(journal) == ["u", "t"]
        assert ids(journal, binned=True) == ["u"]
        assert ids(journal, words=[SearchWord("zoe odon")]) == ["t"]
        assert ids(journal, words=[SearchWord("nobody")]) == []
        assert [head.latest for head in journal.heads(HeadQuery(limit=1))] == [journal.latest_entry("u")]
        journal.close()


def test_tables_finished_ones_and_entries_are_counted(club: Callable[[], Journal]) -> None:
    journal = club()
    journal.append("a1", entry(2), lambda: described("a1", 2))
    assert journal.count_heads(HeadQuery(limit=0)) == HeadCounts(tables=5, finished=2, entries=6)
    assert journal.count_heads(HeadQuery(limit=0, games={"go"})) == HeadCounts(tables=0, finished=0, entries=0)


def test_a_description_is_added_to_the_entry_that_it_is_of(reopen: Callable[[], Journal]) -> None:
    # given a table that nobody has described, played on by somebody else meanwhile
    journal = filled(reopen())
    latest = journal.latest_entry("t")
    about = described("t", 3, "Zoë", finished=True)
    journal.append("t", entry(4))
    journal.keep_head("t", latest, about)
    (head,) = reopen().heads(HeadQuery(limit=9))
    assert (head.latest.seq, head.finished, head.described) == (4, None, None)

    # when it is described as it is now, then lists and searches know it
    journal.keep_head("t", journal.latest_entry("t"), about)
    (head,) = reopen().heads(HeadQuery(limit=9, words=[SearchWord("zoe")]))
    assert (head.finished, head.described) == (True, about)

    # and when it cannot be folded, nobody believes that any more
    journal.keep_head("t", None, None)
    (head,) = reopen().heads(HeadQuery(limit=9))
    assert head.described is None


def played(journal: Journal) -> tuple[Tables, list[dict[str, Any]]]:
    """Two tables, one played on, and their lists."""
    tables = all_tables(journal)
    for _ in range(2):
        give(tables.start(Request(NUTS, "banker", "tap")), OPEN)
    give(tables.get("t1"), PASS)
    return tables, tables.all()


def test_lists_are_the_same_at_the_next_start(reopen: Callable[[], Journal]) -> None:
    tables, listed = played(reopen())
    tables.put_in_bin("t2")
    again = all_tables(reopen())
    assert again.all() == [{**listed[0], "interrupted": True}]
    assert [about["id"] for about in again.all(binned=True)] == ["t2"]
    assert list(again.page(TableSearch(), 5).tables) == again.all()
    table = again.get("t1")
    assert (table.version, list(table.entries)) == (3, list(tables.get("t1").entries))


EVENT = KeptClubEvent("e1", "banker:k", "2026-11-26T18:00:00Z", {"name": "Zoë 🏠", "tables": [{"players": ["a"]}]})


def test_a_club_event_has_its_latest_plan_and_is_listed_once(reopen: Callable[[], Journal]) -> None:
    # given three events, of which two have later plans
    journal = reopen()
    assert (list(journal.club_events(9)), journal.club_event("e1")) == ([], None)
    for name in ("e1", "e2", "e3"):
        kept = replace(EVENT, id=name, key=name, plan={"first": name})
        assert journal.keep_club_event(kept) == kept
    for name in ("e1.2", "e3.2", "e1.3"):
        kept = KeptClubEvent(name, f"plan {name}", "later", {"later": name})
        assert journal.keep_club_event(kept) == kept

    # then each is there once, with the place that it had, the time of its first plan and the latest one
    for again in (journal, reopen()):
        listed = again.club_events(9)
        assert [(event.id, event.version, event.at, event.plan) for event in listed] == [
            ("e3", 2, EVENT.at, {"later": "e3.2"}),
            ("e2", 1, EVENT.at, {"first": "e2"}),
            ("e1", 3, EVENT.at, {"later": "e1.3"}),
        ]
        assert (again.club_event("e1"), again.club_event("e1.2")) == (listed[2], None)
        assert [*again.club_events(2), *again.club_events(2, listed[1].number)] == list(listed)


def test_a_club_event_is_stored_once_for_each_key_whoever_is_first(journal: Journal) -> None:
    events = [KeptClubEvent(f"e{number}", "k", "now", {"number": number}) for number in range(8)]
    stored: list[KeptClubEvent] = []
    threads = [
        threading.Thread(target=lambda event=event: stored.append(journal.keep_club_event(event))) for event in events
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert list(journal.club_events(9)) == [stored[0]]
    assert stored == [stored[0]] * 8


def test_tables_are_found_by_the_keys_that_began_them(reopen: Callable[[], Journal]) -> None:
    journal = reopen()
    journal.open_table("t", "nuts", entry(1, key="k1"))
    journal.append("t", entry(2, key="k2"))
    journal.open_table("u", "nuts", entry(1, key="k3, 'odd\" one"))
    journal.open_table("v", "nuts", entry(1))
    for again in (journal, reopen()):
        assert again.begun_with_any(["k1", "k2", "k3, 'odd\" one", "k4"]) == {"k1": "t", "k3, 'odd\" one": "u"}
        assert again.begun_with_any([]) == {}
