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

LOOPBACK = ("127.", "localhost", "[::1]")


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
    """Give the address of this app for other devices; one that means "this machine" would lead them to themselves."""
    here = request.host_url
    if not request.host.startswith(LOOPBACK):
        return here
    port = urlsplit(here).port or 80
    return next(iter(services().reachable(port)), here)
