"""Tables: all of them, a new one, one as the caller may see it, its cards, how it is set, and its auction's clock."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast, get_args

from flask import Blueprint, Response, jsonify, request, url_for
from pydantic import Field
from werkzeug.utils import redirect
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import Refused
from companion.service.camera.proposals import crop_picture
from companion.service.ports import UnknownVersion
from companion.service.table.lists import TableState, read_place
from companion.service.table.past import position_json_at
from companion.service.table.play_files import LineRefused, take_in
from companion.service.table.registry import game_of
from companion.service.table.table import Request, Table
from companion.web.api.commands import COMMAND, refusal_problem
from companion.web.api.shapes import OfferJson, PositionJson
from companion.web.http.auth import (
    command_source,
    current_caller,
    is_still_seated,
    open_table,
    services,
)
from companion.web.http.caches import view_texts
from companion.web.http.endpoint import (
    ETAG,
    INSIDE,
    JPEG,
    KEY,
    LANGUAGE,
    LARGEST_PAGE,
    PAGE_PLACE,
    PAGE_SIZE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    Content,
    JsonObject,
    Omittable,
    Parameter,
    Shape,
    TableId,
    described,
    endpoint,
    only_of_type,
    page_size,
    read_json_object,
    request_key,
)
from companion.web.http.guests import search_of_request
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem, problem_of_refusal
from companion.web.table_state import preparation_steps

blueprint = Blueprint("tables", __name__)

PAGING = frozenset({"search", "game", "state", "limit", "after"})
PLAY_FILES = frozenset({"application/jsonl", "application/x-ndjson"})
"""The media types of a play file."""
REMINDERS = (0, 15, 30, 60)
"""Seconds of thought about a bid until the screens say *going once*; 0: never.  It reminds and never decides."""


class PlayerJson(Shape):
    """A player: the id of the seat, and a name."""

    id: str
    name: str


class StandingJson(Shape):
    """Where a player stands at the end."""

    player: str
    worth: int
    rank: int


class TableJson(Shape, title="Table"):
    """A table in the list of tables."""

    id: str
    game: str
    version: int
    started_at: str
    changed_at: str
    round: int | None
    phase: str | None
    finished: bool
    players: list[PlayerJson]
    standings: list[StandingJson]
    interrupted: Annotated[bool, described("Nobody has played on since the companion was started.")]


class UnplayableJson(ClosedShape):
    """A table that is kept and cannot be played on; ``sound``: so many entries of it can be."""

    id: str
    game: str
    fault: str
    version: int
    sound: int


class TablesJson(Shape):
    """The tables that the caller may enter; ``bin`` and ``unplayable`` for the organiser who asks for all."""

    tables: list[TableJson]
    next: Annotated[
        Omittable[str], described("What to send as `after` for the next page; not there on the last one.")
    ] = None
    bin: Omittable[list[TableJson]] = None
    unplayable: Omittable[list[UnplayableJson]] = None


class StartedJson(Shape):
    """A table that was started."""

    id: str
    version: int


class PlayedOnJson(ClosedShape):
    """The table in which a damaged one goes on."""

    id: str
    version: int


class ShownJson(Shape, title="Shown"):
    """A table as the caller may see it."""

    version: int
    position: PositionJson | None
    offers: list[OfferJson]


class InBinJson(Shape):
    """Place of a table: in the bin or not."""

    in_: Annotated[bool, Field(alias="in")]


class PutInBin(InBinJson, extra="forbid"):
    """Request to move a table into the bin, or out of it."""


class StepJson(Shape):
    """A step of setting the table."""

    step: str
    count: Annotated[int, described("The figure of the step; 0 where it has none.")]
    shown: Annotated[int, described("How many of its piles cards in view have shown.")]
    of: Annotated[int, described("How many piles it has; 0 where cards say nothing of it.")]
    done: bool


class PreparationJson(
    Shape,
    title="Preparation",
    json_schema_extra={
        "description": "What is laid ready before the first act; it never keeps the game from going on."
    },
):
    """Preparation of a table before the first act."""

    steps: list[StepJson]


class TickStep(ClosedShape):
    """Request to tick a step of the preparation, or to clear it."""

    step: str
    done: bool


class ReminderJson(Shape):
    """After how many seconds of thought about a bid the screens remind."""

    seconds: int


class SetReminder(ClosedShape):
    """After how many seconds of thought about a bid the screens are to remind."""

    seconds: Annotated[Literal[0, 15, 30, 60], only_of_type(int)]


PUT_IN_BIN = Body[PutInBin](PutInBin, 'Send {"in": true} or {"in": false}, and nothing else.')
TICK_STEP = Body[TickStep](TickStep, 'Send {"step": ..., "done": true}')
SET_REMINDER = Body[SetReminder](
    SetReminder, f'Send {{"seconds": ...}}, and nothing else: one of {", ".join(map(str, REMINDERS))}.'
)
STARTED = Answer("Started.", StartedJson, 201, headers={**ETAG, "Location": "The address of the table."})


@blueprint.get("/tables")
@endpoint(
    "The tables that the caller may enter: for the organiser all of them, and those in the bin, or with any parameter "
    "a page of those that are searched for, the one played on last first.",
    answers=Answer("The tables.", TablesJson),
    problems=("login_needed", "malformed", "internal"),
    parameters=(
        Parameter("search", "Words of a table: in its id or a player's name, in the title of its game, its letters."),
        Parameter("game", "The game that is played."),
        Parameter("state", "What goes on, what is over, or what lies in the bin; else all but the bin.", TableState),
        PAGE_SIZE,
        PAGE_PLACE,
    ),
)
def list_tables() -> Response:
    """Return the tables that the caller may enter; for the organiser those in the bin too, or a page of a search."""
    caller, tables = current_caller(), services().tables
    if caller.table is not None:
        about = tables.describe(caller.table)
        entered = about is not None and is_still_seated(caller, tables.get(caller.table))
        return jsonify({"tables": [about] if entered else []})
    if not request.args.keys().isdisjoint(PAGING):
        page = tables.page(search_of_request(_state()), page_size(), _place())
        return jsonify({"tables": page.tables, **({} if page.next is None else {"next": page.next})})
    answer: dict[str, Any] = {"tables": tables.all(), "bin": tables.all(binned=True)}
    if unplayable := tables.unplayable(LARGEST_PAGE):
        answer["unplayable"] = unplayable
    return jsonify(answer)


def _state() -> TableState | None:
    state = request.args.get("state")
    if state not in (None, *get_args(TableState)):
        raise Problem("malformed", f"state is {', '.join(get_args(TableState))}, or not given.")
    return cast("TableState | None", state)


def _place() -> tuple[str, int] | None:
    """Return the place of ``?after=``.  Raise ``Problem``."""
    after = request.args.get("after")
    try:
        return None if after is None else read_place(after)
    except ValueError:
        raise Problem("malformed", "after is the next of an earlier page, as it was sent.") from None


@blueprint.post("/tables")
@endpoint(
    "Start a table with a start_game or take_over command, or with a whole play file; for the organiser.",
    answers=STARTED,
    problems=("login_needed", "forbidden", "not_found", "refused", "key_reused", *SENDING, "internal"),
    body=Content(
        {"application/json": COMMAND, "application/jsonl": str},
        "Every line of a play file is decided before any is kept; a refusal names the line.",
    ),
    parameters=(LANGUAGE, KEY, Parameter("follows", "The table whose phones and screens come along.")),
)
def start_table() -> Response:
    """Start a table with a ``start_game`` or ``take_over`` command, or with a whole play file.

    ``?follows=``: a table whose phones and screens go on to this one.
    """
    actor = current_caller().viewer
    key = _key_of_start(actor)
    before = _followed_table()
    if request.mimetype in PLAY_FILES:
        return _started(_table_of_play_file(actor, key), before)
    command = read_json_object()
    try:
        table = services().tables.start(Request(command, actor, command_source(), key=key))
    except Refused as refused:
        metrics().count("commands", outcome="refused")
        metrics().count("refusals", rule=refused.rule)
        wished = services().tables.games.get(str(game_of(command)))
        raise problem_of_refusal(
            refused, _names_in_command(command), game=wished.manifest if wished else None
        ) from None
    metrics().count("commands", outcome="done")
    return _started(table, before)


def _key_of_start(actor: str) -> str | None:
    """Return the key of a start: that of no command, by a blank in it, unless an earlier version kept it without."""
    as_before = request_key(actor)
    return as_before if services().tables.begun_with(as_before) else request_key(f"{actor}:a start")


def _followed_table() -> Table | None:
    """Return the table whose guests come along, also out of the bin.  Raise ``UnknownTable``."""
    before = request.args.get("follows")
    return None if before is None else services().tables.get(before, also_binned=True)


def _table_of_play_file(actor: str, key: str | None) -> Table:
    try:
        return take_in(services().tables, request.get_data(cache=False), actor=actor, key=key)
    except LineRefused as wrong:
        metrics().count("refusals", rule=wrong.refused.rule)
        problem = refusal_problem(wrong.refused, wrong.table) if wrong.table else problem_of_refusal(wrong.refused, {})
        problem.members = {**problem.members, "line": wrong.line}
        raise problem from None


@blueprint.post("/tables/<table_id>/bin")
@endpoint(
    "Put a table into the bin, where nothing of it is lost, or take it out; for the organiser.",
    answers=Answer("Done.", InBinJson),
    problems=(*INSIDE, *SENDING),
    body=PUT_IN_BIN,
    counts_once=True,
)
def put_in_bin(table_id: TableId) -> Response:
    """Put a table into the bin or take it out; for the organiser."""
    wish = PUT_IN_BIN.read().in_
    if wish:
        services().tables.put_in_bin(table_id)
    else:
        services().tables.take_out_of_bin(table_id)
    services().wake_tables_before(table_id)
    return jsonify({"in": wish})


@blueprint.post("/tables/<table_id>/play-on")
@endpoint(
    "Keep what is sound of a damaged table as a table of its own; the damaged one stays. For the organiser.",
    answers=Answer("The new table.", PlayedOnJson, 201),
    problems=(*INSIDE, *SENDING),
    counts_once=True,
)
def play_on(table_id: TableId) -> Response:
    """Keep what is sound of a damaged table as a table of its own, and lead there, with the phones of that one."""
    table = services().tables.play_on(table_id)
    services().guests.go_on(table_id, table.id)
    return _started(table, None)


def _started(table: Table, before: Table | None) -> Response:
    services().guests.organiser_is_at(table.id)
    if before is not None:
        services().guests.go_on(before.id, table.id)
        services().wake_tables_before(table.id)
    answer = jsonify({"id": table.id, "version": table.version})
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.tables.show_table", table_id=table.id)
    answer.set_etag(str(table.version))
    return answer


@blueprint.get("/tables/<table_id>")
@endpoint(
    "The position and what the caller may do now; with `at`, how it stood after that entry, without offers.",
    answers=Answer("The view of the caller.", ShownJson, headers=ETAG),
    problems=("malformed", *INSIDE),
    parameters=(Parameter("at", "The number of an entry; what was secret then stays so.", int),),
)
def show_table(table_id: TableId) -> Response:
    """Return the position and what the caller may do now; the ETag is the version.  ``?at=K``: as it stood then."""
    table = open_table(table_id)
    if "at" in request.args:
        return jsonify(_view_at(table, request.args["at"]))
    version, text = view_texts().of(table, current_caller().viewer)
    answer = Response(text + "\n", mimetype="application/json")
    answer.set_etag(str(version))
    return answer


def _view_at(table: Table, at: str) -> dict[str, Any]:
    try:
        return position_json_at(table, int(at) if at.isascii() and at.isdigit() else 0, current_caller().viewer)
    except (UnknownVersion, ValueError):
        raise Problem("malformed", f"at is the number of an entry, from 1 to {table.version}.") from None


@blueprint.get("/tables/<table_id>/entries/<int:seq>/picture")
@endpoint(
    "What the camera saw of the card that led to an entry, as long as it is kept; for the banker, and for "
    "players where the entry is not held back from them.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
)
def show_entry_picture(table_id: TableId, seq: Annotated[int, "The number of the entry."]) -> Response:
    """Return what the camera saw of the card that led to an entry, as long as it is kept; not to spectators."""
    table, viewer = open_table(table_id), current_caller().viewer
    jpeg = crop_picture(services().proposals.keepsakes, table, seq, viewer)
    if jpeg is None:
        raise Problem("not_found", "There is no picture of this entry.")
    return Response(jpeg, mimetype="image/jpeg")


@blueprint.get("/tables/<table_id>/catalog")
@endpoint(
    "The cards that the table plays with.",
    answers=Answer("Contracts, workers, events and economic situations by id.", JsonObject),
    problems=INSIDE,
)
def show_catalog(table_id: TableId) -> Response:
    """Return the cards that the table plays with."""
    return jsonify(open_table(table_id).catalog_json())


def _names_in_command(command: Mapping[str, Any]) -> dict[str, str]:
    """Return the names in a command that was refused, and that may be nonsense: of a game to start or take over."""
    position = command.get("position")
    players = position.get("players") if isinstance(position, dict) else command.get("players")
    if isinstance(players, dict):
        players = [{"id": player, **fields} for player, fields in players.items() if isinstance(fields, dict)]
    wished = [player for player in players if isinstance(player, dict)] if isinstance(players, list) else []
    return {str(player["id"]): str(player["name"]) for player in wished if "id" in player and "name" in player}


@blueprint.get("/tables/<table_id>/preparation")
@endpoint(
    "What is laid ready before the first act; for the banker.",
    answers=Answer("The steps.", PreparationJson),
    problems=INSIDE,
)
def show_preparation(table_id: TableId) -> Response:
    """Return the steps of setting the table; for the banker."""
    table = open_table(table_id)
    return jsonify({"steps": preparation_steps(services(), table)})


@blueprint.post("/tables/<table_id>/preparation")
@endpoint(
    "Say by hand whether a step is done, which counts before what cards in view show; for the banker.",
    answers=Answer("The steps then.", PreparationJson),
    problems=(*INSIDE, *SENDING),
    body=TICK_STEP,
    counts_once=True,
)
def tick_preparation(table_id: TableId) -> Response:
    """Store whether a step is done; for the banker.  It never keeps the game from going on."""
    table = open_table(table_id)
    names = {step["step"] for step in preparation_steps(services(), table)}
    expects = f'Send {{"step": ..., "done": true}}; the steps are {", ".join(sorted(names))}.'
    tick = TICK_STEP.read(expects)
    if tick.step not in names:
        raise Problem("malformed", expects)
    services().preparations.tick(table_id, tick.step, done=tick.done)
    table.signal.bump()
    return jsonify({"steps": preparation_steps(services(), table)})


@blueprint.get("/tables/<table_id>/hammer")
@endpoint(
    "After how many seconds of thought about a bid the screens say going once; 0: never.",
    answers=Answer("The seconds.", ReminderJson),
    problems=INSIDE,
)
def show_hammer(table_id: TableId) -> Response:
    """Return after how many seconds of thought the screens of a table remind."""
    table = open_table(table_id)
    return jsonify({"seconds": services().preferences.chosen.hammers.get(table.id, 0)})


@blueprint.post("/tables/<table_id>/hammer")
@endpoint(
    "Choose it: 0, 15, 30 or 60 seconds; it reminds and never decides. For the banker.",
    answers=Answer("Chosen.", ReminderJson),
    problems=(*INSIDE, *SENDING),
    body=SET_REMINDER,
    counts_once=True,
)
def set_hammer(table_id: TableId) -> AnyResponse:
    """Store it; for the banker.  A page's form sends ``seconds`` too, and is led back to its table."""
    table = open_table(table_id)
    form = request.mimetype == "application/x-www-form-urlencoded"
    if form:
        chosen = [choice for choice in REMINDERS if str(choice) == request.form.get("seconds")]
        if not chosen:
            raise Problem("malformed", SET_REMINDER.expects)
        seconds = chosen[0]
    else:
        seconds = SET_REMINDER.read().seconds
    services().preferences.set_hammer(table.id, seconds)
    table.signal.bump()
    return redirect(url_for("tables.tablet", table_id=table.id), 303) if form else jsonify({"seconds": seconds})
