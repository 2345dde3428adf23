"""How many connections fit into the file handles that the system gives one process."""

import contextlib
import resource
from pathlib import Path

BESIDE = 20
"""Handles kept for what is opened meanwhile: journals, pictures, a backup, a camera."""
FEWEST = 8
"""Connections that are tried in any case."""


def room_for_connections(wanted: int) -> int:
    """Give how many connections may be open at a time, at most ``wanted``; asks the system for more where it may.

    A server that accepts more than that cannot even say so: it would try the same connection again and again, and
    nobody's command would come through.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = _open_now() + BESIDE
    if soft < wanted + taken and soft != resource.RLIM_INFINITY:
        more = wanted + taken if hard == resource.RLIM_INFINITY else min(wanted + taken, hard)
        with contextlib.suppress(ValueError, OSError):  # then it stays at what it was
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return wanted if soft == resource.RLIM_INFINITY else max(FEWEST, min(wanted, soft - taken))


def _open_now() -> int:
    with contextlib.suppress(OSError):
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    return BESIDE  # a system that does not say
