"""Waiting for a state, with a limit that a busy machine keeps: no test waits for a fixed time."""

import time
from collections.abc import Callable

PATIENCE_S = 60.0
"""Seconds until a test gives up on what should come; much longer than it takes on a machine that is busy."""
PATIENCE_MS = PATIENCE_S * 1000
LOOK_AGAIN_S = 0.01


def until(true: Callable[[], object], message: Callable[[], object] = lambda: "") -> None:
    """Wait until something is true; fail with ``message`` where it has not become so in time."""
    give_up = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < give_up, message()
        time.sleep(LOOK_AGAIN_S)
