"""Contents of a backup: whatever the clock and the names of files are, it is made, and it can be restored."""

import os
import sqlite3
import time
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlite_utils
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.adapters.backup import archive
from companion.adapters.backup.archive import check_backup, restore_backup, write_backup
from companion.adapters.backup.folder import BackupFolder
from companion.adapters.journal.migrations import MIGRATIONS
from companion.adapters.keepsakes import SqliteKeepsakes
from companion.config import DataFolder
from tests.adapters.kept import tear, write

FOLDERS = {"catalogs": ".toml", "mats": ".toml", "profiles": ".toml", "boxes": ".json", "pictures": ".jpg"}
ODD_LETTERS = st.sampled_from("\\\udcfc\U0001f0a1")
LETTERS = st.characters(min_codepoint=1, max_codepoint=0x3FF, exclude_characters="/") | ODD_LETTERS
NAMES = st.text(LETTERS, min_size=1, max_size=250)


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.catalogs.mkdir(parents=True)
    write(folder.journal)
    (folder.catalogs / "mine.toml").write_text('name = "mine"\n')
    return folder


@pytest.mark.parametrize("seconds", [0, 60, 5_000_000_000])
def test_files_of_any_time_are_backed_up(data: DataFolder, tmp_path: Path, seconds: int) -> None:
    # given a file of 1970, when the clock of the board was not set yet, or of 2128
    os.utime(data.catalogs / "mine.toml", (seconds, seconds))

    # when a backup is made
    write_backup(data, tmp_path / "kept.zip")

    # then it holds that file
    other = DataFolder(tmp_path / "other")
    assert restore_backup(tmp_path / "kept.zip", other) == 1
    assert (other.catalogs / "mine.toml").read_text() == 'name = "mine"\n'


def test_a_backup_is_made_while_the_clock_shows_1970(
    data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a clock that nobody has set
    monkeypatch.setattr(time, "time", lambda: 60.0)

    # then a backup is made, and can be restored
    made = BackupFolder(data).make(datetime(1970, 1, 1, 0, 1, tzinfo=UTC))
    assert restore_backup(data.path / "backups" / made.name, DataFolder(tmp_path / "other")) == 1


def test_a_file_whose_name_is_no_utf_8_is_left_out_and_told(
    data: DataFolder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # given a catalog that was copied from a stick whose names are Latin-1
    Path(os.fsdecode(bytes(data.catalogs) + b"/B\xfccher.toml")).write_text("")

    # when a backup is made
    write_backup(data, tmp_path / "kept.zip")

    # then all else is in it
    assert "left out of the backup: " in caplog.text
    other = DataFolder(tmp_path / "other")
    assert restore_backup(tmp_path / "kept.zip", other) == 1
    assert [path.name for path in other.catalogs.iterdir()] == ["mine.toml"]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.lists(
        st.tuples(st.sampled_from(sorted(FOLDERS)), NAMES, st.sampled_from([0, 30, 1_000_000, 1_000_001])), max_size=4
    )
)
def test_whatever_lies_in_a_data_folder_the_backup_of_it_can_be_restored(
    data: DataFolder, files: list[tuple[str, str, int]]
) -> None:
    # given files of odd names and sizes
    for folder, name, size in files:
        path = data.path / folder / f"{name}{FOLDERS[folder]}"
        if len(os.fsencode(path.name)) <= 255:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"#" * size)

    # when a backup is made, then it does
    write_backup(data, data.path / "kept.zip")
    assert check_backup(data.path / "kept.zip", data.path) == 1


@pytest.mark.parametrize(("name", "size"), [("a\\b.toml", 3), ("large.toml", 1_000_001), (f"{'a' * 246}.toml", 3)])
def test_a_file_that_no_restore_takes_is_left_out_and_told(
    data: DataFolder, tmp_path: Path, name: str, size: int, caplog: pytest.LogCaptureFixture
) -> None:
    # given a catalog that no backup may hold
    (data.catalogs / name).write_text("#" * size)

    # when a backup is made
    write_backup(data, tmp_path / "kept.zip")

    # then it is told, and all else can be restored
    assert "left out of the backup: 'catalogs/" in caplog.text
    other = DataFolder(tmp_path / "other")
    assert restore_backup(tmp_path / "kept.zip", other) == 1
    assert [path.name for path in other.catalogs.iterdir()] == ["mine.toml"]


def test_more_files_than_a_backup_may_hold_are_left_out(
    data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # given more pictures than there is room for
    monkeypatch.setattr(archive, "MAX_FILES", 6)
    data.pictures.mkdir()
    for number in range(9):
        (data.pictures / f"{number}.jpg").write_bytes(b"")

    # then the backup can be restored, and what is not in it is told
    write_backup(data, tmp_path / "kept.zip")
    assert "left out of the backup: 'pictures/" in caplog.text
    assert restore_backup(tmp_path / "kept.zip", DataFolder(tmp_path / "other")) == 1


def test_a_journal_that_no_restore_takes_is_told_when_the_backup_is_made(
    data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a journal above what a restore unpacks
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 10_000)

    # then no file is written that would be of no use
    with pytest.raises(archive.ArchiveError, match="no backup of it could be restored, it unpacks to more than 10000"):
        write_backup(data, tmp_path / "kept.zip")
    assert not (tmp_path / "kept.zip").exists()


ENDLESS = "SELECT count(*) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c)"
HOSTILE = [
    f"CREATE TRIGGER evil BEFORE DELETE ON heads BEGIN {ENDLESS}; END",
    f"CREATE TRIGGER evil AFTER INSERT ON entries BEGIN {ENDLESS}; END",
    f"CREATE VIEW evil AS {ENDLESS}",
    f"DROP TABLE heads; CREATE VIEW heads AS {ENDLESS}",
    f"DROP TABLE _sqlite_migrations; CREATE VIEW _sqlite_migrations AS {ENDLESS}",
    "CREATE INDEX evil ON entries (length(command))",
    "CREATE TABLE evil (x CHECK (x LIKE '%a%a%a%a%a%a%a%b'))",
]


def packed(path: Path, journal: Path, keepsakes: Path | None = None) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(archive.MARK, archive.FORMAT)
        made.write(journal, archive.JOURNAL)
        if keepsakes is not None:
            made.write(keepsakes, archive.KEEPSAKES)
    return path


def changed(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.execute("PRAGMA journal_mode=DELETE")
    return path


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_a_backup_whose_journal_would_run_anything_of_its_own_is_refused(
    data: DataFolder, tmp_path: Path, hostile: str
) -> None:
    # given a journal that nobody here has written
    kept = packed(tmp_path / "kept.zip", changed(data.journal, hostile))

    # then it is refused before anything in it is run
    with pytest.raises(archive.ArchiveError, match="its journal is not one of this companion"):
        restore_backup(kept, DataFolder(tmp_path / "other"))


def test_a_backup_whose_pictures_would_run_anything_of_their_own_is_refused(data: DataFolder, tmp_path: Path) -> None:
    SqliteKeepsakes(data.keepsakes).close()
    changed(data.keepsakes, f"CREATE TRIGGER evil AFTER INSERT ON crops BEGIN {ENDLESS}; END")
    kept = packed(tmp_path / "kept.zip", changed(data.journal, ""), data.keepsakes)

    with pytest.raises(archive.ArchiveError, match=r"pictures and dials cannot be read .it holds trigger 'evil'"):
        restore_backup(kept, DataFolder(tmp_path / "other"))


@pytest.mark.parametrize("change", ["game = x'ff00'", "game = 'a/b'", "id = x'ff00'", "id = 'a\"b'", "id = ''"])
def test_a_backup_with_ids_that_no_companion_gives_is_refused(data: DataFolder, tmp_path: Path, change: str) -> None:
    # given a journal in which a table is called something else
    tear(data.journal, f"UPDATE tables SET {change}")  # noqa: S608 - written above
    kept = packed(tmp_path / "kept.zip", changed(data.journal, ""))

    with pytest.raises(archive.ArchiveError, match=r"its journal cannot be read .no table is called"):
        restore_backup(kept, DataFolder(tmp_path / "other"))


def test_what_other_programs_have_added_to_the_journal_is_left_out(
    data: DataFolder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # given a journal at which somebody looked with a program that keeps views in it
    changed(
        data.journal, "CREATE VIEW mine AS SELECT * FROM tables; CREATE TABLE notes (x); CREATE INDEX n ON notes (x)"
    )

    # when a backup is made, then it can be restored
    write_backup(data, tmp_path / "kept.zip")
    assert "view 'mine', which is not of this companion" in caplog.text
    assert restore_backup(tmp_path / "kept.zip", DataFolder(tmp_path / "other")) == 1


@pytest.mark.parametrize("version", [migration.name for migration in MIGRATIONS._migrations][1:])
def test_a_backup_of_any_earlier_version_is_taken(tmp_path: Path, version: str) -> None:
    # given a journal as an earlier version made it
    old = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        MIGRATIONS.apply(sqlite_utils.Database(connection), stop_before=version)
        connection.execute("INSERT INTO tables VALUES ('t', 'nuts', '')")
        connection.execute("INSERT INTO entries VALUES ('t', 1, '', '', '', '{}', '[]', NULL)")
        connection.execute("ANALYZE")

    assert restore_backup(packed(tmp_path / "kept.zip", old), DataFolder(tmp_path / "other")) == 1
