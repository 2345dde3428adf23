"""A journal in memory, for play files, demonstrations and tests."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

from companion.adapters.journal.rows import MAX_REFUSALS, is_asked_for, require_storable, searched_text, sender_of
from companion.engine.journal import Entry
from companion.service.ports import (
    Conflict,
    Describe,
    HeadCounts,
    HeadQuery,
    KeptClubEvent,
    KeptRefusal,
    LatestEntry,
    TableHead,
)


class InMemoryJournal:
    """A ``Journal`` of lists.  Thread-safe."""

    def __init__(self) -> None:
        """Start without tables."""
        self._lock = threading.Lock()
        self._games: dict[str, str] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._described: dict[str, Describe] = {}
        self._changes: dict[str, int] = {}
        self._last_change = 0
        self._binned: set[str] = set()
        self._refusals: dict[str, OrderedDict[str, KeptRefusal]] = {}
        self._club_events: dict[str, KeptClubEvent] = {}

    def open_table(self, table_id: str, game: str, first: Entry, describe: Describe | None = None) -> None:
        """Store a new table with its first entry."""
        self.import_table(table_id, game, (first,), describe)

    def import_table(
        self, table_id: str, game: str, entries: Sequence[Entry], describe: Describe | None = None
    ) -> None:
        """Store a new table with all its entries; raise ``Conflict`` where the id is taken."""
        for entry in entries:
            require_storable(table_id, entry)
        with self._lock:
            if table_id in self._games:
                raise Conflict
            self._games[table_id] = game
            self._entries[table_id] = list(entries)
            self._count_change(table_id, describe)

    def _count_change(self, table_id: str, describe: Describe | None) -> None:
        """Store the number of a change; the table is described only when a list asks for it."""
        self._last_change += 1
        self._changes[table_id] = self._last_change
        self._described.pop(table_id, None)
        if describe is not None:
            self._described[table_id] = describe

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        """Store the next entry; raise ``Conflict`` where it is not the next, or its key was used."""
        require_storable(table_id, entry)
        with self._lock:
            entries = self._entries[table_id]
            used = entry.key is not None and any(earlier.key == entry.key for earlier in entries)
            if entry.seq != len(entries) + 1 or used or entry.key in self._refusals.get(table_id, ()):
                raise Conflict
            entries.append(entry)
            self._count_change(table_id, describe)

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Return all entries after a version in order."""
        return tuple(self._entries[table_id][after:])

    def latest_entry(self, table_id: str) -> LatestEntry | None:
        """Return number and time of a table's latest entry."""
        entries = self._entries.get(table_id)
        return LatestEntry(entries[-1].seq, entries[-1].at, "") if entries else None

    def tables(self) -> Sequence[tuple[str, str]]:
        """Return id and game of every table."""
        return tuple(self._games.items())

    def begun_with(self, key: str) -> str | None:
        """Return the id of the table whose first entry has this key."""
        return next((table for table, entries in self._entries.items() if entries and entries[0].key == key), None)

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:  # noqa: ARG002 - the port's
        """Store the refusal of a request; beyond the limit the oldest are dropped."""
        with self._lock:
            refusals = self._refusals.setdefault(table_id, OrderedDict())
            refusals[key] = kept
            for oldest in [each for each in refusals if each.startswith(sender_of(key))][:-MAX_REFUSALS]:
                del refusals[oldest]

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Return the refusal of a request; ``None`` where there is none."""
        refusals = self._refusals.get(table_id)
        return None if refusals is None else refusals.get(key)

    def move(self, table_id: str, *, binned: bool, at: str) -> None:  # noqa: ARG002 - the port's
        """Store that a table was put into the bin, or taken out again."""
        (self._binned.add if binned else self._binned.discard)(table_id)

    def heads(self, query: HeadQuery) -> Sequence[TableHead]:
        """Return the heads of tables that a query asks for, in its order."""
        heads = sorted(self._asked_for(query), key=lambda head: (head.latest.at, head.change), reverse=True)
        if query.in_order_of_opening:
            heads.sort(key=lambda head: head.number)
        return heads[: query.limit]

    def count_heads(self, query: HeadQuery) -> HeadCounts:
        """Count tables, finished ones, and their entries."""
        heads = list(self._asked_for(query))
        return HeadCounts(
            len(heads), sum(head.finished is True for head in heads), sum(head.latest.seq for head in heads)
        )

    def last_change(self) -> int:
        """Return how many changes there were."""
        return self._last_change

    def _asked_for(self, query: HeadQuery) -> Iterator[TableHead]:
        for number, (table_id, game) in enumerate(list(self._games.items()), 1):
            describe = self._described.get(table_id)
            described = None if describe is None else dict(describe())
            if described is not None:
                self._described[table_id] = partial(dict, described)
            head = TableHead(
                table_id,
                game,
                number,
                self._changes.get(table_id, 0),
                self.latest_entry(table_id) or LatestEntry(0, "", ""),
                None if described is None else bool(described.get("finished")),
                table_id in self._binned,
                described,
            )
            if is_asked_for(query, head, searched_text(table_id, described or {})):
                yield head

    def keep_head(self, table_id: str, latest: LatestEntry | None, described: Mapping[str, Any] | None) -> None:
        """Describe a table whose latest entry is still this one."""
        with self._lock:
            if latest is not None and latest != self.latest_entry(table_id):
                return
            self._described.pop(table_id, None)
            if described is not None:
                self._described[table_id] = partial(dict, described)

    def keep_club_event(self, event: KeptClubEvent) -> KeptClubEvent:
        """Store a club event, or return the one that was stored first under its key."""
        with self._lock:
            return self._club_events.setdefault(event.key, event)

    def club_event(self, event_id: str) -> KeptClubEvent | None:
        """Return a club event with its latest plan, by its id."""
        return next((event for event in self._all_club_events() if event.id == event_id), None)

    def club_events(self, most: int, before: int | None = None) -> Sequence[KeptClubEvent]:
        """Return the latest club events, or those of lower numbers."""
        events = [event for event in self._all_club_events() if before is None or event.number < before]
        return events[::-1][:most]

    def _all_club_events(self) -> list[KeptClubEvent]:
        """Return all club events with their latest plans, oldest first."""
        plans: dict[str, list[KeptClubEvent]] = {}
        for kept in list(self._club_events.values()):
            plans.setdefault(kept.id.partition(".")[0], []).append(kept)
        return [
            replace(kept[0], plan=kept[-1].plan, version=len(kept), number=number)
            for number, kept in enumerate(plans.values(), start=1)
        ]

    def begun_with_any(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the ids of the tables whose first entries have these keys, by key."""
        begun = {entries[0].key: table_id for table_id, entries in list(self._entries.items()) if entries}
        return {key: begun[key] for key in keys if key in begun}

    def describing(self, table_id: str) -> AbstractContextManager[None]:  # noqa: ARG002 - the port's
        """Return at once: no other process has these tables."""
        return nullcontext()

    def close(self) -> None:
        """Leave all as it is."""
