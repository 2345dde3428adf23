"""The shared tablet in the middle: what it covers, who may see everything, and what a held badge uncovers."""

from flask import Blueprint, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.web.http.auth import open_table
from companion.web.http.language import cookie, set_cookie

COOKIE = "banker"
COVERED_SHEETS = frozenset({"correct", "notes", "amend", "explain"})
"""Sheets of the house that tell what a tablet in the middle covers."""

blueprint = Blueprint("shared_tablet", __name__)


def all_is_shown() -> bool:
    """Return whether this tablet was put in the banker's hands, who sees everybody's money."""
    return cookie(COOKIE) == "1"


@blueprint.post("/tables/<table_id>/banker")
def banker(table_id: str) -> Response:
    """Remember whether somebody is the banker at this tablet (field ``is``: ``1`` or ``0``)."""
    open_table(table_id)
    answer = make_response(redirect(url_for("tables.tablet", table_id=table_id), 303))
    set_cookie(answer, COOKIE, "1" if request.form.get("is") == "1" else "0")
    return answer
