import sqlite3
import threading
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from companion.adapters.journal_migrations import MIGRATIONS
from companion.adapters.sqlite_journal import JournalFileError, SqliteJournal
from companion.service.errors import TornJournal
from tests.adapters.kept import entry, opened, outside, tear, write
from tests.service.seated import NUTS, OPEN, PASS, all_tables, give

INSERT = "INSERT {} INTO entries (table_id, seq, at, actor, source, command, events, key)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_entries_come_back_as_they_were_stored(path: Path) -> None:
    entries = [entry(1, "Zoë 🏠"), entry(2, '"; DROP TABLE entries; --', "k1"), entry(3, key="k2")]
    with opened(path) as journal:
        journal.open_table("t", "nuts", entries[0])
        for later in entries[1:]:
            journal.append("t", later)
        assert journal.entries("t") == entries
    with opened(path) as journal:
        assert journal.entries("t") == entries
        assert journal.entries("nobody") == []


def test_tables_are_told_in_the_order_in_which_they_were_opened(path: Path) -> None:
    with opened(path) as journal:
        assert journal.tables() == []
        for name in ("z", "a", "m"):
            journal.open_table(name, "nuts", entry(1))
        assert journal.tables() == [("z", "nuts"), ("a", "nuts"), ("m", "nuts")]


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
        told = [name for name, _ in groupby(line.split("(")[0].strip() for line in said if not line.startswith("--"))]
    assert told == [
        "BEGIN IMMEDIATE",
        "INSERT INTO tables",
        "INSERT INTO entries",
        "COMMIT",
        "BEGIN IMMEDIATE",
        "INSERT INTO entries",
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
        table = all_tables(journal).start(NUTS, actor="banker", source="tap")
        give(table, OPEN)
        before = table.show("banker"), table.entries
        pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        long = {**NUTS, "players": ["x" * 100_000]}
        with pytest.raises(sqlite3.OperationalError, match="full"):
            all_tables(journal, "u").start(long, actor="banker", source="tap")
        last = before
        with pytest.raises(sqlite3.OperationalError, match="full"):  # noqa: PT012 - nobody knows which one it will be
            while True:
                last = table.show("banker"), table.entries
                table.submit({"do": "ponder"}, actor="banker", source="x" * 500, seen=None)
        assert (table.show("banker"), table.entries) == last
        assert last[0]["position"] == before[0]["position"]
        assert len(journal.entries(table.id)) == table.version
        journal._connection.execute("PRAGMA max_page_count = 1000000")
        give(table, PASS)
        assert journal.entries(table.id) == list(table.entries)
        assert [name for name, _ in journal.tables()] == ["t1"]


def test_a_second_writer_cannot_take_a_number_that_is_taken(path: Path) -> None:
    write(path)
    with opened(path) as one, opened(path) as other:
        one.append("t", entry(4, "first"))
        with pytest.raises(sqlite3.IntegrityError, match="without gaps"):
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
        waiting.join(5)
        assert len(journal.entries("t")) == 4


def test_a_table_behind_another_writer_is_left_as_it_was(path: Path) -> None:
    with opened(path) as journal:
        table = all_tables(journal).start(NUTS, actor="banker", source="tap")
        with opened(path) as other:
            other.append(table.id, entry(2))
        with pytest.raises(sqlite3.IntegrityError):
            give(table, OPEN)
        assert (table.version, len(table.entries)) == (1, 1)


# ---------------------------------------------------------------------------------------- append-only
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET command = '{}'",
        "UPDATE entries SET seq = 9 WHERE seq = 3",
        "UPDATE OR IGNORE entries SET command = '{}'",
        "UPDATE tables SET game = 'chess'",
        "DELETE FROM entries",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM tables",
        f"{INSERT.format('')} VALUES ('t', 6, '', '', '', '{{}}', '[]', NULL)",
        f"{INSERT.format('')} VALUES ('t', 3, '', '', '', '{{}}', '[]', NULL)",
        f"{INSERT.format('')} VALUES ('t', 0, '', '', '', '{{}}', '[]', NULL)",
        f"{INSERT.format('OR REPLACE')} VALUES ('t', 3, '', '', '', '{{}}', '[]', NULL)",
        f"{INSERT.format('OR REPLACE')} VALUES ('t', 5, '', '', '', '{{}}', '[]', 'k')",
        "INSERT OR REPLACE INTO tables (id, game, opened_at) VALUES ('t', 'chess', '')",
        "INSERT OR REPLACE INTO tables (rowid, id, game, opened_at) VALUES (1, 'u', 'chess', '')",
        f"{INSERT.format('OR REPLACE').replace('(', '(rowid, ')} VALUES (1, 't', 5, '', '', '', '{{}}', '[]', NULL)",
    ],
)
def test_the_database_itself_refuses_to_change_the_journal(path: Path, statement: str) -> None:
    write(path)
    with opened(path) as journal:
        journal.append("t", entry(4, key="k"))
        before = journal.entries("t"), journal.tables()
        with pytest.raises(sqlite3.IntegrityError, match=r"append-only|without gaps"):
            outside(path, statement)
        assert (journal.entries("t"), journal.tables()) == before


def test_an_entry_needs_its_table(path: Path) -> None:
    with opened(path) as journal, pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        journal.append("nobody", entry(1))


def test_a_table_is_opened_once(path: Path) -> None:
    write(path)
    with opened(path) as journal:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            journal.open_table("t", "nuts", entry(1))
        assert len(journal.entries("t")) == 3


def test_a_table_whose_first_entry_does_not_fit_is_not_opened(path: Path) -> None:
    with opened(path) as journal:
        with pytest.raises(sqlite3.IntegrityError, match="without gaps"):
            journal.open_table("t", "nuts", entry(2))
        assert journal.tables() == []
        journal.open_table("t", "nuts", entry(1))


def test_a_key_counts_once_a_table(path: Path) -> None:
    with opened(path) as journal:
        journal.open_table("t", "nuts", entry(1, key="k"))
        journal.open_table("u", "nuts", entry(1, key="k"))
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            journal.append("t", entry(2, key="k"))


# ---------------------------------------------------------------------------------------- versions of the file
def schema(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


def test_opening_a_file_again_changes_nothing_in_it(path: Path) -> None:
    write(path)
    before = schema(path)
    with opened(path), opened(path):
        pass
    assert schema(path) == before


@pytest.mark.parametrize("version", [migration.name for migration in MIGRATIONS._migrations])
def test_a_file_of_any_earlier_version_is_brought_up_to_date(path: Path, tmp_path: Path, version: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        MIGRATIONS.apply(sqlite_utils.Database(old), stop_before=version)
        has_tables = old.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone()
        if has_tables:
            old.execute("INSERT INTO tables VALUES ('t', 'nuts', '')")
            old.execute("INSERT INTO entries VALUES ('t', 1, '', '', '', '{}', '[]', NULL)")
    with opened(path) as journal:
        assert len(journal.entries("t")) == bool(has_tables)
    assert schema(path) == schema(write(tmp_path / "new.sqlite"))


# ---------------------------------------------------------------------------------------- torn
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
            give(tables.start(NUTS, actor="banker", source="tap"), OPEN, PASS)
    tear(path, (f"UPDATE entries SET {column} = CAST(? AS TEXT) WHERE table_id = 't1' AND seq = 2", (torn,)))  # noqa: S608
    with opened(path) as journal:
        again = all_tables(journal)
        assert [table.id for table in again.running()] == ["t2"]
        assert again.torn["t1"].startswith("entry 2 cannot be read: ")
        assert "table t1: entry 2 cannot be read" in caplog.text
        assert again.get("t2").version == 3


def test_a_row_that_is_gone_stops_its_own_table_only(path: Path) -> None:
    with opened(path) as journal:
        tables = all_tables(journal)
        for _ in range(2):
            give(tables.start(NUTS, actor="banker", source="tap"), OPEN, PASS)
    tear(path, "DELETE FROM entries WHERE table_id = 't1' AND seq = 2")
    with opened(path) as journal:
        again = all_tables(journal)
        assert again.torn == {"t1": "entry 2 is missing, entry 3 follows instead"}
        assert again.get("t2").version == 3
    assert issubclass(TornJournal, Exception)


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
        playing.join(5)
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
