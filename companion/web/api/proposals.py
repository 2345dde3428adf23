"""Proposals: what the camera asks, with its pictures, and what is said to it."""

from flask import Blueprint, Response, jsonify

from companion.engine.errors import Refused
from companion.service.access.logins import Caller
from companion.service.ports import Forbidden
from companion.web.api.commands import as_problem
from companion.web.http.auth import current_caller, open_table, services, the_banker
from companion.web.http.idempotency import once, request_key
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object
from companion.web.sight import sight_beside

ANSWERS = ("yes", "no", "again")

blueprint = Blueprint("proposals", __name__)


def may_answer() -> Caller:
    """Give the caller unless he only looks on: the banker answers everything, a player what his own device asks."""
    caller = current_caller()
    if caller.actor is None:
        raise Forbidden
    return caller


@blueprint.get("/tables/<table_id>/proposals")
def proposals(table_id: str) -> Response:
    """Give the open proposals, what the camera sees, and what one asks of another."""
    return jsonify(sight_beside(services(), open_table(table_id), current_caller()))


@blueprint.post("/tables/<table_id>/proposals/<int:number>")
@once
def answer(table_id: str, number: int) -> Response:
    """Take ``{"answer": "yes" | "no" | "again"}``; answers the entry that a yes led to."""
    table = open_table(table_id)
    actor = may_answer().viewer
    given = json_object()
    if len(given) != 1 or given.get("answer") not in ANSWERS:
        raise Problem(400, "malformed", 'Send {"answer": "yes"}, "no" or "again", and nothing else.')
    try:
        key = request_key(actor)
        before = table.stored_under(key)
        entry = before or services().asking.answer(table_id, number, given["answer"], actor=actor, key=key)
    except Refused as refused:
        figures().count("commands", outcome="refused")
        figures().count("refusals", rule=refused.rule)
        raise as_problem(refused, table) from None
    if entry is not None:
        figures().count("commands", outcome="done")
    return jsonify({"answer": given["answer"], "entry": entry})


@blueprint.get("/tables/<table_id>/proposals/<int:number>/picture")
def picture(table_id: str, number: int) -> Response:
    """Give the piece of the camera's picture that a proposal is about."""
    open_table(table_id)
    viewer = may_answer().viewer
    return Response(services().asking.picture(table_id, number, viewer), mimetype="image/jpeg")


@blueprint.get("/tables/<table_id>/live.jpg")
def live(table_id: str) -> Response:
    """Give the latest picture of the camera that looks at this table."""
    open_table(table_id)
    the_banker()
    scanner = services().scanner
    latest = scanner.live_picture() if scanner.attached_to == table_id else None
    if latest is None:
        raise Problem(404, "not_found", "No camera looks at this table now.")
    return Response(latest, mimetype="image/jpeg")
