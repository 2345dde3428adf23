"""The clock of services, counters that screens wait for, tasks in threads of their own, and caches bounded by bytes."""

import random
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Generic, TypeVar, cast

from companion.service.ports import ConcurrentStore, Conflict, NotStored, Store

MOST_TRIES, MOST_PAUSE_S = 50, 0.02
"""How often a value is changed anew because others were quicker, and the longest pause between."""


class SystemClock:
    """The machine's clock.  A Pi without a clock chip may start in the past, so entries are not ordered by it.

    Lists of tables are, and which table is gone on with after a start.
    """

    def now(self) -> str:
        """Return the time in UTC, ISO 8601 with seconds."""
        return datetime.now(UTC).isoformat(timespec="seconds")


def first_number() -> int:
    """Return the number from which a process counts what it keeps in memory only: random, below 2 to the 40th.

    So a number of an earlier process, or of another one, names nothing in this one.
    """
    return secrets.randbelow(1 << 40)


class Counter:
    """Counts changes; those who wait for one are woken at once."""

    def __init__(self, tell_others: Callable[[], None] | None = None) -> None:
        """Start at nothing; ``tell_others`` tells other processes of a change."""
        self._changed = threading.Condition()
        self._count = 0
        self._tell_others = tell_others

    @property
    def count(self) -> int:
        """How many changes there were."""
        return self._count

    def wake(self) -> None:
        """Count a change and wake everybody here."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def bump(self) -> None:
        """Count a change that is no entry of the journal and wake everybody."""
        self.wake()
        if self._tell_others is not None:
            self._tell_others()

    def wait_beyond(self, count: int, timeout: float) -> int:
        """Wait until the counter passes ``count``, at most ``timeout`` seconds, and return the counter."""
        with self._changed:
            self._changed.wait_for(lambda: self._count > count, timeout)
            return self._count


class ChangesHere:
    """The signals of all tables of this process."""

    def __init__(self, tell_others: Callable[[str], None] | None = None) -> None:
        """Begin with none; ``tell_others`` tells other processes that something has changed at a table."""
        self._lock = threading.Lock()
        self._signals: dict[str, Counter] = {}
        self._tell_others = tell_others

    def of(self, table_id: str) -> Counter:
        """Return the signal of a table, always the same one."""
        with self._lock:
            if table_id not in self._signals:
                tell = None if self._tell_others is None else partial(self._tell_others, table_id)
                self._signals[table_id] = Counter(tell)
            return self._signals[table_id]


T = TypeVar("T")


class StoredValue(Generic[T]):
    """The value in a store as it is now.  Every call may come from any thread."""

    def __init__(self, store: Store[T]) -> None:
        """Read the value."""
        self._store = store
        self._concurrent: ConcurrentStore[T] | None = store if isinstance(store, ConcurrentStore) else None
        self._changing = threading.Lock()
        self._now = store.read()

    @property
    def now(self) -> T:
        """The value; what another process has stored is here within a second."""
        if self._concurrent is None:
            return self._now
        if self._changing.acquire(blocking=False):  # while somebody changes it, nobody waits for it
            try:
                self._refresh(at_once=False)
            finally:
                self._changing.release()
        return self._now

    @property
    def known_value(self) -> T:
        """The value as it was looked at last; this waits for nothing."""
        return self._now

    def latest(self) -> T:
        """Return the value as no process has it newer.  ``NotStored`` where the store cannot be reached."""
        with self._changing:
            return self._refresh(at_once=True)

    def change(self, changed: Callable[[T], T]) -> T:
        """Store what ``changed`` makes of the latest value, and return it; its exceptions change nothing.

        Where other processes store values at the same time it is called again, each time with the latest one.  If the
        store broke off after it had stored, that one is its own.  ``OSError``, ``NotStored`` (also where others were
        quicker each time): nothing has changed.
        """
        with self._changing:
            for _ in range(MOST_TRIES):
                before = self._refresh(at_once=True)
                then = changed(before)
                if then == before:
                    return before
                try:
                    self._store.write(then)
                except Conflict:
                    time.sleep(random.uniform(0, MOST_PAUSE_S))  # noqa: S311 - so that processes do not keep in step
                    continue
                self._now = then
                return then
            raise NotStored("locked")

    def _refresh(self, *, at_once: bool) -> T:
        news = None if self._concurrent is None else self._concurrent.stored_elsewhere(at_once=at_once)
        if news is not None:
            self._now = news
        return self._now


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


# Caches that are bounded by bytes: where room is needed, what was asked for longest ago goes first.

V = TypeVar("V")

BYTES_OF_A_VALUE = 500
"""What one value of a structure is estimated at, with all that hangs on it."""


def estimated_bytes(value: object) -> int:
    """Return about how much memory a value takes, without walking through it."""
    if isinstance(value, str | bytes):
        return len(value) + BYTES_OF_A_VALUE
    if isinstance(value, tuple):
        return BYTES_OF_A_VALUE + sum(map(estimated_bytes, cast("tuple[object, ...]", value)))
    if isinstance(value, Mapping | Sequence):
        return BYTES_OF_A_VALUE * (1 + len(cast("Sequence[object]", value)))
    return BYTES_OF_A_VALUE


class BoundedCache(Generic[V]):
    """Values by key.  Thread-safe.

    The value stored last stays, even where it alone is larger than the bound.
    """

    def __init__(self, most_bytes: int, size_of: Callable[[V], int] = estimated_bytes) -> None:
        """Store the bound, and how a value is measured."""
        self._most_bytes, self._size_of = most_bytes, size_of
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[int, V]] = OrderedDict()
        self._bytes = 0

    @property
    def bytes_held(self) -> int:
        """How many bytes the values are estimated at, together."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> V | None:
        """Return a value, which thereby was asked for last; ``None`` where there is none."""
        with self._lock:
            entry = self._values.get(key)
            if entry is None:
                return None
            self._values.move_to_end(key)
            return entry[1]

    def put(self, key: Hashable, value: V) -> None:
        """Store a value in place of the one there was."""
        size = self._size_of(value)
        with self._lock:
            self._forget(key)
            self._values[key] = size, value
            self._bytes += size
            while self._bytes > self._most_bytes and len(self._values) > 1:
                self._forget(next(iter(self._values)))

    def forget(self, key: Hashable) -> None:
        """Let a value go, if it is there."""
        with self._lock:
            self._forget(key)

    def _forget(self, key: Hashable) -> None:
        size, _ = self._values.pop(key, (0, None))
        self._bytes -= size


class VersionCache:
    """Values that are right for one version of what they were computed from.

    Fifty screens ask for the same within a tenth of a second: only one of them computes it, the others wait for it.
    They share the value, so nobody changes it.  Thread-safe.
    """

    def __init__(self, most_bytes: int) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._places: BoundedCache[_Place] = BoundedCache(most_bytes, _Place.size)

    def get(self, key: Hashable, version: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of ``key`` at ``version``, computed now where another version's is held.

        ``version`` has to be read before: a change while ``compute`` is at work then leads to another version.
        """
        place = self._places.get(key)
        if place is not None and (kept := place.kept) is not None and kept[0] == version:
            return cast("T", kept[1])
        with self._lock:
            place = self._places.get(key)
            if place is None:
                place = _Place()
                self._places.put(key, place)
        with place.computing:
            kept = place.kept
            if kept is None or kept[0] != version:
                kept = place.kept = version, compute()
                self._places.put(key, place)
            return cast("T", kept[1])


class _Place:
    """One key: its latest value with the version of it, read and replaced together, and who computes it."""

    __slots__ = ("computing", "kept")

    def __init__(self) -> None:
        self.computing = threading.RLock()
        self.kept: tuple[Hashable, Any] | None = None

    def size(self) -> int:
        return BYTES_OF_A_VALUE if self.kept is None else estimated_bytes(self.kept[1])
