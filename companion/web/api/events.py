"""Events of a club: many tables of a game planned and opened at once, where they stand, and their results."""

from dataclasses import replace
from random import SystemRandom
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify, request, url_for
from pydantic import Field

from companion.service.table.event_seating import (
    MOST_LETTERS,
    ClubEvent,
    EventPlan,
    TableNow,
    plan_tables,
    read_table,
    results_of,
)
from companion.web.http.auth import MOST_DIGITS, club_events, command_source, current_caller, services
from companion.web.http.endpoint import (
    FOR_BANKER,
    INSIDE,
    LANGUAGE,
    PAGE_PLACE,
    PAGE_SIZE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    JsonObject,
    Omittable,
    Shape,
    described,
    endpoint,
    page_size,
    request_key,
)
from companion.web.http.problems import Problem, require

blueprint = Blueprint("events", __name__)

MOST_EVENTS = 1_000_000
"""Of those that are listed for whoever asks for all."""
LONGEST_LIST = 100_000
"""Characters of a list of people."""
TypedNumber = Annotated[int, Field(ge=0, le=9_999)]
"""A number as people type one; smaller limits of a game are refused in words."""
EventId = Annotated[str, "The id of the event."]
When = Annotated[
    str,
    Field(pattern=r"^(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d)?$"),
    described("Local time from the year 2000 to 2100, or empty."),
]
EventName = Annotated[str, Field(min_length=1, max_length=60)]


class EventTableJson(ClosedShape):
    """A table that is planned."""

    name: Annotated[str, Field(min_length=1, max_length=MOST_LETTERS), described("Its number, or another name.")]
    players: Annotated[list[str], described("In seating order; the first one begins. An empty name is a free seat.")]


class ChangedTableJson(EventTableJson):
    """A table as it shall be."""

    players: Annotated[
        list[str],
        described(
            "In seating order, as they open; nobody at a table with a `place`: it is taken away, whoever sat there."
        ),
    ]
    place: Annotated[Omittable[str], described("As the event has it; without it the table is added.")] = None
    shown: Annotated[
        Omittable[list[str]],
        described("The names that were there when it was looked at; where `players` are the same, nobody is moved."),
    ] = None


class SeatPeople(ClosedShape):
    """People who are to be seated."""

    game: str
    people: Annotated[str, Field(max_length=LONGEST_LIST), described("One a line; `listed`: table, name a line.")]
    order: Annotated[
        Literal["random", "given", "listed"],
        described("Dealt at random, seated in the order of the list, or as the list says."),
    ]
    tables: Annotated[Omittable[TypedNumber], described("How many; without it as few as seat all.")] = None
    seats: Annotated[Omittable[TypedNumber], described("At each table, where nobody is on the list.")] = None


class SeatedJson(Shape):
    """The tables at which people were seated; nothing is stored of them yet."""

    tables: list[EventTableJson]


class OpenEvent(ClosedShape):
    """An event, for which tables of a game are to be opened."""

    name: EventName
    when: When
    game: str
    catalog: str
    rules: Annotated[JsonObject, described("House rules, as `start_game` has them.")]
    variants: list[str]
    tables: list[EventTableJson]


class ChangeEvent(ClosedShape):
    """A later plan of an event."""

    version: Annotated[TypedNumber, described("Of the plan that was changed; another one since is refused.")]
    name: EventName
    when: When
    tables: Annotated[
        list[ChangedTableJson],
        described(
            "All that shall be there, in this order; one whose `place` is not named is taken away, unless somebody "
            "there has no seat elsewhere."
        ),
    ]


class ProgressJson(Shape):
    """An event, and how many of its tables are opened."""

    id: str
    opened: int
    tables: int


class EventInListJson(ProgressJson):
    """An event in the list of events."""

    name: str
    when: str
    game: str
    in_bin: Annotated[bool, described("All its opened tables lie in the bin.")]


class EventsJson(Shape):
    """The events, the latest first."""

    events: list[EventInListJson]
    next: Annotated[
        Omittable[str], described("What to send as `after` for the next page; not there on the last one.")
    ] = None


class TableOfClubEventJson(Shape):
    """A table of an event now; phase, round and finished are null before it is opened and while it is in the bin."""

    place: Annotated[str, described("Names the table in its event, whatever it is called.")]
    name: str
    players: list[str]
    begun: Annotated[bool, described("More has happened there than that people were seated: its players stay.")]
    table: Annotated[str, described("Its id, once it is opened.")] | None
    phase: str | None
    round: int | None
    finished: bool | None


class ClubEventJson(Shape):
    """An event with its tables."""

    id: str
    version: Annotated[int, described("Of its plan: 1, and one more for each change.")]
    name: str
    when: str
    game: str
    tables: list[TableOfClubEventJson]


class ResultJson(Shape):
    """Result of a player at a table whose game is over."""

    rank: Annotated[int, described("Over all tables: winners first, then the game's deciding figure; equals share it.")]
    place: Annotated[int, described("At the table.")]
    table: str
    player: str
    figures: Annotated[dict[str, int], described("The game's own, the deciding one first.")]


class ResultsJson(Shape):
    """The results of an event so far, and the tables that are not finished."""

    results: list[ResultJson]
    unfinished: list[str]


class MoveEvent(ClosedShape):
    """Request to move all tables of an event into the bin, or out of it."""

    in_: Annotated[bool, Field(alias="in")]


class MovedJson(Shape):
    """How many tables are still to be moved."""

    left: int


SEAT = Body[SeatPeople](SeatPeople, 'Send {"game", "people", "order"}, and "tables" and "seats" where they matter.')
OPEN = Body[OpenEvent](OpenEvent, 'Send {"name", "when", "game", "catalog", "rules", "variants", "tables"}.')
CHANGE = Body[ChangeEvent](ChangeEvent, 'Send {"version", "name", "when", "tables"}.')
MOVE = Body[MoveEvent](MoveEvent, 'Send {"in": true} or {"in": false}, and nothing else.')
PROGRESS = "How many are opened; ask again until all are. Whoever asks twice opens none twice."
_SEATING = ("refused", "unseatable", "not_found")


@blueprint.get("/events")
@endpoint(
    "The events, for which many tables were opened at once, the latest first: all, or with any parameter a page of "
    "them; for the organiser.",
    answers=Answer("The events.", EventsJson),
    problems=("not_found", "malformed", *FOR_BANKER),
    parameters=(PAGE_SIZE, PAGE_PLACE),
)
def list_events() -> Response:
    """Return all events, or a page of them, the latest first; for the organiser."""
    events, is_paged = club_events(), not request.args.keys().isdisjoint({"limit", "after"})
    listed_events, after = events.page(page_size() if is_paged else MOST_EVENTS, _place())
    listed = [
        {
            **_progress(event, events.count_opened(event)),
            "name": event.plan.name,
            "when": event.plan.when,
            "game": event.plan.game,
            "in_bin": events.lies_in_bin(event),
        }
        for event in listed_events
    ]
    return jsonify({"events": listed, **({} if after is None or not is_paged else {"next": str(after)})})


def _place() -> int | None:
    """Return the place of ``?after=``.  Raise ``Problem``."""
    after = request.args.get("after")
    if after is not None and not (after.isascii() and after.isdecimal() and len(after) <= MOST_DIGITS):
        raise Problem("malformed", "after is the next of an earlier page, as it was sent.")
    return None if after is None else int(after)


@blueprint.post("/events/seating")
@endpoint(
    "Seat people at tables of a game, to be looked at before they are opened: nothing is stored. For the organiser.",
    answers=Answer("Who would sit where.", SeatedJson),
    problems=(*FOR_BANKER, *SENDING, "unseatable", "not_found"),
    body=SEAT,
    parameters=(LANGUAGE,),
)
def seat_people() -> Response:
    """Return who would sit where; for the organiser."""
    wish = SEAT.read()
    game = require(services().tables.games.get(wish.game), "There is no such game.")
    seats = game.manifest.seats
    tables = plan_tables(
        *(wish.people, wish.order, (seats.fewest, seats.most)),
        tables=wish.tables,
        seats_each=wish.seats,
        chance=SystemRandom(),
    )
    return jsonify({"tables": [{"name": table.name, "players": list(table.players)} for table in tables]})


@blueprint.post("/events")
@endpoint(
    "Store an event and open its tables, as many as a second allows; for the organiser. The same key: the same event.",
    answers=Answer(PROGRESS, ProgressJson, 201, headers={"Location": "The address of the event."}),
    problems=(*FOR_BANKER, *SENDING, *_SEATING),
    body=OPEN,
    parameters=(LANGUAGE,),
    counts_once=True,
)
def open_event() -> Response:
    """Store an event and begin to open its tables; for the organiser."""
    wish, events = OPEN.read(), club_events()
    tables = tuple(read_table(table.name.strip(), table.players) for table in wish.tables)
    plan = EventPlan(
        name=wish.name.strip(),
        when=wish.when,
        game=wish.game,
        catalog=wish.catalog,
        rules=wish.rules,
        variants=tuple(wish.variants),
        tables=tables,
    )
    event = events.keep(plan, request_key(current_caller().viewer))
    answer = jsonify(_progress(event, events.open_some(event, command_source())))
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.events.show_event", event_id=event.id)
    return answer


@blueprint.post("/events/<event_id>/open")
@endpoint(
    "Open those tables of an event that are not opened yet, as many as a second allows; for the organiser.",
    answers=Answer(PROGRESS, ProgressJson),
    problems=(*INSIDE, "cross_site", "refused"),
    parameters=(LANGUAGE,),
)
def go_on_opening(event_id: EventId) -> Response:
    """Open further tables of an event; for the organiser."""
    event = club_events().get(event_id)
    return jsonify(_progress(event, club_events().open_some(event, command_source())))


@blueprint.get("/events/<event_id>")
@endpoint(
    "An event with its tables: who plays where, and how far they are; for the organiser.",
    answers=Answer("The event.", ClubEventJson),
    problems=INSIDE,
)
def show_event(event_id: EventId) -> Response:
    """Return an event with its tables; for the organiser."""
    event = club_events().get(event_id)
    plan = event.plan
    tables = [_table_json(table) for table in club_events().tables(event)]
    about = {"id": event.id, "version": event.version, "name": plan.name, "when": plan.when, "game": plan.game}
    return jsonify({**about, "tables": tables})


@blueprint.post("/events/<event_id>/plan")
@endpoint(
    "Change an event: its name, its time, its tables and who sits there, as far as they have not begun; for the "
    "organiser.",
    answers=Answer(PROGRESS, ProgressJson),
    problems=(*INSIDE, *SENDING, "refused", "unseatable"),
    body=CHANGE,
    parameters=(LANGUAGE,),
    counts_once=True,
)
def change_event(event_id: EventId) -> Response:
    """Store a later plan of an event, and begin to let its tables follow it; for the organiser."""
    wish, events = CHANGE.read(), club_events()
    event = replace(events.get(event_id), version=wish.version)
    tables = [read_table(table.name.strip(), table.players, table.place or "") for table in wish.tables]
    shown = {
        table.place: read_table("", table.shown).players
        for table in wish.tables
        if table.place is not None and table.shown is not None
    }
    changed = events.change(event, wish.name.strip(), wish.when, tables, shown)
    return jsonify(_progress(changed, events.open_some(changed, command_source())))


@blueprint.get("/events/<event_id>/results")
@endpoint(
    "The results of the tables of an event whose games are over, the best first; for the organiser.",
    answers=Answer("The results.", ResultsJson),
    problems=INSIDE,
)
def show_event_results(event_id: EventId) -> Response:
    """Return the results of an event so far; for the organiser."""
    tables = club_events().tables(club_events().get(event_id), binned=True)
    results = [
        {
            "rank": result.rank,
            "place": result.place,
            "table": result.table,
            "player": result.name,
            "figures": dict(result.figures),
        }
        for result in results_of(tables)
    ]
    return jsonify({"results": results, "unfinished": [table.name for table in tables if not table.is_finished]})


@blueprint.post("/events/<event_id>/bin")
@endpoint(
    "Put the tables of an event into the bin, or take them out, as many as a second allows; for the organiser.",
    answers=Answer("How many are left; ask again until none is.", MovedJson),
    problems=(*INSIDE, *SENDING),
    body=MOVE,
)
def move_event(event_id: EventId) -> Response:
    """Move tables of an event into the bin or out of it; for the organiser."""
    wish = MOVE.read().in_
    return jsonify({"left": club_events().move_some(club_events().get(event_id), binned=wish)})


def _progress(event: ClubEvent, opened: int) -> dict[str, Any]:
    return {"id": event.id, "opened": opened, "tables": len(event.plan.tables)}


def _table_json(table: TableNow) -> dict[str, Any]:
    now = table.summary or {}
    return {
        "place": table.place,
        "name": table.name,
        "players": list(table.players),
        "begun": club_events().has_begun(table),
        "table": table.id,
        **{name: now.get(name) for name in ("phase", "round", "finished")},
    }
