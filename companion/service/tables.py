"""Every table of the installation: begun, resumed after a restart, found by its id."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.errors import Refused
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

    def _leave(self, table_id: str, why: str) -> None:
        """Say that a table cannot be played on, and let the others run."""
        log.error("table %s: %s; it is left as it is", table_id, why)
        self.torn[table_id] = why

    def when_opened(self, tell: Callable[[Table], None]) -> None:
        """Call ``tell`` with every table begun from now on."""
        self._opened.append(tell)

    def start(self, command: Mapping[str, Any], *, actor: str, source: str, key: str | None = None) -> Table:
        """Begin a table; ``Refused`` where the command does not start a game.  The same key: the same table."""
        with self._starting:
            again = self._begun_with(key)
            if again is not None:
                again.submit(command, actor=actor, source=source, seen=None, key=key)
                return again
            name = _game_of(command)
            edition = self._editions.get(name) if isinstance(name, str) else None
            if edition is None:
                raise Refused("unknown_game")
            if command.get("do") not in BEGINNINGS:
                raise Refused("not_started")
            table = Table(self._new_id(), edition, self._journal, self._clock)
            table.submit(command, actor=actor, source=source, seen=None, key=key)
            self._tables[table.id] = table
        for tell in self._opened:
            tell(table)
        return table

    def _begun_with(self, key: str | None) -> Table | None:
        if key is None:
            return None
        return next((table for table in self._tables.values() if table.entries[0].key == key), None)

    def get(self, table_id: str) -> Table:
        """Find a table; ``UnknownTable``."""
        table = self._tables.get(table_id)
        if table is None:
            raise UnknownTable(table_id)
        return table

    def running(self) -> list[Table]:
        """Give all readable tables, oldest first."""
        return list(self._tables.values())

    def all(self) -> list[dict[str, Any]]:
        """Describe every readable table for the lobby, oldest first."""
        return [_described(table) for table in self.running()]


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
    }
