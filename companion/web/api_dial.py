"""The automation dial of a table: how much the camera does by itself."""

from flask import Blueprint, Response, jsonify

from companion.service.dial import DIALS
from companion.web.auth import open_table, services, the_banker
from companion.web.problems import Problem
from companion.web.strict_json import json_object

blueprint = Blueprint("dial", __name__)


@blueprint.get("/tables/<table_id>/dial")
def dial(table_id: str) -> Response:
    """Say how it is set."""
    return jsonify({"dial": services().asking.dial(open_table(table_id))})


@blueprint.post("/tables/<table_id>/dial")
def turn(table_id: str) -> Response:
    """Take ``{"dial": "ledger" | "suggest" | "automatic"}``; for the banker, at any moment."""
    table = open_table(table_id)
    the_banker()
    given = json_object()
    wish = next((one for one in DIALS if one == given.get("dial")), None)
    if len(given) != 1 or wish is None:
        raise Problem(400, "malformed", 'Send {"dial": "ledger"}, "suggest" or "automatic", and nothing else.')
    services().asking.turn_dial(table, wish)
    return jsonify({"dial": wish})
