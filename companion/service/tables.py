"""Every table of the installation: begun, resumed after a restart, found by its id, put into the bin and taken out."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.service.errors import TornJournal, UnknownTable
from companion.service.ports import Clock, Edition, Journal
from companion.service.table import Table

log = logging.getLogger(__name__)

BEGINNINGS = frozenset({"start_game", "take_over"})
"""What may be a table's first command."""


class Tables:
    """Tables by id, oldest first."""

    def __init__(
        self,
        editions: Mapping[str, Edition],
        journal: Journal,
        clock: Clock,
        new_id: Callable[[], str],
        catalogs: Callable[[], list[dict[str, Any]]],
    ) -> None:
        """Resume every table of the journal where it was.

        ``new_id`` makes an id that was never given out; ``catalogs`` describes the decks to choose from.
        """
        self._editions = editions
        self._journal = journal
        self._clock = clock
        self._new_id = new_id
        self.catalogs = catalogs
        self._starting = threading.Lock()
        self._tables: dict[str, Table] = {}
        self.torn: dict[str, str] = {}
        self._opened: list[Callable[[Table], None]] = []
        self._left: list[Callable[[Table], None]] = []
        self._resumed: dict[str, int] = {}
        self._binned = set(journal.binned())
        for table_id, game in journal.tables():
            self._resume(table_id, game)

    def _resume(self, table_id: str, game: str) -> None:
        edition = self._editions.get(game)
        if edition is None:
            self._leave(table_id, f"no game is called {game!r} here")
            return
        table = Table(table_id, edition, self._journal, self._clock)
        try:
            table.load(self._journal.entries(table_id))
        except TornJournal as torn:
            self._leave(table_id, str(torn))
            return
        if table.version == 0:
            self._leave(table_id, "it has no entries")
            return
        self._tables[table_id] = table
        self._resumed[table_id] = table.version

    def _leave(self, table_id: str, why: str) -> None:
        """Say that a table cannot be played on, and let the others run."""
        log.error("table %s: %s; it is left as it is", table_id, why)
        self.torn[table_id] = why

    def when_opened(self, tell: Callable[[Table], None]) -> None:
        """Call ``tell`` with every table begun from now on."""
        self._opened.append(tell)

    def when_left(self, tell: Callable[[Table], None]) -> None:
        """Call ``tell`` with every table put into the bin from now on."""
        self._left.append(tell)

    def start(self, command: Mapping[str, Any], *, actor: str, source: str, key: str | None = None) -> Table:
        """Begin a table; ``Refused`` where the command does not start a game.  The same key: the same table."""
        with self._starting:
            again = self._begun_with(key)
            if again is not None:
                again.submit(command, actor=actor, source=source, seen=None, key=key)
                return again
            table = Table(self._new_id(), self.edition_for(command), self._journal, self._clock)
            table.submit(command, actor=actor, source=source, seen=None, key=key)
            self._tables[table.id] = table
        self._tell_opened(table)
        return table

    def take_in(self, command: Mapping[str, Any], entries: Sequence[Entry]) -> Table:
        """Keep a whole game that was decided elsewhere as a table of its own; ``command`` begins it."""
        edition = self.edition_for(command)
        with self._starting:
            table = Table(self._new_id(), edition, self._journal, self._clock)
            self._journal.open_table(table.id, edition.game.name, entries[0])
            for entry in entries[1:]:
                self._journal.append(table.id, entry)
            table.load(entries)
            self._tables[table.id] = table
        self._tell_opened(table)
        return table

    def _tell_opened(self, table: Table) -> None:
        for tell in self._opened:
            tell(table)

    def edition_for(self, command: Mapping[str, Any]) -> Edition:
        """Give the game that a command begins; ``Refused`` where it begins none that is known here."""
        name = _game_of(command)
        edition = self._editions.get(name) if isinstance(name, str) else None
        if edition is None:
            raise Refused("unknown_game")
        if command.get("do") not in BEGINNINGS:
            raise Refused("not_started")
        return edition

    @property
    def clock(self) -> Clock:
        """The time of day that entries are stamped with."""
        return self._clock

    def _begun_with(self, key: str | None) -> Table | None:
        if key is None:
            return None
        return next((table for table in self._tables.values() if table.entries[0].key == key), None)

    def get(self, table_id: str) -> Table:
        """Find a table; ``UnknownTable``, also where it lies in the bin."""
        table = self._tables.get(table_id)
        if table is None or table_id in self._binned:
            raise UnknownTable(table_id)
        return table

    def running(self) -> list[Table]:
        """Give all readable tables but those in the bin, oldest first."""
        return [table for table in list(self._tables.values()) if table.id not in self._binned]

    def all(self) -> list[dict[str, Any]]:
        """Describe every readable table for the lobby, oldest first."""
        return [self._described(table) for table in self.running()]

    def binned(self) -> list[dict[str, Any]]:
        """Describe every readable table that lies in the bin, oldest first."""
        return [self._described(table) for table in list(self._tables.values()) if table.id in self._binned]

    def lies_in_bin(self, table_id: str) -> bool:
        """Say whether a table was put into the bin."""
        return table_id in self._binned

    def put_in_bin(self, table_id: str) -> None:
        """Put a table into the bin: nobody finds it any more, and nothing of it is lost.  ``UnknownTable``."""
        with self._starting:
            table = self.get(table_id)
            self._journal.move(table_id, binned=True, at=self._clock.now())
            self._binned.add(table_id)
        for tell in self._left:
            tell(table)
        table.signal.bump()

    def take_out_of_bin(self, table_id: str) -> None:
        """Take a table out of the bin: it is as it was.  ``UnknownTable`` where it does not lie there."""
        with self._starting:
            if table_id not in self._binned or table_id not in self._tables:
                raise UnknownTable(table_id)
            self._journal.move(table_id, binned=False, at=self._clock.now())
            self._binned.discard(table_id)

    def _described(self, table: Table) -> dict[str, Any]:
        """Describe a table; it is interrupted until somebody plays on after a restart."""
        told = _described(table)
        return {**told, "interrupted": not told["finished"] and self._resumed.get(table.id) == table.version}


def _game_of(command: Mapping[str, Any]) -> object:
    """Say which game a command begins: a position that is taken over names its own."""
    position = command.get("position")
    return position.get("game") if isinstance(position, Mapping) else command.get("game")


def _described(table: Table) -> dict[str, Any]:
    position = table.position_json("spectator") or {}
    players = position.get("players", {})
    seats = position.get("seats", list(players))
    return {
        "id": table.id,
        "game": table.edition.game.name,
        "version": table.version,
        "started_at": table.entries[0].at,
        "changed_at": table.entries[-1].at,
        "round": position.get("round"),
        "phase": position.get("phase"),
        "finished": position.get("finished", False),
        "players": [{"id": player, "name": players[player]["name"]} for player in seats],
        "standings": [
            {"player": line["player"], "worth": line["worth"], "rank": line["rank"]}
            for line in position.get("standings") or ()
        ],
    }
