"""Club events: people seated at many tables of a game, the tables opened at once, and what stands at them all.

What the organiser asks for is a plan; a change is a later plan, stored beside the one before.  Each table is begun
under a key of its own, so opening goes on where it was interrupted, and no table is opened twice.
"""

import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.engine.game import BANKER, Refused
from companion.service.ports import HeadQuery, Journal, KeptClubEvent, KeyReused, Stale, UnknownTable
from companion.service.table.event_seating import (
    MOST_TABLES,
    RENAME,
    ClubEvent,
    EventPlan,
    EventTable,
    TableNow,
    TableRefused,
    UnknownEvent,
    Unseatable,
    fold_name,
    have_begun,
    place_tables,
    read_plan,
    require_sizes,
    require_visible,
    require_when,
    said_name,
    seats_of,
    start_command,
)
from companion.service.table.lists import sound_part_key
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table

log = logging.getLogger(__name__)

STEP_S = 1.0
"""Seconds after which a request that opens tables is answered; the next one goes on."""
MOST_ENTRIES_BEFORE = 100
"""A table with more entries has begun: it is not folded to see whether they are all of changes before its start."""


class ClubEvents:
    """The events of an installation.  Every call may come from any thread."""

    def __init__(
        self,
        tables: Tables,
        journal: Journal,
        new_id: Callable[[], str] = lambda: secrets.token_hex(6),
        unseat: Callable[[str, Collection[str]], object] = lambda _table_id, _seats: None,
    ) -> None:
        """Store where tables are opened, where events are kept, and what logs the phones of some seats out."""
        self._tables = tables
        self._journal = journal
        self._new_id = new_id
        self._unseat = unseat
        self._all_begun: dict[tuple[str, int], Mapping[str, str]] = {}
        self._unreadable: set[str] = set()
        self._begun_by_version: dict[str, tuple[int, bool]] = {}

    def check(self, plan: EventPlan, tried: Collection[str] | None = None) -> None:
        """Raise ``Unseatable`` or ``TableRefused`` where the tables of a plan cannot be begun; nothing is stored.

        ``tried``: the places of those that are tried by the rules of the game; ``None``: all.
        """
        try:
            game = self._tables.game_for(start_command(plan, plan.tables[0] if plan.tables else EventTable("", ()), ()))
        except Refused as refused:
            raise TableRefused("", plan.game, refused) from None
        require_when(plan.when)
        require_visible(plan.name)
        seats = game.manifest.seats
        require_sizes(plan.tables, (seats.fewest, seats.most))
        for table in plan.tables if tried is None else [each for each in plan.tables if each.place in tried]:
            trial = Table("", game, self._journal, self._tables.clock)
            try:
                trial.foresee(Request(start_command(plan, table, seats.colours), BANKER, "tap"))
            except Refused as refused:
                raise TableRefused(table.name, plan.game, refused) from None

    def keep(self, plan: EventPlan, key: str | None) -> ClubEvent:
        """Store an event, once for each key; no table is opened yet.  Raise as ``check`` does, or ``KeyReused``."""
        self.check(plan)
        event_id, written = self._new_id(), plan.as_json()
        event = KeptClubEvent(event_id, key or f"event {event_id}", self._tables.clock.now(), written)
        stored = self._journal.keep_club_event(event)
        if stored.plan != written:
            raise KeyReused
        return ClubEvent(stored.id, plan) if stored.id == event_id else self.get(stored.id)

    def get(self, event_id: str) -> ClubEvent:
        """Return an event by its id.  Raise ``UnknownEvent``."""
        kept = self._journal.club_event(event_id)
        event = None if kept is None else self._read(kept)
        if event is None:
            raise UnknownEvent(event_id)
        return event

    def page(self, most: int, before: int | None = None) -> tuple[list[ClubEvent], int | None]:
        """Return the latest events, or those before a number, and the number before which the next page goes on."""
        kept = self._journal.club_events(most + 1, before)
        events = [event for each in kept[:most] if (event := self._read(each)) is not None]
        return events, kept[most - 1].number if len(kept) > most else None

    def _read(self, kept: KeptClubEvent) -> ClubEvent | None:
        """Return a stored event; ``None``, with a line in the log, where its plan cannot be read."""
        try:
            return ClubEvent(kept.id, read_plan(kept.plan), kept.version)
        except ValueError as error:
            if kept.id not in self._unreadable:
                self._unreadable.add(kept.id)
                log.warning("event %s is left out (%s); its tables are found among all games", kept.id, error)
            return None

    def change(
        self,
        event: ClubEvent,
        name: str,
        when: str,
        tables: Sequence[EventTable],
        shown: Mapping[str, Sequence[str]] | None = None,
    ) -> ClubEvent:
        """Store a later plan of an event, which its tables follow once ``open_some`` is called; sent again it is one.

        Args:
            event: as whoever changes it has seen it.
            name: of the event.
            when: as in a plan.
            tables: all tables as they shall be; one without a place is added, one with a place and no players is taken
                away, and so is one whose place is not named.
            shown: the names that whoever changes it saw at a table, by its place.  A table with the same names in
                ``tables`` was not changed, and keeps whatever was said there since, or what an earlier plan wants there
                and could not do yet.

        Raises:
            Unseatable: for what ``check`` raises it; where somebody else has changed the event; for a table that is
                there twice; for other players at a table that has begun, and for one that is not named while somebody
                sits there who has no seat elsewhere.
            TableRefused: as ``check`` does, for the tables that are added or changed.

        """
        latest, version = self.get(event.id), event.version + 1
        now = {table.place: table for table in self.tables(latest)}
        waiting, shown = self.waiting(latest, now.values()), shown or {}
        emptied = {table.place for table in tables if table.place and not table.players}
        placed = tuple(
            replace(table, players=waiting[table.place])
            if table.place in waiting and table.players == tuple(shown.get(table.place, ()))
            else table
            for table in place_tables([table for table in tables if table.players or not table.place], version)
        )
        if latest == ClubEvent(event.id, replace(latest.plan, name=name, when=when, tables=placed), version):
            return latest
        stays = {table.place for table in placed}
        if (
            latest.version != event.version
            or not {table.place for table in tables if table.players} - {""} <= now.keys()
        ):
            raise Unseatable("outdated")
        if not placed:
            raise Unseatable("tables", most=MOST_TABLES)
        removed = [table for place, table in now.items() if place not in stays]
        reseated = [
            now[table.place]
            for table in placed
            if table.place in now
            and (table.place in waiting or table.players != tuple(shown.get(table.place, ())))
            and not self._sit_so(now[table.place], table.players)
        ]
        plan = replace(
            latest.plan,
            name=name,
            when=when,
            tables=placed,
            removed=(*latest.plan.removed, *(table.place for table in removed)),
            reseated=tuple(table.place for table in reseated if table.id is not None),
        )
        self.check(plan, (stays - now.keys()) | {table.place for table in reseated})
        for table in (*reseated, *removed):
            if self.has_begun(table):
                raise Unseatable("begun", table=table.name)
        without_seat = Counter(fold_name(player) for table in now.values() for player in self.seats(table))
        without_seat -= Counter(fold_name(player) for table in placed for player in table.players)
        for gone in removed:
            left = [player for player in self.seats(gone) if player and without_seat[fold_name(player)]]
            if left and gone.place not in emptied:
                raise Unseatable("still_seated", table=gone.name, player=left[0])
        written = plan.as_json()
        kept = KeptClubEvent(
            f"{event.id}.{version}", f"event {event.id} plan {version}", self._tables.clock.now(), written
        )
        if self._journal.keep_club_event(kept).plan != written:
            raise Unseatable("outdated")
        return ClubEvent(event.id, plan, version)

    def _sit_so(self, table: TableNow, players: tuple[str, ...]) -> bool:
        """Return whether a table has these names now; a free seat may be called by its colour."""
        return players in (self.seats(table), table.players)

    def waiting(self, event: ClubEvent, tables: Collection[TableNow]) -> dict[str, tuple[str, ...]]:
        """Return the names that the plan wants at tables which do not follow it yet, by place."""
        planned = event.tables_by_place() if event.version > 1 else {}
        wanted = {table.place: planned[table.place].players for table in tables if table.place in planned}
        return {table.place: wanted[table.place] for table in tables if self._is_waiting(event, table, wanted)}

    def _is_waiting(self, event: ClubEvent, table: TableNow, wanted: Mapping[str, Sequence[str]]) -> bool:
        players = tuple(wanted.get(table.place, ()))
        if not players or not self._is_to_follow(event, table) or self._sit_so(table, players) or table.id is None:
            return False
        try:
            return not self.has_begun(table) and not _has_followed(
                self._tables.get(table.id), _key_of_change(event, table.place), players
            )
        except UnknownTable:  # put away at this moment, or it cannot be read
            return False

    def count_left(self, event: ClubEvent, tables: Collection[TableNow]) -> int:
        """Return how many tables are still to be opened, seated anew or put away, as the plan says."""
        planned = sum(table.id is None for table in tables)
        return planned + len(self.waiting(event, tables)) + len(self._to_put_away(event))

    def has_begun(self, table: TableNow) -> bool:
        """Return whether more has happened at a table than that people were seated; also where nobody can say."""
        if table.id is None or (table.summary is not None and table.summary["version"] == 1):
            return False
        if table.summary is None or table.summary["version"] > MOST_ENTRIES_BEFORE:
            return True
        known_version, begun = self._begun_by_version.get(table.id, (0, False))
        if known_version != (version := table.summary["version"]):
            later = [entry.command for entry in self._journal.entries(table.id)[1:version]]
            if (begins := have_begun(later)) is None:
                effective = self._tables.get(table.id).history.effective_entries()
                begins = any(entry.seq > 1 and entry.command.get("do") != RENAME for entry in effective)
            self._begun_by_version[table.id] = version, (begun := begins)
        return begun

    def seats(self, table: TableNow) -> tuple[str, ...]:
        """Return the names of the seats of a table; empty ones are free: nobody has said a name there."""
        if table.summary is None:
            return table.players
        return tuple(said_name(seat["id"], seat["name"]) for seat in table.summary["players"])

    def count_opened(self, event: ClubEvent) -> int:
        """Return how many tables of an event are opened."""
        return len(self._begun(event))

    def open_some(self, event: ClubEvent, source: str, budget_s: float = STEP_S) -> int:
        """Open tables of an event that are not, for some seconds; return how many are opened then, by its plan.

        Tables that were opened by an earlier plan follow the latest one first, as far as they have not begun; those for
        which there was no time are not counted.
        Raise ``TableRefused`` where its game is not installed any more.
        """
        try:
            seats = self._tables.game_for(start_command(event.plan, EventTable("", ()), ())).manifest.seats
        except Refused as refused:
            raise TableRefused("", event.plan.game, refused) from None
        started = time.monotonic()
        left = self._follow_plan(event, seats.colours, source, started + budget_s) if event.version > 1 else 0
        begun = dict(self._begun(event))
        if left:
            return len(begun) - left
        for place, planned in event.tables_by_place().items():
            key = event.key(place)
            if key in begun:
                continue
            request = Request(start_command(event.plan, planned, seats.colours), BANKER, source, None, key)
            begun[key] = self._tables.start(request).id
            if time.monotonic() - started >= budget_s:
                break
        return len(begun)

    def _follow_plan(self, event: ClubEvent, colours: Sequence[str], source: str, end_at: float) -> int:
        """Seat people anew at tables that the plan changes, and put removed ones into the bin, until some moment.

        Each table follows once: what is said there afterwards is later than the plan.  Return at how many people are
        still to be seated: those for which there was no time, and those at which something happened at this moment.
        """
        planned = event.tables_by_place()
        others = [
            (table, planned[table.place].players) for table in self.tables(event) if self._is_to_follow(event, table)
        ]
        has_moved, disturbed = False, 0  # each time somebody is moved, so that it comes to an end
        for number, (table, players) in enumerate(others):
            if has_moved and time.monotonic() >= end_at:
                return disturbed + len(others) - number
            if self.has_begun(table):
                continue
            try:
                has_moved |= self._seat_anew(event, table, players, colours, source)
            except (Stale, KeyReused):
                disturbed += 1
            except Refused as refused:
                log.warning("table %s does not follow the plan of its event (%s)", table.id, refused.rule)
        for table_id in self._to_put_away(event):
            self._tables.put_in_bin(table_id)
        return disturbed

    def _to_put_away(self, event: ClubEvent) -> list[str]:
        """Return the tables outside the bin that plans have taken away and that have not begun."""
        ids = list(self._journal.begun_with_any([event.key(place) for place in event.plan.removed]).values())
        gone = [TableNow("", (), summary["id"], summary) for summary in self._tables.summaries(ids)]
        return [table.id for table in gone if table.id is not None and not self.has_begun(table)]

    def _is_to_follow(self, event: ClubEvent, table: TableNow) -> bool:
        """Return whether a plan seats people anew at a table, or another process opened it by the plan before."""
        if table.summary is None:
            return False
        if table.place in event.plan.reseated:
            return True
        players = event.tables_by_place()[table.place].players
        return table.summary["version"] == 1 and not self._sit_so(table, players)

    def _seat_anew(
        self, event: ClubEvent, table: TableNow, players: Sequence[str], colours: Sequence[str], source: str
    ) -> bool:
        """Let a table that has not begun have these names, unless it had them by this plan; return whether it moved.

        What an earlier call has done of it is not done again.  Raise ``Stale``, ``KeyReused`` or ``Refused``.
        """
        summary, key = table.summary or {}, _key_of_change(event, table.place)
        running, version = self._tables.get(summary["id"]), summary["version"]
        stored, has_changed = running.stored_under(key), False
        start, *_ = running.history.effective_entries()  # with rules that were put right since
        if stored is None:
            now = [(seat["id"], name) for seat, name in zip(summary["players"], self.seats(table), strict=True)]
            then, latest = dict(seats_of(players, now, colours)), version
            named = [{"id": seat, **({"name": name} if name else {})} for seat, name in then.items()]
            amended = _amend(1, {**start.command, "first": named[0]["id"], "players": named}, source, version, key)
            has_changed = _leads_somewhere(running, amended)
            left = {seat for seat, name in now if seat not in then or fold_name(then[seat]) != fold_name(name)}
            self._unseat(running.id, left)  # first, for afterwards nobody knows who has left
            if has_changed:
                running.submit(amended)
        else:
            seats = [seat["id"] for seat in start.command["players"]]
            then, latest = dict(zip(seats, players, strict=False)), stored["seq"]
        while (other := _latest_other_name(running, then, latest))[1]:
            unused = None if stored or has_changed else key
            running.submit(_amend(other[1], None, source, other[0], unused))
            has_changed = True
        return has_changed

    def move_some(self, event: ClubEvent, *, binned: bool, budget_s: float = STEP_S) -> int:
        """Put the tables of an event into the bin, or take them out, for some seconds; return how many are left."""
        started = time.monotonic()
        readable = [table for table in self.tables(event, binned=True) if table.summary is not None]
        others = [table.id for table in readable if table.id is not None and table.is_away != binned]
        for moved, table_id in enumerate(others, start=1):
            with suppress(UnknownTable):  # it cannot be read any more
                (self._tables.put_in_bin if binned else self._tables.take_out_of_bin)(table_id)
            if time.monotonic() - started >= budget_s:
                return len(others) - moved
        return 0

    def lies_in_bin(self, event: ClubEvent) -> bool:
        """Return whether none of the opened tables of an event is outside the bin."""
        begun = list(self._begun(event).values())
        outside = HeadQuery(limit=1, ids=begun, binned=False)
        return bool(begun) and not self._journal.heads(outside)

    def tables(self, event: ClubEvent, *, binned: bool = False) -> list[TableNow]:
        """Return the tables of an event in its order, from their summaries; those in the bin have one if asked for.

        In the place of one that cannot be read stands that in which it was played on.
        """
        begun = self._begun(event)
        summaries, in_bin = self._summaries(begun.values())
        torn = [table_id for table_id in begun.values() if table_id not in summaries and table_id not in in_bin]
        if torn and event.plan.game in self._tables.games and (played_on := self._played_on(torn)):
            begun = {key: played_on.get(table_id, table_id) for key, table_id in begun.items()}
            summaries, in_bin = self._summaries(begun.values())
        now: list[TableNow] = []
        for place, planned in event.tables_by_place().items():
            table_id = begun.get(event.key(place))
            summary = None if table_id is None else summaries.get(table_id, in_bin.get(table_id) if binned else None)
            players = planned.players if summary is None else tuple(seat["name"] for seat in summary["players"])
            now.append(TableNow(planned.name, players, table_id, summary, place, table_id in in_bin))
        return now

    def _summaries(self, ids: Collection[str]) -> tuple[dict[str, Mapping[str, Any]], dict[str, Mapping[str, Any]]]:
        """Return the summaries of tables outside the bin, and of others that lie there, by their ids."""
        outside = {summary["id"]: summary for summary in self._tables.summaries(list(ids))}
        others = [table_id for table_id in ids if table_id not in outside]
        binned = self._tables.summaries(others, binned=True) if others else []
        return dict(outside), {summary["id"]: summary for summary in binned}

    def _played_on(self, torn: Sequence[str]) -> dict[str, str]:
        """Return in which tables damaged ones were played on, by the ids of those; of several the longest."""
        keys = {
            sound_part_key(head.table_id, count): head.table_id
            for head in self._journal.heads(HeadQuery(limit=len(torn), ids=torn))
            for count in range(1, head.latest.seq + 1)
        }
        begun = self._journal.begun_with_any(list(keys))
        return {table_id: begun[key] for key, table_id in keys.items() if key in begun}

    def _begun(self, event: ClubEvent) -> Mapping[str, str]:
        """Return the ids of opened tables by their keys, in the order of the plan."""
        whole = self._all_begun.get((event.id, event.version))
        if whole is not None:
            return whole
        keys = [event.key(place) for place in event.tables_by_place()]
        ids = self._journal.begun_with_any(keys)
        begun = {key: ids[key] for key in keys if key in ids}
        if len(begun) == len(keys):
            self._all_begun[event.id, event.version] = begun
        return begun


def _key_of_change(event: ClubEvent, place: str) -> str:
    """Return the key under which people are seated anew at a table by the latest plan of an event."""
    return f"{event.key(place)} plan {event.version}"


def _has_followed(running: Table, key: str, players: Sequence[str]) -> bool:
    """Return whether all is stored with which a plan seats these players at a table, whatever was said afterwards."""
    stored = running.stored_under(key)
    start, *_ = running.history.effective_entries()
    names = dict(zip((seat["id"] for seat in start.command["players"]), players, strict=False))
    return stored is not None and not _latest_other_name(running, names, stored["seq"])[1]


def _amend(seq: int, command: Mapping[str, Any] | None, source: str, version: int, key: str | None) -> Request:
    """Return the request that puts a command in the place of an entry, or leaves the entry out."""
    return Request({"do": "amend", "seq": seq, "with": command, "confirm": True}, BANKER, source, version, key)


def _leads_somewhere(running: Table, amended: Request) -> bool:
    """Return whether an amend changes anything.  Raise as ``submit`` does."""
    try:
        running.foresee(amended)
    except Refused as refused:
        if refused.rule != "nothing_amended":
            raise
        return False
    return True


def _latest_other_name(running: Table, names: Mapping[str, str], latest: int) -> tuple[int, int]:
    """Return the version, and the last entry up to one that says another name at a seat than these; 0: none does."""
    history, said = running.history, dict[str, tuple[int, str]]()
    for entry in history.effective_entries():
        if entry.seq <= latest and entry.command.get("do") == RENAME:
            said[entry.command["player"]] = entry.seq, entry.command["name"]
    others = [
        seq for seat, (seq, name) in said.items() if said_name(seat, name) != said_name(seat, names.get(seat, name))
    ]
    return history.version, max(others, default=0)
