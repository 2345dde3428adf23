"""The lock files install the same everywhere, from whichever index a machine uses."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.lock", "requirements-hall.lock", "requirements-dev.lock"]
OLDEST_OPENCV = "requirements-opencv-4.10.lock"


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def locked(lock: str) -> dict[str, str]:
    """Each pinned requirement line with all that follows it."""
    text = (ROOT / "deploy" / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    pins = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    return {pin.split()[0] + pin.partition(";")[2].partition("--hash")[0]: pin for pin in pins}


@pytest.mark.parametrize("lock", [*LOCKS, OLDEST_OPENCV])
def test_a_lock_names_no_address_and_no_path(lock: str) -> None:
    text = (ROOT / "deploy" / lock).read_text(encoding="utf-8")
    for trace in ("://", "file:", "find-links", "index-url", " @ ", "./", "-e "):
        assert trace not in text


@pytest.mark.parametrize("lock", [*LOCKS, OLDEST_OPENCV])
def test_every_pin_is_exact_and_has_its_hashes(lock: str) -> None:
    pins = locked(lock)
    assert pins
    for name, pin in pins.items():
        assert re.match(r"[a-z0-9-]+==[^ ]+", name), name
        assert "--hash=sha256:" in pin, name


def test_the_lock_covers_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = {name_of(item) for item in project["project"]["dependencies"]}
    asked_in_a_hall = {name_of(item) for item in project["project"]["optional-dependencies"]["hall"]}
    wanted_to_check = {name_of(item) for item in project["dependency-groups"]["dev"]}
    run, hall, check = ({name_of(pin) for pin in locked(lock)} for lock in LOCKS)
    assert asked <= run
    assert asked | asked_in_a_hall <= hall
    assert asked | asked_in_a_hall | wanted_to_check <= check


def test_all_locks_pin_the_same_versions() -> None:
    run, hall, check = (set(locked(lock)) for lock in LOCKS)
    assert run <= hall <= check


def test_a_table_at_home_installs_nothing_of_a_hall() -> None:
    run, hall = ({name_of(pin) for pin in locked(lock)} for lock in LOCKS[:2])
    database, gateway = {"psycopg", "psycopg-binary", "psycopg-pool"}, {"h11", "httptools", "uvicorn", "uvloop"}
    assert hall - run == database | gateway


def test_what_only_checks_need_is_not_installed_to_play() -> None:
    assert not {name_of(pin) for pin in locked("requirements.lock")} & {"pytest", "mypy", "ruff", "playwright"}
