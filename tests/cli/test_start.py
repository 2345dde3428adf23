"""Modules that a command loads before it answers: OpenCV alone takes longer than deciding a whole game."""

import json
import subprocess
import sys

from companion.cli import MODULES
from tests.cli.running import START

HEAVY = {"cv2", "flask", "numpy", "reportlab", "zxingcpp"}
AFTERWARDS = """
import sys
from companion.cli import group
group.main(sys.argv[1:], standalone_mode=False)
sys.stderr.write(" ".join(sys.modules))
"""
EACH_HELP = """
import json
import sys
from companion.cli import group
after = []
for command in commands:
    group.main([*command, "--help"], standalone_mode=False)
    after.append((" ".join(command), list(sys.modules)))
json.dump(after, sys.stderr)
"""


def loaded(*arguments: str, stdin: str = "") -> set[str]:
    """Run a command in a fresh process and give the modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", AFTERWARDS, *arguments], input=stdin, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_help_is_given_without_loading_what_sees_or_serves() -> None:
    # given one process that is asked for the help of every command
    commands = [[], *([command] for command in MODULES)]
    program = f"commands = {commands!r}{EACH_HELP}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    # then none of them has loaded what is heavy
    modules_after = {command: set(modules) for command, modules in json.loads(done.stderr)}
    assert len(modules_after) == len(commands)
    assert {command: modules & HEAVY for command, modules in modules_after.items() if modules & HEAVY} == {}


def test_the_version_is_told_without_loading_the_rest_of_the_program() -> None:
    assert not [module for module in loaded("--version") if module.startswith(("companion.bootstrap", "pydantic"))]


def test_a_play_file_is_decided_without_loading_what_sees_or_serves() -> None:
    modules = loaded("play", "-", stdin=json.dumps(START))

    assert "companion.games.master_builder.rules.game" in modules
    assert not modules & HEAVY


def test_the_pages_load_nothing_that_only_set_up_or_a_printout_needs() -> None:
    # given a fresh process that has loaded all pages
    program = 'import sys, companion.web; print(" ".join(sys.modules))'
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    # then neither the tools for typefaces (16 MB) nor those for PDFs are in its memory
    assert not {"fontTools", "reportlab", "psycopg"} & set(done.stdout.split())
