"""Contents of a backup: whatever the clock and the names of files are, it is made, and it can be restored."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.adapters.backup.archive import restore_backup, write_backup
from companion.adapters.backup.folder import BackupFolder
from companion.config import DataFolder
from tests.adapters.kept import write


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
