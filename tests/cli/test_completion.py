"""``companion completion``: bash completes commands, options and games, in a checkout and installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.running import ROOT, only_line

ASK = """
eval "$(cat)"
COMP_WORDS=({words}) COMP_CWORD={at}
_companion_completion {program}
printf '%s\\n' "${{COMPREPLY[@]}}"
complete -p {program}
"""


def completed(script: str, program: str, words: str, folder: Path) -> list[str]:
    """Return what bash offers for the last of some words."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    question = ASK.format(words=words, at=len(words.split()) - 1, program=program)
    done = subprocess.run(
        [bash, "-c", question],
        input=script,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "offered"),
    [("PROGRAM ca", ["calibrate", "cards", "catalog"]), ("PROGRAM cards --game mas", ["master_builder"])],
)
def test_bash_completes_the_installed_program_and_that_of_a_checkout(
    words: str, offered: list[str], run: Run, tmp_path: Path
) -> None:
    script = "\n".join(run("completion", "bash").out)
    installed = tmp_path / "companion"
    installed.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m companion "$@"\n')
    installed.chmod(0o755)

    for program in ("companion", "./run"):
        *choices, registered = completed(script, program, words.replace("PROGRAM", program), tmp_path)
        assert choices == offered
        assert registered.endswith(f"_companion_completion {program}")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_their_script(shell: str, run: Run) -> None:
    assert any("_COMPANION_COMPLETE" in line for line in run("completion", shell).out)


def test_an_unknown_shell_is_one_line(run: Run) -> None:
    assert "'bash', 'zsh', 'fish'" in only_line(run("completion", "csh"))
