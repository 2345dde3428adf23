"""A task that runs in a thread of its own for as long as the program serves."""

import threading
from abc import ABC, abstractmethod


class BackgroundTask(ABC):
    """Runs ``_run`` in a daemon thread between ``start`` and ``stop``; both are called once, from any thread."""

    def __init__(self, name: str, stop_timeout_s: float | None = 10.0) -> None:
        """Prepare the thread.

        Args:
            name: the thread's name, as in a log or a debugger.
            stop_timeout_s: how long ``stop`` waits for the thread to end; ``None``: as long as it takes.

        """
        self._stopping = threading.Event()
        self._stop_timeout_s = stop_timeout_s
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end and wait for it; does nothing more where it was never started."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(self._stop_timeout_s)

    @abstractmethod
    def _run(self) -> None:
        """Do the work; return soon after ``_stopping`` is set."""
