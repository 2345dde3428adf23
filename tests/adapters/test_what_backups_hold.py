"""Contents of a backup: whatever the clock and the names of files are, it is made, and it can be restored."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.adapters.backup import archive
from companion.adapters.backup.archive import check_backup, restore_backup, write_backup
from companion.adapters.backup.folder import BackupFolder
from companion.config import DataFolder
from tests.adapters.kept import write

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
