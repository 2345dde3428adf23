"""Disks that are full or read-only, and a journal that is gone: told apart at the start, with the right advice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.stores import load_settings
from tests.cli.conftest import Run
from tests.cli.running import START, only_line, serving

SERVE = (sys.executable, "-m", "companion", "serve", "--port", "0", "--host", "127.0.0.1", "--camera", "none")
INSIDE = "mount -t tmpfs -o size=400k none {disk} && cp -r {data}/. {disk} && {then} && exec {serve} --data {disk}"


def on_a_disk_of_its_own(tmp_path: Path, then: str) -> subprocess.CompletedProcess[str]:
    """Start on a small disk after something was done to it; skipped where no disk may be mounted."""
    disk, data = tmp_path / "disk", tmp_path / "data"
    disk.mkdir()
    load_settings(data / "settings.toml")
    SqliteJournal(data / "journal.sqlite").close()
    shell = INSIDE.format(disk=disk, data=data, then=then.format(disk=disk), serve=" ".join(SERVE))
    allowed = subprocess.run(
        ("unshare", "-rm", "mount", "-t", "tmpfs", "none", str(disk)), capture_output=True, check=False
    )
    if allowed.returncode:
        pytest.skip("no disk may be mounted here")
    command = ("unshare", "-rm", "sh", "-c", shell)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)


def test_a_full_disk_at_the_start_advises_room_and_no_restore(tmp_path: Path) -> None:
    ended = on_a_disk_of_its_own(tmp_path, "(cat /dev/zero > {disk}/fill || true) 2>/dev/null")
    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 2
    assert "full" in line or "No space left" in line
    assert "companion restore" not in line


def test_a_read_only_disk_is_told_as_such(tmp_path: Path) -> None:
    ended = on_a_disk_of_its_own(tmp_path, "mount -o remount,ro {disk}")
    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 2
    assert "read-only" in line.lower()
    assert "companion restore" not in line


@pytest.mark.parametrize("emptied", [True, False])
def test_a_journal_that_is_gone_stops_the_start_with_a_question(run: Run, tmp_path: Path, emptied: bool) -> None:
    # given a folder in which games were played, and whose journal is gone
    load_settings(tmp_path / "settings.toml")
    if emptied:
        (tmp_path / "journal.sqlite").touch()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    # when it is served, then it asks instead of beginning anew
    line = only_line(run("serve", "--data", tmp_path, "--port", "0", "--camera", "none"))
    assert "the journal is gone or empty, but this folder was used; is its disk there?" in line
    assert "--new-journal" in line
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert (tmp_path / "journal.sqlite").exists() is emptied

    # and when somebody wants that, then it begins a new one, and the settings stay
    with serving(tmp_path, "--new-journal") as running:
        running.log_in()
        assert running.ask("/api/v1/tables")["tables"] == []
        table = running.ask("/api/v1/tables", START)["id"]
        assert [made["id"] for made in running.ask("/api/v1/tables")["tables"]] == [table]
    assert (tmp_path / "settings.toml").read_bytes() == before["settings.toml"]
