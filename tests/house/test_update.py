"""Updates: another version beside the old one, and the way back, with real processes on a root of the test's own."""

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.cli.game import sample_files
from companion.service.ports import Finding
from tests.cli.running import START
from tests.waiting import PATIENCE_S, until

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (
    "companion",
    "calibration",
    "templates",
    "deploy",
    "docs",
    "run",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
)
BROKEN = '\nraise SystemExit("a version that does not do")\n'
TOMORROW = """

@MIGRATIONS()
def m999_of_tomorrow(db: Database) -> None:
    db.execute("CREATE TABLE of_tomorrow (n INTEGER PRIMARY KEY)")
"""


@dataclass(frozen=True)
class Machine:
    """A folder that stands for a whole machine, with a version that runs."""

    root: Path
    port: int
    patience_s: int = 30

    @property
    def home(self) -> Path:
        return self.root / "opt" / "companion"

    @property
    def running(self) -> str:
        return (self.home / "current").readlink().name

    def shell(self, *words: str | Path) -> subprocess.Popen[str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
        environment |= {"COMPANION_ROOT": str(self.root), "COMPANION_PATIENCE_S": str(self.patience_s)}
        return subprocess.Popen(
            [str(word) for word in words], env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip

    def run(self, *words: str | Path) -> tuple[int, str]:
        with self.shell(*words) as process:
            said = process.communicate(timeout=4 * PATIENCE_S)[0]
        return process.returncode, said

    def update(self, version: Path, *more: str) -> tuple[int, str]:
        return self.run(ROOT / "deploy" / "update", version, *more)

    def ask(self, path: str, body: object = None, token: str = "", **more: str) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def wait(self) -> None:
        """Wait until it answers."""

        def answers() -> bool:
            try:
                self.ask("/healthz")
            except (OSError, http.client.HTTPException, ValueError):
                return False
            return True

        until(answers, (self.home / ".log").read_text)

    def tables(self) -> list[str]:
        token = str(self.ask("/api/v1/logins", {"pin": "471100"})["token"])
        return [str(table["id"]) for table in self.ask("/api/v1/tables", token=token)["tables"]]


def version(at: Path, number: str, **appended: str) -> Path:
    """Make a version of the program with another number, and lines added to its files (``__`` for a slash)."""
    at.mkdir()
    for name in PROGRAM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, at / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, at / name)
    (at / "companion" / "__init__.py").write_text(f'"""The program."""\n\n__version__ = "{number}"\n', encoding="utf-8")
    for name, lines in appended.items():
        with (at / f"{name.replace('__', '/')}.py").open("a", encoding="utf-8") as file:
            file.write(lines)
    return at


def furnish(root: Path, mode: str, lock: str, options: str) -> int:
    """Make a machine with version 1 and the libraries of these tests; return the free port in its options.

    ``mode``, ``lock``: the libraries that are there, and their list.  ``options``: the lines of the options file, in
    which ``{port}`` stands for the port.
    """
    home = root / "opt" / "companion"
    (home / "versions").mkdir(parents=True)
    old = version(home / "versions" / "1-old", "1")
    (old / ".whole").touch()
    (home / "current").symlink_to("versions/1-old")
    libraries, wanted = old / ".venv", Path(sys.prefix)
    libraries.mkdir()
    for name in ("bin", "lib", "pyvenv.cfg"):
        (libraries / name).symlink_to(wanted / name)
    (libraries / ".made").write_text(f"{sys.version_info.major}.{sys.version_info.minor}\n", encoding="utf-8")
    with (old / "deploy" / lock).open("rb") as listed:
        sums = subprocess.run(["cksum"], stdin=listed, capture_output=True, check=True).stdout
    (libraries / f".installed-{mode}").write_bytes(sums)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    (root / "etc" / "default").mkdir(parents=True)
    (root / "var" / "lib" / "companion").mkdir(parents=True)
    (root / "etc" / "default" / "companion").write_text(options.format(port=port), encoding="utf-8")
    return port


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine on which version 1 runs with one table."""
    root = tmp_path / "machine"
    options = 'COMPANION_ARGS="--host 127.0.0.1 --camera none --port {port}"\n'
    port = furnish(root, "run", "requirements.lock", options)
    made = Machine(root, port)
    service = f". {ROOT}/deploy/versions.sh; "
    made.run("bash", "-c", service + 'program_of 1-old pin 471100 --data "$data"; start_service')
    try:
        made.wait()
        token = made.ask("/api/v1/logins", {"pin": "471100"})["token"]
        made.ask("/api/v1/tables", START, token)
        yield made
    finally:
        made.run("bash", "-c", service + "stop_service")


@pytest.mark.nightly
def test_a_sound_version_takes_over_with_every_game_and_the_same_one_does_nothing(
    machine: Machine, tmp_path: Path
) -> None:
    tables = machine.tables()
    new = version(tmp_path / "new", "2")

    code, said = machine.update(new)

    assert code == 0, said
    assert machine.running.startswith("2-")
    assert machine.tables() == tables
    assert not (machine.home / "update.note").exists()
    assert "is the version that runs" in machine.update(new)[1]


@pytest.mark.nightly
def test_one_update_after_another_takes_over_and_keeps_the_data_of_before_the_last(
    machine: Machine, tmp_path: Path
) -> None:
    # given an update, and a table that was begun after it
    code, said = machine.update(version(tmp_path / "second", "2"))
    assert code == 0, said
    snapshot = machine.root / "var" / "lib" / "companion" / "before-update.backup"
    kept_before = snapshot.read_bytes()
    token = machine.ask("/api/v1/logins", {"pin": "471100"})["token"]
    machine.ask("/api/v1/tables", START, token)
    tables = machine.tables()

    # when another one follows, then it takes over too, and what is kept is newer
    code, said = machine.update(version(tmp_path / "third", "3"))
    assert code == 0, said
    assert machine.running.startswith("3-")
    assert machine.tables() == tables
    assert snapshot.read_bytes() != kept_before


@pytest.mark.nightly
def test_an_update_whose_data_cannot_be_kept_goes_on_with_the_version_of_before(
    machine: Machine, tmp_path: Path
) -> None:
    # given something where the snapshot of the data is to lie
    (machine.root / "var" / "lib" / "companion" / "before-update.backup").mkdir()
    tables = machine.tables()

    # when
    code, said = machine.update(version(tmp_path / "new", "2"))

    # then the old version runs, the new one is not blamed, and nothing bars the next update
    assert code == 1
    assert "the data could not be kept (above); returning to 1-old" in said
    assert "1-old runs again" in said
    machine.wait()
    assert (machine.running, machine.tables()) == ("1-old", tables)
    assert not (machine.home / "update.note").exists()
    assert not (machine.home / "returned-from").exists()


@pytest.mark.nightly
def test_a_game_that_was_installed_is_played_on_after_an_update(machine: Machine, tmp_path: Path) -> None:
    # given a table of a game of other people
    for file, text in sample_files("acorns", "AC").items():
        path = tmp_path / "acorns" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    install = f'program_of 1-old game install {tmp_path / "acorns"} --data "$data" && stop_service && start_service'
    code, said = machine.run("bash", "-c", f". {ROOT}/deploy/versions.sh; {install}")
    assert code == 0, said
    machine.wait()
    token = str(machine.ask("/api/v1/logins", {"pin": "471100"})["token"])
    players = [{"id": "red", "name": "Ada"}, {"id": "blue", "name": "Ben"}]
    machine.ask("/api/v1/tables", {"do": "start_game", "game": "acorns", "first": "red", "players": players}, token)
    tables = machine.tables()
    assert len(tables) == 2

    # when another version takes over, then the table is there
    code, said = machine.update(version(tmp_path / "new", "2"))
    assert code == 0, said
    assert machine.running.startswith("2-")
    assert machine.tables() == tables


@pytest.mark.nightly
def test_a_version_that_does_not_do_is_returned_from_with_the_data_of_before_and_not_tried_again(
    machine: Machine, tmp_path: Path
) -> None:
    # given a version that gives the journal another shape, and then does not serve
    changes = {"companion__adapters__journal__migrations": TOMORROW}
    bad = version(tmp_path / "bad", "3", **changes)
    serving = bad / "companion" / "cli" / "serving.py"
    serving.write_text(
        serving.read_text(encoding="utf-8").replace("    limit_allocator()\n", f"    {BROKEN.strip()}\n"),
        encoding="utf-8",
    )
    tables = machine.tables()

    # when
    code, said = machine.update(bad)

    # then
    assert code == 1
    assert "1-old runs again" in said, said
    machine.wait()
    assert (machine.running, machine.tables()) == ("1-old", tables)
    aside = machine.root / "var" / "lib" / "companion" / "before-restore-1" / "journal.sqlite"
    assert b"of_tomorrow" in aside.read_bytes(), "what the new version made of the data lies beside them"
    code, said = machine.update(bad)
    assert (code, "was returned from on" in said) == (1, True), said
    assert machine.tables() == tables


@pytest.mark.nightly
def test_an_update_and_the_return_from_it_may_be_killed_at_any_moment(machine: Machine, tmp_path: Path) -> None:
    # given an update that is killed while it waits for the new version to answer
    tables = machine.tables()
    new = version(tmp_path / "new", "4")
    updating = machine.shell(ROOT / "deploy" / "update", new)
    note = machine.home / "update.note"

    def tries() -> bool:
        assert updating.poll() is None
        return note.exists() and "step=trying" in note.read_text(encoding="utf-8") and machine.running != "1-old"

    until(tries)
    os.killpg(updating.pid, signal.SIGKILL)
    updating.communicate()

    # when what puts it right is killed, too, later and later
    for wait in (0.02, 0.15, 0.6, 1.5):
        returning = machine.shell(ROOT / "deploy" / "return")
        time.sleep(wait)
        if returning.poll() is None:
            os.killpg(returning.pid, signal.SIGKILL)
        returning.communicate()
    code, said = machine.run(ROOT / "deploy" / "return")

    # then the old version runs, with every game
    assert code == 0, said
    machine.wait()
    assert (machine.running, note.exists()) == ("1-old", False)
    assert machine.tables() == tables


@pytest.mark.nightly
def test_of_twenty_updates_that_are_killed_at_any_moment_none_loses_a_game(machine: Machine, tmp_path: Path) -> None:
    tables, lots = machine.tables(), random.Random(14)
    for number in range(20):
        # given an update that is killed somewhere, and one that puts right what it left
        new = version(tmp_path / f"new-{number}", str(number + 10))
        updating = machine.shell(ROOT / "deploy" / "update", new)
        time.sleep(lots.uniform(0.05, 8.0))
        if updating.poll() is None:
            os.killpg(updating.pid, signal.SIGKILL)
        updating.communicate()
        code, said = machine.run(ROOT / "deploy" / "return")

        # then a whole version runs, with every game
        assert code == 0, said
        machine.wait()
        assert machine.tables() == tables, (number, machine.running, said)
        shutil.rmtree(new)


@pytest.mark.nightly
def test_what_is_no_version_is_one_line_and_changes_nothing(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "torn.tar.gz").write_bytes(b"\x1f\x8b torn")
    (tmp_path / "empty").mkdir()
    for what, message in ((tmp_path / "torn.tar.gz", "whole .tar.gz"), (tmp_path / "empty", "companion is missing")):
        code, said = machine.update(what)
        assert (code, len(said.splitlines())) == (1, 1), said
        assert message in said
    assert machine.running == "1-old"
    assert machine.tables()


@pytest.fixture
def idle(tmp_path: Path) -> Machine:
    """A machine on which version 1 is installed and does not run."""
    root = tmp_path / "machine"
    return Machine(root, furnish(root, "run", "requirements.lock", 'COMPANION_ARGS="--port {port}"\n'))


def unfinished(machine: Machine) -> list[str]:
    return [path.name for path in (machine.home / "versions").iterdir() if path.name.startswith(".")]


def test_of_a_version_for_which_the_disk_has_no_room_nothing_is_left(idle: Machine, tmp_path: Path) -> None:
    # given a disk that takes only small files
    new = version(tmp_path / "new", "2")
    limited = f"trap '' XFSZ; ulimit -f 20; exec {ROOT}/deploy/update {new}"

    # when it is updated, then it says so, and the room is free again for those who play
    code, said = idle.run("bash", "-c", limited)
    assert (code, "could not be copied" in said, "is the disk full?" in said) == (1, True, True), said
    assert (idle.running, unfinished(idle)) == ("1-old", [])


def test_a_version_that_its_user_cannot_run_is_not_made(idle: Machine, tmp_path: Path) -> None:
    code, said = idle.update(version(tmp_path / "new", "2", companion__cli__output=BROKEN))

    assert (code, "does not run as its own user (above)" in said) == (1, True), said
    assert [path.name for path in (idle.home / "versions").iterdir()] == ["1-old"]


@pytest.mark.parametrize("update", ["update", "club/update"])
def test_an_update_asks_for_room_before_it_makes_anything(idle: Machine, tmp_path: Path, update: str) -> None:
    new = version(tmp_path / "new", "2")
    machine = "df() { printf 'head\\nnone 100 90 10 90%% /\\n'; }; python3() { :; }; export -f df python3; "

    code, said = idle.run("bash", "-c", f"{machine}exec {ROOT}/deploy/{update} {new}")

    assert (code, "has 10 MB free and needs" in said) == (1, True), said
    assert (idle.running, unfinished(idle)) == ("1-old", [])


def test_what_keeps_a_version_from_serving_is_said(idle: Machine) -> None:
    findings = [
        Finding("OpenCV", works=False, needed=True, message="does not load"),
        Finding("zbar", works=False, needed=False, message="is missing"),
        Finding("table AB", works=False, needed=False, message="cannot be read"),
    ]
    report = json.dumps({"findings": [finding.as_json() for finding in findings]})

    code, said = idle.run("bash", "-c", f". {ROOT}/deploy/versions.sh; echo '{report}' | torn")

    assert (code, said) == (0, "OpenCV: does not load\n1\n")
