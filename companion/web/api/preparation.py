"""Setting the table: what is laid ready before the first act, ticked by hand or shown by cards."""

from typing import Any

from flask import Blueprint, Response, jsonify

from companion.service.table.table import Table
from companion.web.http.auth import open_table, services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object
from companion.web.preparation import prepared

blueprint = Blueprint("preparation", __name__)


@blueprint.get("/tables/<table_id>/preparation")
def preparation(table_id: str) -> Response:
    """List the steps; for the banker."""
    table = open_table(table_id)
    the_banker()
    return jsonify({"steps": _steps(table)})


@blueprint.post("/tables/<table_id>/preparation")
@once
def tick(table_id: str) -> Response:
    """Take ``{"step": "mallet", "done": true}``; for the banker.  It never keeps the game from going on."""
    table = open_table(table_id)
    the_banker()
    given = json_object()
    step, done = given.get("step"), given.get("done")
    known = {one["step"] for one in _steps(table)}
    if set(given) != {"step", "done"} or not isinstance(step, str) or step not in known or not isinstance(done, bool):
        raise Problem(
            400, "malformed", f'Send {{"step": ..., "done": true}}; the steps are {", ".join(sorted(known))}.'
        )
    services().preparations.tick(table_id, step, done=done)
    table.signal.bump()
    return jsonify({"steps": _steps(table)})


def _steps(table: Table) -> list[dict[str, Any]]:
    return prepared(services(), table)
