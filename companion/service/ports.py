"""What the service needs of the world: one protocol a port, one adapter (and one fake) each.

Behind these seams there is one process today, with SQLite or memory; nothing above them depends on that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.engine.errors import Refused
from companion.engine.journal import Entry


@dataclass(frozen=True, slots=True)
class KeptRefusal:
    """A refusal by its key: ``request`` says who asked for what, so that the same key for something else is noticed."""

    request: str
    refused: Refused


class Journal(Protocol):
    """Append-only storage of entries."""

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Store a new table with its first entry, durably."""
        ...

    def import_table(self, table_id: str, game: str, entries: Sequence[Entry]) -> None:
        """Store a new table with all its entries, durably: whole or not at all."""
        ...

    def append(self, table_id: str, entry: Entry) -> None:
        """Store an entry durably before returning.

        The version expected is the one before the entry's own number.  ``Conflict`` where the table has another
        version, or where the entry's key was used already; then nothing was stored.
        """
        ...

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Give all entries behind version ``after``, in order."""
        ...

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give id and game of every table, oldest first; those in the bin too."""
        ...

    def begun_with(self, key: str) -> str | None:
        """Give the id of the table whose first entry has this key."""
        ...

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Remember what a request was refused with; of many the oldest go.  It never fails: it is a courtesy."""
        ...

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Give what a request was refused with."""
        ...

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Remember durably that a table was put into the bin, or taken out again.  Its entries stay as they are."""
        ...

    def binned(self) -> frozenset[str]:
        """Name the tables that lie in the bin."""
        ...


class Clock(Protocol):
    """The time of day, for people."""

    def now(self) -> str:
        """UTC in ISO 8601 with seconds."""
        ...


class Signal(Protocol):
    """A counter of one table's changes, for which screens wait."""

    @property
    def count(self) -> int:
        """How many changes there were."""
        ...

    def bump(self) -> None:
        """Count a change and wake everybody."""
        ...

    def wait_beyond(self, count: int, timeout: float) -> int:
        """Wait until the counter passes ``count``, at most ``timeout`` seconds; give the counter."""
        ...


class Changes(Protocol):
    """Who waits for news of which table."""

    def of(self, table_id: str) -> Signal:
        """Give the signal of a table, always the same one."""
        ...
