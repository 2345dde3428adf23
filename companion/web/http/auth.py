"""Authentication and request checks: callers, login cookies, cross-site writes, and the host names of this app.

Requests for any other host name are refused.  A page of another site can let its own name lead to this machine's
address (DNS rebinding), and the browser then takes both for one site; but it cannot change the name that the browser
sends with every request.
"""

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from flask import Flask, Response, current_app, g, redirect, request
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as AnyResponse

from companion.service.access.logins import LOGIN_COOKIE, Caller, LockedOut, WrongPin
from companion.service.ports import Forbidden, TornJournal, UnknownTable
from companion.service.services import Services
from companion.service.table.club_events import ClubEvents
from companion.service.table.table import Table
from companion.web.http.access import REACH, Reach
from companion.web.http.language import cookie, cookie_in, set_cookie
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem, is_api, require

DEVICE_COOKIE = "companion_device"
"""Marks a device that once sent the right PIN; it is kept after a logout."""
COOKIE_SECONDS = 180 * 24 * 3_600
TO_LOGIN = "/login?error=seat"
"""The page that tells somebody at whose table they are not how they come in again."""
DISPLAY = "tables.display"
"""The endpoint that a new screen may open: it shows letters by which the banker lets it in."""
MOST_DIGITS = 15
"""Of a version in a request."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def services() -> Services:
    """Return the services of the running application."""
    running: Services = current_app.extensions["companion"]
    return running


def club_events() -> ClubEvents:
    """Return the events of the running application.  Raise a ``not_found`` problem where nothing is kept."""
    return require(services().club_events, "Nothing is kept here, so there are no events.")


def current_caller() -> Caller:
    """Return the caller.  Raise a ``login_needed`` problem if nobody is logged in, which happens on open paths only."""
    caller = caller_if_any()
    if caller is None:
        detail = "Log in first." if claimed_caller() is None else "This login has ended: log in or join again."
        raise Problem("login_needed", detail, headers={"WWW-Authenticate": "Bearer"})
    return caller


def command_source() -> str:
    """Return where a command comes from, for the journal: a ``tap`` on a page, or a ``program``."""
    return "program" if "Authorization" in request.headers else "tap"


def open_table(table_id: str) -> Table:
    """Return a table that the caller may enter, not from before the version that they have heard of.

    Raise ``Forbidden`` or ``UnknownTable``.
    """
    caller = current_caller()
    if not caller.may_enter(table_id):
        raise Forbidden
    table = services().tables.get(table_id)
    try:
        table.catch_up(heard_version())
    except TornJournal as torn:  # what another process has stored cannot be read here
        raise UnknownTable(table_id) from torn
    if not is_still_seated(caller, table):
        raise Forbidden
    return table


def heard_version() -> int:
    """Return the latest version that the request names; 0 where it names none.

    Whoever heard of a version by another process names it: as ``?at=``, If-Match, or the last id of a stream.
    """
    headers = (request.headers.get(name, "").strip().strip('"') for name in ("If-Match", "Last-Event-ID"))
    texts = (request.args.get("at", ""), *headers)
    numbers = (int(text) for text in texts if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS)
    return max(numbers, default=0)


def is_still_seated(caller: Caller, table: Table) -> bool:
    """Return whether the seat that a player was invited to has not been taken over by somebody else."""
    return caller.player is None or caller.seat_generation == table.seat_generation(caller.player)


def set_login_cookie(answer: AnyResponse, token: str) -> None:
    """Set the login token as a cookie that scripts cannot read."""
    _keep(answer, LOGIN_COOKIE, token)


def set_device_cookie(answer: AnyResponse) -> None:
    """Set the cookie that marks a device from which the right PIN was sent."""
    _keep(answer, DEVICE_COOKIE, services().logins.device_token())


def log_in_by_pin(pin: str) -> Caller:
    """Return the organiser for the right PIN.  Raise ``WrongPin`` or ``LockedOut``; both are counted."""
    try:
        return services().logins.log_in(pin, request.remote_addr or "", cookie(DEVICE_COOKIE))
    except WrongPin:
        metrics().count("logins", outcome="wrong_pin")
        raise
    except LockedOut:
        metrics().count("logins", outcome="locked_out")
        raise


def _keep(answer: AnyResponse, name: str, value: str) -> None:
    set_cookie(answer, name, value, COOKIE_SECONDS, from_code=False)


def safe_local_path(wish: str | None) -> str:
    """Return the wish if it is a path on this site, else ``/`` (prevents open redirects)."""
    if not wish or not wish.startswith("/") or wish.startswith("//") or "\\" in wish or not wish.isprintable():
        return "/"
    return wish


def register_auth(app: Flask) -> None:
    """Register the checks that every request passes before its view runs."""
    app.before_request(_refuse_cross_site_writes)
    app.before_request(_check_reach)


def caller_if_any() -> Caller | None:
    """Return the caller, or ``None`` if nobody is logged in."""
    if "caller" not in g:
        claimed = claimed_caller()
        g.caller = claimed if claimed is not None and services().guests.admits(claimed) else None
    caller: Caller | None = g.caller
    return caller


def is_logged_in(app: Flask, headers: Mapping[str, str]) -> bool:
    """Return whether a request with these headers is from a caller who is logged in.

    It needs no request context, and never waits.
    """
    running: Services = app.extensions["companion"]
    header = headers.get("AUTHORIZATION")
    kept = parse_cookie(headers.get("COOKIE", ""))
    token = cookie_in(kept, LOGIN_COOKIE, secure=True) if header is None else _bearer(header)
    caller = running.logins.caller(token) if token else None
    return caller is not None and running.guests.knows(caller)


def _bearer(header: str) -> str:
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def claimed_caller() -> Caller | None:
    """Return whose token the request brings, even if that login has ended.

    A token in the header counts alone, even a bad one beside a good cookie.
    """
    logins = services().logins
    header = request.headers.get("Authorization")
    if header is not None:
        token = _bearer(header)
        return logins.caller(token) if token else None
    token = cookie(LOGIN_COOKIE)
    return logins.caller(token) if token else None


def _refuse_cross_site_writes() -> None:
    """Refuse writes that a browser sends for another site.

    Browsers send ``Origin`` with every write, and ``Sec-Fetch-Site`` on secure connections.  Programs send neither,
    or their token in a header, which no other site can make a browser do.
    """
    if request.method in SAFE_METHODS or "Authorization" in request.headers:
        return
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    if site not in {"same-origin", "none"} or (origin is not None and urlsplit(origin).netloc != request.host):
        raise Problem("cross_site", "A page of another site may not do this.")


def reach_of(endpoint: str | None) -> Reach:
    """Return the least that somebody must be to reach an endpoint; ``None``, an unknown address, tells guests of it."""
    return "guest" if endpoint is None else REACH.get(endpoint, "organiser")


def _check_reach() -> AnyResponse | None:
    """Refuse whoever may not reach the endpoint; the answer says nothing of what exists behind it."""
    reach = reach_of(request.endpoint)
    if reach == "stranger":
        return None
    caller = caller_if_any()
    if caller is not None and _may_reach(caller, reach, _table_of_address()):
        return None
    if is_api():
        if request.routing_exception is not None:
            return None  # which paths exist is no secret, and 404 helps a programmer more than 401
        current_caller()  # raises a problem if there is none
        raise Forbidden
    if isinstance(request.routing_exception, MethodNotAllowed):
        return None
    if caller is None:
        return _to_login()
    if "part" in request.args or request.method not in SAFE_METHODS:
        raise Forbidden  # parts of pages are fetched by code
    return redirect("/" if _table_of_address() is None else TO_LOGIN)


def _may_reach(caller: Caller, reach: Reach, table_id: str | None) -> bool:
    """Return whether somebody who is logged in is at least this, at the table of the address if it names one."""
    if table_id is not None and not caller.may_enter(table_id):
        return False
    match reach:
        case "stranger" | "guest":
            return True
        case "player":
            return caller.actor is not None
        case "host":
            return caller.is_banker
        case "organiser":
            return caller.is_organiser


def _table_of_address() -> str | None:
    return (request.view_args or {}).get("table_id")


def _to_login() -> AnyResponse:
    if request.endpoint == DISPLAY and claimed_caller() is None:
        return redirect("/tv", 303)
    back = request.full_path.rstrip("?") if request.method in SAFE_METHODS else "/"
    return redirect(f"/login?{urlencode({'next': back})}", 303)


HOME_DOMAINS = ("fritz.box", "home", "home.arpa", "internal", "lan", "localdomain")
"""Domains under which home routers publish the names of devices."""
LOCAL_ADDRESS = "companion.local_address"
"""Key of the WSGI environment: the server's own address to which the client connected."""
PASSED_ON = "companion.passed_on"
"""Key of the WSGI environment: whether a proxy sent the request.  The server sets it, so without it nobody knows."""


def register_hosts(app: Flask) -> None:
    """Register the check of host names.  It has to come before everything that reads cookies."""
    app.before_request(_refuse_foreign_hosts)


def _refuse_foreign_hosts() -> AnyResponse | None:
    host = host_name(request.headers.get("Host", ""))
    if host is not None and _is_own_name(host):
        return None
    own_url = next(iter(services().reachable(int(request.environ.get("SERVER_PORT", 80)))), "")
    detail = f"This app is not called {host or 'so'}." + (f" Open {own_url} instead." if own_url else "")
    if is_api():
        raise Problem("misdirected", detail)
    return Response(f"{detail}\n", status=421, mimetype="text/plain")


def host_name(header: str) -> str | None:
    """Return the name in a Host header, in lower case, without port and brackets; ``None`` if there is none."""
    name, colon, port = header.strip().lower().rpartition(":")
    if not colon or header.rstrip().endswith("]"):
        name, port = header.strip().lower(), ""
    if port and not port.isdecimal():
        return None
    name = name.rstrip(".")
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1]
    return name if name and ":" not in name and name.isprintable() and not set(name) & set(' /\\@"<>') else None


def _is_own_name(host: str) -> bool:
    own_names = services().known_as
    if host == "localhost" or host.endswith((".local", ".localhost")) or host in own_names:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        mine = socket.gethostname().lower()
        return host == mine or host in (f"{mine}.{home}" for home in HOME_DOMAINS)
    if address.is_loopback or host == plain_address(request.environ.get(LOCAL_ADDRESS, "")):
        return True
    port = int(request.environ.get("SERVER_PORT", 80))
    return any(f"//{host}:" in own or f"//[{host}]:" in own for own in services().reachable(port))


def plain_address(address: str) -> str:
    """Return an IP address as browsers write it: without zone, and IPv4 not as mapped IPv6."""
    bare = address.partition("%")[0]
    return bare.removeprefix("::ffff:") if "." in bare else bare
