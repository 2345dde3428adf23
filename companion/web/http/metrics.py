"""Counters since the start of the program, for ``/metrics``."""

import threading
from collections import Counter
from collections.abc import Iterator

from flask import current_app

COUNTERS = {
    "commands": "Commands sent to tables, by what became of them.",
    "refusals": "Commands that the rules refused, by rule.",
    "logins": "Tries to log in, by what became of them.",
    "pictures": "Pictures sent to be read, by what became of them.",
    "answers": "HTTP answers, by class of status.",
}
"""Name and meaning of each counter."""
REFUSALS = "refusals"
"""The counter that only the banker sees: a rule that refused tells what somebody tried, and what they could not."""


class Metrics:
    """Thread-safe counters with one label each."""

    def __init__(self) -> None:
        """Start all counters at zero."""
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def count(self, name: str, **label: str) -> None:
        """Increment a counter (a key of ``COUNTERS``) under one label, such as ``outcome="done"``."""
        ((key, value),) = label.items()
        with self._lock:
            self._counts[name, key, value] += 1

    def lines(self, *, refusals: bool) -> Iterator[str]:
        """Yield the counters in the Prometheus text format; ``refusals``: also which rules refused something."""
        with self._lock:
            counts = sorted(self._counts.items())
        for name, meaning in COUNTERS.items():
            if name == REFUSALS and not refusals:
                continue
            yield f"# HELP companion_{name}_total {meaning}"
            yield f"# TYPE companion_{name}_total counter"
            for (counted, key, value), number in counts:
                if counted == name:
                    yield f'companion_{name}_total{{{key}="{_escaped(value)}"}} {number}'


def metrics() -> Metrics:
    """Return the counters of the running application."""
    counters: Metrics = current_app.extensions["companion.metrics"]
    return counters


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
