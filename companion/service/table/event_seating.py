"""The plan of a club event, its seating within the limits of a game, and what stands at its tables in the end."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from typing import Any, Literal, TypeAlias

from companion.engine.game import Refused
from companion.engine.readable import is_readable, join_words, shapes

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
RENAME = "rename_player"
"""The command that says another name, and begins nothing."""

Limits: TypeAlias = tuple[int, int]
"""The fewest and the most players of a game."""
Order: TypeAlias = Literal["random", "given", "listed"]
"""People are dealt at random, or sit in the order of the list, or the list says at which table each sits."""


class Unseatable(Exception):  # noqa: N818 - an answer, not an error of the program
    """People cannot be seated so.  ``why`` says in which way; ``figures`` are what a sentence about it needs."""

    def __init__(self, why: str, **figures: object) -> None:
        """Store the reason and its figures."""
        super().__init__(why)
        self.why = why
        self.figures = figures


@dataclass(frozen=True, slots=True)
class EventTable:
    """A table of an event: its number or name, and its players in seating order; empty names are free seats.

    ``place`` names it among the tables of its event, whatever it is called and wherever it stands in the plan; empty in
    a plan that was never changed, where its number does, counted from 0.
    """

    name: str
    players: tuple[str, ...]
    place: str = ""


def read_table(name: str, players: Iterable[str], place: str = "") -> EventTable:
    """Return a table that was sent or stored, with players' names as games keep them; one that shows nothing stays."""
    return EventTable(name, tuple(join_words(player) or player for player in players), place)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """An event as its organiser asks for it.

    ``when`` is ISO 8601 without a zone, or empty; rules and variants are those of ``start_game``.  ``removed``: the
    places of tables that earlier plans of the event had.  ``reseated``: the places of opened tables at which the plan
    seats people otherwise than they sat.
    """

    name: str
    when: str
    game: str
    catalog: str
    rules: Mapping[str, Any]
    variants: tuple[str, ...]
    tables: tuple[EventTable, ...]
    removed: tuple[str, ...] = ()
    reseated: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the plan as it is stored."""
        return {
            "name": self.name,
            "when": self.when,
            "game": self.game,
            "catalog": self.catalog,
            "rules": dict(self.rules),
            "variants": list(self.variants),
            "tables": [
                {
                    "name": table.name,
                    "players": list(table.players),
                    **({"place": table.place} if table.place else {}),
                }
                for table in self.tables
            ],
            **({"removed": list(self.removed)} if self.removed else {}),
            **({"reseated": list(self.reseated)} if self.reseated else {}),
        }


def read_plan(plan: Mapping[str, Any]) -> EventPlan:
    """Return a plan from its JSON; raise ``ValueError`` for what is none."""
    try:
        tables = tuple(read_table(table["name"], table["players"], table.get("place", "")) for table in plan["tables"])
        read = EventPlan(
            name=plan["name"],
            when=plan["when"],
            game=plan["game"],
            catalog=plan["catalog"],
            rules=dict(plan["rules"]),
            variants=tuple(plan["variants"]),
            tables=tables,
            removed=tuple(plan.get("removed", ())),
            reseated=tuple(plan.get("reseated", ())),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no plan of an event ({type(error).__name__}: {error})") from error
    texts: list[object] = [read.name, read.when, read.game, read.catalog, *read.variants, *read.removed, *read.reseated]
    texts += [text for table in tables for text in (table.name, table.place, *table.players)]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("no plan of an event (a name is no text)")
    return read


def place_tables(tables: Sequence[EventTable], version: int) -> tuple[EventTable, ...]:
    """Return the tables of a plan of some version with their places, and new ones where they had none.

    Raise ``Unseatable`` where two tables have one place.
    """
    placed: dict[str, EventTable] = {}
    for number, table in enumerate(tables):
        place = table.place or f"{version}.{number}"
        if place in placed:
            raise Unseatable("place_twice", table=placed[place].name, other=table.name)
        placed[place] = replace(table, place=place)
    return tuple(placed.values())


def said_name(seat: str, name: str) -> str:
    """Return the name at a seat; empty where it is that of the seat itself, because nobody has said another one."""
    return "" if name.casefold() == seat else name


def have_begun(commands: Sequence[Mapping[str, Any]]) -> bool | None:
    """Return whether commands after the start of a table do more than say names; ``None`` where that needs its history.

    A plan that is followed amends the start, and leaves out names.
    """
    amends = [command for command in commands if command.get("do") == "amend"]
    others = {command.get("do") for command in commands} - {RENAME, "amend"}
    if not others:
        return None if any(command.get("seq") != 1 and command.get("with") is not None for command in amends) else False
    return None if amends or others & {"undo", "redo"} else True


def fold_name(name: str) -> str:
    """Return the same text for a name whatever its blanks and capitals, and however its accents are stored."""
    return join_words(name).casefold()


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
    written = people.lstrip("\ufeff")  # which spreadsheet programs put before a text
    if order == "listed":
        planned = _read_seating(written)
    else:
        names = [" ".join(line.split()) for line in written.splitlines() if line.strip()]
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
    """Raise ``Unseatable`` for tables of too few or too many players, no tables or too many, and unfit names.

    Those of tables are short, can be seen, and do not look alike.
    """
    if not tables:
        raise Unseatable("nobody")
    _require_number(len(tables))
    for table in tables:
        if len(table.name) > MOST_LETTERS:
            raise Unseatable("long_name", table=table.name[:MOST_LETTERS], most=MOST_LETTERS)
        require_visible(table.name)
        _require_size(table.name, len(table.players), limits)
    called: dict[str, str] = {}
    for table in tables:
        its_shapes = shapes(table.name)
        alike = next((called[shape] for shape in its_shapes if shape in called), None)
        if alike is not None:
            raise Unseatable("table_twice", table=alike)
        called.update(dict.fromkeys(its_shapes, table.name))


def require_visible(name: str) -> None:
    """Raise ``Unseatable`` for a name of an event or table that shows nothing, or hides something."""
    if not is_readable(name):
        raise Unseatable("unseen_name")


def _require_number(tables: int) -> None:
    if not 1 <= tables <= MOST_TABLES:
        raise Unseatable("tables", most=MOST_TABLES)


def _require_size(table: str, players: int, limits: Limits) -> None:
    if not limits[0] <= players <= limits[1]:
        raise Unseatable("size", table=table, count=players, least=limits[0], most=limits[1])


def require_when(when: str) -> None:
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
    ends = list(accumulate(sizes))
    return [tuple(names[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _deal(names: Sequence[str], sizes: Sequence[int], chance: Random) -> list[tuple[str, ...]]:
    """Deal people to tables like cards; those of one name are dealt one after the other, so they sit apart."""
    often = Counter(name.casefold() for name in names)
    shuffled = chance.sample(names, len(names))
    shuffled.sort(key=lambda name: (-often[name.casefold()], name.casefold() if often[name.casefold()] > 1 else ""))
    dealt = [shuffled[number :: len(sizes)] for number in range(len(sizes))]
    return [tuple(chance.sample(players, len(players))) for players in dealt]


def _read_seating(text: str) -> tuple[EventTable, ...]:
    """Return the tables of a list that says at which table each sits, in the order in which they are first named."""
    lines = text.splitlines()
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


def seats_of(players: Sequence[str], now: Sequence[tuple[str, str]], colours: Sequence[str]) -> list[tuple[str, str]]:
    """Return the seats and names of a table that is seated anew: whoever stays at it keeps their seat.

    Args:
        players: names in the new order; an empty one is a free seat.
        now: seats and names so far, in order.
        colours: all seats of the game.

    """
    free = list(now)
    kept: dict[int, str] = {}
    for number, name in enumerate(players):
        seat = next((each for each in free if fold_name(each[1]) == fold_name(name)), None)
        if seat is not None:
            free.remove(seat)
            kept[number] = seat[0]
    unused = [colour for colour in colours if colour not in kept.values()]
    for number in range(len(players)):
        if number not in kept:
            usual = now[number][0] if number < len(now) else ""
            kept[number] = usual if usual in unused else unused[0]
            unused.remove(kept[number])
    return [(kept[number], name) for number, name in enumerate(players)]


def start_command(plan: EventPlan, table: EventTable, colours: Sequence[str]) -> dict[str, Any]:
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


# Events that are stored, their tables now, and results


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


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """A stored event with its latest plan, which is the ``version``-th."""

    id: str
    plan: EventPlan
    version: int = 1

    def key(self, place: str) -> str:
        """Return the key under which the table of a place is begun.  No request has such a key."""
        return f"event {self.id} table {place}"

    def tables_by_place(self) -> dict[str, EventTable]:
        """Return the tables by their places."""
        return {table.place or str(number): table for number, table in enumerate(self.plan.tables)}


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table of an event now.

    ``players`` are the names of its seats; ``place`` names it in its event.  ``id``: once it is opened.  ``summary``:
    what lists show of it; ``None`` before that, where it cannot be read, and where it lies in the bin unless those were
    asked for, which ``is_away`` says of it then.
    """

    name: str
    players: tuple[str, ...]
    id: str | None
    summary: Mapping[str, Any] | None
    place: str = ""
    is_away: bool = False

    @property
    def state(self) -> str:
        """Return ``planned``, ``finished``, ``away`` in the bin, ``unreadable`` or ``playing``."""
        if self.is_finished or self.id is None:
            return "finished" if self.is_finished else "planned"
        unless_away = "unreadable" if self.summary is None else "playing"
        return "away" if self.is_away else unless_away

    @property
    def is_finished(self) -> bool:
        """Return whether its game is over."""
        return self.summary is not None and bool(self.summary["finished"])


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """Result of a player at a table whose game is over.

    ``place`` is the rank at the table, ``rank`` that over all tables; players who are equal share one.  ``figures``:
    the game's own by name, the deciding one first; there may be none.  ``seat``: its id.
    """

    rank: int
    place: int
    table: str
    table_id: str
    name: str
    figures: tuple[tuple[str, int], ...]
    seat: str = ""

    def order(self, sign: int = -1) -> tuple[int, int]:
        """Return what counts over all tables: the lower one is better; with ``sign`` 1 the lower figure, too."""
        return self.place, sign * self.figures[0][1] if self.figures else 0


def results_of(tables: Iterable[TableNow]) -> list[PlayerResult]:
    """Return the results of all tables whose game is over, the best first.

    Winners of a table come before those who were second at theirs, and so on, because that is what a game decides;
    among them the game's deciding figure counts: the higher one, unless the lower one won at every table.
    """
    reached: list[PlayerResult] = []
    for table in tables:
        summary = table.summary
        if summary is None or table.id is None or not table.is_finished:
            continue
        names = {seat["id"]: seat["name"] for seat in summary["players"]}
        for row in summary["standings"]:
            figures = tuple((name, value) for name, value in row.items() if name not in ("player", "rank"))
            seat = row["player"]
            reached.append(PlayerResult(0, row["rank"], table.name, table.id, names.get(seat, ""), figures, seat))
    order = partial(PlayerResult.order, sign=1 if _lowest_wins(reached) else -1)
    reached.sort(key=order)
    ranks: dict[tuple[int, int], int] = {}
    return [
        replace(result, rank=ranks.setdefault(order(result), number)) for number, result in enumerate(reached, start=1)
    ]


def _lowest_wins(results: Iterable[PlayerResult]) -> bool:
    """Return whether at every table the deciding figure is higher the later the place, and differs somewhere."""
    by_table: dict[str, list[tuple[int, int]]] = {}
    for result in results:
        by_table.setdefault(result.table_id, []).extend((result.place, value) for _, value in result.figures[:1])
    steps = [step for rows in by_table.values() for step in pairwise(sorted(rows))]
    return any(later > figure for (_, figure), (_, later) in steps) and all(
        later >= figure for (_, figure), (_, later) in steps
    )
