"""A camera that sends pictures by itself: read in a thread of its own, so that nobody waits for the newest one."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.files import now_ms
from companion.adapters.pictures import PictureError, decode_picture
from companion.service.sight.camera import CameraError, Frame

Coming: TypeAlias = "bytes | npt.NDArray[np.uint8]"
"""The bytes of a JPEG, or a picture: uint8, height x width x 3 (blue, green, red)."""

OpenStream: TypeAlias = "Callable[[], AbstractContextManager[Iterator[Coming]]]"
"""Opens a source and gives its pictures as they come.

Both may raise ``CameraError``, and must when no picture comes for ``STUCK_S``; the pictures may also end.
"""

STUCK_S = 5.0
"""Seconds without a picture after which a source counts as stuck."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 8.0
"""Between two tries to open a source: doubled each time, until a picture has come."""
_JOIN_S = 2.0


class StreamCamera:
    """The newest picture of a source that sends them by itself.

    The thread starts when a frame is asked for first, and ends with ``close``.  A source that vanishes, is stuck or
    sends something else is opened again and again, less often each time; meanwhile ``grab`` says what is wrong.
    """

    def __init__(
        self, name: str, open_stream: OpenStream, *, first_wait_s: float = FIRST_WAIT_S, pause_s: float = 0.0
    ) -> None:
        """Take the source; ``pause_s``: seconds between two openings of a source that ends after every picture."""
        self._name = name
        self._open_stream = open_stream
        self._first_wait_s = first_wait_s
        self._pause_s = pause_s
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._newest: tuple[Coming, int] | None = None
        self._problem: str | None = None
        self._number = 0
        self._came_ms = 0

    @property
    def name(self) -> str:
        """Return the source in the form that ``--camera`` takes."""
        return self._name

    def grab(self) -> Frame | None:
        """Return the newest picture, or None when none came since the last call; ``CameraError`` while it is lost."""
        if self._thread is None:
            self._closing.clear()
            self._came_ms = now_ms()
            self._thread = threading.Thread(target=self._run, name=f"camera {self._name}", daemon=True)
            self._thread.start()
        with self._lock:
            newest, self._newest, problem = self._newest, None, self._problem
            silent = (now_ms() - self._came_ms) / 1000
        if newest is None:
            if problem is None and silent > 2 * STUCK_S:  # something comes, and never a picture
                problem = f"camera {self._name}: no picture for {silent:.0f} s"
            if problem is not None:
                raise CameraError(problem)
            return None
        coming, at_ms = newest
        try:
            image = decode_picture(coming) if isinstance(coming, bytes) else coming
        except PictureError as fault:
            raise CameraError(f"camera {self._name}: sends pictures that cannot be read ({fault})") from fault
        frame = Frame(image, at_ms, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Let go of the source and end the thread."""
        self._closing.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(_JOIN_S)

    def _run(self) -> None:
        wait = self._first_wait_s
        while not self._closing.is_set():
            begun = time.monotonic()
            came = self._follow()
            if came and self._problem is None:
                wait = self._first_wait_s
                self._closing.wait(max(0.0, self._pause_s - (time.monotonic() - begun)))
                continue
            wait = self._first_wait_s if came else min(wait * 2, LONGEST_WAIT_S)
            self._closing.wait(wait)

    def _follow(self) -> bool:
        """Follow the source until it ends or fails; say whether a picture came."""
        came = False
        problem: str | None = f"camera {self._name}: has stopped sending pictures"
        try:
            with self._open_stream() as pictures:
                for picture in pictures:
                    came = True
                    with self._lock:
                        self._came_ms = now_ms()
                        self._newest, self._problem = (picture, self._came_ms), None
                    if self._closing.is_set():
                        return True
            if came and self._pause_s:
                problem = None  # a source of single pictures
        except CameraError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a driver throws is told, and tried again
            problem = f"camera {self._name}: {type(error).__name__}: {error}"
        with self._lock:
            self._problem = problem
        return came
