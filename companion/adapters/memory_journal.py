"""Journals that are kept only as long as the program runs: play files, demonstrations, tests."""

from collections.abc import Sequence

from companion.engine.journal import Entry


class MemoryJournal:
    """Entries in lists."""

    def __init__(self) -> None:
        """Start with no table."""
        self._games: dict[str, str] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._binned: set[str] = set()

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Keep a new table with its first entry."""
        self._games[table_id] = game
        self._entries[table_id] = [first]

    def append(self, table_id: str, entry: Entry) -> None:
        """Keep the next entry."""
        self._entries[table_id].append(entry)

    def entries(self, table_id: str) -> Sequence[Entry]:
        """Give all entries in order."""
        return tuple(self._entries[table_id])

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give id and game of every table."""
        return tuple(self._games.items())

    def move(self, table_id: str, *, binned: bool, at: str) -> None:  # noqa: ARG002 - the port's; nobody asks when
        """Remember that a table was put into the bin, or taken out again."""
        (self._binned.add if binned else self._binned.discard)(table_id)

    def binned(self) -> frozenset[str]:
        """Name the tables that lie in the bin."""
        return frozenset(self._binned)
