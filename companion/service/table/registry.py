"""Every table of the installation: begun, folded when asked for and let go, put into the bin and taken out."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, takewhile
from typing import Any

from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.game_api.manifest import LoadedGame
from companion.service.ports import (
    Changes,
    Clock,
    Conflict,
    Journal,
    KeyReused,
    LatestEntry,
    NotStored,
    TableSummary,
    TornJournal,
    UnknownTable,
)
from companion.service.runtime import ChangesHere
from companion.service.table.history import History, describe_table, upcast_entry
from companion.service.table.table import Request, Table

IDLE_S = 15 * 60
SUMMARISING_S = 1.0
IDS_TRIED = 3
"""Ids that are made for a new table: random ones are taken already once in millions."""

log = logging.getLogger(__name__)

NO_SUMMARY = TableSummary(LatestEntry(0, "", ""), {"version": 0})
"""Right for no table: entries are numbered from 1."""


class Tables:
    """Tables by id, oldest first.

    What is in the journal is folded when it is first asked for, and let go when nobody has asked for it in a while.
    Lists are made of summaries, and a table is folded for them only where it has none.  A summary counts for one
    latest entry: where the journal's has another number, time or checksum, the table is folded and summarised anew.
    """

    def __init__(
        self,
        editions: Mapping[str, LoadedGame],
        journal: Journal,
        clock: Clock,
        new_id: Callable[[], str],
        catalogs: Callable[[], list[dict[str, Any]]],
        changes: Changes | None = None,
    ) -> None:
        """Store the games by name, where tables are kept, and who waits for news of them (``None``: this process).

        ``new_id`` makes an id that was never given out; ``catalogs`` describes the decks to choose from.
        """
        self.games = editions
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
        self._summaries = dict(journal.summaries())
        self._summarising = threading.Lock()
        self._binned = set(journal.binned())
        self._kept = dict(journal.tables())
        self._latest = dict(journal.latest_entries())
        self._resumed = {table_id: latest.seq for table_id, latest in self._latest.items()}

    def _found(self, table_id: str) -> Table | None:
        """Return a table, folded now if it is not; ``None`` where there is none, or it cannot be played on."""
        table = self._tables.get(table_id)
        if table is not None and table.history_if_held is not None:
            return table
        if table_id in self._torn:
            return None
        with self._loading:
            if table_id in self._torn:
                return None
            if (table := self._tables.get(table_id)) is not None:
                return self._folded_again(table)
            if table_id not in self._kept:
                self._kept = dict(self._journal.tables())  # another process may have begun it
            game = self._kept.get(table_id)
            return None if game is None else self._loaded(table_id, game)

    def _folded_again(self, table: Table) -> Table | None:
        """Return a table whose history was let go, with its history; ``None`` where it cannot be read any more."""
        try:
            _ = table.history
        except TornJournal as torn:
            self._leave(table.id, str(torn))
            del self._tables[table.id]
            return None
        return table

    def _loaded(self, table_id: str, game: str) -> Table | None:
        loaded_game = self.games.get(game)
        if loaded_game is None:
            self._leave(table_id, f"no game is called {game!r} here")
            return None
        table = Table(table_id, loaded_game, self._journal, self._clock, self._changes.of(table_id))
        try:
            table.load(self._journal.entries(table_id))
        except TornJournal as torn:
            self._leave(table_id, str(torn))
            return None
        if table.version == 0:
            self._leave(table_id, "it has no entries")
            return None
        self._tables[table_id] = table
        self._resumed.setdefault(table_id, table.version)
        return table

    def _leave(self, table_id: str, why: str) -> None:
        """Return that a table cannot be played on, and let the others run."""
        log.error("table %s: %s; it is left as it is", table_id, why)
        self._torn[table_id] = why
        if table_id in self._summaries:
            self._keep_summary(table_id, NO_SUMMARY)

    def _every(self) -> Iterator[Table]:
        """Return every readable table, oldest first."""
        for table_id in list(self._kept):
            table = self._found(table_id)
            if table is not None:
                yield table

    @property
    def torn(self) -> Mapping[str, str]:
        """Return the tables that cannot be played on, each with the reason in one line.

        One that was summarised before is not read again, so what has happened to it since shows when it is asked for.
        """
        for table_id in list(self._kept):
            self._summary(table_id)
        return dict(self._torn)

    def unplayable(self) -> list[dict[str, Any]]:
        """Describe the tables that cannot be played on: without their game, or with a torn journal.

        Of those with a torn journal, the ones that were read since the start.
        """
        games = dict(self._kept)
        for table_id in [table_id for table_id, game in games.items() if game not in self.games]:
            self._found(table_id)
        return [
            {
                "id": table_id,
                "game": games.get(table_id),
                "fault": why,
                "version": len(self._journal.entries(table_id)),
                "sound": len(self._sound_part(table_id)),
            }
            for table_id, why in dict(self._torn).items()
        ]

    def play_on(self, table_id: str) -> Table:
        """Keep what is sound of a damaged table as a table of its own; asked again it is the same one.

        The damaged one stays as it is.  ``UnknownTable`` where none is damaged, or nothing of it is sound.
        """
        sound = self._sound_part(table_id) if self._found(table_id) is None and table_id in self._torn else []
        if not sound:
            raise UnknownTable(table_id)
        first = replace(sound[0], key=f"sound part of {table_id}, {len(sound)} entries")
        return self.take_in(self.games[self._kept[table_id]], [first, *sound[1:]])

    def _sound_part(self, table_id: str) -> list[Entry]:
        """Return the entries of a table up to the first that cannot be read; none where its game is not here."""
        loaded_game = self.games.get(self._kept.get(table_id, ""))
        if loaded_game is None:
            return []
        history, sound = History(), list[Entry]()
        for entry in self._journal.entries(table_id):
            try:
                history = history.after(loaded_game, upcast_entry(loaded_game.codec, entry))
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

    def start(self, request: Request) -> Table:
        """Begin a table; ``Refused`` where the command does not start a game.  The same key: the same table."""
        with self._starting:
            table, is_new = self._begun_once(
                request.key, lambda: self.game_for(request.command), lambda table: table.submit(request)
            )
        if is_new:
            self._tell_opened(table)
        else:
            table.submit(request)
        return table

    def take_in(self, game: LoadedGame, entries: Sequence[Entry]) -> Table:
        """Keep a whole game that was decided elsewhere as a table of its own: all of it or nothing.

        The first entry's key names the request: the same key again gives the same table, ``KeyReused`` another game.
        """

        def store(table: Table) -> None:
            table.load(entries)
            self._journal.import_table(table.id, game.name, entries, partial(self._describe, table))

        with self._starting:
            table, is_new = self._begun_once(entries[0].key, lambda: game, store)
        if not is_new:
            mine = takewhile(lambda entry: entry.source == entries[0].source, table.entries)
            if [entry.command for entry in mine] != [entry.command for entry in entries]:
                raise KeyReused
            return table
        self._tell_opened(table)
        return table

    def _begun_once(
        self, key: str | None, game: Callable[[], LoadedGame], store: Callable[[Table], object]
    ) -> tuple[Table, bool]:
        """Return the table that was begun with a key, or a new one that is stored now, and whether it is new.

        ``Conflict`` while storing: the new id was taken, or another process has begun the table at this moment.
        """
        for _ in range(IDS_TRIED):
            begun = self.begun_with(key)
            if begun is not None:
                return begun, False
            table = self._new(game())
            with suppress(Conflict):
                store(table)
                self._keep(table)
                return table, True
        raise Conflict

    def _new(self, game: LoadedGame) -> Table:
        table_id = self._new_id()
        return Table(table_id, game, self._journal, self._clock, self._changes.of(table_id))

    def _keep(self, table: Table) -> None:
        self._kept[table.id] = table.game.name
        self._tables[table.id] = table

    def _tell_opened(self, table: Table) -> None:
        for tell in self._opened:
            tell(table)

    def game_for(self, command: Mapping[str, Any]) -> LoadedGame:
        """Return the game that a command begins; ``Refused`` where it begins none that is known here."""
        name = game_of(command)
        game = self.games.get(name) if isinstance(name, str) else None
        if game is None:
            raise Refused("unknown_game")
        if command.get("do") not in game.manifest.beginnings:
            raise Refused("not_started")
        return game

    @property
    def clock(self) -> Clock:
        """The time of day that entries are stamped with."""
        return self._clock

    def begun_with(self, key: str | None) -> Table | None:
        """Return the table that a request with this key has begun."""
        table_id = None if key is None else self._journal.begun_with(key)
        return None if table_id is None else self._found(table_id)

    def get(self, table_id: str) -> Table:
        """Find a table; ``UnknownTable``, also where it lies in the bin."""
        if table_id in self._binned:
            self.read_bin_again()  # another process may have taken it out a moment ago
        table = self._found(table_id)
        if table is None or table_id in self._binned:
            raise UnknownTable(table_id)
        return table

    def running(self) -> list[Table]:
        """Return all readable tables but those in the bin, oldest first."""
        return [table for table in self._every() if table.id not in self._binned]

    def over_here(self) -> frozenset[str]:
        """Return the ids of the tables whose game has ended since the program started."""
        ended: list[str] = []
        for table_id in list(self._tables):
            summary = self._summary(table_id)
            if summary is not None and summary["finished"] and summary["version"] != self._resumed.get(table_id):
                ended.append(table_id)
        return frozenset(ended)

    def latest_unfinished(self) -> Table | None:
        """Return the table at which somebody acted last, of those whose game is not over; older ones are not folded."""
        for table_id in self._latest_first(self._not_binned()[::-1]):  # of the same second the one begun last
            summary = self._summary(table_id)
            if summary is not None and not summary["finished"]:
                return self._found(table_id)
        return None

    def unfinished_ids(self) -> list[str]:
        """Return the ids of the tables whose game is not over, the latest first; none is folded that was left idle."""
        latest_first = self._latest_first(self._not_binned()[::-1])
        summaries = ((table_id, self._summary(table_id)) for table_id in latest_first)
        return [table_id for table_id, summary in summaries if summary is not None and not summary["finished"]]

    def _look_elsewhere(self) -> None:
        """Learn what other processes have stored, before a list is made; a database that is away changes nothing."""
        try:
            summaries = self._journal.stored_elsewhere()
            if summaries is None:
                return
            with self._starting:  # so that no move of this process is overtaken
                self._binned = set(self._journal.binned())
            if not self._kept.keys() >= summaries.keys():
                self._kept = dict(self._journal.tables())
            for table_id, summary in summaries.items():
                self._latest[table_id] = summary.latest
                if summary.described:
                    self._summaries[table_id] = summary
                table = self._tables.get(table_id)
                if table is not None and table.history_if_held is not None:
                    with suppress(TornJournal):  # as whoever opens the table is told
                        table.catch_up(summary.latest.seq)
        except NotStored:  # the journal has logged it
            return

    def _not_binned(self) -> list[str]:
        self._look_elsewhere()
        return [table_id for table_id in list(self._kept) if table_id not in self._binned]

    def _latest_first(self, table_ids: Iterable[str]) -> list[str]:
        """Return ids of tables by their latest entry; those of the same second stay in their order."""
        return sorted(table_ids, key=self._changed_at, reverse=True)

    def _changed_at(self, table_id: str) -> str:
        table = self._tables.get(table_id)
        history = None if table is None else table.history_if_held
        if history is not None:
            return history.entries[-1].at
        latest = self._latest.get(table_id)
        return "" if latest is None else latest.at

    def all(self) -> list[dict[str, Any]]:
        """Describe every readable table for the lobby, oldest first."""
        return list(self._descriptions(self._not_binned()))

    def latest(self, most: int) -> list[dict[str, Any]]:
        """Describe the readable tables at which somebody acted last, the latest first; older ones are not folded."""
        return list(islice(self._descriptions(self._latest_first(self._not_binned())), most))

    def is_empty(self) -> bool:
        """Return whether there is no readable table, not even in the bin."""
        return next(self._descriptions(list(self._kept)), None) is None

    def binned(self) -> list[dict[str, Any]]:
        """Describe every readable table that lies in the bin, oldest first."""
        self._look_elsewhere()
        return list(self._descriptions(table_id for table_id in list(self._kept) if table_id in self._binned))

    def _descriptions(self, table_ids: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Describe these tables if they are readable; one is interrupted until somebody plays on after a restart."""
        for table_id in table_ids:
            summary = self._summary(table_id)
            if summary is not None:
                untouched = self._resumed.get(table_id) == summary["version"]
                yield {**summary, "interrupted": untouched and not summary["finished"]}

    def _summary(self, table_id: str) -> Mapping[str, Any] | None:
        """Return the summary of a table; one that is not held is folded only where its summary is missing."""
        if table_id in self._torn:
            return None
        table = self._tables.get(table_id)
        history = None if table is None else table.history_if_held
        if table is not None and history is not None:
            return self._describe(table, history)
        kept = self._summaries.get(table_id, NO_SUMMARY)
        if kept.latest == self._latest.get(table_id) and kept.described["game"] in self.games:
            return kept.described
        table = self._found(table_id)
        if table is None:
            return None
        summary = self._describe(table)
        self._let_go(table, idle_s=0)
        return summary

    def summarise_some(self, budget_s: float = SUMMARISING_S) -> None:
        """Spend some seconds on folding tables that have no summary yet, so that no list has to wait for them."""
        begun = time.monotonic()
        for table_id in self._latest_first(list(self._kept)):
            self._summary(table_id)
            if time.monotonic() - begun >= budget_s:
                return

    def let_go_idle(self, idle_s: float = IDLE_S) -> None:
        """Let the history of every table go for which nobody has asked in so many seconds; its summary stays."""
        for table in list(self._tables.values()):
            self._let_go(table, idle_s)

    def _let_go(self, table: Table, idle_s: float) -> None:
        history = table.history_if_held
        if history is None or not table.is_idle(idle_s):
            return
        self._summarise(table, history)
        table.release(idle_s)

    def _summarise(self, table: Table, history: History) -> None:
        latest = self._journal.latest_entry(table.id)
        if latest is not None and latest.seq == history.version:
            self._latest[table.id] = latest
            self._keep_summary(table.id, TableSummary(latest, self._describe(table, history)))

    def _keep_summary(self, table_id: str, summary: TableSummary) -> None:
        with self._summarising:
            if self._summaries.get(table_id) != summary:
                self._summaries[table_id] = summary
                self._journal.keep_summary(table_id, summary)

    def _describe(self, table: Table, history: History | None = None) -> dict[str, Any]:
        history = history or table.history
        return describe_table(table.id, table.game.name, history, table.overview_of(history))

    def close(self) -> None:
        """Keep a summary of every table that is held, for the next start; one that fails is only missing then."""
        for table in list(self._tables.values()):
            try:
                if (history := table.history_if_held) is not None:
                    self._summarise(table, history)
            except NotStored as fault:
                log.warning("tables are summarised at the next start: %s", fault)
                return
            except Exception:
                log.exception("table %s could not be summarised", table.id)

    def held_tables(self) -> list[Table]:
        """Return the tables whose histories are held."""
        return [table for table in list(self._tables.values()) if table.history_if_held is not None]

    def read_bin_again(self) -> None:
        """Learn what other processes have put into the bin, or taken out; whoever follows those tables is woken."""
        with self._starting:
            binned = set(self._journal.binned())
            moved, self._binned = binned ^ self._binned, binned
        for table in [table for table in list(self._tables.values()) if table.id in moved]:
            for tell in self._left if table.id in binned else ():
                tell(table)
            table.signal.wake()

    def lies_in_bin(self, table_id: str) -> bool:
        """Return whether a table was put into the bin."""
        return table_id in self._binned

    def put_in_bin(self, table_id: str) -> None:
        """Put a table into the bin: nobody finds it any more, and nothing of it is lost.  ``UnknownTable``."""
        table = self.get(table_id)
        with self._starting:
            self._journal.move(table_id, binned=True, at=self._clock.now())
            self._binned.add(table_id)
        for tell in self._left:
            tell(table)
        table.signal.wake()

    def take_out_of_bin(self, table_id: str) -> None:
        """Restore a table from the bin unchanged.  ``UnknownTable`` where it does not lie there."""
        if table_id not in self._binned:
            self.read_bin_again()
        with self._starting:
            if table_id not in self._binned or self._found(table_id) is None:
                raise UnknownTable(table_id)
            self._journal.move(table_id, binned=False, at=self._clock.now())
            self._binned.discard(table_id)


def game_of(command: Mapping[str, Any]) -> object:
    """Return which game a command begins: a position that is taken over names its own."""
    position = command.get("position")
    return position.get("game") if isinstance(position, Mapping) else command.get("game")
