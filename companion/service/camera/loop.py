"""The thread that processes camera frames for as long as the program serves."""

import logging
import time

from companion.service.background import BackgroundTask
from companion.service.camera.scanner import Scanner

log = logging.getLogger(__name__)

BETWEEN_FRAMES_S = 0.1
BREATH = 0.5
"""So much of the time that a look took is left to others before the next one: a Pi needs longer for each."""
LEAST_BREATH_S = 0.04
AFTER_TROUBLE_S = 1.0


class CameraLoop(BackgroundTask):
    """Calls ``Scanner.look`` again and again.  Trouble is logged once and tried again: never a dead thread.

    While the camera is lost, or frames cannot be taken in, it tries once a second.
    """

    def __init__(self, scanner: Scanner, pause_s: float = BETWEEN_FRAMES_S) -> None:
        """Store the scanner; ``pause_s``: seconds from one frame to the next."""
        super().__init__("camera loop", stop_timeout_s=5.0)
        self._scanner = scanner
        self._pause_s = pause_s

    def stop(self) -> None:
        """Stop, and close the camera."""
        super().stop()
        self._scanner.camera.close()

    def _run(self) -> None:
        troubled = False
        while not self._stopping.is_set():
            pause, begun = self._pause_s, time.monotonic()
            try:
                if self._scanner.process_next_frame():
                    pause = pause_after(time.monotonic() - begun, self._scanner.ms_until_at_rest(), self._pause_s)
                else:
                    pause = max(pause, AFTER_TROUBLE_S)
                troubled = False
            except Exception:
                if not troubled:
                    log.exception("a frame could not be taken in; trying on")
                troubled = True
                pause = AFTER_TROUBLE_S
            self._stopping.wait(pause)


def pause_after(took: float, due_ms: int | None, between: float) -> float:
    """Return how many seconds to wait after a look that took so long.

    ``due_ms``: when a card that rests now will have rested, counted from the frame of that look; it is looked at again
    just then.  ``between``: the seconds from one frame to the next.
    """
    pause = between - took
    if due_ms is not None:
        pause = min(pause, due_ms / 1000 - took)
    return max(pause, BREATH * took, min(LEAST_BREATH_S, between))
