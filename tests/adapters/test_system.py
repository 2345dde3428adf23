"""Few heaps for many threads."""

import platform
import subprocess
import sys

import pytest

from tests.waiting import PATIENCE_S

PROGRAM = """
import threading
from companion.adapters.system import limit_allocator
assert limit_allocator()
held, gate = [], threading.Barrier(33)
def work():
    held.append([bytes(500) for _ in range(200)])
    gate.wait()
    gate.wait()
threads = [threading.Thread(target=work) for _ in range(32)]
for thread in threads: thread.start()
gate.wait()
import ctypes
ctypes.CDLL(None).malloc_stats()
gate.wait()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is glibc's")
def test_many_threads_share_two_heaps() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )

    assert ended.stderr.count("Arena ") == 2
