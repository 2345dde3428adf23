"""``companion backup`` and ``companion restore``."""

import urllib.error
import zipfile
from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.stores import load_settings
from tests.cli.conftest import Run
from tests.cli.running import START, only_line, serving
from tests.waiting import until


def test_a_backup_moves_an_installation_to_another_folder(tmp_path: Path, run: Run) -> None:
    old, new, kept = tmp_path / "old", tmp_path / "new", tmp_path / "kept.zip"
    settings = load_settings(old / "settings.toml")

    backup = run("backup", kept, "--data", old)
    new.mkdir(mode=0o755)
    restore = run("restore", kept, "--data", new)

    assert new.stat().st_mode & 0o777 == 0o700, "what it holds now is for its owner alone"
    assert (backup.code, backup.out, backup.err) == (0, [], [f"0 tables in {kept}"])
    assert (restore.code, restore.out, restore.err) == (0, [], [f"0 tables restored to {new}"])
    assert load_settings(new / "settings.toml") == settings


def test_what_cannot_be_backed_up_or_restored_is_one_line(tmp_path: Path, run: Run) -> None:
    load_settings(tmp_path / "data" / "settings.toml")
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
    load_settings(data / "settings.toml")
    SqliteJournal(data / "journal.sqlite").close()
    run("backup", kept, "--data", data)
    (data / "journal.sqlite").write_bytes(b"SQLite format 3\0" + b"torn" * 2000)
    assert "restore" in only_line(run("backup", tmp_path / "second.zip", "--data", data))
    assert run("doctor", "--data", data).code == 1

    assert run("restore", kept, "--data", data).code == 0

    assert run("doctor", "--data", data).code == 0
    assert (data / "before-restore-1" / "journal.sqlite").read_bytes().endswith(b"torn")


def test_the_banker_goes_back_to_a_backup_while_the_program_serves(tmp_path: Path) -> None:
    # given a backup with one table, after which another was begun
    with serving(tmp_path / "data", "--camera", "none", "--pin", "471100") as running:
        running.log_in()
        kept = running.ask("/api/v1/tables", START)["id"]
        backup = running.ask("/api/v1/backups", {})["name"]
        running.ask("/api/v1/tables", START)
        port = running.port

        # when the banker goes back to it
        assert running.ask(f"/api/v1/backups/{backup}/restore", {}) == {"restores": backup}
        until(
            lambda: "is in place" in "\n".join(running.printed) and running.printed[-1] == "Stop with Ctrl-C.",
            lambda: running.printed,
        )

        # then it serves on at the same address, with that table alone, and the other lies beside
        assert running.port == port
        assert [table["id"] for table in running.ask("/api/v1/tables")["tables"]] == [kept]
        assert len(SqliteJournal(tmp_path / "data" / "before-restore-1" / "journal.sqlite").tables()) == 2
        assert running.stop() == (0, "")
    assert not [line for line in running.printed if "Traceback" in line or "ERROR" in line]


@pytest.mark.nightly
def test_a_backup_that_does_not_do_is_refused_before_anybody_is_sent_away(tmp_path: Path) -> None:
    torn = tmp_path / "stick" / "companion-20261123T200000Z.backup"
    torn.parent.mkdir()
    torn.write_bytes(b"PK torn")
    with serving(tmp_path / "data", "--camera", "none", "--backups", str(torn.parent)) as running:
        running.log_in()
        for name, status in ((torn.name, 422), ("companion-20200101T000000Z.backup", 404), ("..", 404)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                running.ask(f"/api/v1/backups/{name}/restore", {})
            with refused.value as answer:
                assert answer.code == status
        assert running.ask("/healthz") == {"status": "ok"}


@pytest.mark.nightly
def test_what_was_restored_starts_though_boxes_mats_and_profiles_in_it_are_spoilt(tmp_path: Path, run: Run) -> None:
    # given a backup with files that nobody can read
    data, kept = tmp_path / "data", tmp_path / "kept.zip"
    load_settings(data / "settings.toml")
    SqliteJournal(data / "journal.sqlite").close()
    spoilt = {
        "boxes/deep.json": "[" * 100_000,
        "boxes/half.json": '{"game": "master_builder", "name": "\\ud800", "catalog": null, "cards": {}}',
        "mats/deep.toml": "x = " + "[" * 100_000,
        "profiles/torn.toml": "camera = ",
    }
    for name, text in spoilt.items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(text, encoding="utf-8")
    assert run("backup", kept, "--data", data).code == 0

    # when it is restored
    restored = run("restore", kept, "--data", tmp_path / "new")

    # then each is named in a line, and the program serves without it
    assert restored.code == 0
    with serving(tmp_path / "new", "--camera", "none", "--pin", "471100") as running:
        running.log_in()
        assert running.ask("/api/v1/boxes") == {"boxes": []}
    assert {str(path.relative_to(tmp_path / "new")) for path in (tmp_path / "new").rglob("*.torn")} == {
        f"{name}.torn" for name in spoilt
    }
