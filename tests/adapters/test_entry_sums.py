"""A byte that changed on the disk, and entries that were lost with a side file, are noticed and named."""

import sqlite3
from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import LatestNumbers, SqliteJournal, _insert
from companion.service.table.table import Request
from tests.adapters.kept import entry, opened, write
from tests.service.house_tables import NUTS, OPEN, PASS, all_tables, give


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def changed(path: Path, column: str, value: str, seq: int) -> None:
    """Change a row as a bad disk would: behind the back of whatever watches over the file."""
    connection = sqlite3.connect(path)
    for act in ("update", "delete", "no_replace"):
        connection.execute(f"DROP TRIGGER IF EXISTS entries_no_{act}")
    connection.execute(f"UPDATE entries SET {column} = ? WHERE seq = ?", (value, seq))  # noqa: S608 - a test's own
    connection.commit()
    connection.close()


@pytest.mark.parametrize("column", ["at", "actor", "source", "command", "key"])
def test_an_entry_that_still_reads_well_but_is_not_what_was_stored_is_named(
    path: Path, column: str, caplog: pytest.LogCaptureFixture
) -> None:
    # given a game of which one row was changed to something as good
    with opened(path) as journal:
        table = all_tables(journal).start(Request(NUTS, "banker", "tap"))
        give(table, OPEN)
        give(table, PASS)
    changed(path, column, '{"do": "open_auction"}' if column == "command" else "banker ", 2)

    # then it is told by its number, and nothing behind it is believed
    with opened(path) as journal:
        assert all_tables(journal).all() == []
    assert "table t1: entry 2 cannot be read" in caplog.text


def test_a_row_that_slipped_in_between_is_no_entry(path: Path) -> None:
    write(path, entries=3)
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER sums_no_delete")
    connection.execute("DELETE FROM sums WHERE seq = 2")
    connection.execute("INSERT INTO sums VALUES ('t', 2, 'nonsense')")
    connection.commit()
    connection.close()
    with opened(path) as journal:
        assert [entry.events[0]["event"] == "torn" for entry in journal.entries("t")][1]


def test_entries_behind_a_version_are_checked_too(path: Path) -> None:
    write(path, entries=3)
    changed(path, "source", "tip", 3)
    with opened(path) as journal:
        assert journal.entries("t", after=2)[0].events == ({"event": "torn"},)


def stored_and_rolled_back(journal: SqliteJournal) -> None:
    with journal._atomic() as connection:
        _insert(connection, "t", entry(3, "another"), journal._sums)
        _ = 1 // 0


def test_an_entry_that_was_rolled_back_leaves_no_trace_in_the_sums(path: Path) -> None:
    # given a journal in which the third entry was refused by the disk at the last moment
    with opened(path) as journal:
        journal.open_table("t", "nuts", entry(1))
        journal.append("t", entry(2))
        with pytest.raises(ZeroDivisionError):
            stored_and_rolled_back(journal)

        # when it is stored again, and one behind it
        journal.append("t", entry(3))
        journal.append("t", entry(4))

    # then all are as they were stored
    with opened(path) as journal:
        assert [entry.seq for entry in journal.entries("t") if entry.events != ({"event": "torn"},)] == [1, 2, 3, 4]


def test_entries_of_versions_that_kept_no_sums_get_them_when_the_file_is_opened(path: Path) -> None:
    # given a file of before
    write(path, entries=3)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE sums")
    connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm005_sums'")
    connection.commit()
    connection.close()

    # when it is opened, then they read as they did, and a change from now on shows
    with opened(path) as journal:
        assert len(journal.entries("t")) == 3
        journal.append("t", entry(4))
    changed(path, "source", "tip", 2)
    with opened(path) as journal:
        assert journal.entries("t")[1].events == ({"event": "torn"},)


def test_what_was_lost_with_a_side_file_is_noticed_and_named(tmp_path: Path, path: Path) -> None:
    # given a journal whose last entries lie in its side file, and a copy without it
    latest = LatestNumbers(tmp_path / "latest.log")
    journal = SqliteJournal(path, latest)
    journal.open_table("t", "nuts", entry(1))
    journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for seq in (2, 3):
        journal.append("t", entry(seq))
    without = path.read_bytes()
    journal.close()
    path.write_bytes(without)

    # when it is opened again
    with opened(path) as result:
        lost = result.find_lost(LatestNumbers(tmp_path / "latest.log").recorded)

    # then it is said how many there are, and how many there were
    assert lost == {"t": (1, 3)}


def test_notes_that_cannot_be_read_say_less_and_never_too_much(tmp_path: Path) -> None:
    file = tmp_path / "latest.log"
    file.write_bytes(b"t 5\nt 3\n\xff\xfe\nu\nv x\nw 12345678901\n t 9\n")
    latest = LatestNumbers(file)
    assert latest.recorded == {"t": 5}
    latest.record("t", 6)
    assert LatestNumbers(file).recorded == {"t": 6}
    assert file.read_text(encoding="utf-8") == "t 6\n"
