"""What holds for every test."""

import os

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
