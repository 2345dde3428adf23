"""Journals that are kept only as long as the program runs: play files, demonstrations, tests."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from companion.engine.journal import Entry
from companion.service.ports import Conflict, KeptRefusal, LatestEntry

MAX_REFUSALS = 1_000
"""So many refusals are remembered for each table."""


class InMemoryJournal:
    """Entries in lists.  For any thread."""

    def __init__(self) -> None:
        """Start with no table."""
        self._using = threading.Lock()
        self._games: dict[str, str] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._binned: set[str] = set()
        self._refusals: dict[str, OrderedDict[str, KeptRefusal]] = {}

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Keep a new table with its first entry."""
        self.import_table(table_id, game, (first,))

    def import_table(self, table_id: str, game: str, entries: Sequence[Entry]) -> None:
        """Keep a new table with all its entries."""
        with self._using:
            self._games[table_id] = game
            self._entries[table_id] = list(entries)

    def append(self, table_id: str, entry: Entry) -> None:
        """Keep the next entry; ``Conflict`` where it is not the next, or its key was used."""
        with self._using:
            kept = self._entries[table_id]
            used = entry.key is not None and any(one.key == entry.key for one in kept)
            if entry.seq != len(kept) + 1 or used or entry.key in self._refusals.get(table_id, ()):
                raise Conflict
            kept.append(entry)

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Give all entries behind a version in order."""
        return tuple(self._entries[table_id][after:])

    def latest_entry(self, table_id: str) -> LatestEntry | None:
        """Return number and time of a table's latest entry."""
        kept = self._entries.get(table_id)
        return LatestEntry(kept[-1].seq, kept[-1].at, "") if kept else None

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give id and game of every table."""
        return tuple(self._games.items())

    def begun_with(self, key: str) -> str | None:
        """Give the id of the table whose first entry has this key."""
        return next((table for table, kept in self._entries.items() if kept and kept[0].key == key), None)

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:  # noqa: ARG002 - the port's
        """Remember what a request was refused with; of many the oldest go."""
        with self._using:
            here = self._refusals.setdefault(table_id, OrderedDict())
            here[key] = kept
            while len(here) > MAX_REFUSALS:
                here.popitem(last=False)

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Give what a request was refused with."""
        here = self._refusals.get(table_id)
        return None if here is None else here.get(key)

    def move(self, table_id: str, *, binned: bool, at: str) -> None:  # noqa: ARG002 - the port's; nobody asks when
        """Remember that a table was put into the bin, or taken out again."""
        (self._binned.add if binned else self._binned.discard)(table_id)

    def binned(self) -> frozenset[str]:
        """Name the tables that lie in the bin."""
        return frozenset(self._binned)
