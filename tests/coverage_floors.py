"""Pytest plugin: every package keeps its floor of covered lines and branches, or the run fails.

Loaded by ./check --all only (``-p tests.coverage_floors`` with ``--cov``).  It speaks before pytest's closing line.
"""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from coverage import Coverage
from coverage.exceptions import NoDataError

ROOT = Path(__file__).resolve().parent.parent
WHOLLY = frozenset(
    {"companion/engine", *(f"companion/games/*/{room}" for room in ("rules", "forecast", "advice.py", "bots"))}
)
"""What is pure: every line and branch of it can be reached by a command."""
FLOOR = 90.0
UNCOUNTED = (
    "tests/browser/",
    "tests/golden/",
    "tests/golden_bots/",
    "tests/guide/",
    "tests/layout/",
    "tests/state_machine/",
    "tests/test_recordings.py",
    "tests/web/test_described.py",
    "tests/service/test_amend_whole_games.py",
    *(f"tests/games/{game}/test_random_games.py" for game in ("master_builder", "men_at_work", "monopoly_builder")),
    "tests/games/master_builder/test_forecast.py",
    "tests/games/master_builder/test_random_house_rules.py",
    "tests/games/master_builder/test_strictness.py",
    "tests/games/master_builder/test_bots_under_any_rules.py",
)
"""Tests that run the same lines many thousand times, or whole evenings: counting would make them three times as long.

What they prove is something else, and each line has to be reached by a test that means it.
"""

below_key = pytest.StashKey[list[str]]()


def packages(root: Path = ROOT) -> list[str]:
    """Each package that is measured by itself; the modules beside them are measured together."""
    inner = sorted(f"companion/{path.parent.name}" for path in root.glob("companion/*/__init__.py"))
    return [*inner, *sorted(WHOLLY - set(inner)), "calibration", "companion"]


def patterns(package: str) -> list[str]:
    if package == "companion":
        return ["companion/*.py"]
    return [package if package.endswith(".py") else f"{package}/*"]


def shortfalls(coverage: Coverage, measured: Sequence[str]) -> list[str]:
    """Return lines about the modules that are below their floors, with the lines that nothing ran."""
    lines: list[str] = []
    for package in measured:
        floor = 100.0 if package in WHOLLY else FLOOR
        table = io.StringIO()
        omit = ["companion/*/*"] if package == "companion" else None
        try:
            share = coverage.report(include=patterns(package), omit=omit, file=table, show_missing=True)
        except NoDataError:
            continue
        if share < floor:
            lines.append(f"{package}: {share:.2f} % of lines and branches covered, at least {floor:.0f} % wanted")
            lines.append(table.getvalue())
    return lines


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave lines uncounted while the longest tests run, and those that a browser waits in."""
    for item in items:
        if item.nodeid.startswith(UNCOUNTED) or any(map(item.get_closest_marker, ("browser", "nightly"))):
            item.add_marker("no_cover")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """In a worker, end the counting that begins before pytest-cov's own for workers, and what started it.

    A worker reads the options of the whole run, so that pytest-cov starts as if it handed tests out itself; and it is
    a program started while lines are counted.  Two that count are slow, and the first one never pauses.
    """
    if hasattr(session.config, "workerinput"):
        while (outer := Coverage.current()) is not None:
            outer.stop()


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
