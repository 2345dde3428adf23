"""Processor time and memory that a piece of code takes in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
needs_peak_memory = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="Linux tells what a process held at most"
)
_FRAME = """
import sys, time
from pathlib import Path

def _megabytes(kind):
    return int(Path("/proc/self/status").read_text().split(kind + ":")[1].split()[0]) / 1024

{preparation}
_before = _megabytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")
_begun = time.process_time()
{action}
print()
print(time.process_time() - _begun, _megabytes("VmHWM") - _before)
"""


class ResourceUse(NamedTuple):
    """Seconds of processor time, peak of memory in megabytes beyond what was used before, and lines printed."""

    seconds: float
    megabytes: float
    printed: list[str]


def measure(preparation: str, action: str, *arguments: object) -> ResourceUse:
    """Return what some lines of Python take, after others that prepare them; arguments are in ``sys.argv[1:]``."""
    program = _FRAME.format(preparation=preparation, action=action)
    command = (sys.executable, "-c", program, *map(str, arguments))
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert run.returncode == 0, run.stderr
    *printed, figures = run.stdout.splitlines()
    seconds, megabytes = map(float, figures.split())
    return ResourceUse(seconds, megabytes, [line for line in printed if line])
