"""The hammer's clock: whether a table is reminded while somebody thinks about a bid, and after how long."""

from flask import Blueprint, Response, jsonify, request, url_for
from werkzeug.utils import redirect
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import open_table, services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object

CHOICES = (0, 15, 30, 60)
"""Seconds until *going once*; 0: nobody is hurried.  It reminds and never decides."""

blueprint = Blueprint("hammer", __name__)


@blueprint.get("/tables/<table_id>/hammer")
def shown(table_id: str) -> Response:
    """Say after how many seconds of thought the screens of a table remind."""
    table = open_table(table_id)
    return jsonify({"seconds": services().preferences.chosen.hammers.get(table.id, 0)})


@blueprint.post("/tables/<table_id>/hammer")
@once
def chosen(table_id: str) -> AnyResponse:
    """Choose it; for the banker.  A page's form sends ``seconds`` too, and is led back to its table."""
    the_banker()
    table = open_table(table_id)
    form = request.mimetype == "application/x-www-form-urlencoded"
    wish = request.form.get("seconds", "") if form else json_object().get("seconds")
    seconds = int(wish) if isinstance(wish, str) and wish.isascii() and wish.isdigit() else wish
    if type(seconds) is not int or seconds not in CHOICES:
        raise Problem(400, "malformed", f"seconds is one of {', '.join(map(str, CHOICES))}.")
    services().preferences.set_hammer(table.id, seconds)
    table.signal.bump()
    return redirect(url_for("tables.tablet", table_id=table.id), 303) if form else jsonify({"seconds": seconds})
