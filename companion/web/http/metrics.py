"""Counters and times since the start of the program, for ``/metrics``."""

import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from flask import Flask, current_app, request
from werkzeug.wrappers import Response as AnyResponse

COUNTERS = {
    "commands": "Commands sent to tables, by what became of them.",
    "refusals": "Commands that the rules refused, by rule.",
    "logins": "Tries to log in, by what became of them.",
    "pictures": "Pictures sent to be read, by what became of them.",
    "answers": "HTTP answers, by class of status.",
}
"""Name and meaning of each counter."""
REFUSALS = "refusals"
"""The counter that only the organiser sees: a rule that refused tells what somebody tried, and what they could not."""
HIDDEN_LABELS = frozenset({"refused", "4xx"})
"""Labels under which others' refusals are counted: that somebody's *yes* was refused tells what they do not have."""


TIMED = {"api.commands.give_command": "command", "tables.live": "draw"}
"""Endpoints that are timed, and the names of their metrics: a command, and the parts of a page."""
BEGAN = "companion.began"
"""Key of the WSGI environment: when a thread took the request up, by ``time.perf_counter``.  The server sets it."""
FIRST_ERROR = 400
"""The lowest status of an answer that nothing was done for."""
BOUNDS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0)


class Metrics:
    """Thread-safe counters with one label each, and how long answers took."""

    def __init__(self) -> None:
        """Start all counters at zero."""
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._within: Counter[tuple[str, float]] = Counter()

    def count(self, name: str, **label: str) -> None:
        """Increment a counter (a key of ``COUNTERS``) under one label, such as ``outcome="done"``."""
        ((key, value),) = label.items()
        with self._lock:
            self._counts[name, key, value] += 1

    def time(self, name: str, seconds: float) -> None:
        """Count an answer with the seconds that it took."""
        bound = next((bound for bound in BOUNDS_S if seconds <= bound), math.inf)
        with self._lock:
            self._within[name, bound] += 1
            self._seconds[name] += seconds

    def lines(self, *, refusals: bool) -> Iterator[str]:
        """Yield all in the Prometheus text format; ``refusals``: also what was refused, and by which rules."""
        with self._lock:
            counts = sorted(self._counts.items())
            within, seconds = dict(self._within), dict(self._seconds)
        yield from _histograms(within, seconds)
        for name, meaning in COUNTERS.items():
            if name == REFUSALS and not refusals:
                continue
            yield f"# HELP companion_{name}_total {meaning}"
            yield f"# TYPE companion_{name}_total counter"
            for (counted, key, value), number in counts:
                if counted == name and (refusals or value not in HIDDEN_LABELS):
                    yield f'companion_{name}_total{{{key}="{_escaped(value)}"}} {number}'


def _histograms(within: Mapping[tuple[str, float], int], seconds: Mapping[str, float]) -> Iterator[str]:
    for name in seconds:
        yield f"# HELP companion_{name}_seconds How long the answer to a {name} took."
        yield f"# TYPE companion_{name}_seconds histogram"
        count = 0
        for bound in (*BOUNDS_S, math.inf):
            count += within.get((name, bound), 0)
            label = "+Inf" if bound == math.inf else bound
            yield f'companion_{name}_seconds_bucket{{le="{label}"}} {count}'
        yield f"companion_{name}_seconds_sum {seconds[name]:.6f}"
        yield f"companion_{name}_seconds_count {count}"


def register_timing(app: Flask) -> None:
    """Time what the endpoints in ``TIMED`` have done, from when a thread of the server took the request up.

    Errors are not timed: their number, less those that are told, would be that of the refusals.
    """
    app.after_request(_time_answer)


def _time_answer(answer: AnyResponse) -> AnyResponse:
    began, name = request.environ.get(BEGAN), TIMED.get(request.endpoint or "")
    if began is not None and name is not None and answer.status_code < FIRST_ERROR:
        metrics().time(name, time.perf_counter() - began)
    return answer


def metrics() -> Metrics:
    """Return the counters of the running application."""
    counters: Metrics = current_app.extensions["companion.metrics"]
    return counters


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
