"""Invitations: a link and its QR code, with which a phone takes a seat or looks on."""

import io
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import request

from companion.service.people.logins import Caller
from companion.service.table.table import Table
from companion.web.http.auth import services
from companion.web.http.hosts import LOCAL, plain_address

LOOPBACK = ("127.", "localhost", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Invitation:
    """``token`` for ``POST /logins``, ``address`` for a browser, ``qr`` the address as SVG."""

    token: str
    address: str
    qr: str


def sitting_at(table: Table, player: str) -> Caller:
    """Give a player's seat as it is taken now: whoever sat there before is not meant."""
    return Caller("player", player, table.id, table.sitter(player))


def invitation(caller: Caller) -> Invitation:
    """Invite somebody to be this caller."""
    return invited(services().logins.join_token(caller))


def invited(token: str) -> Invitation:
    """Write the address of a token, and draw it."""
    address = f"{_reachable()}join/{token}"
    return Invitation(token, address, drawn(address))


@lru_cache(maxsize=32)
def drawn(address: str) -> str:
    """Draw an address as a QR code: SVG without size, dark on light whatever the page's colours are."""
    svg = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(
        svg, kind="svg", xmldecl=False, svgns=True, border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr"
    )
    return svg.getvalue().decode().strip()


def _reachable() -> str:
    """Give the plain address of this app for other devices, on the network on which somebody asked for it.

    One that means "this machine" leads them to themselves, names under ``.local`` are not known to every phone, and
    secure pages open on those alone that trust the certificate.
    """
    host, port = _asked_for()
    asked = f"http://{host}:{port}/" if request.is_secure else request.host_url
    if not host.startswith(LOOPBACK) and not host.endswith(".local"):
        return asked
    came_in_at = plain_address(request.environ.get(LOCAL, ""))
    if came_in_at and not came_in_at.startswith(LOOPBACK):
        return f"http://{f'[{came_in_at}]' if ':' in came_in_at else came_in_at}:{port}/"
    return next(iter(services().reachable(port)), asked)


def _asked_for() -> tuple[str, int]:
    """Give the host that was asked for, and the port of plain pages."""
    parts = urlsplit(request.host_url)
    host = parts.netloc.removesuffix(f":{parts.port}") if parts.port else parts.netloc
    return host, int(request.environ["SERVER_PORT"]) if request.is_secure else parts.port or 80
