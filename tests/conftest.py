"""What holds for every test."""

import os

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from tests import chromium

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
expect.set_options(timeout=15_000)


def is_steered(item: pytest.Item) -> bool:
    """Say whether a test needs a browser."""
    return item.get_closest_marker("browser") is not None or chromium.FIXTURE in getattr(item, "fixturenames", ())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it is asked for by ``-m nightly``; skip what has no browser here."""
    steered = [item for item in items if is_steered(item)]
    if steered and (why := chromium.missing()) is not None:
        for item in steered:
            item.add_marker(pytest.mark.skip(reason=why))
    if "nightly" in str(config.getoption("markexpr")):
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
