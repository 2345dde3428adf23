"""The wheel, installed into an empty environment, is the whole program."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MONEY_IN_PLAY = 695_000
LISTENING = r"http://127\.0\.0\.1:[1-9]\d*"


def clean_environment() -> dict[str, str]:
    """Our environment without the checkout in it, and without the outer run's coverage."""
    dropped = ("PYTHON", "COV", "COVERAGE", "VIRTUAL_ENV")
    return {key: value for key, value in os.environ.items() if not key.startswith(dropped)}


def ran(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    ran(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module", params=["unpacked", pytest.param("installed", marks=pytest.mark.nightly)])
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program of the wheel, with nothing of the checkout.

    Unpacked it uses the libraries of this environment; installed it has an environment of its own, with those of the
    lock.
    """
    home = tmp_path_factory.mktemp("installed")
    if request.param == "unpacked":
        with ZipFile(wheel) as archive:
            archive.extractall(home / "wheel")
        program = home / "companion"
        start = f'PYTHONPATH={shlex.quote(str(home / "wheel"))} exec {shlex.quote(sys.executable)} -P -m companion "$@"'
        program.write_text(f"#!/bin/sh\n{start}\n")
        program.chmod(0o755)
        return program
    python = home / "venv" / "bin" / "python"
    lock = ROOT / "deploy" / "requirements.lock"
    uv = shutil.which("uv")
    if uv:
        ran(uv, "venv", "--quiet", "--python", sys.executable, home / "venv", cwd=home)
        ran(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", "--require-hashes", "-r", lock, cwd=home)
        ran(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel, cwd=home)
    else:
        ran(sys.executable, "-m", "venv", home / "venv", cwd=home)
        pip = (python, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        ran(*pip, "--no-deps", "--require-hashes", "-r", lock, cwd=home)
        ran(*pip, "--no-deps", wheel, cwd=home)
    return home / "venv" / "bin" / "companion"


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of the installed program at work."""
    where = ("--host", "127.0.0.1", "--port", "0", "--camera", "none", "--data", str(tmp_path / "data"))
    output = tmp_path / "said"
    with output.open("wb") as said:
        server = subprocess.Popen(
            [installed, "serve", *where], cwd=tmp_path, env=clean_environment(), stdout=said, stderr=said
        )
    try:
        until(lambda: re.search(LISTENING, output.read_text()) or server.poll() is not None, output.read_text)
        address = re.search(LISTENING, output.read_text())
        assert address is not None, output.read_text()
        until(lambda: answers(address[0]) or server.poll() is not None, output.read_text)
        yield address[0]
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_S)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=PATIENCE_S) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def test_the_wheel_holds_pages_deck_words_and_types(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    for part in (r"companion/_templates/.+\.html", r"companion/web/static/.+/.+\.css", r"companion/.+\.po"):
        assert [name for name in names if re.fullmatch(part, name)], part
    assert "companion/games/master_builder/cards/decks/house.toml" in names
    assert "companion/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "docs", "templates", "benchmarks"))]
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def test_the_installed_program_says_what_it_can_do(installed: Path, tmp_path: Path) -> None:
    said = ran(installed, "--help", cwd=tmp_path)
    for command in ("serve", "demo", "play", "read", "labels", "doctor", "backup", "restore"):
        assert command in said


@pytest.mark.nightly
def test_the_installed_program_plays_the_demo(installed: Path, tmp_path: Path) -> None:
    command = ("demo", "--headless", "--json", "--seed", "3", "--data", tmp_path / "data")
    position = json.loads(ran(installed, *command, cwd=tmp_path).splitlines()[-1])["position"]
    assert position["finished"]
    assert position["standings"]
    cash = sum(player["cash"] for player in position["players"].values())
    assert cash + position["bank"] + position["on_contracts"] == MONEY_IN_PLAY


def test_the_installed_program_serves_its_pages(served: str) -> None:
    with urllib.request.urlopen(f"{served}/", timeout=PATIENCE_S) as answer:
        page = answer.read().decode()
    assert answer.status == 200
    assert "<html" in page
    sheets = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert sheets
    for sheet in sheets:
        with urllib.request.urlopen(served + sheet.replace("&amp;", "&"), timeout=PATIENCE_S) as answer:
            assert answer.status == 200
