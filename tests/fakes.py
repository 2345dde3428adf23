"""One fake a port: it does what the real thing does, in memory, and fails when a test says so."""

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import count

from companion.adapters.journal.memory import InMemoryJournal
from companion.engine.journal import Entry
from companion.service.camera.camera import Frame
from companion.service.ports import Describe
from companion.service.table.registry import Tables
from companion.service.table.table import Table


class FakeClock:
    """Every look at it is a second later."""

    def __init__(self) -> None:
        self._seconds = count()

    def now(self) -> str:
        minutes, seconds = divmod(next(self._seconds), 60)
        return f"2026-01-01T00:{minutes % 60:02}:{seconds:02}+00:00"


class FakeJournal(InMemoryJournal):
    """A disk that is full while ``full`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False

    def open_table(self, table_id: str, game: str, first: Entry, describe: Describe | None = None) -> None:
        self._write()
        super().open_table(table_id, game, first, describe)

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        self._write()
        super().append(table_id, entry, describe)

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        self._write()
        super().move(table_id, binned=binned, at=at)

    def _write(self) -> None:
        if self.full:
            raise OSError("no space left on device")

    def keep(self, table_id: str, game: str, entries: Sequence[Entry]) -> None:
        """Put a whole table there, however torn."""
        self._games[table_id] = game
        self._entries[table_id] = list(entries)


class FakeCamera:
    """Returns the frames it was given, then none; raises the errors among them."""

    name = "fake"

    def __init__(self, frames: Iterable[Frame | Exception | None] = ()) -> None:
        self.coming = deque(frames)
        self.closed = threading.Event()

    def grab(self) -> Frame | None:
        result = self.coming.popleft() if self.coming else None
        if isinstance(result, Exception):
            raise result
        return result

    def close(self) -> None:
        self.closed.set()


def readable_tables(tables: Tables) -> list[Table]:
    """Fold every readable table that is not in the bin, oldest first."""
    return [tables.get(about["id"]) for about in tables.all()]
