"""Under which names this app is asked for: its own, and no other.

A page of another site can let its own name lead to this machine's address (DNS rebinding); then the browser takes both
for one site.  It cannot change the name that the browser tells with every request.
"""

import ipaddress
import socket

from flask import Flask, Response, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import services
from companion.web.http.problems import Problem, is_api

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
        raise Problem(421, "misdirected", detail)
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
