"""The login form.  What it sends is taken by the entrances of the web application."""

from flask import Blueprint, Response, make_response, render_template, request

from companion.web.http.auth import local_path
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("entrance", __name__)

MOST_DIGITS = 6


@blueprint.get("/login")
def login() -> Response:
    """Ask for the PIN; ``error`` is ``pin``, ``wait`` (with ``seconds``), ``join`` or ``seat``."""
    _, values = page_values()
    seconds = request.args.get("seconds", "")
    page = render_template(
        "login.html",
        **values,
        next=local_path(request.args.get("next")),
        error=request.args.get("error", ""),
        seconds=int(seconds) if seconds.isdecimal() and len(seconds) <= MOST_DIGITS else 0,
    )
    return remember_language(make_response(page))
