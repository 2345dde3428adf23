"""Counters that people can wait for, within one process."""

import threading


class Counter:
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


class ChangesHere:
    """The signals of all tables of this process."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._signals: dict[str, Counter] = {}

    def of(self, table_id: str) -> Counter:
        """Give the signal of a table, always the same one."""
        with self._lock:
            return self._signals.setdefault(table_id, Counter())
