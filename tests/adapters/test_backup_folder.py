"""Backups in a folder: whole, named by their time, only ours; a stick that is not there is told."""

import errno
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.adapters.backup import archive as data_archive
from companion.adapters.backup.archive import restore_backup, write_backup
from companion.adapters.backup.folder import BackupFolder
from companion.config import DataFolder
from companion.service.backups import BackupFault, UnknownBackup
from tests.adapters.kept import write

AT = datetime(2026, 11, 23, 20, 15, 4, tzinfo=UTC)


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.path.mkdir()
    write(folder.journal)
    return folder


def test_a_backup_that_was_made_can_be_restored_elsewhere(data: DataFolder, tmp_path: Path) -> None:
    backups = BackupFolder(data)

    made = backups.make(AT)

    assert made.name == "companion-20261123T201504Z.backup"
    assert backups.all() == [made]
    assert restore_backup(data.path / "backups" / made.name, DataFolder(tmp_path / "other")) == 1
    with backups.open(made.name) as file:
        assert file.read(2) == b"PK"
    assert (data.path / "backups" / made.name).stat().st_mode & 0o077 == 0


def test_other_files_are_nobodys_business(data: DataFolder) -> None:
    backups = BackupFolder(data)
    made = backups.make(AT)
    for name in ("companion-mine.backup", "holiday.jpg", "companion-20269999T000000Z.backup"):
        (data.path / "backups" / name).write_text("mine")

    assert backups.all() == [made]
    for name in ("companion-mine.backup", "../settings.toml", "companion-20261123T201505Z.backup"):
        with pytest.raises(UnknownBackup):
            backups.open(name)


def test_the_newest_come_first_and_one_that_goes_is_gone(data: DataFolder) -> None:
    backups = BackupFolder(data)
    first, second = backups.make(AT), backups.make(AT + timedelta(days=1))

    assert backups.all() == [second, first]
    backups.remove(first.name)
    backups.remove(first.name)
    assert backups.all() == [second]


def test_a_stick_that_is_not_plugged_in_is_told_and_no_folder_is_made(data: DataFolder, tmp_path: Path) -> None:
    backups = BackupFolder(data, tmp_path / "stick")

    with pytest.raises(BackupFault, match="is the stick plugged in"):
        backups.make(AT)
    with pytest.raises(BackupFault, match="is the stick plugged in"):
        backups.all()
    assert not (tmp_path / "stick").exists()
    assert backups.location == str(tmp_path / "stick")


def test_a_full_stick_is_told_and_leaves_nothing_half(
    data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()

    def full(_path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(data_archive, "sync_to_disk", full)

    with pytest.raises(BackupFault, match="the disk is full"):
        BackupFolder(data, stick).make(AT)
    assert list(stick.iterdir()) == []


def test_what_a_pulled_plug_has_left_half_goes_with_the_next_one(data: DataFolder) -> None:
    backups = BackupFolder(data)
    first = backups.make(AT)
    half = data.path / "backups" / "companion-20261123T201600Z.backup.new"
    half.write_bytes(b"PK half of it")
    assert backups.all() == [first]

    backups.make(AT + timedelta(minutes=2))

    assert not half.exists()


def test_nothing_of_such_a_name_keeps_backups_from_being_made(data: DataFolder, tmp_path: Path) -> None:
    # given a file, a link, a folder of somebody's own and what a killed process has left, on a stick
    stick = tmp_path / "stick"
    (stick / ".backing-up-aaaaaaaa").mkdir(parents=True)
    (stick / ".backing-up-aaaaaaaa" / "backup").write_bytes(b"half")
    (stick / ".backing-up-x").write_text("mine")
    (stick / ".backing-up-bbbbbbbb").write_text("mine")
    (stick / ".backing-up-cccccccc").symlink_to(tmp_path)
    (stick / ".backing-up-of-mine").mkdir()
    (stick / "companion-20261123T201600Z.backup.new").mkdir()
    before = {path.name for path in stick.iterdir()}

    # when a backup is made
    made = BackupFolder(data, stick).make(AT)

    # then it is there, what was left is gone, and all else stays
    assert {path.name for path in stick.iterdir()} == (before - {".backing-up-aaaaaaaa"}) | {made.name}
    assert (tmp_path / "data").is_dir()


def test_a_command_that_was_killed_leaves_nothing_beside_its_next_backup(data: DataFolder, tmp_path: Path) -> None:
    (tmp_path / ".backing-up-a1b2c3d4").mkdir()
    (tmp_path / ".backing-up-a1b2c3d4" / "backup").write_bytes(b"half")
    write_backup(data, tmp_path / "mine.backup")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "mine.backup"]


def test_what_was_changed_last_is_known(data: DataFolder, tmp_path: Path) -> None:
    assert BackupFolder(DataFolder(tmp_path / "new")).last_changed() is None
    (data.path / "catalogs").mkdir()
    mine = data.path / "catalogs" / "mine.toml"
    mine.write_text("name = 'mine'")
    os.utime(mine, (2_000_000_000, 2_000_000_000))

    assert BackupFolder(data).last_changed() == datetime.fromtimestamp(2_000_000_000, UTC)


def test_a_torn_journal_is_told(data: DataFolder) -> None:
    data.journal.write_bytes(b"no journal at all" * 100)

    with pytest.raises(BackupFault):
        BackupFolder(data).make(AT)


def test_links_in_the_folder_are_not_followed(data: DataFolder, tmp_path: Path) -> None:
    # given files of others that go by the name of a backup, and a pipe
    (tmp_path / "secret").write_text("not yours")
    folder_store = BackupFolder(data)
    folder_store.make(AT)
    folder = Path(folder_store.location)
    link, pipe = "companion-20260101T000000Z.backup", "companion-20260102T000000Z.backup"
    (folder / link).symlink_to(tmp_path / "secret")
    os.mkfifo(folder / pipe)

    # then they are no backups
    assert len(folder_store.all()) == 1
    for name in (link, pipe):
        with pytest.raises(UnknownBackup):
            folder_store.open(name)
        with pytest.raises(UnknownBackup):
            folder_store.check(name)
