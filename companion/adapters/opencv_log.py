"""OpenCV's own complaints: they go to stderr, many lines to a broken file, and the caller says it better."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2

_SILENT = 0

_log: Any = cv2 if hasattr(cv2, "setLogLevel") else cv2.utils.logging
"""Where the level is kept: OpenCV 4 has it at the top, OpenCV 5 in a module of its own."""


@contextmanager
def opencv_silent() -> Iterator[None]:
    """Let OpenCV say nothing for as long as the block runs."""
    before = _log.getLogLevel()
    _log.setLogLevel(_SILENT)
    try:
        yield
    finally:
        _log.setLogLevel(before)
