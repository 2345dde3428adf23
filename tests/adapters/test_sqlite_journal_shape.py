"""The database itself keeps the journal append-only, and files of earlier versions serve on."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from companion.adapters.journal.migrations import MIGRATIONS
from companion.adapters.journal.sqlite import NewerJournalError, SqliteJournal
from companion.engine.game import Refused
from companion.service.ports import HeadQuery, KeptClubEvent, KeptRefusal
from tests.adapters.kept import entry, opened, outside, write

INSERT = "INSERT {} INTO entries (table_id, seq, at, actor, source, command, events, key)"

BINNED = HeadQuery(limit=9, binned=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


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
        "UPDATE moves SET binned = 0",
        "UPDATE club_events SET plan = '[]'",
        "DELETE FROM club_events",
        "INSERT OR REPLACE INTO club_events (n, id, key, at, plan) VALUES (1, 'f', 'l', '', '')",
        "DELETE FROM moves",
        "INSERT OR REPLACE INTO moves (n, table_id, binned, at) VALUES (1, 't', 0, '')",
        f"{INSERT.format('OR REPLACE').replace('(', '(rowid, ')} VALUES (1, 't', 5, '', '', '', '{{}}', '[]', NULL)",
    ],
)
def test_the_database_itself_refuses_to_change_the_journal(path: Path, statement: str) -> None:
    write(path)
    with opened(path) as journal:
        journal.append("t", entry(4, key="k"))
        journal.move("t", binned=True, at="")
        journal.keep_club_event(KeptClubEvent("e", "k", "", {}))
        before = journal.entries("t"), journal.tables(), journal.heads(BINNED), journal.club_events(9)
        with pytest.raises(sqlite3.IntegrityError, match=r"append-only|without gaps"):
            outside(path, statement)
        assert (journal.entries("t"), journal.tables(), journal.heads(BINNED), journal.club_events(9)) == before


def test_an_entry_needs_its_table(path: Path) -> None:
    with opened(path) as journal, pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        journal.append("nobody", entry(1))


def test_a_table_whose_first_entry_does_not_fit_is_not_opened(path: Path) -> None:
    with opened(path) as journal:
        with pytest.raises(sqlite3.IntegrityError, match="without gaps"):
            journal.open_table("t", "nuts", entry(2))
        assert journal.tables() == []
        journal.open_table("t", "nuts", entry(1))


def test_a_refusal_whose_key_led_to_an_entry_is_not_kept(path: Path) -> None:
    with opened(path) as journal:
        journal.open_table("t", "nuts", entry(1, key="k"))
        journal.keep_refusal("t", "k", KeptRefusal("[]", Refused("no")), "")
        assert journal.refusal("t", "k") is None


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


def test_a_journal_of_a_newer_companion_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    # given a journal to which a version after this one has done something
    path = tmp_path / "journal.sqlite"
    SqliteJournal(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
            ("companion_journal", "m999_of_tomorrow", "2030-01-01"),
        )
    before = path.read_bytes()

    # when it is opened, then that is said, and the file is what it was
    with pytest.raises(NewerJournalError, match=r"newer companion.*m999_of_tomorrow"):
        SqliteJournal(path)
    assert path.read_bytes() == before
