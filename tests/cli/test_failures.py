"""How the program says no: exit codes, one line on stderr, and tracebacks only for those who ask."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from companion.cli import MODULES
from companion.cli.output import DebugFlag, run_command_line
from tests.cli.conftest import Run
from tests.cli.running import companion, load_commands, only_line

COMMANDS = [
    *((name,) for name in MODULES),
    *(
        (name, step)
        for name, command in load_commands().items()
        if isinstance(command, click.Group)
        for step in command.commands
    ),
]


@pytest.mark.parametrize("command", sorted(COMMANDS), ids=" ".join)
def test_every_command_takes_a_data_folder_a_language_and_debug(command: tuple[str, ...], run: Run) -> None:
    ended = run(*command, "--help")

    assert ended.code == 0
    assert any("--data DIR" in line for line in ended.out)
    assert any("--lang" in line for line in ended.out)
    assert any("--debug" in line for line in ended.out)


def test_what_a_command_does_is_said_whole_in_the_list_of_all(run: Run) -> None:
    for group in ((), *(command for command in COMMANDS if len(command) == 1)):
        _, _, listed = "\n".join(run(*group, "--help").out).partition("\nCommands:\n")
        assert "..." not in listed, group


@pytest.mark.parametrize(
    "arguments", [(), ("nonsense",), ("--nonsense",), ("read",), ("serve", "--port", "x"), ("demo", "--players", "5")]
)
def test_wrong_arguments_are_one_line(arguments: tuple[str, ...], run: Run) -> None:
    only_line(run(*arguments))


@pytest.mark.parametrize("arguments", [("demo", "--headless"), ("labels", "x.pdf", "--game", "master_builder")])
def test_an_unknown_catalog_is_one_line(arguments: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    line = only_line(run(*arguments, "--data", tmp_path, "--catalog", "nonsense"))

    assert "nonsense" in line


def test_debug_shows_the_traceback_before_the_command_and_after_it(tmp_path: Path, run: Run) -> None:
    missing = tmp_path / "nowhere"

    for arguments in (("--debug", "backup", "x", "--data", missing), ("backup", "x", "--data", missing, "--debug")):
        ended = run(*arguments)
        assert (ended.code, ended.out) == (2, [])
        assert ended.err[0].startswith("Traceback")
        assert ended.err[-1] == f"companion: {missing}: no data folder; nothing to back up"
    assert len(run("backup", "x", "--data", missing).err) == 1, "the wish is forgotten afterwards"


def test_the_real_program_does_so_too(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"

    assert "nothing to back up" in only_line(companion("backup", "x", "--data", missing))
    assert companion("backup", "x", "--data", missing, "--debug").err[0].startswith("Traceback")


def test_the_usual_data_folder_lies_where_the_system_keeps_such(tmp_path: Path) -> None:
    line = only_line(companion("backup", "x", home=tmp_path))

    assert str(tmp_path / "companion") in line


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (RuntimeError("two\nlines"), 2, "companion: RuntimeError: two lines (run with --debug to see where)"),
        (OSError(28, "No space left on device", "x.zip"), 2, "companion: x.zip: the disk is full; make room on it"),
        (click.exceptions.Abort(), 1, "stopped"),
    ],
)
def test_whatever_happens_is_one_line(
    error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    failing = click.Group(commands=[click.Command("fail", callback=fail)])
    monkeypatch.setattr(sys, "argv", ["companion", "fail"])

    assert run_command_line(failing, DebugFlag()) == code
    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_reader_who_has_seen_enough_is_no_trouble(tmp_path: Path) -> None:
    pictures = [str(tmp_path / f"{number}.png") for number in range(2000)]
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "read", *pictures], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 1


def test_names_that_are_no_text_are_told_all_the_same(tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/\xff.png"

    done = subprocess.run(
        [sys.executable, "-m", "companion", "read", odd], capture_output=True, timeout=30, check=False
    )

    assert done.returncode == 2
    assert b"\\udcff.png" in done.stdout
    assert b"Traceback" not in done.stderr
