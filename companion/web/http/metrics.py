"""Counts of what happened since the start, for ``/metrics``."""

import threading
from collections import Counter
from collections.abc import Iterator

from flask import current_app

FIGURES = {
    "commands": "Commands sent to tables, by what became of them.",
    "refusals": "Commands that the rules refused, by rule.",
    "logins": "Tries to log in, by what became of them.",
    "pictures": "Pictures sent to be read, by what became of them.",
    "answers": "HTTP answers, by class of status.",
}
"""Name of each counter and what it counts."""


class Figures:
    """Thread-safe counters, each kept apart by one label."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def count(self, name: str, **label: str) -> None:
        """Count one more of ``name`` (a key of ``FIGURES``) under one label, such as ``outcome="done"``."""
        ((key, value),) = label.items()
        with self._lock:
            self._counts[name, key, value] += 1

    def lines(self) -> Iterator[str]:
        """Give the counters in the Prometheus text format."""
        with self._lock:
            counts = sorted(self._counts.items())
        for name, meaning in FIGURES.items():
            yield f"# HELP companion_{name}_total {meaning}"
            yield f"# TYPE companion_{name}_total counter"
            for (counted, key, value), number in counts:
                if counted == name:
                    yield f'companion_{name}_total{{{key}="{_escaped(value)}"}} {number}'


def figures() -> Figures:
    """Give the counters of the running application."""
    found: Figures = current_app.extensions["companion.figures"]
    return found


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
