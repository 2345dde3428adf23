"""The system's memory allocator: with many threads and large pictures it is told to keep little."""

import ctypes
import sys

M_ARENA_MAX = -8
"""The parameter's number in glibc's ``malloc.h``."""
M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -3, -1
ARENAS = 2
LARGE, SPARE = 1 << 20, 4 << 20
"""Bytes of a block that is asked of the system by itself, and of free memory that is kept at the end of a heap."""


def limit_allocator() -> bool:
    """Let all threads share two heaps, and pictures have none; ``False`` where the allocator knows no such thing.

    Each of the threads that wait for screens would get a heap of its own, which costs a Pi 20 MB and gains nothing,
    since one thread at a time runs Python.  Pictures come and go at every frame; in a heap they would leave holes that
    are never given back (70 MB in half an hour).  Must be called before the threads are begun.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    wishes = ((M_ARENA_MAX, ARENAS), (M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, SPARE))
    return mallopt is not None and all(bool(mallopt(*wish)) for wish in wishes)
