"""Files and rows that are torn, and copies that are not."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal.sqlite import JournalFileError, SqliteJournal
from companion.engine.game import Refused
from companion.service.ports import HeadQuery, KeptClubEvent, KeptRefusal, SearchWord, TornJournal
from companion.service.table.table import Request
from tests.adapters.kept import entry, opened, outside, tear, write
from tests.fakes import readable_tables
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give
from tests.waiting import PATIENCE_S


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_a_torn_file_is_told_in_one_line(path: Path) -> None:
    write(path, entries=200)
    whole = path.read_bytes()
    for spoilt in (
        b"no database at all, but longer than a header of one hundred bytes has to be" * 9,
        whole[: len(whole) // 2],
        whole[:4096] + b"\xff" * 8192 + whole[12288:],
        b"\0" * 64 + whole[64:],
    ):
        path.write_bytes(spoilt)
        with pytest.raises(JournalFileError) as torn:
            SqliteJournal(path)
        assert str(torn.value).startswith(f"{path}: no readable journal (")
        assert str(torn.value).endswith("companion restore FILE")
        assert "\n" not in str(torn.value)
        assert path.read_bytes() == spoilt


def test_a_file_that_belongs_to_another_program_is_left_alone(path: Path) -> None:
    outside(path, "CREATE TABLE tables (chair TEXT)")
    with pytest.raises(JournalFileError, match="tables"):
        SqliteJournal(path)


def test_a_place_where_no_file_can_be_is_told(tmp_path: Path) -> None:
    for nowhere in (tmp_path / "no" / "folder" / "journal.sqlite", tmp_path):
        with pytest.raises(JournalFileError, match="unable to open"):
            SqliteJournal(nowhere)


@pytest.mark.parametrize(
    ("column", "torn"),
    [
        ("events", '[{"event":"AuctionOp'),
        ("events", ""),
        ("events", "5"),
        ("events", "{}"),
        ("events", "[5]"),
        pytest.param("events", "[" * 5_000, id="endless brackets"),
        ("events", '[{"event":"AuctionOpened","player":"ada","nut":"hazel","bid":3.5}]'),
        ("events", b"\xff\xfe"),
        ("command", "[]"),
        ("command", '{"do":'),
        ("at", b"\xff"),
        ("actor", b"\xff"),
    ],
)
def test_a_torn_row_stops_its_own_table_only(
    path: Path, column: str, torn: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(path) as journal:
        tables = all_tables(journal)
        for _ in range(2):
            give(tables.start(Request(NUTS, "banker", "tap")), OPEN, PASS)
    tear(path, (f"UPDATE entries SET {column} = CAST(? AS TEXT) WHERE table_id = 't1' AND seq = 2", (torn,)))  # noqa: S608
    with opened(path) as journal:
        again = all_tables(journal)
        assert [table.id for table in readable_tables(again)] == ["t2"]
        assert again.torn["t1"].startswith("entry 2 cannot be read: ")
        assert "table t1: entry 2 cannot be read" in caplog.text
        assert again.get("t2").version == 3


def test_a_row_that_is_gone_stops_its_own_table_only(path: Path) -> None:
    with opened(path) as journal:
        tables = all_tables(journal)
        for _ in range(2):
            give(tables.start(Request(NUTS, "banker", "tap")), OPEN, PASS)
    tear(path, "DELETE FROM entries WHERE table_id = 't1' AND seq = 2")
    with opened(path) as journal:
        again = all_tables(journal)
        again.examine()
        assert again.torn == {"t1": "entry 2 is missing, entry 3 follows instead"}
        assert again.get("t2").version == 3
    assert issubclass(TornJournal, Exception)


# ---------------------------------------------------------------------------------------- heads
WHOLE = '{"do": "x", "players": [{"name": "Ada"}]}'


@pytest.mark.parametrize(
    "command",
    [
        b'{"do": "x", "players": [{"name": "A\xffda"}]}',
        rb'{"do": "x", "players": [{"name": "A\ud800da"}]}',
        rb'{"do": "x", "players": [{"name": "A\u0000da"}]}',
        b"no JSON",
    ],
)
def test_a_file_of_an_earlier_version_opens_though_a_name_in_it_is_damaged(path: Path, command: bytes) -> None:
    # given two tables from before there were heads, and a damaged byte in the names of one
    write(path)
    write(path, table_id="u")
    change = "UPDATE entries SET command = CAST(? AS TEXT) WHERE seq = 1 AND table_id = ?"
    tear(path, (change, (command, "t")), (change, (WHOLE.encode(), "u")), "DELETE FROM heads")

    # then both are listed, and the players of the other are found
    with opened(path) as journal:
        assert [head.table_id for head in journal.heads(HeadQuery(limit=9, in_order_of_opening=True))] == ["t", "u"]
        assert [head.table_id for head in journal.heads(HeadQuery(limit=9, words=[SearchWord("ada")]))][:1] == ["u"]


def test_heads_follow_what_an_earlier_version_has_stored_since(path: Path) -> None:
    # given a table whose latest entry was stored by a program that knows no heads
    write(path)
    outside(path, "DELETE FROM heads WHERE table_id = 't'")
    write(path, table_id="u")
    outside(
        path,
        "INSERT INTO entries SELECT table_id, 4, '2026-01-02T00:00:00+00:00', actor, source, command, events, key"
        " FROM entries WHERE table_id = 'u' AND seq = 3",
    )

    # then its head is that of the latest entry
    with opened(path) as journal:
        assert [head.latest.seq for head in journal.heads(HeadQuery(limit=9, in_order_of_opening=True))] == [3, 4]


def test_a_file_whose_heads_are_there_is_opened_without_writing(path: Path) -> None:
    # given somebody who holds the lock of a file whose heads are complete
    write(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        # then it can be opened and read all the same
        with opened(path) as journal:
            assert [head.latest.seq for head in journal.heads(HeadQuery(limit=9))] == [3]


# ---------------------------------------------------------------------------------------- copies
def test_a_copy_is_whole_though_the_game_goes_on(path: Path, tmp_path: Path) -> None:
    write(path)
    with opened(path) as journal:
        stop = threading.Event()

        def play() -> None:
            seq = 4
            while not stop.is_set():
                journal.append("t", entry(seq))
                seq += 1

        playing = threading.Thread(target=play)
        playing.start()
        for number in range(5):
            journal.copy_to(tmp_path / f"copy{number}.sqlite")
        stop.set()
        playing.join(PATIENCE_S)
        for number in range(5):
            with opened(tmp_path / f"copy{number}.sqlite") as copy:
                assert [kept.seq for kept in copy.entries("t")] == list(range(1, len(copy.entries("t")) + 1))
                assert len(copy.entries("t")) >= 3


def test_a_copy_to_nowhere_leaves_nothing_open(path: Path, tmp_path: Path) -> None:
    write(path)
    with opened(path) as journal:
        with pytest.raises(sqlite3.OperationalError):
            journal.copy_to(tmp_path / "no" / "copy.sqlite")
        journal.append("t", entry(4))


@pytest.mark.parametrize("spoilt", ['{"a', "[]", "[" * 100_000, '"\\ud800"', '{"a": "\\ud800"}', b"{\xff}", b"{}"])
def test_what_lists_show_is_made_anew_where_it_is_torn(path: Path, spoilt: Any) -> None:
    # given a description of this program's own version that is none
    write(path)
    outside(path, ("UPDATE heads SET program = '1', described = ?", (spoilt,)))

    # then the head says that there is none
    with closing(SqliteJournal(path, program="1")) as journal:
        assert [head.described for head in journal.heads(HeadQuery(limit=9))] == [None]


@pytest.mark.parametrize("spoilt", ['{"a', "[]", "[" * 100_000, b"{\xff}"])
def test_a_refusal_that_is_torn_is_none(path: Path, spoilt: Any, caplog: pytest.LogCaptureFixture) -> None:
    write(path)
    with opened(path) as journal:
        journal.keep_refusal("t", "k", KeptRefusal("r", Refused("too_late")), "")
    outside(path, ("UPDATE refusals SET details = ?", (spoilt,)))
    with opened(path) as journal:
        assert journal.refusal("t", "k") is None
    assert "too_late" in caplog.text


@pytest.mark.parametrize("spoilt", ['{"a', "[]", "[" * 100_000, '{"name": "\\ud800"}', b"{\xff}"])
def test_a_torn_plan_of_an_event_is_an_empty_one(path: Path, spoilt: Any) -> None:
    write(path)
    with opened(path) as journal:
        journal.keep_club_event(KeptClubEvent("a", "k", "", {"name": "Monday"}))
        journal.keep_club_event(KeptClubEvent("b", "l", "", {"name": "Tuesday"}))
    tearing = ("UPDATE club_events SET plan = ? WHERE id = 'a'", (spoilt,))
    outside(path, "DROP TRIGGER club_events_no_update", tearing)
    with opened(path) as journal:
        assert [event.plan for event in journal.club_events(9)] == [{"name": "Tuesday"}, {}]
