"""The thread that looks at the table for as long as the program serves."""

import logging
import threading

from companion.service.sight.scanner import Scanner

log = logging.getLogger(__name__)

BETWEEN_FRAMES_S = 0.1
AFTER_TROUBLE_S = 1.0


class Watch:
    """Calls ``Scanner.look`` again and again.  Trouble is logged once and tried again: never a dead thread.

    While the camera is lost, or frames cannot be taken in, it tries once a second.
    """

    def __init__(self, scanner: Scanner, pause_s: float = BETWEEN_FRAMES_S) -> None:
        """Take the scanner and the seconds between two frames."""
        self._scanner = scanner
        self._pause_s = pause_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking, and give the camera back."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._scanner.camera.close()

    def _run(self) -> None:
        troubled = False
        while not self._stopping.is_set():
            pause = self._pause_s
            try:
                if not self._scanner.look():
                    pause = max(pause, AFTER_TROUBLE_S)
                troubled = False
            except Exception:
                if not troubled:
                    log.exception("a frame could not be taken in; trying on")
                troubled = True
                pause = AFTER_TROUBLE_S
            self._stopping.wait(pause)
