"""Reading costs one core: neither OpenBLAS nor OpenCV may keep others busy."""

import os
import subprocess
import sys

import cv2
import pytest

from companion.vision.read import limit_opencv_to_one_core

MODULES = (
    "companion",
    "companion.cli",
    "companion.vision.read",
    "companion.games.master_builder",
    "benchmarks.reading.tables",
)


def told_after_importing(module: str, **environment: str) -> str:
    """Return for how many threads OpenBLAS is told in a process that has imported a module."""
    own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    program = (
        "import builtins, importlib, os, sys\n"
        "real = builtins.__import__\n"
        "def watched(name, *rest, **more):\n"
        "    if name == 'numpy' and 'numpy' not in sys.modules:\n"
        "        print(os.environ.get('OPENBLAS_NUM_THREADS'), end=' ')\n"
        "    return real(name, *rest, **more)\n"
        "builtins.__import__ = watched\n"
        f"importlib.import_module({module!r})\n"
        "import numpy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=own | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("module", MODULES)
def test_whatever_is_imported_first_numpy_is_told_to_use_one_thread(module: str) -> None:
    assert told_after_importing(module) == "1"


def test_who_has_said_otherwise_is_heard() -> None:
    assert told_after_importing("companion.vision.read", OPENBLAS_NUM_THREADS="3") == "3"


def test_opencv_works_in_the_thread_that_calls_it() -> None:
    before = cv2.getNumThreads()
    try:
        cv2.setNumThreads(2)
        limit_opencv_to_one_core()
        assert cv2.getNumThreads() == 1
    finally:
        cv2.setNumThreads(before)
