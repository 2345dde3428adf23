"""The notes on the table: what to hand over now, and who should hold which."""

from flask import Blueprint, Response, jsonify

from companion.web.http.auth import current_caller, open_table, services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object
from companion.web.note_books import note_books

blueprint = Blueprint("notes", __name__)


@blueprint.get("/tables/<table_id>/notes")
def notes(table_id: str) -> Response:
    """Say which notes change hands by the latest entry, and who should hold which then."""
    return jsonify(note_books().as_json(open_table(table_id), current_caller().viewer))


@blueprint.post("/tables/<table_id>/notes")
@once
def hand_notes(table_id: str) -> Response:
    """Take ``{"told": true}``: screens say which notes change hands, where a device wishes nothing else."""
    open_table(table_id)
    the_banker()
    given = json_object()
    wish = given.get("told")
    if len(given) != 1 or not isinstance(wish, bool):
        raise Problem(400, "malformed", 'Send {"told": true} or {"told": false}, and nothing else.')
    services().preferences.hand_notes(table_id, wanted=wish)
    return jsonify({"told": wish})
