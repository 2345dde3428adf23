"""Memory, threads, handles and processor time of a process (Linux)."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Taken:
    """Memory in megabytes (resident), threads, open files, and seconds of processor time so far."""

    memory_mb: float
    threads: int
    handles: int
    busy_s: float


def taken(pid: int) -> Taken:
    """Look at a process now."""
    about = Path("/proc") / str(pid)
    status = dict(line.split(":", 1) for line in (about / "status").read_text(encoding="ascii").splitlines())
    times = (about / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    ticks = int(times[11]) + int(times[12])
    return Taken(
        int(status["VmRSS"].split()[0]) / 1024,
        int(status["Threads"]),
        sum(1 for _ in (about / "fd").iterdir()),
        ticks / os.sysconf("SC_CLK_TCK"),
    )
