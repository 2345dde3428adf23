"""The system's memory allocator: with many threads it is told to keep few heaps."""

import ctypes
import sys

M_ARENA_MAX = -8
"""The parameter's number in glibc's ``malloc.h``."""
ARENAS = 2


def keep_few_heaps() -> bool:
    """Let all threads share two heaps; ``False`` where the allocator knows no such thing.

    Each of the threads that wait for screens would get a heap of its own, which costs a Pi 20 MB and gains nothing,
    since one thread at a time runs Python.  Must be called before the threads are begun.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and bool(mallopt(M_ARENA_MAX, ARENAS))
