"""Club events: people seated at many tables of a game, the tables opened at once, and what stands at them all.

What the organiser asked for is stored once and never changed.  Each table is begun under a key of its own, so opening
goes on where it was interrupted, and no table is opened twice.
"""

import csv
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any, Literal, TypeAlias

from companion.engine.game import BANKER, Refused
from companion.service.ports import HeadQuery, Journal, KeptClubEvent, KeyReused, UnknownTable
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table

MOST_TABLES = 400
"""Of one event."""
MOST_LETTERS = 20
"""Of the name of a table."""
FIRST_YEAR, LAST_YEAR = 2000, 2100
"""In which an event can be."""
DELIMITERS = "\t;,"
"""Between the columns of a list; the first of these that its first line holds."""
HEADINGS = frozenset({"table", "tisch", "name", "nom"})
"""Words of a first line that names the columns."""
COLUMNS = 2

Limits: TypeAlias = tuple[int, int]
"""The fewest and the most players of a game."""
Order: TypeAlias = Literal["random", "given", "listed"]
"""People are dealt at random, or sit in the order of the list, or the list says at which table each sits."""
STEP_S = 1.0
"""After so many seconds a request that opens tables is answered; the next one goes on."""


# Who sits where: a pasted list of people, divided among tables within the limits of a game.


class Unseatable(Exception):  # noqa: N818 - an answer, not an error of the program
    """People cannot be seated so.  ``why`` says in which way; ``figures`` are what a sentence about it needs."""

    def __init__(self, why: str, **figures: object) -> None:
        """Store the reason and its figures."""
        super().__init__(why)
        self.why = why
        self.figures = figures


@dataclass(frozen=True, slots=True)
class EventTable:
    """A table of an event: its number or name, and its players in seating order; empty names are free seats."""

    name: str
    players: tuple[str, ...]


def plan_tables(
    people: str, order: Order, limits: Limits, *, tables: int | None, seats_each: int | None, chance: Random
) -> tuple[EventTable, ...]:
    """Return the tables of an event.

    Args:
        people: the list, one person a line; ``listed``: table and name a line, divided by a comma, semicolon or tab.
        order: how people get their seats.
        limits: of the game.
        tables: how many tables; ``None``: as few as seat all.
        seats_each: at each table, where nobody is on the list; ``None``: as many as the game has.
        chance: where people are dealt at random.

    Raises:
        Unseatable: for too few or too many people, a line without table and name, or too many tables.

    """
    if order == "listed":
        planned = _read_seating(people)
    else:
        names = [" ".join(line.split()) for line in people.splitlines() if line.strip()]
        if names:
            sizes = _sizes(len(names), limits, tables)
            divided = _deal(names, sizes, chance) if order == "random" else _divide(names, sizes)
        elif tables is None:
            raise Unseatable("nobody")
        else:
            _require_number(tables)
            _require_size("1", seats_each or limits[1], limits)
            divided = [("",) * (seats_each or limits[1])] * tables
        planned = tuple(EventTable(str(number), players) for number, players in enumerate(divided, start=1))
    require_sizes(planned, limits)
    return planned


def require_sizes(tables: Sequence[EventTable], limits: Limits) -> None:
    """Raise ``Unseatable`` for tables of too few or too many players, too long a name, no tables or too many."""
    if not tables:
        raise Unseatable("nobody")
    _require_number(len(tables))
    for table in tables:
        if len(table.name) > MOST_LETTERS:
            raise Unseatable("long_name", table=table.name[:MOST_LETTERS], most=MOST_LETTERS)
        _require_size(table.name, len(table.players), limits)
    twice = Counter(table.name.casefold() for table in tables).most_common(1)[0]
    if twice[1] > 1:
        raise Unseatable("table_twice", table=next(t.name for t in tables if t.name.casefold() == twice[0]))


def _require_number(tables: int) -> None:
    if not 1 <= tables <= MOST_TABLES:
        raise Unseatable("tables", most=MOST_TABLES)


def _require_size(table: str, players: int, limits: Limits) -> None:
    if not limits[0] <= players <= limits[1]:
        raise Unseatable("size", table=table, count=players, least=limits[0], most=limits[1])


def _require_when(when: str) -> None:
    """Raise ``Unseatable`` for a time that no calendar has, or that is far away; it may be empty."""
    try:
        is_near = not when or FIRST_YEAR <= datetime.fromisoformat(when).year <= LAST_YEAR
    except ValueError:
        is_near = False
    if not is_near:
        raise Unseatable("when", first=FIRST_YEAR, last=LAST_YEAR)


def _sizes(people: int, limits: Limits, tables: int | None) -> list[int]:
    """Return how many sit at each table: as evenly as possible, the larger ones first."""
    fewest, most = limits
    needed = -(-people // most)
    number = needed if tables is None else tables
    _require_number(number)
    least, larger = divmod(people, number)
    if least < fewest:
        raise Unseatable("too_few", count=people, tables=number, least=fewest)
    if number < needed:
        raise Unseatable("too_many", count=people, tables=number, most=most, needed=needed)
    return [least + 1] * larger + [least] * (number - larger)


def _divide(names: Sequence[str], sizes: Sequence[int]) -> list[tuple[str, ...]]:
    rest, divided = list(names), list[tuple[str, ...]]()
    for size in sizes:
        divided.append(tuple(rest[:size]))
        rest = rest[size:]
    return divided


def _deal(names: Sequence[str], sizes: Sequence[int], chance: Random) -> list[tuple[str, ...]]:
    """Deal people to tables like cards; those of one name are dealt one after the other, so they sit apart."""
    often = Counter(name.casefold() for name in names)
    shuffled = chance.sample(names, len(names))
    shuffled.sort(key=lambda name: (-often[name.casefold()], name.casefold() if often[name.casefold()] > 1 else ""))
    dealt = [shuffled[number :: len(sizes)] for number in range(len(sizes))]
    return [tuple(chance.sample(players, len(players))) for players in dealt]


def _read_seating(text: str) -> tuple[EventTable, ...]:
    """Return the tables of a list that says at which table each sits, in the order in which they are first named."""
    lines = text.lstrip("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = next((sign for sign in DELIMITERS if sign in first), ",")
    people_by_table: dict[str, list[str]] = {}
    called: dict[str, str] = {}
    is_first = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        cells = [" ".join(cell.split()) for cell in next(csv.reader([line], delimiter=delimiter))]
        if is_first and {cell.casefold() for cell in cells} <= HEADINGS:
            is_first = False
            continue
        is_first = False
        if len(cells) != COLUMNS or not cells[0]:
            raise Unseatable("line", number=number)
        table = called.setdefault(cells[0].casefold(), cells[0])
        people_by_table.setdefault(table, []).append(cells[1])
    return tuple(EventTable(table, tuple(players)) for table, players in people_by_table.items())


# Events, their tables, and what was reached at them.


class UnknownEvent(Exception):  # noqa: N818 - an answer, not an error of the program
    """No event of that id."""


class TableRefused(Exception):  # noqa: N818 - an answer, not an error of the program
    """A table of an event cannot be begun: what the game refuses, the table's name and the game's."""

    def __init__(self, table: str, game: str, refused: Refused) -> None:
        """Store the table, the game and the refusal."""
        super().__init__(f"table {table}: {refused.rule}")
        self.table = table
        self.game = game
        self.refused = refused


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """An event as its organiser asks for it.

    ``when`` is ISO 8601 without a zone, or empty; rules and variants are those of ``start_game``.
    """

    name: str
    when: str
    game: str
    catalog: str
    rules: Mapping[str, Any]
    variants: tuple[str, ...]
    tables: tuple[EventTable, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the plan as it is stored."""
        return {
            "name": self.name,
            "when": self.when,
            "game": self.game,
            "catalog": self.catalog,
            "rules": dict(self.rules),
            "variants": list(self.variants),
            "tables": [{"name": table.name, "players": list(table.players)} for table in self.tables],
        }


def read_plan(plan: Mapping[str, Any]) -> EventPlan:
    """Return a plan from its JSON."""
    tables = tuple(EventTable(table["name"], tuple(table["players"])) for table in plan["tables"])
    return EventPlan(
        name=plan["name"],
        when=plan["when"],
        game=plan["game"],
        catalog=plan["catalog"],
        rules=plan["rules"],
        variants=tuple(plan["variants"]),
        tables=tables,
    )


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """A stored event."""

    id: str
    plan: EventPlan

    def key(self, number: int) -> str:
        """Return the key under which a table is begun; ``number`` counts from 0.  No request has such a key."""
        return f"event {self.id} table {number}"


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table of an event now.

    ``players`` are the names of its seats.  ``id``: once it is opened.  ``summary``: what lists show of it; ``None``
    before that, and where it lies in the bin or cannot be read.
    """

    name: str
    players: tuple[str, ...]
    id: str | None
    summary: Mapping[str, Any] | None

    @property
    def is_finished(self) -> bool:
        """Return whether its game is over."""
        return self.summary is not None and bool(self.summary["finished"])


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """Result of a player at a table whose game is over.

    ``place`` is the rank at the table, ``rank`` that over all tables; players who are equal share one.  ``figures``:
    the game's own by name, the deciding one first.
    """

    rank: int
    place: int
    table: str
    table_id: str
    name: str
    figures: tuple[tuple[str, int], ...]

    def order(self) -> tuple[int, int]:
        """Return what counts over all tables: the lower one is better."""
        return self.place, -self.figures[0][1] if self.figures else 0


class ClubEvents:
    """The events of an installation.  Every call may come from any thread."""

    def __init__(
        self, tables: Tables, journal: Journal, new_id: Callable[[], str] = lambda: secrets.token_hex(6)
    ) -> None:
        """Store where tables are opened, and where events are kept."""
        self._tables = tables
        self._journal = journal
        self._new_id = new_id
        self._events: dict[str, ClubEvent] = {}
        self._all_begun: dict[str, Mapping[str, str]] = {}

    def check(self, plan: EventPlan) -> None:
        """Raise ``Unseatable`` or ``TableRefused`` where the tables of a plan cannot be begun; nothing is stored."""
        try:
            game = self._tables.game_for(_command(plan, plan.tables[0] if plan.tables else EventTable("", ()), ()))
        except Refused as refused:
            raise TableRefused("", plan.game, refused) from None
        _require_when(plan.when)
        seats = game.manifest.seats
        require_sizes(plan.tables, (seats.fewest, seats.most))
        for table in plan.tables:
            trial = Table("", game, self._journal, self._tables.clock)
            try:
                trial.foresee(Request(_command(plan, table, seats.colours), BANKER, "tap"))
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
        return ClubEvent(stored.id, plan)

    def get(self, event_id: str) -> ClubEvent:
        """Return an event by its id.  Raise ``UnknownEvent``."""
        event = self._events.get(event_id)
        if event is None:
            kept = self._journal.club_event(event_id)
            if kept is None:
                raise UnknownEvent(event_id)
            event = self._events[event_id] = ClubEvent(kept.id, read_plan(kept.plan))
        return event

    def all(self) -> list[ClubEvent]:
        """Return all events, the latest first."""
        return [ClubEvent(kept.id, read_plan(kept.plan)) for kept in reversed(self._journal.club_events())]

    def count_opened(self, event: ClubEvent) -> int:
        """Return how many tables of an event are opened."""
        return len(self._begun(event))

    def open_some(self, event: ClubEvent, source: str, budget_s: float = STEP_S) -> int:
        """Open tables of an event that are not, for some seconds; return how many are opened then.

        Raise ``TableRefused`` where its game is not installed any more.
        """
        try:
            seats = self._tables.game_for(_command(event.plan, EventTable("", ()), ())).manifest.seats
        except Refused as refused:
            raise TableRefused("", event.plan.game, refused) from None
        begun = dict(self._begun(event))
        started = time.monotonic()
        for number, planned in enumerate(event.plan.tables):
            key = event.key(number)
            if key in begun:
                continue
            request = Request(_command(event.plan, planned, seats.colours), BANKER, source, None, key)
            begun[key] = self._tables.start(request).id
            if time.monotonic() - started >= budget_s:
                break
        return len(begun)

    def move_some(self, event: ClubEvent, *, binned: bool, budget_s: float = STEP_S) -> int:
        """Put the tables of an event into the bin, or take them out, for some seconds; return how many are left."""
        started = time.monotonic()
        begun = list(self._begun(event).values())
        outside = {summary["id"] for summary in self._tables.described(begun)}
        others = [table_id for table_id in begun if (table_id in outside) == binned]
        for moved, table_id in enumerate(others, start=1):
            with suppress(UnknownTable):  # somebody else was quicker, or it cannot be read
                (self._tables.put_in_bin if binned else self._tables.take_out_of_bin)(table_id)
            if time.monotonic() - started >= budget_s:
                return len(others) - moved
        return 0

    def lies_in_bin(self, event: ClubEvent) -> bool:
        """Return whether none of the opened tables of an event is outside the bin."""
        begun = list(self._begun(event).values())
        outside = HeadQuery(limit=1, ids=begun, games=self._tables.games, binned=False)
        return bool(begun) and not self._journal.heads(outside)

    def tables(self, event: ClubEvent) -> list[TableNow]:
        """Return the tables of an event in its order, from their summaries; those in the bin have none."""
        begun = self._begun(event)
        summaries = {summary["id"]: summary for summary in self._tables.described(list(begun.values()))}
        now: list[TableNow] = []
        for number, planned in enumerate(event.plan.tables):
            table_id = begun.get(event.key(number))
            summary = None if table_id is None else summaries.get(table_id)
            players = planned.players if summary is None else tuple(seat["name"] for seat in summary["players"])
            now.append(TableNow(planned.name, players, table_id, summary))
        return now

    def _begun(self, event: ClubEvent) -> Mapping[str, str]:
        """Return the ids of opened tables by their keys, in the order of the plan."""
        whole = self._all_begun.get(event.id)
        if whole is not None:
            return whole
        keys = [event.key(number) for number in range(len(event.plan.tables))]
        ids = self._journal.begun_with_any(keys)
        begun = {key: ids[key] for key in keys if key in ids}
        if len(begun) == len(keys):
            self._all_begun[event.id] = begun
        return begun


def results_of(tables: Iterable[TableNow]) -> list[PlayerResult]:
    """Return the results of all tables whose game is over, the best first.

    Winners of a table come before those who were second at theirs, and so on, because that is what a game decides;
    among them the game's deciding figure counts.
    """
    reached: list[PlayerResult] = []
    for table in tables:
        summary = table.summary
        if summary is None or table.id is None or not table.is_finished:
            continue
        names = {seat["id"]: seat["name"] for seat in summary["players"]}
        for row in summary["standings"]:
            figures = tuple((name, value) for name, value in row.items() if name not in ("player", "rank"))
            reached.append(PlayerResult(0, row["rank"], table.name, table.id, names.get(row["player"], ""), figures))
    reached.sort(key=PlayerResult.order)
    ranks: dict[tuple[int, int], int] = {}
    return [
        replace(result, rank=ranks.setdefault(result.order(), number)) for number, result in enumerate(reached, start=1)
    ]


def _command(plan: EventPlan, table: EventTable, colours: Sequence[str]) -> dict[str, Any]:
    """Return the command that begins a table; whoever is first in the list has the first turn."""
    players = [
        {"id": colour, **({"name": name} if name else {})} for colour, name in zip(colours, table.players, strict=False)
    ]
    chosen = {"rules": dict(plan.rules), "variants": list(plan.variants)}
    return {
        "do": "start_game",
        "game": plan.game,
        "catalog": plan.catalog,
        "first": colours[0] if colours else "",
        "players": players,
        **{name: value for name, value in chosen.items() if value},
    }
