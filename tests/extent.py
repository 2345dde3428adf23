"""How much is tested: a part of what is exhaustive each time, all of it by ``./check --all``."""

import os
from typing import TypeVar

T = TypeVar("T")

ALL = os.environ.get("COMPANION_TESTS") == "all"
"""Return whether everything is tested, however long it takes."""


def of_all(daily: T, everything: T) -> T:
    """Return how much of something is tested now: ``daily`` each time, ``everything`` by ``./check --all``."""
    return everything if ALL else daily
