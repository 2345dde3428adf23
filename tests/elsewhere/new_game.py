"""The game of ``docs/new-game.md``: its files as they stand there, and an environment that it can be installed into."""

import importlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from companion.game_api.manifest import Manifest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "new-game.md"
_FILE = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def files() -> dict[str, str]:
    """Return what the page says should stand in each file; one that is printed in parts is put together."""
    texts: dict[str, str] = {}
    for name, text in _FILE.findall(PAGE.read_text(encoding="utf-8")):
        texts[name] = f"{texts[name]}\n\n{text}" if name in texts else text
    return texts


def blocks(language: str) -> list[str]:
    """Return the blocks of a language that belong to no file."""
    rest = _FILE.sub("", PAGE.read_text(encoding="utf-8"))
    return re.findall(rf"^```{language}\n(.*?)^```$", rest, re.DOTALL | re.MULTILINE)


@cache
def imported() -> Manifest:
    """Return the game of the page, imported from files written as it says."""
    folder = str(written(Path(tempfile.mkdtemp(prefix="nut-market-"))))
    sys.path.insert(0, folder)
    try:
        manifest: Manifest = importlib.import_module("nut_market").GAME
    finally:
        sys.path.remove(folder)
    return manifest


def written(folder: Path) -> Path:
    """Write the files as the page says."""
    for name, text in files().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def ran(*command: str | Path) -> str:
    """Run a command, which must succeed; return all that it said."""
    done = _done(command)
    return done.stdout + done.stderr


def _done(command: Sequence[str | Path]) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(command, env=clean(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def clean() -> dict[str, str]:
    """Our environment without what an outer run has put in."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV", "VIRTUAL_ENV"))}


class Environment:
    """An environment of its own that has what this one has; what is installed into it goes nowhere else."""

    def __init__(self, folder: Path) -> None:
        ran(sys.executable, "-m", "venv", folder)
        self.python = folder / "bin" / "python"
        (packages,) = folder.glob("lib/python3*/site-packages")
        (packages / "running.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")

    def install(self, wheel: Path) -> None:
        """Install a wheel."""
        ran(self.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel)

    def uninstall(self, name: str) -> None:
        """Uninstall a package."""
        ran(self.python, "-m", "pip", "uninstall", "--quiet", "--yes", name)

    def companion(self, *arguments: str | Path) -> str:
        """Run the program; return all that it said."""
        return ran(self.python, "-m", "companion", *arguments)

    def figures(self, *arguments: str | Path) -> Any:
        """Run the program; return the JSON that it wrote, without what it said of its progress."""
        return json.loads(_done((self.python, "-m", "companion", *arguments, "--json")).stdout)


def built(folder: Path) -> Path:
    """Build the wheel of the game that was written there."""
    ran(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder / "dist", folder)
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel
