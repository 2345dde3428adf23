"""Every table of the installation: begun, loaded when asked for, put into the bin and taken out."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.game_api.manifest import Edition
from companion.service.ports import Changes, ChangesHere, Clock, Journal, KeyReused, TornJournal, UnknownTable
from companion.service.table.history import History, as_of_today
from companion.service.table.table import Table

log = logging.getLogger(__name__)


class Tables:
    """Tables by id, oldest first.  What is in the journal is folded when it is first asked for."""

    def __init__(
        self,
        editions: Mapping[str, Edition],
        journal: Journal,
        clock: Clock,
        new_id: Callable[[], str],
        catalogs: Callable[[], list[dict[str, Any]]],
        changes: Changes | None = None,
    ) -> None:
        """Take the games by name, where tables are kept, and who waits for news of them (``None``: this process).

        ``new_id`` makes an id that was never given out; ``catalogs`` describes the decks to choose from.
        """
        self.editions = editions
        self._journal = journal
        self._clock = clock
        self._new_id = new_id
        self._changes: Changes = ChangesHere() if changes is None else changes
        self.catalogs = catalogs
        self._starting = threading.Lock()
        self._loading = threading.RLock()
        self._tables: dict[str, Table] = {}
        self._torn: dict[str, str] = {}
        self._opened: list[Callable[[Table], None]] = []
        self._left: list[Callable[[Table], None]] = []
        self._resumed: dict[str, int] = {}
        self._binned = set(journal.binned())
        self._kept = dict(journal.tables())

    def _found(self, table_id: str) -> Table | None:
        """Give a table, loaded now if it was not yet; ``None`` where there is none, or it cannot be played on."""
        table = self._tables.get(table_id)
        if table is not None or table_id in self._torn:
            return table
        with self._loading:
            if table_id in self._tables or table_id in self._torn:
                return self._tables.get(table_id)
            if table_id not in self._kept:
                self._kept = dict(self._journal.tables())  # another process may have begun it
            game = self._kept.get(table_id)
            return None if game is None else self._loaded(table_id, game)

    def _loaded(self, table_id: str, game: str) -> Table | None:
        edition = self.editions.get(game)
        if edition is None:
            self._leave(table_id, f"no game is called {game!r} here")
            return None
        table = Table(table_id, edition, self._journal, self._clock, self._changes.of(table_id))
        try:
            table.load(self._journal.entries(table_id))
        except TornJournal as torn:
            self._leave(table_id, str(torn))
            return None
        if table.version == 0:
            self._leave(table_id, "it has no entries")
            return None
        self._tables[table_id] = table
        self._resumed[table_id] = table.version
        return table

    def _leave(self, table_id: str, why: str) -> None:
        """Say that a table cannot be played on, and let the others run."""
        log.error("table %s: %s; it is left as it is", table_id, why)
        self._torn[table_id] = why

    def _every(self) -> Iterator[Table]:
        """Give every readable table, oldest first."""
        for table_id in list(self._kept):
            table = self._found(table_id)
            if table is not None:
                yield table

    @property
    def torn(self) -> Mapping[str, str]:
        """Give the tables that cannot be played on, each with the reason in one line."""
        for _ in self._every():
            pass
        return dict(self._torn)

    def unplayable(self) -> list[dict[str, Any]]:
        """Describe the tables that are kept but cannot be played on: without their game, or with a torn journal."""
        games = dict(self._kept)
        return [
            {
                "id": table_id,
                "game": games.get(table_id),
                "fault": why,
                "version": len(self._journal.entries(table_id)),
                "sound": len(self._sound_part(table_id)),
            }
            for table_id, why in self.torn.items()
        ]

    def play_on(self, table_id: str) -> Table:
        """Keep what is sound of a damaged table as a table of its own; asked again it is the same one.

        The damaged one stays as it is.  ``UnknownTable`` where none is damaged, or nothing of it is sound.
        """
        sound = self._sound_part(table_id) if table_id in self.torn else []
        if not sound:
            raise UnknownTable(table_id)
        first = replace(sound[0], key=f"sound part of {table_id}, {len(sound)} entries")
        return self.take_in(self.editions[self._kept[table_id]], [first, *sound[1:]])

    def _sound_part(self, table_id: str) -> list[Entry]:
        """Give the entries of a table up to the first that cannot be read; none where its game is not here."""
        edition = self.editions.get(self._kept.get(table_id, ""))
        if edition is None:
            return []
        history, sound = History(), list[Entry]()
        for entry in self._journal.entries(table_id):
            try:
                history = history.after(edition, as_of_today(edition.codec, entry))
            except TornJournal:
                break
            sound.append(entry)
        return sound

    def when_opened(self, tell: Callable[[Table], None]) -> None:
        """Call ``tell`` with every table begun from now on."""
        self._opened.append(tell)

    def when_left(self, tell: Callable[[Table], None]) -> None:
        """Call ``tell`` with every table put into the bin from now on."""
        self._left.append(tell)

    def start(self, command: Mapping[str, Any], *, actor: str, source: str, key: str | None = None) -> Table:
        """Begin a table; ``Refused`` where the command does not start a game.  The same key: the same table."""
        with self._starting:
            again = self.begun_with(key)
            if again is not None:
                again.submit(command, actor=actor, source=source, seen=None, key=key)
                return again
            table = self._new(self.edition_for(command))
            table.submit(command, actor=actor, source=source, seen=None, key=key)
            self._keep(table)
        self._tell_opened(table)
        return table

    def take_in(self, edition: Edition, entries: Sequence[Entry]) -> Table:
        """Keep a whole game that was decided elsewhere as a table of its own: all of it or nothing.

        The first entry's key names the request: the same key again gives the same table, ``KeyReused`` another game.
        """
        with self._starting:
            again = self.begun_with(entries[0].key)
            if again is not None:
                mine = takewhile(lambda entry: entry.source == entries[0].source, again.entries)
                taken_in = [entry.command for entry in mine]
                if taken_in != [entry.command for entry in entries]:
                    raise KeyReused
                return again
            table = self._new(edition)
            table.load(entries)
            self._journal.import_table(table.id, edition.name, entries)
            self._keep(table)
        self._tell_opened(table)
        return table

    def _new(self, edition: Edition) -> Table:
        table_id = self._new_id()
        return Table(table_id, edition, self._journal, self._clock, self._changes.of(table_id))

    def _keep(self, table: Table) -> None:
        self._kept[table.id] = table.edition.name
        self._tables[table.id] = table

    def _tell_opened(self, table: Table) -> None:
        for tell in self._opened:
            tell(table)

    def edition_for(self, command: Mapping[str, Any]) -> Edition:
        """Give the game that a command begins; ``Refused`` where it begins none that is known here."""
        name = game_of(command)
        edition = self.editions.get(name) if isinstance(name, str) else None
        if edition is None:
            raise Refused("unknown_game")
        if command.get("do") not in edition.manifest.beginnings:
            raise Refused("not_started")
        return edition

    @property
    def clock(self) -> Clock:
        """The time of day that entries are stamped with."""
        return self._clock

    def begun_with(self, key: str | None) -> Table | None:
        """Give the table that a request with this key has begun."""
        table_id = None if key is None else self._journal.begun_with(key)
        return None if table_id is None else self._found(table_id)

    def get(self, table_id: str) -> Table:
        """Find a table; ``UnknownTable``, also where it lies in the bin."""
        table = self._found(table_id)
        if table is None or table_id in self._binned:
            raise UnknownTable(table_id)
        return table

    def running(self) -> list[Table]:
        """Give all readable tables but those in the bin, oldest first."""
        return [table for table in self._every() if table.id not in self._binned]

    def over_here(self) -> frozenset[str]:
        """Name the tables whose game has ended, of those that were asked for since the start."""
        tables = [(table.id, table.overview) for table in list(self._tables.values())]
        return frozenset(table_id for table_id, overview in tables if overview is not None and overview.finished)

    def latest_unfinished(self) -> Table | None:
        """Give the table at which somebody acted last, of those whose game is not over."""
        going_on = [table for table in self.running() if table.overview is not None and not table.overview.finished]
        return max(reversed(going_on), key=lambda table: table.entries[-1].at, default=None)

    def all(self) -> list[dict[str, Any]]:
        """Describe every readable table for the lobby, oldest first."""
        return [self._described(table) for table in self.running()]

    def binned(self) -> list[dict[str, Any]]:
        """Describe every readable table that lies in the bin, oldest first."""
        return [self._described(table) for table in self._every() if table.id in self._binned]

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
            if table_id not in self._binned or self._found(table_id) is None:
                raise UnknownTable(table_id)
            self._journal.move(table_id, binned=False, at=self._clock.now())
            self._binned.discard(table_id)

    def _described(self, table: Table) -> dict[str, Any]:
        """Describe a table; it is interrupted until somebody plays on after a restart."""
        described = _described(table)
        return {**described, "interrupted": not described["finished"] and self._resumed.get(table.id) == table.version}


def game_of(command: Mapping[str, Any]) -> object:
    """Say which game a command begins: a position that is taken over names its own."""
    position = command.get("position")
    return position.get("game") if isinstance(position, Mapping) else command.get("game")


def _described(table: Table) -> dict[str, Any]:
    history = table.history
    overview = table.overview
    names = {} if overview is None else overview.names
    return {
        "id": table.id,
        "game": table.edition.name,
        "version": history.version,
        "started_at": history.entries[0].at,
        "changed_at": history.entries[-1].at,
        "round": None if overview is None else overview.round,
        "phase": None if overview is None else overview.phase,
        "finished": overview is not None and overview.finished,
        "players": [{"id": seat, "name": names[seat]} for seat in (overview.seats if overview else ())],
        "standings": [
            {"player": place.player, **dict(place.figures), "rank": place.rank}
            for place in (overview.standings if overview else ())
        ],
    }
