"""``companion pin``: the PIN for whoever did not see it printed."""

import json
import socket
import zipfile
from pathlib import Path

import pytest

from companion.adapters.stores import load_settings
from companion.cli import workers
from tests.cli.conftest import Run
from tests.cli.running import only_line, serving


@pytest.mark.nightly
def test_the_pin_is_said_and_changed_while_the_companion_runs(tmp_path: Path, run: Run) -> None:
    with serving(tmp_path / "data") as running:
        assert run("pin", "--data", tmp_path / "data").out == [running.pin]

        changed = run("pin", "471100", "--data", tmp_path / "data")

        assert (changed.code, changed.out) == (0, ["471100"])
        assert "next start" in changed.err[0]
    with serving(tmp_path / "data") as again:
        assert again.pin == "471100"


def test_it_may_be_chosen_before_the_first_start(tmp_path: Path, run: Run) -> None:
    assert run("pin", "471100", "--data", tmp_path / "data").out == ["471100"]

    assert load_settings(tmp_path / "data" / "settings.toml").pin == "471100"


@pytest.mark.parametrize("command", [("pin",), ("serve", "--workers", "2", "--database", "postgresql:///none")])
def test_a_restore_that_was_cut_off_is_finished_before_a_pin_would_be_made_up(
    command: tuple[str, ...], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a restore that was killed between its two moves, and a port that cannot be used
    data = tmp_path / "data"
    load_settings(data / "new" / "settings.toml", "471100")
    note = {"unpacked": "new", "aside": "before-restore-1", "names": ["settings.toml"], "new": ["settings.toml"]}
    (data / "restoring.json").write_text(json.dumps(note), encoding="utf-8")
    monkeypatch.setattr(workers, "find_haproxy", lambda: "haproxy")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = ("--host", "127.0.0.1", "--port", str(taken.getsockname()[1])) if command[0] == "serve" else ()

        # when the folder is asked for its PIN
        run(*command, *address, "--data", data)

    # then it is the restored one
    assert load_settings(data / "settings.toml").pin == "471100"
    assert not (data / "restoring.json").exists()


def test_processes_with_folders_of_their_own_share_a_pin_and_a_key_in_a_file(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a file that the environment names
    secret = tmp_path / "etc" / "secret.toml"
    monkeypatch.setenv("COMPANION_SECRET_FILE", str(secret))

    # when one PIN is chosen, then it is that of every folder, and no folder has one of its own
    assert run("pin", "471100", "--data", tmp_path / "a").out == ["471100"]
    with serving(tmp_path / "b") as running:
        assert running.pin == "471100"
    assert load_settings(secret).pin == "471100"
    assert not list(tmp_path.glob("*/settings.toml"))

    # and a backup of a folder holds none
    made = run("backup", tmp_path / "b.zip", "--data", tmp_path / "b")
    assert made.code == 0, made
    assert not [name for name in zipfile.ZipFile(tmp_path / "b.zip").namelist() if name.endswith(".toml")]


def test_what_is_no_pin_is_one_line(tmp_path: Path, run: Run) -> None:
    assert "4 to 12 digits" in only_line(run("pin", "12", "--data", tmp_path / "data"))
    assert "4 to 12 digits" in only_line(run("pin", "abcd", "--data", tmp_path / "data"))
