"""One tablet in the middle: what it covers, who may look at it all, and what one sees while he holds his badge."""

from flask import Blueprint, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.web.http.auth import open_table
from companion.web.http.language import cookie, set_cookie

COOKIE = "banker"
COVERED_SHEETS = frozenset({"correct", "notes", "amend", "explain"})
"""Sheets of the house that tell what a tablet in the middle covers."""

blueprint = Blueprint("shared_tablet", __name__)


def all_is_shown() -> bool:
    """Return whether somebody said at this tablet that he is the banker, and looks at everybody's money."""
    return cookie(COOKIE) == "1"


@blueprint.post("/tables/<table_id>/banker")
def banker(table_id: str) -> Response:
    """Remember whether somebody is the banker at this tablet (field ``is``: ``1`` or ``0``)."""
    open_table(table_id)
    answer = make_response(redirect(url_for("tables.tablet", table_id=table_id), 303))
    set_cookie(answer, COOKIE, "1" if request.form.get("is") == "1" else "0")
    return answer
