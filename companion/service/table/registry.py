"""Every table of the installation: begun, folded when asked for and let go, put into the bin and taken out."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, takewhile
from operator import itemgetter
from typing import Any

from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.game_api.manifest import LoadedGame
from companion.service.ports import (
    Changes,
    Clock,
    Conflict,
    HeadCounts,
    HeadQuery,
    Journal,
    KeyReused,
    NotStored,
    TableHead,
    TornJournal,
    UnknownTable,
)
from companion.service.runtime import BoundedCache, ChangesHere
from companion.service.table.history import History, describe_table, upcast_entry
from companion.service.table.lists import ListPage, TableSearch, sound_part_key, walk_heads
from companion.service.table.table import Request, Table

IDLE_S = 15 * 60
SUMMARISING_S = 1.0
IDS_TRIED = 3
"""Attempts to find an unused random id: one is taken already once in billions."""
AT_ONCE = 500
"""Heads that are read at once where a list may be long."""
MOST_BYTES_OF_NUMBERS, BYTES_OF_A_NUMBER = 1_000_000, 200
MOST_FOLDED = 50
"""Tables that are folded for one page of a list because this version of the program has not described them yet."""

log = logging.getLogger(__name__)


class Tables:
    """The tables of a journal by id.

    What is in the journal is folded when it is first asked for, and let go when nobody has asked for it in a while.
    No table is read at the start.  Lists are made of heads, which the journal searches and returns a page at a time; a
    table is folded for them only where this version of the program has not described it yet.
    """

    def __init__(
        self,
        games: Mapping[str, LoadedGame],
        journal: Journal,
        clock: Clock,
        new_id: Callable[[], str],
        catalogs: Callable[[], list[dict[str, Any]]],
        changes: Changes | None = None,
    ) -> None:
        """Store the games by name, where tables are kept, and who waits for news of them (``None``: this process).

        ``new_id`` makes an id that was never given out; ``catalogs`` describes the decks to choose from.
        """
        self.games = games
        self._journal, self._clock, self._new_id = journal, clock, new_id
        self._changes: Changes = ChangesHere() if changes is None else changes
        self.catalogs = catalogs
        self._starting, self._loading, self._describing = threading.Lock(), threading.RLock(), threading.Lock()
        self._tables: dict[str, Table] = {}
        self._torn: dict[str, str] = {}
        self._opened: list[Callable[[Table], None]] = []
        self._left: list[Callable[[Table], None]] = []
        self._binned: set[str] = set()
        self._numbers = BoundedCache[int](MOST_BYTES_OF_NUMBERS, lambda _: BYTES_OF_A_NUMBER)
        self._changes_before = journal.last_change()

    def start_at(self, agree: Callable[[int], int]) -> None:
        """Let the number of the last change before the start be that on which all processes of a hall agree."""
        self._changes_before = agree(self._changes_before)

    def _folded(self, table_id: str) -> Table | None:
        """Return a table, folded now if it is not; ``None`` where there is none, or it cannot be played on."""
        if (table := self.table_if_held(table_id)) is not None:
            return table
        if table_id in self._torn:
            return None
        with self._loading:
            if (table := self._tables.get(table_id)) is not None:
                return self._folded_again(table)
            head = self._head(table_id)
            return None if head is None else self._loaded(head)

    def _head(self, table_id: str) -> TableHead | None:
        return next(iter(self._journal.heads(HeadQuery(limit=1, ids=(table_id,)))), None)

    def _folded_again(self, table: Table) -> Table | None:
        """Return a table whose history was let go, with its history; ``None`` where it cannot be read any more."""
        if (head := self._head(table.id)) is not None:  # nobody told of its moves meanwhile
            (self._binned.add if head.binned else self._binned.discard)(table.id)
        try:
            _ = table.history
        except TornJournal as torn:
            self._leave(table.id, str(torn))
            self._binned.discard(table.id)
            del self._tables[table.id]
            return None
        return table

    def _loaded(self, head: TableHead) -> Table | None:
        if (table := self._read(head)) is not None:
            (self._binned.add if head.binned else self._binned.discard)(head.table_id)
            self._tables[head.table_id] = table
        return table

    def _read(self, head: TableHead) -> Table | None:
        """Return a table, folded now, which nobody else gets; ``None`` where it cannot be played on."""
        table_id = head.table_id
        game = head.game or dict(self._journal.tables()).get(table_id)  # earlier programs left it out
        if game is None or table_id in self._torn:
            return None
        if (loaded_game := self.games.get(game)) is None:
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
        return table

    def _leave(self, table_id: str, why: str) -> None:
        """Mark a table as unplayable and log why; the others run on."""
        log.error("table %s: %s; it is left as it is", table_id, why)
        self._torn[table_id] = why
        self._journal.keep_head(table_id, None, None)

    @property
    def torn(self) -> Mapping[str, str]:
        """Return the tables that could not be folded since the start, each with the reason in one line.

        One that nobody has asked for is not read, so what has happened to it shows later.
        """
        return dict(self._torn)

    def unplayable(self, most: int) -> list[dict[str, Any]]:
        """Describe tables that cannot be played on, at most so many: without their game, or with a torn journal.

        Of those with a torn journal, the ones that were read since the start.
        """
        try:
            for head in self._journal.heads(HeadQuery(limit=most, other_games=self.games)):
                self._folded(head.table_id)
            ids = list(self._torn)[:most]
            heads = self._journal.heads(HeadQuery(limit=most, ids=ids, in_order_of_opening=True))
            return [self._unplayable(head) for head in heads]
        except NotStored:  # the journal has logged it
            return []

    def _unplayable(self, head: TableHead) -> dict[str, Any]:
        about = {"id": head.table_id, "game": head.game, "fault": self._torn[head.table_id]}
        return {**about, "version": head.latest.seq, "sound": len(self._sound_part(head))}

    def count_unplayable(self) -> int:
        """Count the tables of games that are not installed, and of others those that could not be read."""
        torn = HeadQuery(limit=0, ids=[*self._torn], games=self.games)
        foreign = HeadQuery(limit=0, other_games=self.games)
        return sum(self._journal.count_heads(query).tables for query in (torn, foreign))

    def count(self) -> HeadCounts:
        """Count the tables that are not in the bin, those of them that are finished, and their entries."""
        return self._journal.count_heads(HeadQuery(limit=0, games=self.games, binned=False))

    def play_on(self, table_id: str) -> Table:
        """Keep what is sound of a damaged table as a table of its own; asked again it is the same one.

        The damaged one stays as it is.  ``UnknownTable`` where none is damaged, or nothing of it is sound.
        """
        head = self._head(table_id) if self._folded(table_id) is None else None
        sound = [] if head is None else self._sound_part(head)
        if head is None or not sound:
            raise UnknownTable(table_id)
        first = replace(sound[0], key=sound_part_key(table_id, len(sound)))
        return self.take_in(self.games[head.game], [first, *sound[1:]])

    def _sound_part(self, head: TableHead) -> list[Entry]:
        """Return the entries of a table up to the first that cannot be read; none where its game is not here."""
        loaded_game = self.games.get(head.game)
        if loaded_game is None:
            return []
        history, sound = History(), list[Entry]()
        for entry in self._journal.entries(head.table_id):
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
        """Begin a table; the same key: the same one.  ``Refused``; ``UnknownTable`` where that cannot be read here."""
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
            if (begun := self.begun_with(key)) is not None:
                return begun, False
            table = self._new(game())
            with suppress(Conflict):
                store(table)
                self._tables[table.id] = table
                return table, True
        raise Conflict

    def _new(self, game: LoadedGame) -> Table:
        table_id = self._new_id()
        return Table(table_id, game, self._journal, self._clock, self._changes.of(table_id))

    def _tell_opened(self, table: Table) -> None:
        for tell in self._opened:
            tell(table)

    def game_for(self, command: Mapping[str, Any]) -> LoadedGame:
        """Return the game that a command begins, or where it names none, one that says what is wrong; ``Refused``."""
        name = game_of(command)
        game = self.games.get(name) if isinstance(name, str) else next(iter(self.games.values()), None)
        if game is None:
            raise Refused("unknown_game")
        if isinstance(name, str) and command.get("do") not in game.manifest.beginnings:
            raise Refused("not_started")
        return game

    @property
    def clock(self) -> Clock:
        """The time of day that entries are stamped with."""
        return self._clock

    def begun_with(self, key: str | None) -> Table | None:
        """Return the table that a request with this key has begun; ``UnknownTable`` where it cannot be read here."""
        table_id = None if key is None else self._journal.begun_with(key)
        table = None if table_id is None else self._folded(table_id)
        if table is None and table_id is not None:
            raise UnknownTable(table_id)
        return table

    def get(self, table_id: str, *, also_binned: bool = False) -> Table:
        """Find a table; ``UnknownTable``, also where it lies in the bin and is not looked for there."""
        if table_id in self._binned:
            self.read_bin_again([table_id])  # another process may have taken it out a moment ago
        table = self._folded(table_id)
        if table is None or (table_id in self._binned and not also_binned):
            raise UnknownTable(table_id)
        return table

    def number_of(self, table_id: str) -> int:
        """Return the place of a table among all in the order in which they were opened, from 1.  ``UnknownTable``."""
        number = self._numbers.get(table_id)
        if number is None:
            if (head := self._head(table_id)) is None:
                raise UnknownTable(table_id)
            self._numbers.put(table_id, number := head.number)
        return number

    def joinable(self, numbers: Sequence[int], current: str | None) -> str | None:
        """Return the latest table with one of these numbers that goes on; ``None`` where there is none.

        ``current`` is the table where the banker is, which may be over.
        """
        for head in self._journal.heads(HeadQuery(limit=len(numbers), numbers=numbers)):
            about = None if head.binned or head.game not in self.games else self._described(head)
            if head.table_id == current or (about is not None and not about["finished"]):
                return head.table_id
        return None

    def over_here(self) -> frozenset[str]:
        """Return the ids of the tables whose game has ended since the program started; of many the latest."""
        ended = HeadQuery(limit=AT_ONCE, finished=True, changed_after=self._changes_before)
        return frozenset(head.table_id for head in self._journal.heads(ended) if head.finished)

    def latest_unfinished(self) -> Table | None:
        """Return the table at which somebody acted last, of those whose game is not over; older ones are not folded."""
        page = self.page(TableSearch(state="running"), 1)
        return self._folded(page.tables[0]["id"]) if page.tables else None

    def read_bin_again(self, table_ids: Sequence[str] | None = None) -> None:
        """Learn which tables other processes have moved, and wake who follows those; ``None``: all that are held."""
        ids = [table.id for table in self.held_tables()] if table_ids is None else table_ids
        for begin in range(0, len(ids), AT_ONCE):
            with self._starting:  # so that no move of this process is overtaken
                heads = self._journal.heads(HeadQuery(limit=AT_ONCE, ids=ids[begin : begin + AT_ONCE]))
                moved = [head for head in heads if head.binned != (head.table_id in self._binned)]
                self._binned ^= {head.table_id for head in moved}
            for head in moved:
                table = self._tables[head.table_id]
                for tell in self._left if head.binned else ():
                    tell(table)
                table.signal.wake()

    def page(self, search: TableSearch, most: int, after: tuple[str, int] | None = None) -> ListPage:
        """Describe readable tables, the one played on last first, and say where the next page begins.

        ``after`` is what the page before said.  A page has fewer tables where many had to be folded for it.  While the
        database is away it has those that are open here.
        """
        try:
            return self._page(search.query(self.games, most + 1, after), search, most)
        except NotStored:
            binned = search.state == "bin"
            open_tables = [table for table in self.held_tables() if (table.id in self._binned) == binned]
            abouts = [{**self._describe(table), "interrupted": False} for table in open_tables]
            matching = sorted(filter(search.finds, abouts), key=itemgetter("changed_at"), reverse=True)
            return ListPage(matching[:most], None)

    def _page(self, query: HeadQuery, search: TableSearch, most: int) -> ListPage:
        shown, folded, latest = list[dict[str, Any]](), 0, None
        for head in walk_heads(self._journal, query):
            if len(shown) == most or folded >= most + MOST_FOLDED:
                return ListPage(shown, latest)
            folded += head.described is None
            about = self._about(head)
            if about is not None and search.state in (None, "bin", "finished" if about["finished"] else "running"):
                shown.append(about)
            latest = head.latest.at, head.change
        return ListPage(shown, None)

    def describe(self, table_id: str) -> dict[str, Any] | None:
        """Describe one table; ``None`` where there is none that can be entered."""
        return next(iter(self.summaries([table_id])), None)

    def summaries(self, table_ids: Sequence[str], *, binned: bool = False) -> list[dict[str, Any]]:
        """Describe those of these tables that can be entered, or those that lie in the bin and can be read."""
        query = HeadQuery(limit=AT_ONCE, ids=table_ids, games=self.games, binned=binned)
        return [about for head in walk_heads(self._journal, query) if (about := self._about(head)) is not None]

    def all(self, *, binned: bool = False) -> list[dict[str, Any]]:
        """Describe every readable table, or every one in the bin, oldest first: for programs that ask for no page."""
        query = HeadQuery(limit=AT_ONCE, in_order_of_opening=True, games=self.games, binned=binned)
        try:
            described = [self._about(head) for head in walk_heads(self._journal, query)]
        except NotStored:
            return [dict(about) for about in self.page(TableSearch(state="bin" if binned else None), AT_ONCE).tables]
        return [about for about in described if about is not None]

    def is_empty(self) -> bool:
        """Return whether there is no readable table, not even in the bin."""
        return not any(self.page(TableSearch(state=state), 1).tables for state in (None, "bin"))

    def examine(self, most: int | None = None) -> int:
        """Fold tables, the latest first, and let them go; return how many outside the bin are not ``torn`` then."""
        readable = 0
        for head in islice(walk_heads(self._journal, HeadQuery(limit=AT_ONCE)), most):
            table = self._folded(head.table_id) if head.table_id in self._tables else self._read(head)
            readable += table is not None and not head.binned
        return readable

    def _about(self, head: TableHead) -> dict[str, Any] | None:
        """Describe a table if it is readable; one is interrupted until somebody plays on after a restart."""
        described = self._described(head)
        if described is None:
            return None
        untouched = head.change <= self._changes_before
        return {**described, "interrupted": untouched and not described["finished"]}

    def _described(self, head: TableHead) -> Mapping[str, Any] | None:
        """Return what a head says; a table that is not held is folded only where it says nothing.

        One that is held is brought up to the head, so that whoever opens it from a list finds what the list showed.
        """
        if head.table_id in self._torn:
            return None
        if (table := self.table_if_held(head.table_id)) is not None:
            with suppress(TornJournal):  # whoever opens the table is told
                table.catch_up(head.latest.seq)
        if head.described is not None:
            return head.described
        with self._describing, self._journal.describing(head.table_id):
            return self._describe_anew(head.table_id)

    def _describe_anew(self, table_id: str) -> Mapping[str, Any] | None:
        """Fold a table, describe it and store that, unless another process has done so meanwhile."""
        head = self._head(table_id)
        if head is None or head.described is not None:
            return None if head is None else head.described
        if (table := self.table_if_held(table_id) or self._read(head)) is None:
            return None
        if (described := self._describe(table))["version"] == head.latest.seq:
            self._journal.keep_head(table.id, head.latest, described)
        return described

    def summarise_some(self, budget_s: float = SUMMARISING_S) -> None:
        """Spend some seconds on tables that this version of the program has not described, so that no list waits."""
        begun = time.monotonic()
        for head in walk_heads(self._journal, HeadQuery(limit=MOST_FOLDED, games=self.games, described=False)):
            self._described(head)
            if time.monotonic() - begun >= budget_s:
                return

    def let_go_idle(self, idle_s: float = IDLE_S) -> None:
        """Let the history of every table go for which nobody has asked in so many seconds."""
        for table in list(self._tables.values()):
            if table.is_idle(idle_s):
                table.release(idle_s)

    def _describe(self, table: Table) -> dict[str, Any]:
        history = table.history
        return describe_table(table.id, table.game.name, history, table.overview_of(history))

    def held_tables(self) -> list[Table]:
        """Return the tables whose histories are held."""
        return [table for table in list(self._tables.values()) if table.history_if_held is not None]

    def table_if_held(self, table_id: str) -> Table | None:
        """Return a table whose history is held; ``None`` where it is not, or there is no such table."""
        table = self._tables.get(table_id)
        return None if table is None or table.history_if_held is None else table

    def lies_in_bin(self, table_id: str) -> bool:
        """Return whether a table was put into the bin."""
        if self.table_if_held(table_id) is not None:
            return table_id in self._binned
        head = self._head(table_id)
        return head is not None and head.binned

    def put_in_bin(self, table_id: str) -> None:
        """Put a table into the bin if it is outside: nobody finds it, nothing of it is lost.  ``UnknownTable``."""
        table = self.get(table_id, also_binned=True)
        if table_id in self._binned:
            return
        with self._starting:
            self._journal.move(table_id, binned=True, at=self._clock.now())
            self._binned.add(table_id)
        for tell in self._left:
            tell(table)
        table.signal.wake()

    def take_out_of_bin(self, table_id: str) -> None:
        """Restore a table from the bin unchanged, if it lies there.  ``UnknownTable``."""
        if table_id in self._tables:
            self.read_bin_again([table_id])
        self.get(table_id, also_binned=True)
        with self._starting:
            if table_id in self._binned:
                self._journal.move(table_id, binned=False, at=self._clock.now())
                self._binned.discard(table_id)


def game_of(command: Mapping[str, Any]) -> object:
    """Return which game a command begins: a position that is taken over names its own."""
    position = command.get("position")
    return position.get("game") if isinstance(position, Mapping) else command.get("game")
