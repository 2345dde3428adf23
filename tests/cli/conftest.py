"""The program inside the test's own process: quick, for the many ways to be wrong."""

import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import debug_flag, group
from companion.cli.output import run_command_line
from tests.cli.running import Ended, ended

Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Run]:
    level = logging.getLogger().level

    def command(*arguments: str | Path) -> Ended:
        monkeypatch.setattr(sys, "argv", ["companion", *map(str, arguments)])
        code = run_command_line(group, debug_flag)
        captured = capfd.readouterr()
        return ended(code, captured.out, captured.err)

    yield command
    logging.getLogger().setLevel(level)
