"""Guests as requests see them: their devices, the one code for everybody, and where they go on to."""

import secrets
from contextlib import suppress
from dataclasses import replace

from companion.service.errors import UnknownTable
from companion.service.people.guests import Guest
from companion.service.people.logins import Caller
from companion.service.table.table import Table
from companion.web.cookies import cookie
from companion.web.http.auth import LOGIN_COOKIE, services
from companion.web.http.invitations import Invitation, invited, sitting_at


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
