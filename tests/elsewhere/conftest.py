"""Fixtures for tests of a game from elsewhere."""

from pathlib import Path

import pytest

from tests.browser.conftest import browser_type_launch_args
from tests.elsewhere.new_game import Environment, built, written

__all__ = ["browser_type_launch_args"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(written(tmp_path_factory.mktemp("nut-market")))


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    """An environment with the game in it."""
    made = Environment(tmp_path_factory.mktemp("environment") / "venv")
    assert "Nut Market" not in made.companion("doctor", "--data", tmp_path_factory.mktemp("empty"))
    made.install(wheel)
    return made
