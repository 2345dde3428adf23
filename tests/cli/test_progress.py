"""Progress of long commands: on stderr, after two seconds, and never in the way of results."""

import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import calibrate as calibrate_module
from companion.cli import output as progress_module
from companion.cli.output import CLEAR_LINE, progress
from tests.cli.conftest import Run
from tests.waiting import until

PHOTO = Path(__file__).parents[2] / "docs" / "reading-unread.jpg"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print progress at once and often."""
    monkeypatch.setattr(progress_module, "FIRST_AFTER_S", 0.0)
    monkeypatch.setattr(progress_module, "FILE_EVERY_S", 0.01)
    monkeypatch.setattr(progress_module, "TERMINAL_EVERY_S", 0.01)


class Terminal:
    """A stderr that is a terminal, and what was written to it."""

    def __init__(self) -> None:
        self.written = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""


def test_what_is_done_soon_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("drawing cards") as report:
        report("1 of 79 cards")

    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("impatient")
def test_lines_say_what_is_done_how_far_and_for_how_long(capsys: pytest.CaptureFixture[str]) -> None:
    printed = ""

    def lines() -> Iterator[str]:
        nonlocal printed
        printed += capsys.readouterr().err
        yield from printed.splitlines()

    with progress("drawing cards") as report:
        until(lambda: any(re.fullmatch(r"drawing cards: \d+ s", line) for line in lines()))
        report("1 of 79 cards")
        until(lambda: any(re.fullmatch(r"drawing cards: 1 of 79 cards, \d+ s", line) for line in lines()))


@pytest.mark.usefixtures("impatient")
def test_a_terminal_keeps_one_line_which_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    with progress("drawing cards"):
        until(lambda: terminal.written.count("drawing cards") > 1)

    assert "\n" not in terminal.written
    assert terminal.written.endswith(CLEAR_LINE)


@pytest.mark.usefixtures("impatient")
def test_a_failure_ends_the_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="torn"), progress("drawing cards"):
        raise ValueError("torn")

    capsys.readouterr()
    assert not any(thread.name == "progress" for thread in threading.enumerate())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("arguments", "activity"),
    [
        (("tournament", "--games", "3", "--bots", "random", "--json"), "playing Master Builder: "),
        (("cards", "cards.pdf", "--only", "W01"), "drawing the cards of Master Builder: "),
        (("labels", "labels.pdf", "--only", "W01"), "drawing the labels of Master Builder: "),
        (("backup", "backup.zip", "--data", "data"), "writing the backup: "),
        (("read", "--deck", "master_builder", str(PHOTO)), "reading pictures: 1 of 1, "),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_long_commands_show_it_and_their_results_stay_apart(
    arguments: tuple[str, ...], activity: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()

    ended = run(*arguments)

    assert ended.code == 0
    assert any(line.startswith(activity) for line in ended.progress), ended
    assert len(ended.out) == (1 if {"--json", "read"} & {*arguments} else 0)


@pytest.mark.nightly
@pytest.mark.usefixtures("impatient")
def test_a_demonstration_without_pages_says_which_round_is_played(run: Run) -> None:
    ended = run("demo", "--headless", "--players", "2", "--game", "men_at_work")

    assert ended.code == 0
    assert any(line.startswith("bots play Men at Work: ") and " entries, " in line for line in ended.progress)


class SlowCamera:
    """A camera that shows nothing for a while, and then ends."""

    name = "slow"
    ended = False

    def __init__(self, empty: int) -> None:
        self._empty = empty

    def grab(self) -> None:
        self._empty -= 1
        self.ended = self._empty <= 0

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("step", "activity"), [("lens", "looking for the board"), ("table", "looking at the table")])
def test_calibrating_says_that_no_picture_has_come(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, activity: str
) -> None:
    monkeypatch.setattr(calibrate_module, "_open_camera", lambda *_: SlowCamera(3))

    ended = run("calibrate", step, "--seconds", 20, "--data", tmp_path)

    assert any(re.fullmatch(rf"{activity}: no picture yet, at most 20 s, \d+ s", line) for line in ended.progress)


@pytest.mark.usefixtures("impatient")
def test_a_long_play_file_says_at_which_line_it_is(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text('{"do": "undo"}\n' * 5_000, encoding="utf-8")

    ended = run("play", file)

    assert len(ended.out) == 5_001
    assert any(re.fullmatch(r"playing .*: line \d+, \d+ s", line) for line in ended.progress)


def test_on_a_terminal_a_line_beside_progress_clears_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    progress_module.print_beside_progress("no board seen")

    assert terminal.written == f"{CLEAR_LINE}no board seen\n"
