"""The operating system: its clock and its memory allocator."""

import ctypes
import sys
from datetime import UTC, datetime

M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -8, -3, -1
"""Numbers of parameters in glibc's ``malloc.h``."""
ARENAS = 2
MMAP_THRESHOLD, TRIM_THRESHOLD = 1 << 20, 4 << 20
"""Bytes from which a block is mapped by itself, and of free memory that is kept at the end of a heap."""


class SystemClock:
    """The machine's clock.  A Pi without a clock chip may start in the past, so nothing is ordered by it."""

    def now(self) -> str:
        """Return the time in UTC, ISO 8601 with seconds."""
        return datetime.now(UTC).isoformat(timespec="seconds")


def local_now() -> datetime:
    """Return the local time, with its time zone."""
    return datetime.now().astimezone()


def limit_allocator() -> bool:
    """Let all threads share two heaps, and map large blocks directly; return whether the allocator allows it.

    By default each of the threads that wait for screens has a heap of its own, which costs a Pi 20 MB and gains
    nothing, because only one thread at a time runs Python.  Pictures come and go at every frame; within a heap they
    leave holes that are never returned (70 MB in half an hour).  Call this before threads are started.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    parameters = ((M_ARENA_MAX, ARENAS), (M_MMAP_THRESHOLD, MMAP_THRESHOLD), (M_TRIM_THRESHOLD, TRIM_THRESHOLD))
    return mallopt is not None and all(bool(mallopt(*parameter)) for parameter in parameters)
