"""The machine's own screen: a browser that starts with it, before which nobody sits who could log in."""

import ipaddress

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.service.access.logins import Caller
from companion.service.ports import UnknownTable
from companion.service.table.table import Table
from companion.web.http.auth import LOCAL, name_in, plain_address, services
from companion.web.http.guests import evening_code
from companion.web.http.login_routes import first_page, let_in
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("own_screen", __name__)

LOOKS_AGAIN_S = "3"


@blueprint.get("/screen")
def screen() -> AnyResponse:
    """Show the display of the table that goes on now, to look on; before there is one, the code for everybody."""
    if not _is_this_machine():
        return redirect("/login", 303)
    table = _going_on()
    if table is not None:
        caller = Caller("spectator", None, table.id)
        return let_in(caller, first_page(caller))
    _, values = page_values()
    page = make_response(render_template("screen.html", **values, code=evening_code(None)))
    page.headers["Refresh"] = LOOKS_AGAIN_S
    return remember_language(page)


def _is_this_machine() -> bool:
    """Say whether a browser on this very machine asks; what a proxy passes on is somebody else's."""
    ends = (request.remote_addr or "", plain_address(request.environ.get(LOCAL, "")))
    name = name_in(request.headers.get("Host", ""))
    passed_on = any(header in request.headers for header in ("Forwarded", "X-Forwarded-For", "Via"))
    return all(map(_is_loopback, ends)) and name in {"localhost", "127.0.0.1", "::1"} and not passed_on


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(plain_address(address)).is_loopback
    except ValueError:
        return False


def _going_on() -> Table | None:
    found = services()
    at = found.guests.current
    try:
        table = None if at is None else found.tables.get(found.guests.after(at) or at)
    except UnknownTable:
        table = None
    over = table is None or table.overview is None or table.overview.finished
    return found.tables.latest_unfinished() if over else table
