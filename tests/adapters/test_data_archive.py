"""Backups: whole, private, and refused with nothing changed where they are no backups."""

import shutil
import sqlite3
import stat
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from companion.adapters.backup.archive import (
    FORMAT,
    JOURNAL,
    KEEPSAKES,
    MARK,
    SETTINGS,
    ArchiveError,
    restore_backup,
    write_backup,
)
from companion.adapters.journal.rows import LISTED
from companion.adapters.journal.sqlite import JournalFileError, SqliteJournal
from companion.adapters.keepsakes import SqliteKeepsakes
from companion.adapters.stores import load_settings, preferences_store
from companion.config import DataFolder
from companion.engine.journal import Entry
from companion.service.access.preferences import PreferenceValues
from companion.service.camera.proposals import AutomationSettings, Crop
from companion.service.ports import HeadQuery

FIRST = Entry(1, "2026-01-01T00:00:00+00:00", "banker", "tap", {"do": "start_game"}, ({"event": "GameStarted"},))


def filled(path: Path, table: str = "t1") -> DataFolder:
    """A data folder with a table, a catalog and settings."""
    folder = DataFolder(path)
    load_settings(folder.settings, "1234")
    folder.catalogs.mkdir()
    (folder.catalogs / "mine.toml").write_text(f'name = "{table}"\n')
    folder.boxes.mkdir()
    (folder.boxes / "my-box.json").write_text("{}\n")
    journal = SqliteJournal(folder.journal)
    journal.open_table(table, "master_builder", FIRST)
    journal.close()
    return folder


def tables_of(folder: DataFolder) -> list[str]:
    journal = SqliteJournal(folder.journal)
    try:
        return [table for table, _ in journal.tables()]
    finally:
        journal.close()


def contents(folder: DataFolder) -> dict[str, bytes]:
    return {str(path.relative_to(folder.path)): path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}


def archive(path: Path, files: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return path


def test_everything_comes_back_in_an_empty_folder(tmp_path: Path) -> None:
    folder, other = filled(tmp_path / "data"), DataFolder(tmp_path / "other")

    preferences_store(folder.preferences).write(PreferenceValues(welcomed=True))
    assert write_backup(folder, tmp_path / "kept.zip") == 1
    assert restore_backup(tmp_path / "kept.zip", other) == 1

    assert tables_of(other) == ["t1"]
    assert load_settings(other.settings) == load_settings(folder.settings)
    assert preferences_store(other.preferences).read() == PreferenceValues(welcomed=True)
    assert (other.catalogs / "mine.toml").read_text() == 'name = "t1"\n'
    assert (other.boxes / "my-box.json").read_text() == "{}\n"


def test_dials_and_pictures_come_back_too(tmp_path: Path) -> None:
    # given a folder with a dial and a picture, and one with others
    folder, full = filled(tmp_path / "data"), filled(tmp_path / "full", "t2")
    for place, dial in ((folder, AutomationSettings("ledger")), (full, AutomationSettings("automatic"))):
        keepsakes = SqliteKeepsakes(place.keepsakes)
        keepsakes.keep_settings("t1", dial)
        keepsakes.keep_crop("t1", 2, Crop(dial.level.encode(), "banker"))
        keepsakes.close()

    # when the first is put in place of the second
    write_backup(folder, tmp_path / "kept.zip")
    restore_backup(tmp_path / "kept.zip", full)

    # then its dial and picture are there, and the second's lie beside
    for place, kept in ((full, b"ledger"), (DataFolder(full.path / "before-restore-1"), b"automatic")):
        keepsakes = SqliteKeepsakes(place.keepsakes)
        assert keepsakes.settings("t1").level == kept.decode()
        assert keepsakes.crop("t1", 2) == Crop(kept, "banker")
        keepsakes.close()


def test_torn_pictures_are_no_backup(tmp_path: Path) -> None:
    other = DataFolder(tmp_path / "other")
    with pytest.raises(ArchiveError, match="pictures and dials is damaged"):
        restore_backup(archive(tmp_path / "bad.zip", {MARK: FORMAT, KEEPSAKES: b"x" * 4096}), other)
    assert contents(other) == {}


def test_what_was_there_stays_beside_each_time(tmp_path: Path) -> None:
    folder, full = filled(tmp_path / "data"), filled(tmp_path / "full", "t2")
    write_backup(folder, tmp_path / "kept.zip")

    restore_backup(tmp_path / "kept.zip", full)
    restore_backup(tmp_path / "kept.zip", full)

    assert tables_of(full) == ["t1"]
    first, second = (DataFolder(full.path / f"before-restore-{number}") for number in (1, 2))
    assert (tables_of(first), tables_of(second)) == (["t2"], ["t1"])
    assert (first.catalogs / "mine.toml").read_text() == 'name = "t2"\n'
    assert not list(full.path.glob("restoring*"))


@pytest.mark.parametrize("files", [{MARK: FORMAT}, {MARK: FORMAT, "catalogs/mine.toml": "name = 'x'"}])
def test_a_backup_without_our_tables_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    folder = filled(tmp_path / "data")
    before = contents(folder)
    with pytest.raises(ArchiveError, match="holds no tables; nothing was changed"):
        restore_backup(archive(tmp_path / "bad.zip", files), folder)
    assert contents(folder) == before


def test_an_empty_database_is_no_journal(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    made = sqlite3.connect(tmp_path / "other.sqlite")
    made.execute("CREATE TABLE somebody (elses)")
    made.close()
    before = contents(folder)
    bad = archive(tmp_path / "bad.zip", {MARK: FORMAT, JOURNAL: (tmp_path / "other.sqlite").read_bytes()})
    with pytest.raises(ArchiveError, match="its journal is not one of this companion; nothing was changed"):
        restore_backup(bad, folder)
    assert contents(folder) == before


def test_a_backup_can_be_made_between_two_entries_of_a_game(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    journal = SqliteJournal(folder.journal)
    journal.open_table("t9", "master_builder", FIRST)

    assert write_backup(folder, tmp_path / "kept.zip") == 2

    journal.close()


def test_a_backup_is_for_its_owner_only_and_so_are_restored_settings(tmp_path: Path) -> None:
    kept, other = tmp_path / "kept.zip", DataFolder(tmp_path / "other")
    write_backup(filled(tmp_path / "data"), kept)
    restore_backup(kept, other)

    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(other.settings.stat().st_mode) == 0o600


def test_an_empty_folder_has_an_empty_backup(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()

    assert write_backup(DataFolder(tmp_path / "data"), tmp_path / "kept.zip") == 0
    assert restore_backup(tmp_path / "kept.zip", DataFolder(tmp_path / "other")) == 0


def test_without_a_data_folder_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="nothing to back up"):
        write_backup(DataFolder(tmp_path / "nowhere"), tmp_path / "kept.zip")


def test_nobody_s_file_beside_the_backup_is_touched(tmp_path: Path) -> None:
    # given a file of somebody's own that is called as an unfinished file may be
    folder = filled(tmp_path / "data")
    (tmp_path / "kept.zip.new").write_text("mine")

    # when a backup is written there, then it is as it was
    write_backup(folder, tmp_path / "kept.zip")
    assert (tmp_path / "kept.zip.new").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "kept.zip", "kept.zip.new"]


def test_copies_of_a_journal_lie_beside_the_backup_and_not_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a folder for temporary files that takes none, as one in memory that is full
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))

    # when a backup is written elsewhere, then it is whole
    assert write_backup(filled(tmp_path / "data"), tmp_path / "kept.zip") == 1


def test_of_a_torn_journal_there_is_no_backup_and_an_older_one_stays(tmp_path: Path) -> None:
    folder, kept = filled(tmp_path / "data"), tmp_path / "kept.zip"
    kept.write_bytes(b"the last good one")
    folder.journal.write_bytes(b"SQLite format 3\0" + b"torn" * 2000)

    with pytest.raises(JournalFileError):
        write_backup(folder, kept)

    assert kept.read_bytes() == b"the last good one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "kept.zip"]


def whole(tmp_path: Path) -> dict[str, bytes]:
    """Return the files of a good backup."""
    write_backup(filled(tmp_path / "good"), tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize(
    ("hostile", "message"),
    [
        ({MARK: "2"}, "no backup of this companion"),
        ({MARK: b"\xff\xfe"}, "no backup of this companion"),
        ({"../outside.toml": "x"}, "outside.toml"),
        ({"/etc/passwd": "x"}, "etc/passwd"),
        ({"catalogs/../../outside.toml": "x"}, "outside.toml"),
        ({"catalogs/..\\outside.toml": "x"}, "outside.toml"),
        ({"catalogs/run.sh": "x"}, "run.sh"),
        ({JOURNAL: b"no database"}, "journal"),
        ({JOURNAL: b"SQLite format 3\0" + b"torn" * 2000}, "journal"),
        ({SETTINGS: 'pin = "abc"\nsecret = "x"\n'}, "settings"),
        ({SETTINGS: b"\xff"}, "settings"),
    ],
    ids=range(11),
)
def test_a_hostile_backup_is_refused_whole(tmp_path: Path, hostile: dict[str, bytes | str], message: str) -> None:
    folder = filled(tmp_path / "data", "mine")
    before = contents(folder)

    with pytest.raises(ArchiveError, match=message):
        restore_backup(archive(tmp_path / "hostile.zip", {**whole(tmp_path), **hostile}), folder)

    assert contents(folder) == before
    assert not list(tmp_path.rglob("outside*"))


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.9])
def test_a_backup_that_broke_off_is_refused(tmp_path: Path, keep: float) -> None:
    folder = filled(tmp_path / "data", "mine")
    before = contents(folder)
    whole(tmp_path)
    data = (tmp_path / "good.zip").read_bytes()
    (tmp_path / "torn.zip").write_bytes(data[: int(keep * len(data)) if keep < 1 else int(keep)])

    with pytest.raises(ArchiveError, match="no readable backup"):
        restore_backup(tmp_path / "torn.zip", folder)

    assert contents(folder) == before


def test_a_backup_with_flipped_bytes_is_refused_or_the_same(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data", "mine")
    before = contents(folder)
    whole(tmp_path)
    data = (tmp_path / "good.zip").read_bytes()
    refused = 0
    for at in range(0, len(data), max(1, len(data) // 60)):
        (tmp_path / "flipped.zip").write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            restore_backup(tmp_path / "flipped.zip", DataFolder(tmp_path / f"other-{at}"))
        except ArchiveError:
            refused += 1

    assert refused > 40
    assert contents(folder) == before


def test_a_bomb_is_refused_before_anything_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.adapters.backup.archive.MAX_UNPACKED_BYTES", 1_000_000)
    bomb = archive(tmp_path / "bomb.zip", {MARK: FORMAT, JOURNAL: b"\0" * 2_000_000})
    mark = archive(tmp_path / "mark.zip", {MARK: b"1" * 2_000_000})
    folder = filled(tmp_path / "data", "mine")
    before = contents(folder)

    for file in (bomb, mark):
        assert file.stat().st_size < 10_000
        with pytest.raises(ArchiveError, match="unpacks to more than"):
            restore_backup(file, folder)

    assert contents(folder) == before


def test_a_journal_of_somebody_else_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE entries (whatever)")
    connection.execute("CREATE TABLE tables (whatever)")
    connection.commit()
    connection.close()
    folder = filled(tmp_path / "data", "mine")
    before = contents(folder)

    with pytest.raises(ArchiveError, match="journal"):
        restore_backup(archive(tmp_path / "foreign.zip", {MARK: FORMAT, JOURNAL: foreign.read_bytes()}), folder)

    assert contents(folder) == before


def test_choices_that_cannot_be_used_leave_everything_as_it_was(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    before = contents(folder)
    broken = archive(tmp_path / "broken.zip", {MARK: FORMAT, "preferences.toml": "welcomed ="})

    with pytest.raises(ArchiveError, match="its choices cannot be used; nothing was changed"):
        restore_backup(broken, folder)

    assert contents(folder) == before


def test_a_small_backup_that_unpacks_to_hundreds_of_megabytes_is_refused_before_that(tmp_path: Path) -> None:
    # given less than a hundred kilobytes that unpack to a thousand times as much
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(MARK, FORMAT)
        with made.open(JOURNAL, "w") as journal:
            for _ in range(90):
                journal.write(bytes(1_000_000))
    assert bomb.stat().st_size < 100_000
    folder = filled(tmp_path / "data")
    before = contents(folder)

    with pytest.raises(ArchiveError, match="unpacks to more than 50000000 bytes"):
        restore_backup(bomb, folder)

    assert contents(folder) == before


def test_a_backup_for_which_the_disk_has_no_room_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, folder = tmp_path / "kept.zip", filled(tmp_path / "data")
    write_backup(folder, kept)
    before = contents(folder)
    usage = shutil.disk_usage(tmp_path)._replace(free=50_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    with pytest.raises(ArchiveError, match="takes 1 MB, and the disk has 50 MB free"):
        restore_backup(kept, folder)

    assert contents(folder) == before


@pytest.mark.parametrize(
    "name", ["settings.toml", "preferences.toml", "catalogs/mine.toml", "mats/mine.toml", "boxes/mine.json"]
)
def test_a_small_file_of_more_than_a_megabyte_is_in_no_backup(tmp_path: Path, name: str) -> None:
    folder = filled(tmp_path / "data")
    before = contents(folder)
    large = archive(tmp_path / "large.zip", {MARK: FORMAT, name: "#" * 1_000_001})

    with pytest.raises(ArchiveError, match="of 1000001 bytes, which no backup"):
        restore_backup(large, folder)

    assert contents(folder) == before


def test_links_in_a_data_folder_are_not_followed(tmp_path: Path) -> None:
    # given links to a file of somebody else where files of the companion may be
    secret = tmp_path / "secret"
    secret.write_text("not yours")
    folder = filled(tmp_path / "data")
    for name in ("catalogs/link.toml", "boxes/link.json", "preferences.toml", "printer.toml"):
        (folder.path / name).symlink_to(secret)

    # when a backup is made
    write_backup(folder, tmp_path / "kept.zip")

    # then it holds nothing of that file
    with zipfile.ZipFile(tmp_path / "kept.zip") as kept:
        assert not any("link" in name for name in kept.namelist())
        assert not any(b"not yours" in kept.read(name) for name in kept.namelist())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("INSERT INTO tables (id, game, opened_at) VALUES (CAST(x'ff' AS TEXT), 'x', '')", "surrogates"),
        ("DROP TABLE moves", "no such table"),
        ("ALTER TABLE entries DROP COLUMN at", "it holds table 'entries'"),
        ("ALTER TABLE heads DROP COLUMN sum", "it holds table 'heads'"),
    ],
)
def test_a_journal_that_the_start_could_not_read_is_refused(tmp_path: Path, change: str, reason: str) -> None:
    # given a backup whose journal is no whole one
    folder = filled(tmp_path / "data")
    spoilt = filled(tmp_path / "spoilt", "t2")
    with closing(sqlite3.connect(spoilt.journal)) as connection:
        connection.execute(change)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file = archive(tmp_path / "spoilt.zip", {MARK: FORMAT, JOURNAL: spoilt.journal.read_bytes()})
    before = contents(folder)

    # then nothing changes
    with pytest.raises(ArchiveError, match=reason):
        restore_backup(file, folder)
    assert contents(folder) == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE heads SET game = CAST(x'ff' AS TEXT)",
        "UPDATE heads SET program = '1', described = json_set(described, '$.players', 7)",
        "UPDATE heads SET finished = 1, program = '1', described = json_set(described, '$.standings[0].player', 'eve')",
        "UPDATE heads SET seq = 99, sum = 'eve', number = -1",
    ],
)
def test_what_lists_show_is_never_taken_from_a_backup(tmp_path: Path, change: str) -> None:
    # given a backup that says of a table what its entries do not
    folder = filled(tmp_path / "data")
    with closing(SqliteJournal(folder.journal, program="1")) as journal:
        expected = journal.heads(HeadQuery(limit=9))
        journal.keep_head("t1", expected[0].latest, {**dict.fromkeys(LISTED), "players": [], "standings": [{}]})
    with closing(sqlite3.connect(folder.journal)) as connection:
        connection.execute(change)
        connection.commit()
    write_backup(folder, tmp_path / "kept.zip")

    # when it is restored
    restore_backup(tmp_path / "kept.zip", folder)

    # then lists know what the entries say
    with closing(SqliteJournal(folder.journal, program="1")) as journal:
        assert journal.heads(HeadQuery(limit=9)) == expected


@pytest.mark.parametrize("spoilt", ["CAST(x'7bff7d' AS TEXT)", f"'{'[' * 100_000}'", "x'00'"])
def test_what_was_restored_can_be_read_though_single_values_in_it_are_torn(
    tmp_path: Path, spoilt: str, caplog: pytest.LogCaptureFixture
) -> None:
    # given a backup of sound databases, in which the dial of a table and the plan of an event are torn
    folder = filled(tmp_path / "data")
    keepsakes = SqliteKeepsakes(folder.keepsakes)
    keepsakes.keep_settings("t1", AutomationSettings("automatic"))
    keepsakes.close()
    with closing(sqlite3.connect(folder.keepsakes)) as connection:
        connection.execute(f"UPDATE dials SET apart = {spoilt}")  # noqa: S608 - written above
        connection.commit()
    with closing(sqlite3.connect(folder.journal)) as connection:
        connection.execute(f"INSERT INTO club_events (id, key, at, plan) VALUES ('e', 'k', '', {spoilt})")  # noqa: S608
        connection.commit()
    write_backup(folder, tmp_path / "kept.zip")

    # when it is restored
    caplog.clear()
    empty = DataFolder(tmp_path / "empty")
    assert restore_backup(tmp_path / "kept.zip", empty) == 1

    # then both are told, and all can be read
    assert "dial of table 't1'" in caplog.text
    assert "plan of event 'e'" in caplog.text
    restored = SqliteKeepsakes(empty.keepsakes)
    assert restored.settings("t1") == AutomationSettings()
    restored.close()
    assert tables_of(empty) == ["t1"]


def test_dials_that_no_start_could_open_are_refused(tmp_path: Path) -> None:
    # given a backup with a view in place of the dials, which leads nowhere
    folder = filled(tmp_path / "data")
    SqliteKeepsakes(folder.keepsakes).close()
    with closing(sqlite3.connect(folder.keepsakes)) as connection:
        connection.execute("DROP TABLE dials")
        connection.execute("CREATE VIEW dials AS SELECT * FROM gone")
        connection.commit()
    spoilt: dict[str, bytes | str] = {
        MARK: FORMAT,
        JOURNAL: folder.journal.read_bytes(),
        KEEPSAKES: folder.keepsakes.read_bytes(),
    }
    file = archive(tmp_path / "spoilt.zip", spoilt)
    other = filled(tmp_path / "other", "t2")
    before = contents(other)

    # then nothing changes
    with pytest.raises(ArchiveError, match="pictures and dials cannot be read"):
        restore_backup(file, other)
    assert contents(other) == before
