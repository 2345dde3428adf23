"""Modules that a command loads before it answers: OpenCV alone takes longer than deciding a whole game."""

import json
import subprocess
import sys

import pytest

from companion.cli import MODULES
from tests.cli.running import START

HEAVY = {"cv2", "flask", "numpy", "reportlab", "zxingcpp"}
AFTERWARDS = """
import sys
from companion.cli import group
group.main(sys.argv[1:], standalone_mode=False)
sys.stderr.write(" ".join(sys.modules))
"""


def loaded(*arguments: str, stdin: str = "") -> set[str]:
    """Run a command in a fresh process and give the modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", AFTERWARDS, *arguments], input=stdin, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [(), *((command,) for command in MODULES)])
def test_help_is_given_without_loading_what_sees_or_serves(arguments: tuple[str, ...]) -> None:
    assert not loaded(*arguments, "--help") & HEAVY


def test_the_version_is_told_without_loading_the_rest_of_the_program() -> None:
    assert not [module for module in loaded("--version") if module.startswith(("companion.bootstrap", "pydantic"))]


def test_a_play_file_is_decided_without_loading_what_sees_or_serves() -> None:
    modules = loaded("play", "-", stdin=json.dumps(START))

    assert "companion.games.master_builder.rules.game" in modules
    assert not modules & HEAVY
