"""``companion backup`` and ``companion restore``."""

import zipfile
from pathlib import Path

from companion.adapters.settings_file import kept_settings
from companion.adapters.sqlite_journal import SqliteJournal
from tests.cli.conftest import Run
from tests.cli.running import only_line


def test_a_backup_moves_an_installation_to_another_folder(tmp_path: Path, run: Run) -> None:
    old, new, kept = tmp_path / "old", tmp_path / "new", tmp_path / "kept.zip"
    settings = kept_settings(old / "settings.toml")

    backup = run("backup", kept, "--data", old)
    restore = run("restore", kept, "--data", new)

    assert (backup.code, backup.out, backup.err) == (0, [], [f"0 tables in {kept}"])
    assert (restore.code, restore.out, restore.err) == (0, [], [f"0 tables restored to {new}"])
    assert kept_settings(new / "settings.toml") == settings


def test_what_cannot_be_backed_up_or_restored_is_one_line(tmp_path: Path, run: Run) -> None:
    kept_settings(tmp_path / "data" / "settings.toml")
    (tmp_path / "text.zip").write_text("no backup")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("../slip", "x")

    assert "nothing to back up" in only_line(run("backup", tmp_path / "x.zip", "--data", tmp_path / "nowhere"))
    assert "nowhere" in only_line(run("backup", tmp_path / "nowhere" / "x.zip", "--data", tmp_path / "data"))
    assert "does not exist" in only_line(run("restore", tmp_path / "missing.zip", "--data", tmp_path / "data"))
    assert "text.zip" in only_line(run("restore", tmp_path / "text.zip", "--data", tmp_path / "data"))
    assert "other.zip" in only_line(run("restore", tmp_path / "other.zip", "--data", tmp_path / "data"))
    assert not list(tmp_path.glob("slip"))


def test_a_torn_journal_is_mended_by_a_backup(tmp_path: Path, run: Run) -> None:
    data, kept = tmp_path / "data", tmp_path / "kept.zip"
    kept_settings(data / "settings.toml")
    SqliteJournal(data / "journal.sqlite").close()
    run("backup", kept, "--data", data)
    (data / "journal.sqlite").write_bytes(b"SQLite format 3\0" + b"torn" * 2000)
    assert "restore" in only_line(run("backup", tmp_path / "second.zip", "--data", data))
    assert run("doctor", "--data", data).code == 1

    assert run("restore", kept, "--data", data).code == 0

    assert run("doctor", "--data", data).code == 0
    assert (data / "before-restore-1" / "journal.sqlite").read_bytes().endswith(b"torn")
