"""Agreements: a player asks another for his yes."""

from flask import Blueprint, Response, jsonify

from companion.engine.errors import Refused
from companion.service.ports import Forbidden
from companion.service.table.table import Table
from companion.web.api.commands import as_problem, version_seen
from companion.web.http.auth import current_caller, open_table, services, source
from companion.web.http.idempotency import once, request_key
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("agreements", __name__)


@blueprint.get("/tables/<table_id>/agreements")
def agreements(table_id: str) -> Response:
    """Give the open questions that concern the caller."""
    open_ones = services().agreements.waiting(open_table(table_id), current_caller().viewer)
    return jsonify({"agreements": [one.as_json() for one in open_ones]})


@blueprint.post("/tables/<table_id>/agreements")
@once
def ask(table_id: str) -> Response:
    """Take ``hire_out`` or ``undo``: 202 with the question, or 200 with the entry where nobody else need agree."""
    table, actor = open_table(table_id), _actor()
    command, seen = json_object(), version_seen()
    try:
        made = services().agreements.ask(table, command, asker=actor, seen=seen)
        if made is None:
            key = request_key(actor)
            return jsonify(table.submit(command, actor=actor, source=source(), seen=seen, key=key))
    except Refused as refused:
        raise _refused(refused, table) from None
    answer = jsonify({"asked": made.as_json()})
    answer.status_code = 202
    return answer


@blueprint.post("/tables/<table_id>/agreements/<int:number>")
@once
def answer_it(table_id: str, number: int) -> Response:
    """Take ``{"answer": "yes" | "no"}``; answers the entry that a yes led to."""
    table, actor = open_table(table_id), _actor()
    given = json_object()
    if len(given) != 1 or given.get("answer") not in {"yes", "no"}:
        raise Problem(400, "malformed", 'Send {"answer": "yes"} or "no", and nothing else.')
    try:
        key = request_key(actor)
        before = table.stored_under(key)
        yes = given["answer"] == "yes"
        entry = before or services().agreements.answer(table, number, actor=actor, yes=yes, key=key)
    except Refused as refused:
        raise _refused(refused, table) from None
    return jsonify({"answer": given["answer"], "entry": entry})


def _actor() -> str:
    actor = current_caller().actor
    if actor is None:
        raise Forbidden
    return actor


def _refused(refused: Refused, table: Table) -> Problem:
    figures().count("commands", outcome="refused")
    figures().count("refusals", rule=refused.rule)
    return as_problem(refused, table)
