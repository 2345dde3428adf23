"""Tables: all of them, a new one, one as the caller may see it, and its cards."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from companion.engine.errors import Refused
from companion.engine.game import SPECTATOR
from companion.service.camera import keepsakes as crops
from companion.service.ports import Forbidden, UnknownVersion
from companion.service.table.play_files import LineRefused, take_in
from companion.service.table.registry import game_of
from companion.service.table.stepping import stood_at
from companion.service.table.table import Table
from companion.web.api.commands import as_problem
from companion.web.http.auth import current_caller, open_table, services, source, still_seated, the_banker
from companion.web.http.idempotency import once, request_key
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem, refused_problem
from companion.web.http.strict_json import json_object
from companion.web.shown import shown

blueprint = Blueprint("tables", __name__)

PLAY_FILES = frozenset({"application/jsonl", "application/x-ndjson"})
"""The media types of a play file."""


@blueprint.get("/tables")
def all_tables() -> Response:
    """List the tables that the caller may enter; the banker is told what lies in the bin too."""
    caller = current_caller()
    tables = services().tables
    entered = [table for table in tables.all() if caller.may_enter(table["id"])]
    answer: dict[str, Any] = {"tables": [one for one in entered if still_seated(caller, tables.get(one["id"]))]}
    if caller.role == "banker":
        answer["bin"] = tables.binned()
        if unplayable := tables.unplayable():
            answer["unplayable"] = unplayable
    return jsonify(answer)


@blueprint.post("/tables")
def start() -> Response:
    """Start a table with a ``start_game`` or ``take_over`` command, or with a whole play file.

    ``?follows=``: a table whose phones and screens go on to this one.
    """
    actor = the_banker().viewer
    before = _to_be_followed()
    if request.mimetype in PLAY_FILES:
        return _begun(_taken_in(actor), before)
    command = json_object()
    try:
        table = services().tables.start(command, actor=actor, source=source(), key=request_key(actor))
    except Refused as refused:
        figures().count("commands", outcome="refused")
        figures().count("refusals", rule=refused.rule)
        wished = services().tables.editions.get(str(game_of(command)))
        raise refused_problem(refused, _names_wished(command), game=wished.manifest if wished else None) from None
    figures().count("commands", outcome="done")
    return _begun(table, before)


def _to_be_followed() -> Table | None:
    """Give the table whose guests come along.  Raises ``UnknownTable``."""
    before = request.args.get("follows")
    return None if before is None else open_table(before)


def _taken_in(actor: str) -> Table:
    try:
        return take_in(services().tables, request.get_data(cache=False), actor=actor, key=request_key(actor))
    except LineRefused as wrong:
        figures().count("refusals", rule=wrong.refused.rule)
        problem = as_problem(wrong.refused, wrong.table) if wrong.table else refused_problem(wrong.refused, {})
        problem.members = {**problem.members, "line": wrong.line}
        raise problem from None


@blueprint.post("/tables/<table_id>/bin")
@once
def to_the_bin(table_id: str) -> Response:
    """Take ``{"in": true}`` to put a table into the bin, ``{"in": false}`` to take it out; for the banker."""
    the_banker()
    given = json_object()
    wish = given.get("in")
    if len(given) != 1 or not isinstance(wish, bool):
        raise Problem(400, "malformed", 'Send {"in": true} or {"in": false}, and nothing else.')
    if wish:
        services().tables.put_in_bin(table_id)
    else:
        services().tables.take_out_of_bin(table_id)
    return jsonify({"in": wish})


@blueprint.post("/tables/<table_id>/play-on")
@once
def play_on(table_id: str) -> Response:
    """Keep what is sound of a damaged table as a table of its own, and lead there; for the banker."""
    the_banker()
    return _begun(services().tables.play_on(table_id), None)


def _begun(table: Table, before: Table | None) -> Response:
    services().guests.banker_is_at(table.id)
    if before is not None:
        services().guests.go_on(before.id, table.id)
        before.signal.bump()
    answer = jsonify({"id": table.id, "version": table.version})
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.tables.one", table_id=table.id)
    answer.set_etag(str(table.version))
    return answer


@blueprint.get("/tables/<table_id>")
def one(table_id: str) -> Response:
    """Show the position and what the caller may do now; the ETag is the version.  ``?at=K``: as it stood then."""
    table = open_table(table_id)
    if "at" in request.args:
        return jsonify(_then(table, request.args["at"]))
    version, text = shown().text(table, current_caller().viewer)
    answer = Response(text + "\n", mimetype="application/json")
    answer.set_etag(str(version))
    return answer


def _then(table: Table, at: str) -> dict[str, Any]:
    try:
        return stood_at(table, int(at) if at.isascii() and at.isdigit() else 0, current_caller().viewer)
    except (UnknownVersion, ValueError):
        raise Problem(400, "malformed", f"at is the number of an entry, from 1 to {table.version}.") from None


@blueprint.get("/tables/<table_id>/entries/<int:seq>/picture")
def picture(table_id: str, seq: int) -> Response:
    """Give what the camera saw of the card that led to an entry, as long as it is kept; not to onlookers."""
    table, viewer = open_table(table_id), current_caller().viewer
    if viewer == SPECTATOR:
        raise Forbidden
    found = crops.picture(services().asking.keepsakes, table, seq, viewer)
    if found is None:
        raise Problem(404, "not_found", "No picture of this entry is kept.")
    return Response(found, mimetype="image/jpeg")


@blueprint.get("/tables/<table_id>/catalog")
def catalog(table_id: str) -> Response:
    """Give the cards that the table plays with."""
    return jsonify(open_table(table_id).catalog_json())


def _names_wished(command: Mapping[str, Any]) -> dict[str, str]:
    """Names in a command that was refused, and that may be nonsense: of a new game, or of one taken over."""
    position = command.get("position")
    players = position.get("players") if isinstance(position, dict) else command.get("players")
    if isinstance(players, dict):
        players = [{"id": player, **held} for player, held in players.items() if isinstance(held, dict)]
    wished = [player for player in players if isinstance(player, dict)] if isinstance(players, list) else []
    return {str(player["id"]): str(player["name"]) for player in wished if "id" in player and "name" in player}
