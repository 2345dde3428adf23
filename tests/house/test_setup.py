"""The two commands: ready once, quick afterwards, from any folder, one line when something is missing."""

import fcntl
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUICK_S = 0.3


def said(*command: str | Path, cwd: Path = ROOT, **changed: str) -> subprocess.CompletedProcess[str]:
    measured = ("COV", "COVERAGE")  # a Python that is measured starts slowly
    environment = {key: value for key, value in os.environ.items() if not key.startswith(measured)} | changed
    return subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout that was never set up, and a machine with a shell but no Python and no apt."""
    (tmp_path / "checkout" / "deploy").mkdir(parents=True)
    for name in ("setup", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / "deploy" / name, tmp_path / "checkout" / "deploy")
    (tmp_path / "bin").mkdir()
    for name in ("bash", "env", "id", "mktemp", "cksum", "cat", "rm", "dirname", "grep", "tail", "flock"):
        program = shutil.which(name)
        assert program, name
        (tmp_path / "bin" / name).symlink_to(program)
    return tmp_path


def test_set_up_is_quick_when_there_is_nothing_to_do() -> None:
    assert said("deploy/setup").returncode == 0
    took = []
    for _ in range(5):
        before = processor_seconds()
        assert said("deploy/setup").returncode == 0
        took.append(processor_seconds() - before)
    assert min(took) < QUICK_S  # of the processor: others may keep the machine busy


def processor_seconds() -> float:
    """Return the processor time of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_set_up_never_speaks_on_standard_output() -> None:
    assert said("deploy/setup", "--nonsense").stdout == ""
    assert said("deploy/setup").stdout == ""


def test_set_up_refuses_what_it_does_not_know() -> None:
    done = said("deploy/setup", "--nonsense")
    assert done.returncode == 2
    assert "--nonsense" in done.stderr


def test_without_python_one_line_says_what_to_do(bare: Path) -> None:
    done = said(bare / "checkout" / "deploy" / "setup", cwd=bare, PATH=str(bare / "bin"))
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "set-up: needs Python 3.11 or newer with venv: sudo apt install python3 python3-venv, then again"
    ]


def test_a_system_whose_python_is_too_old_is_not_told_to_install_it_again(bare: Path) -> None:
    (bare / "bin" / "python3").write_text('#!/bin/sh\ncase "$*" in *print*) echo 3.10 ;; *) exit 1 ;; esac\n')
    (bare / "bin" / "python3").chmod(0o755)
    (bare / "bin" / "sh").symlink_to("/bin/sh")

    done = said(bare / "checkout" / "deploy" / "setup", cwd=bare, PATH=str(bare / "bin"))

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "this system's is 3.10; sudo apt install python3.11-venv where there is one" in line


@pytest.mark.nightly
def test_without_a_network_one_line_says_so_last(bare: Path) -> None:
    # given: a Python, but an index that nobody answers
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    new_enough = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))"
    if python is None or subprocess.run([python, "-c", new_enough], capture_output=True, check=False).returncode:
        pytest.skip("needs the system's own python3 with venv")
    (bare / "bin" / "python3").symlink_to(python)
    unreachable = "http://127.0.0.1:9/simple"
    # when
    done = said(
        bare / "checkout" / "deploy" / "setup",
        cwd=bare,
        PATH=str(bare / "bin"),
        PIP_INDEX_URL=unreachable,
        PIP_RETRIES="0",
        PIP_CONFIG_FILE=os.devnull,
        PIP_NO_CACHE_DIR="1",
        PIP_FIND_LINKS="",
        PIP_EXTRA_INDEX_URL="",
    )
    # then
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("set-up: the libraries could not be installed")
    assert not (bare / "checkout" / ".venv" / ".installed-run").exists()


def test_run_takes_a_command_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "calibration").mkdir()
    (tmp_path / "calibration" / "__init__.py").write_text("raise RuntimeError('the wrong one')", encoding="utf-8")
    done = said(ROOT / "run", "play", "-", cwd=tmp_path, XDG_DATA_HOME=str(tmp_path))
    assert done.returncode in {0, 2}, done.stderr
    assert "Traceback" not in done.stderr


def test_run_gives_options_to_serve() -> None:
    done = said("./run", "--port", "nonsense")

    assert (done.returncode, done.stdout) == (2, "")
    assert "Invalid value for '--port'" in done.stderr


def test_run_leaves_the_wish_for_tracebacks_to_the_command_that_follows() -> None:
    assert "Usage: companion doctor" in said("./run", "--debug", "doctor", "--help").stdout
    assert "Invalid value for '--port'" in said("./run", "--debug", "--port", "nonsense").stderr


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_run_shows_all_commands_and_not_those_of_serve_alone(option: str) -> None:
    shown = said("./run", option).stdout

    assert "Usage: companion [OPTIONS] COMMAND" in shown
    assert all(f"  {command}  " in shown for command in ("serve", "demo", "restore", "completion"))


def test_run_says_its_version() -> None:
    assert said("./run", "--version").stdout.startswith("companion, version ")


def test_run_completes_words_for_a_shell_without_setting_anything_up(bare: Path) -> None:
    wish: dict[str, Any] = {"_COMPANION_COMPLETE": "bash_complete", "COMP_WORDS": "./run cal", "COMP_CWORD": "1"}
    shutil.copy(ROOT / "run", bare / "checkout")

    assert said("./run", **wish).stdout == "plain,calibrate\n"
    before_the_first_start = said("./run", cwd=bare / "checkout", **wish)
    assert (before_the_first_start.returncode, before_the_first_start.stdout) == (0, "")
    assert before_the_first_start.stderr == ""


def test_run_refuses_a_folder_as_standard_input_in_words(tmp_path: Path) -> None:
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        done = subprocess.run(
            [ROOT / "run", "play", "-"], stdin=handle, capture_output=True, text=True, check=False, cwd=tmp_path
        )
    finally:
        os.close(handle)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "companion: standard input is a folder, not a file\n"


@pytest.mark.nightly
def test_an_environment_of_another_python_is_made_anew(tmp_path: Path) -> None:
    # given an environment of a Python that was there before the system was upgraded
    checkout = tmp_path / "checkout"
    (checkout / "deploy").mkdir(parents=True)
    shutil.copy(ROOT / "deploy" / "setup", checkout / "deploy")
    (checkout / "deploy" / "requirements.lock").touch()
    venv.create(checkout / ".venv", with_pip=False)

    made = checkout / ".venv" / ".made"
    made.write_text("3.9\n")
    (checkout / ".venv" / "of the old one").touch()

    # when
    done = said(checkout / "deploy" / "setup", cwd=checkout)

    # then
    assert done.returncode == 0, done.stderr
    assert not (checkout / ".venv" / "of the old one").exists()
    assert made.read_text().strip() == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_a_second_set_up_says_that_it_waits(tmp_path: Path) -> None:
    deploy = tmp_path / "deploy"
    deploy.mkdir()
    shutil.copy(ROOT / "deploy" / "setup", deploy)
    with (deploy / "setup").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            [deploy / "setup"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, start_new_session=True
        )
        assert waiting.stderr is not None
        assert waiting.stderr.readline() == "set-up: waiting for another set-up of this folder\n"
        os.killpg(waiting.pid, signal.SIGKILL)  # and what waits for it
        waiting.communicate()


def test_a_32_bit_system_is_told_at_once(bare: Path) -> None:
    (bare / "bin" / "getconf").write_text("#!/bin/sh\necho 32\n")
    (bare / "bin" / "getconf").chmod(0o755)
    (bare / "bin" / "sh").symlink_to("/bin/sh")

    done = said(bare / "checkout" / "deploy" / "setup", cwd=bare, PATH=str(bare / "bin"))

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "64-bit" in line


PYTHON = """#!/bin/sh
case "$*" in
    *"print(*sys.version"*) echo 3.99 ;;
    *"pip install"*--no-index*) echo "ERROR: No matching distribution found for numpy==2.0" ; exit 1 ;;
    *"pip install"*) echo installed >"$0.received" ;;
    *"pip --version"*) [ -e "$0.pip" ] ;;
    *ensurepip*) : >"$0.pip" ;;
    *"pip download"*) echo "$@" >"$0.received" ;;
esac
"""
"""A Python whose pip finds no wheel of a file that does."""


def with_python(checkout: Path) -> Path:
    """Put an environment with that Python into a checkout; return the Python."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON, encoding="utf-8")
    python.chmod(0o755)
    (checkout / ".venv" / ".made").write_text("3.99\n", encoding="utf-8")
    return python


def test_wheels_for_another_machine_are_said_to_be_and_fetched_where_there_is_a_network(bare: Path) -> None:
    # given a version with wheels, none of which is for this machine
    python = with_python(bare / "checkout")
    (bare / "checkout" / "wheels").mkdir()

    # when it is set up
    done = said(bare / "checkout" / "deploy" / "setup", cwd=bare, PATH=str(bare / "bin"))

    # then it says so, and takes others
    assert done.returncode == 0, done.stderr
    assert "for another processor or Python" in done.stderr
    assert Path(f"{python}.received").exists()


def test_a_packed_file_has_the_libraries_of_a_hall_too_also_where_the_environment_has_no_pip(tmp_path: Path) -> None:
    # given a checkout whose environment has no pip, as uv makes it
    checkout = tmp_path / "checkout"
    for name in ("companion", "calibration", "templates", "docs"):
        (checkout / name).mkdir(parents=True)
    (checkout / "companion" / "__init__.py").write_text('__version__ = "1"\n', encoding="utf-8")
    shutil.copytree(ROOT / "deploy", checkout / "deploy")
    for name in ("run", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"):
        (checkout / name).touch()
    python = with_python(checkout)

    # when it is packed with its wheels
    done = said(checkout / "deploy" / "pack", "--wheels", "new.tar.gz", cwd=tmp_path)

    # then they are those of a hall, in which all others are
    assert done.returncode == 0, done.stderr
    assert "-r " + str(checkout / "deploy" / "requirements-hall.lock") in Path(f"{python}.received").read_text()
    assert (tmp_path / "new.tar.gz").exists()
    pins = [
        set(re.findall(r"^\S+==\S+", (ROOT / "deploy" / f"requirements{lock}.lock").read_text(), re.MULTILINE))
        for lock in ("", "-hall")
    ]
    assert pins[0] < pins[1]
