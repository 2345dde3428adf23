"""Who may come in, and that no other site sends its visitors in by the back door."""

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from flask import Flask, Response, current_app, g, redirect, request
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as AnyResponse

from companion.service.access.logins import Caller, LockedOut, Logins, WrongPin
from companion.service.ports import Forbidden
from companion.service.services import Services
from companion.service.table.table import Table
from companion.web.http.language import cookie, cookie_in, keep_cookie
from companion.web.http.metrics import figures
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
        raise Problem("login_needed", "Log in first.", headers={"WWW-Authenticate": "Bearer"})
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
        raise Problem("cross_site", "A page of another site may not do this.")


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


# --- hosts
# Under which names this app is asked for: its own, and no other. A page of another site can let its own name
# lead to this machine's address (DNS rebinding); then the browser takes both for one site. It cannot change the
# name that the browser tells with every request.

AT_HOME = ("fritz.box", "home", "home.arpa", "internal", "lan", "localdomain")
"""Where routers put the names of the devices at home."""
LOCAL = "companion.local_address"
"""Where the server says in a request's environment at which of its own addresses it came in."""


def register_hosts(app: Flask) -> None:
    """Answer no request that was meant for somebody else.  Comes before whatever reads cookies."""
    app.before_request(_meant_for_us)


def _meant_for_us() -> AnyResponse | None:
    host = name_in(request.headers.get("Host", ""))
    if host is not None and _is_ours(host):
        return None
    here = next(iter(services().reachable(int(request.environ.get("SERVER_PORT", 80)))), "")
    detail = f"This app is not called {host or 'so'}." + (f" Open {here} instead." if here else "")
    if is_api():
        raise Problem("misdirected", detail)
    return Response(f"{detail}\n", status=421, mimetype="text/plain")


def name_in(header: str) -> str | None:
    """Give the name in a Host header, in small letters and without port and brackets; ``None``: there is none."""
    name, colon, port = header.strip().lower().rpartition(":")
    if not colon or header.rstrip().endswith("]"):
        name, port = header.strip().lower(), ""
    if port and not port.isdecimal():
        return None
    name = name.rstrip(".")
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1]
    return name if name and ":" not in name and name.isprintable() and not set(name) & set(' /\\@"<>') else None


def _is_ours(host: str) -> bool:
    known = services().known_as
    if host == "localhost" or host.endswith((".local", ".localhost")) or host in known:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        mine = socket.gethostname().lower()
        return host == mine or host in (f"{mine}.{home}" for home in AT_HOME)
    if address.is_loopback or host == plain_address(request.environ.get(LOCAL, "")):
        return True
    port = int(request.environ.get("SERVER_PORT", 80))
    return any(f"//{host}:" in own or f"//[{host}]:" in own for own in services().reachable(port))


def plain_address(address: str) -> str:
    """Give an address as browsers write it: without zone, and IPv4 without its coat of IPv6."""
    bare = address.partition("%")[0]
    return bare.removeprefix("::ffff:") if "." in bare else bare
