"""A counter that people can wait for."""

import threading


class Signal:
    """Counts changes; those who wait for one are woken at once."""

    def __init__(self) -> None:
        """Start at nothing."""
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How many changes there were."""
        return self._count

    def bump(self) -> None:
        """Count a change and wake everybody."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait_beyond(self, count: int, timeout: float) -> int:
        """Wait until the counter passes ``count``, at most ``timeout`` seconds; give the counter."""
        with self._changed:
            self._changed.wait_for(lambda: self._count > count, timeout)
            return self._count
