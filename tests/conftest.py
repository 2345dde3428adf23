"""Fixtures and options of all tests."""

import gc
import logging
import os
import sys
from collections.abc import Generator, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, expect

from tests import chromium, extent
from tests.postgres import database, postgres_server
from tests.waiting import PATIENCE_MS

__all__ = ["database", "postgres_server"]  # fixtures

# Nothing that is set on this machine reaches a test: neither its database, nor a proxy for what listens here.
for name in ("COMPANION_DATABASE", "COMPANION_SECRET_FILE"):
    os.environ.pop(name, None)
os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1,localhost"

# A busy machine is slow, not wrong: no example fails by the clock.  CI plays the same examples each time, so
# that it speaks about the change and not about luck; at home new ones are tried.
settings.register_profile(
    "companion",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("companion")
# The same for pages: what is expected of one may take its time on a machine that does two things at once.
expect.set_options(timeout=PATIENCE_MS)


class Mistakes(logging.Handler):
    """Keeps the mistakes of games that were logged."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.getMessage()}: {record.exc_info[1] if record.exc_info else ''}")


@pytest.fixture(scope="session", autouse=True)
def patient_browsers() -> Iterator[None]:
    """Let every browser context wait as long as all other tests do, instead of half a minute.

    It has no service worker unless a test asks for one: as soon as that has begun, whenever that is, requests pass by
    what a test has put in their way.
    """
    made = Browser.new_context

    def patient(browser: Browser, **options: Any) -> BrowserContext:
        context = made(browser, **{"service_workers": "block", **options})
        context.set_default_timeout(PATIENCE_MS)
        return context

    with patch.object(Browser, "new_context", patient):
        yield


@pytest.fixture(autouse=True)
def game_mistakes(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Fail a test during which a game makes a mistake: the program plays on, so that nothing else would tell."""
    guard = sys.modules.get("companion.game_api.guard")
    if guard is not None:
        guard.forget_mistakes()
    mistakes, logger = Mistakes(), logging.getLogger("companion.game_api.guard")
    logger.addHandler(mistakes)
    yield mistakes.messages
    logger.removeHandler(mistakes)
    if request.node.get_closest_marker("game_mistakes") is None:
        assert mistakes.messages == []


def is_steered(item: pytest.Item) -> bool:
    """Return whether a test needs a browser."""
    return item.get_closest_marker("browser") is not None or chromium.FIXTURE in getattr(item, "fixturenames", ())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless all is tested or it is asked for by ``-m nightly``.

    Browser tests are skipped where there is no browser.  Workers, who are handed whole files, begin with the folders
    whose files take longest, so that all of them end at about the same time.
    """
    steered = [item for item in items if is_steered(item)]
    if steered and (why := chromium.missing()) is not None:
        for item in steered:
            item.add_marker(pytest.mark.skip(reason=why))
    if hasattr(config, "workerinput"):
        items.sort(key=rank)
    if extent.ALL or "nightly" in str(config.getoption("markexpr")):
        return
    left_out = {item for item in items if item.get_closest_marker("nightly")}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage: all that is made then stays, and need not be looked through later either."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


LONGEST_OF_ALL = (
    "layout/test_evenings_monopoly_builder.py",
    "games/test_trial.py",
    "games/master_builder/test_bots_under_any_rules.py",
    "layout/test_evenings_master_builder.py",
    "layout/test_evenings_men_at_work.py",
    "dice/test_read_dice.py",
)
"""Files that keep a worker for ten minutes and more by ``./check --all``: they are begun first."""
LONGEST_FIRST = ("browser", "layout", "elsewhere", "guide", "house", "cli", "web_pages", "service", "vision")


def rank(item: pytest.Item) -> int:
    """Return when a test is begun among all that are handed to workers."""
    path = item.nodeid.partition("::")[0].removeprefix("tests/")
    if extent.ALL and path in LONGEST_OF_ALL:
        return LONGEST_OF_ALL.index(path) - len(LONGEST_OF_ALL)
    folder = path.split("/")[0]
    return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)
