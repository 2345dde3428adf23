"""Times that other programs on the machine do not change much: the processor's, and the best of several runs."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

T = TypeVar("T")
CHUNK = 100
RUNS = 7


def best_of(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the fewest seconds of processor that a piece of work took."""
    return min(_seconds(work) for _ in range(runs))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def best_chunks(begin: Callable[[], Callable[[T], object]], items: Sequence[T], runs: int = RUNS) -> list[float]:
    """Return seconds of processor an item, for each hundred of them in their order, the best of several runs.

    ``begin`` sets everything up anew for a run and gives what does the work of one item.
    """
    best = [float("inf")] * (len(items) // CHUNK)
    for _ in range(runs):
        work = begin()
        for number in range(len(best)):
            chunk = items[number * CHUNK : (number + 1) * CHUNK]
            best[number] = min(best[number], _seconds(partial(_each, work, chunk)) / CHUNK)
    return best


def _each(work: Callable[[T], object], items: Iterable[T]) -> None:
    for item in items:
        work(item)


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean."""
    return sum(values) / len(values)
