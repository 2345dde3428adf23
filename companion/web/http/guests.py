"""Guests as requests see them: their devices, the one code for everybody, and where they go on to."""

import io
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import request

from companion.service.access.guests import Guest
from companion.service.access.logins import Caller
from companion.service.ports import UnknownTable
from companion.service.table.table import Table
from companion.web.http.auth import LOCAL, LOGIN_COOKIE, plain_address, services
from companion.web.http.language import cookie

# --- invitations
# Invitations: a link and its QR code, with which a phone takes a seat or looks on.

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


def with_device(caller: Caller) -> Caller:
    """Give a caller with the id of his device: that which it has here, or a new one."""
    known = services().logins.caller(cookie(LOGIN_COOKIE))
    mine = "" if known is None or services().guests.is_out(known.device) else known.device
    return replace(caller, device=mine or secrets.token_urlsafe(6))


def seated(caller: Caller) -> Caller:
    """Remember where a guest sits; give him with the id of his device."""
    guest = with_device(caller)
    if guest.table is None:
        return guest
    try:
        table = services().tables.get(guest.table)
    except UnknownTable:
        return guest  # the page to which he is led says that the game was put away
    name = "" if guest.player is None else table.names().get(guest.player, "")
    services().guests.came(Guest(guest.device, table.id, guest.player, name, guest.sitter))
    table.signal.bump()  # who shows the code learns that a name is taken
    return guest


def joined(table: Table) -> tuple[Guest, ...]:
    """Give the guests of a table who may still enter it: not those whose seat is somebody else's by now."""
    there = services().guests.at(table.id)
    return tuple(one for one in there if one.player is None or one.sitter == table.sitter(one.player))


def log_out_guest(device: str, table_id: str | None) -> None:
    """End a device's login: whoever shows the code learns that its name is free, and its own page that it is out."""
    services().guests.log_out(device)
    with suppress(UnknownTable):  # put away meanwhile: nobody looks at it
        services().tables.get(table_id or "").signal.bump()


def evening_code(table_id: str | None) -> Invitation:
    """Give the one code for everybody, as it is shown at a table, or in the lobby."""
    found = services()
    return invited(found.logins.evening_token(found.guests.evening, table_id))


def moved_on(caller: Caller, then: Table) -> Caller | None:
    """Give who a guest is at the table that followed his; ``None``: nobody there has the name that he had."""
    if caller.player is None:
        return replace(caller, table=then.id, sitter=0)
    name = _name_before(caller)
    same = [player for player, called in then.names().items() if called == name]
    taken = {one.player for one in joined(then) if one.device != caller.device}
    if len(same) != 1 or same[0] in taken:
        return None
    return replace(sitting_at(then, same[0]), device=caller.device)


def _name_before(caller: Caller) -> str | None:
    """Give what a guest is called where he sits; where that lies in the bin meanwhile, what he was called."""
    try:
        return services().tables.get(caller.table or "").names().get(caller.player or "")
    except UnknownTable:
        there = services().guests.at(caller.table or "")
        return next((one.name for one in there if one.device == caller.device), None)
