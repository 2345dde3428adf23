"""A package below its floor of coverage is told with its lines."""

import runpy
from pathlib import Path

import pytest
from coverage import Coverage

from tests.coverage_floors import ROOT, UNCOUNTED, WHOLLY, packages, patterns, shortfalls


@pytest.fixture
def half_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Coverage:
    """Coverage of a tree whose engine ran on one of its two branches only."""
    monkeypatch.chdir(tmp_path)
    for package in ("companion/engine", "companion/service"):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "turn.py").write_text(
            "def turn(on):\n    if on:\n        return 1\n    return 2\n\n\nturn(1)\n"
        )
    coverage = Coverage(data_file=None, branch=True, include=["*/turn.py"], config_file=False)
    coverage.set_option("run:relative_files", value=True)
    with coverage.collect():
        for package in ("companion/engine", "companion/service"):
            runpy.run_path(str(tmp_path / package / "turn.py"))
    return coverage


@pytest.mark.filterwarnings("ignore:.*overlap.*|.*tracing.*")
def test_a_line_that_nothing_ran_is_told(half_run: Coverage) -> None:
    messages = shortfalls(half_run, ["companion/engine"])
    assert "100 % wanted" in messages[0]
    assert "turn.py" in messages[1]


def test_a_package_without_code_is_not_judged(half_run: Coverage) -> None:
    assert shortfalls(half_run, ["companion/printing"]) == []


def test_what_is_covered_wholly_and_what_is_not_counted_exists() -> None:
    assert [place for place in (*WHOLLY, *UNCOUNTED) if not list(ROOT.glob(place))] == []


def test_every_package_is_measured() -> None:
    measured = packages()
    assert {"companion/engine", "companion/games", "companion/vision", "calibration", "companion"} <= set(measured)


def test_the_package_itself_is_measured_without_its_inner_ones() -> None:
    assert patterns("companion") == ["companion/*.py"]
    assert patterns("companion/engine") == ["companion/engine/*"]
    assert patterns("companion/games/*/advice.py") == ["companion/games/*/advice.py"]
