"""What holds for every test."""

import os

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: no example fails by the clock.  CI plays the same examples each time, so
# that it speaks about the change and not about luck; at home new ones are tried.
settings.register_profile(
    "companion",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("companion")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it is asked for by ``-m nightly``."""
    if "nightly" in str(config.getoption("markexpr")):
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
