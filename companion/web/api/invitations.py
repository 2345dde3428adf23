"""Invitations for players' phones and for those who only look on."""

from flask import Blueprint, Response, jsonify

from companion.engine.errors import Refused
from companion.service.access.logins import Caller
from companion.web.http.auth import open_table, the_banker
from companion.web.http.guests import invitation, sitting_at
from companion.web.http.problems import Problem, refused_problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("invitations", __name__)


@blueprint.post("/tables/<table_id>/invitations")
def invite(table_id: str) -> Response:
    """Answer ``{"player"}`` or ``{"spectator": true}`` with a join token, its address and its QR code (SVG)."""
    the_banker()
    table = open_table(table_id)
    seats = table.names()
    match given := json_object():
        case {"player": str(player)} if len(given) == 1:
            if player not in seats:
                raise refused_problem(Refused("unknown_player", player=player), {})
            made = invitation(sitting_at(table, player))
        case {"spectator": True} if len(given) == 1:
            made = invitation(Caller("spectator", None, table_id))
        case _:
            raise Problem(400, "malformed", 'Send {"player": "..."} or {"spectator": true}, and nothing else.')
    answer = jsonify({"token": made.token, "address": made.address, "qr": made.qr})
    answer.status_code = 201
    return answer
