"""A pytest plugin: the tests are collected once, then each mutant meets them in a process of its own.

mutmut collects anew for each mutant, which takes longer than most mutants live.  ``python -m benchmarks.mutants run``
starts this in the folder ``mutants`` that mutmut has made.
"""

import json
import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

NAMES = Path("to_try.txt")
FATES = Path("tried.jsonl")
"""A line for each mutant: its name, the exit code and the test that failed."""
STATS = Path("mutmut-stats.json")
LONGEST = 60.0
"""Seconds of processor time after which a test is said never to end; the slowest takes five."""
SURVIVED, KILLED, ENDLESS = 0, 1, 36


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try every mutant that has had no turn yet."""
    stats = json.loads(STATS.read_text(encoding="utf-8"))
    items = {item.nodeid: item for item in session.items}
    killers: dict[str, Counter[str]] = defaultdict(Counter)
    with FATES.open("a", encoding="utf-8") as fates:
        for name in _waiting():
            module = name.rpartition(".")[0]
            tests = stats["tests_by_mangled_function_name"].get(name.rpartition("__mutmut_")[0], ())
            collected_tests = [test for test in tests if test in items]
            ordered = in_order(collected_tests, stats["duration_by_test"], killers[module])
            code, killer = _tried(name, [items[test] for test in ordered])
            killers[module][killer] += 1
            fates.write(json.dumps({"name": name, "code": code, "killer": killer}) + "\n")
            fates.flush()
    return True


def read_fates(fates: Path = FATES) -> dict[str, int]:
    """Return the exit codes of the mutants tried so far, by name."""
    lines = fates.read_text(encoding="utf-8").splitlines() if fates.exists() else []
    return {fate["name"]: fate["code"] for fate in map(json.loads, lines)}


def in_order(tests: Iterable[str], seconds: dict[str, float], killers: Counter[str]) -> list[str]:
    """Put first what has killed before, then the quickest test of every file, then the second ones, and so on."""
    before: Counter[str] = Counter()
    places: dict[str, tuple[Any, ...]] = {}
    for test in sorted(tests, key=lambda test: seconds.get(test, 0.0)):
        file = test.partition("::")[0]
        places[test] = (-killers[test], before[file], seconds.get(test, 0.0))
        before[file] += 1
    return sorted(places, key=places.__getitem__)


def _waiting() -> list[str]:
    done = read_fates()
    return [name for name in NAMES.read_text(encoding="utf-8").split() if name not in done]


def _tried(name: str, items: list[pytest.Item]) -> tuple[int, str]:
    """Run tests until one fails; give the exit code and that test."""
    read_end, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.environ["MUTANT_UNDER_TEST"] = name
        _run(items, telling)
    os.close(telling)
    with os.fdopen(read_end, encoding="utf-8") as heard:
        last = heard.read().rpartition("\n")[2]
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return ENDLESS if os.WTERMSIG(status) == signal.SIGPROF else KILLED, last
    return (KILLED, last) if os.WEXITSTATUS(status) else (SURVIVED, "")


def _run(items: list[pytest.Item], telling: int) -> None:
    """Run tests in the child, telling each before it begins; never return."""
    code = KILLED
    try:
        for item in items:
            os.write(telling, f"\n{item.nodeid}".encode())
            signal.setitimer(signal.ITIMER_PROF, LONGEST)
            item.session.testsfailed = 0
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if item.session.testsfailed:
                break
        else:
            code = SURVIVED
    finally:
        os._exit(code)
