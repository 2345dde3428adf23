"""Who may come in, and that no other site sends its visitors in by the back door."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from flask import Flask, current_app, g, redirect, request
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as AnyResponse

from companion.service.errors import Forbidden
from companion.service.people.logins import Caller, Logins, WrongPin
from companion.service.people.pin_guard import LockedOut
from companion.service.services import Services
from companion.service.table.table import Table
from companion.web.cookies import cookie, cookie_in, keep_cookie
from companion.web.http.figures import figures
from companion.web.http.problems import Problem, is_api

LOGIN_COOKIE = "companion_login"
DEVICE_COOKIE = "companion_device"
"""A device that once brought the right PIN; it stays when somebody logs out."""
COOKIE_SECONDS = 180 * 24 * 3_600
OPEN_PATHS = frozenset(
    {
        "/healthz",
        "/metrics",
        "/login",
        "/logout",
        "/rules",
        "/trust",
        "/captive",
        "/screen",
        "/captive/api",
        "/words",
        "/api/v1/openapi.json",
    }
    | {"/api/v1/logins", "/manifest.webmanifest", "/no-contact", "/service_worker.js"}
)
OPEN_FOLDERS = ("/static/", "/games/", "/join/", "/who/", "/rules/", "/trust/")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def services() -> Services:
    """Give what the application stands on."""
    found: Services = current_app.extensions["companion"]
    return found


def current_caller() -> Caller:
    """Give who is calling.  Behind ``register_auth`` that is always somebody, except on open paths."""
    caller = caller_if_any()
    if caller is None:
        raise Problem(401, "login_needed", "Log in first.", headers={"WWW-Authenticate": "Bearer"})
    return caller


def the_banker() -> Caller:
    """Give the caller if it is the banker.  Raises ``Forbidden``."""
    caller = current_caller()
    if caller.role != "banker":
        raise Forbidden
    return caller


def source() -> str:
    """Say where a command comes from, for the journal: a ``tap`` on a page, or a ``program``."""
    return "program" if "Authorization" in request.headers else "tap"


def open_table(table_id: str) -> Table:
    """Give a table that the caller may enter.  Raises ``Forbidden`` or ``UnknownTable``."""
    caller = current_caller()
    if not caller.may_enter(table_id):
        raise Forbidden
    table = services().tables.get(table_id)
    if not still_seated(caller, table):
        raise Forbidden
    return table


def still_seated(caller: Caller, table: Table) -> bool:
    """Whether nobody else plays on in the seat that a player was invited to."""
    return caller.player is None or caller.sitter == table.sitter(caller.player)


def remember(answer: AnyResponse, token: str) -> None:
    """Put a login token on an answer, as a cookie that pages' code cannot read."""
    _keep(answer, LOGIN_COOKIE, token)


def remember_device(answer: AnyResponse) -> None:
    """Let the device that brought the right PIN be known when it brings it again."""
    _keep(answer, DEVICE_COOKIE, services().logins.device_token())


def log_in_by_pin(pin: str) -> Caller:
    """Let the banker in.  Raises ``WrongPin`` or ``LockedOut``, which are counted."""
    try:
        return services().logins.log_in(pin, request.remote_addr or "", cookie(DEVICE_COOKIE))
    except WrongPin:
        figures().count("logins", outcome="wrong_pin")
        raise
    except LockedOut:
        figures().count("logins", outcome="locked_out")
        raise


def _keep(answer: AnyResponse, name: str, value: str) -> None:
    keep_cookie(answer, name, value, COOKIE_SECONDS, from_code=False)


def local_path(wish: str | None) -> str:
    """Give a path on this very site, ``/`` where the wish would lead elsewhere."""
    if not wish or not wish.startswith("/") or wish.startswith("//") or "\\" in wish or not wish.isprintable():
        return "/"
    return wish


def register_auth(app: Flask) -> None:
    """Check every request before its view runs."""
    app.before_request(_keep_other_sites_out)
    app.before_request(_want_a_login)


def caller_if_any() -> Caller | None:
    """Give who is calling; ``None``: nobody who is logged in."""
    if "caller" not in g:
        caller = _who(services().logins)
        g.caller = None if caller is not None and services().guests.is_out(caller.device) else caller
    found: Caller | None = g.caller
    return found


def is_logged_in(app: Flask, headers: Mapping[str, str]) -> bool:
    """Whether a request with these headers is somebody's who has logged in; asked before there is a request."""
    found: Services = app.extensions["companion"]
    header = headers.get("AUTHORIZATION")
    kept = parse_cookie(headers.get("COOKIE", ""))
    token = cookie_in(kept, LOGIN_COOKIE, secure=True) if header is None else _bearer(header)
    caller = found.logins.caller(token) if token else None
    return caller is not None and not found.guests.is_out(caller.device)


def _bearer(header: str) -> str:
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _who(logins: Logins) -> Caller | None:
    """Let a token in the header count alone: a program with a bad one must not pass as its browser."""
    header = request.headers.get("Authorization")
    if header is not None:
        token = _bearer(header)
        return logins.caller(token) if token else None
    token = cookie(LOGIN_COOKIE)
    return logins.caller(token) if token else None


def _keep_other_sites_out() -> None:
    """Refuse writes that a browser sends for another site.

    Browsers say where a write comes from: by ``Origin`` always, by ``Sec-Fetch-Site`` on secure connections.
    Programs say neither, or bring their token in a header, which no other site can make a browser do.
    """
    if request.method in SAFE_METHODS or "Authorization" in request.headers:
        return
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    if site not in {"same-origin", "none"} or (origin is not None and urlsplit(origin).netloc != request.host):
        raise Problem(403, "cross_site", "A page of another site may not do this.")


def _want_a_login() -> AnyResponse | None:
    path = request.path
    if path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
        return None
    if is_api():
        # Which addresses exist is no secret; that an address is wrong helps more than "log in".
        if request.routing_exception is None:
            current_caller()
        return None
    if caller_if_any() is not None:
        return None
    back = request.full_path.rstrip("?") if request.method in SAFE_METHODS else "/"
    return redirect(f"/login?{urlencode({'next': back})}", 303)
