"""Pytest plugin: every package keeps its floor of covered lines and branches, or the run fails.

Loaded by ./check only (``-p tests.coverage_floors`` with ``--cov``).  It speaks before pytest's closing line.
"""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from coverage import Coverage
from coverage.exceptions import NoDataError

ROOT = Path(__file__).resolve().parent.parent
WHOLLY = frozenset(
    {"companion/engine", *(f"companion/games/*/{room}" for room in ("rules", "forecast", "advice", "notes", "bots"))}
)
"""What is pure: every line and branch of it can be reached by a command."""
FLOOR = 90.0

below_key = pytest.StashKey[list[str]]()


def packages(root: Path = ROOT) -> list[str]:
    """Each package that is measured by itself; the modules beside them are measured together."""
    inner = sorted(f"companion/{path.parent.name}" for path in root.glob("companion/*/__init__.py"))
    return [*inner, *sorted(WHOLLY - set(inner)), "calibration", "companion"]


def patterns(package: str) -> list[str]:
    return [f"{package}/*.py"] if package == "companion" else [f"{package}/*"]


def shortfalls(coverage: Coverage, measured: Sequence[str]) -> list[str]:
    """What is below its floor, with the lines that nothing ran."""
    told: list[str] = []
    for package in measured:
        floor = 100.0 if package in WHOLLY else FLOOR
        table = io.StringIO()
        omit = ["companion/*/*"] if package == "companion" else None
        try:
            share = coverage.report(include=patterns(package), omit=omit, file=table, show_missing=True)
        except NoDataError:
            continue
        if share < floor:
            told.append(f"{package}: {share:.2f} % of lines and branches covered, at least {floor:.0f} % wanted")
            told.append(table.getvalue())
    return told


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Iterator[None]:
    """Judge the coverage once pytest-cov has put the workers' data together."""
    outcome = yield
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        coverage = Coverage(data_file=str(ROOT / ".coverage"), config_file=str(ROOT / "pyproject.toml"))
        coverage.load()
        below = shortfalls(coverage, packages())
        session.config.stash[below_key] = below
        session.testsfailed += bool(below)
    return outcome


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    below = config.stash.get(below_key, [])
    if below:
        terminalreporter.section("coverage below its floor")
        for line in below:
            terminalreporter.line(line)
