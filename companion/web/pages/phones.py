"""Phones at the table: who is invited by the code on the tablet."""

from dataclasses import dataclass

from companion.game_api.ui import Seen
from companion.service.access.logins import Caller
from companion.service.table.table import Table
from companion.web.http.auth import open_table
from companion.web.http.guests import Invitation, evening_code, invitation, joined, sitting_at

ONLOOKER = "spectator"


@dataclass(frozen=True, slots=True)
class Invited:
    """``guest`` is a player or ``spectator``; ``invitation`` lets him in."""

    guest: str
    invitation: Invitation


def invited_guest(guest: str | None, scene: Seen) -> Invited | None:
    """Invite whom the sheet asks for; ``None``: nobody chosen yet."""
    if guest is None:
        return None
    if guest == ONLOOKER:
        return Invited(guest, invitation(Caller("spectator", None, scene.table)))
    return Invited(guest, invitation(sitting_at(open_table(scene.table), guest))) if guest in scene.players else None


def code_shown(table: Table) -> Invitation | None:
    """Give the one code while somebody at the table has not joined with a phone."""
    here = {guest.player for guest in joined(table)}
    return None if here >= table.names().keys() else evening_code(table.id)
