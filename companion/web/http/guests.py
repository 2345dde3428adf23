"""Guests: invitations by link and QR code, the devices that joined by them, and their seats at the next table."""

import io
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import request
from werkzeug.wrappers import Response

from companion.service.access.guests import Guest
from companion.service.access.logins import LOGIN_COOKIE, Caller, read_letters
from companion.service.ports import UnknownTable
from companion.service.table.lists import TableSearch, TableState
from companion.service.table.table import Table
from companion.web.http.auth import LOCAL_ADDRESS, plain_address, services
from companion.web.http.capacity import streams
from companion.web.http.language import cookie, set_cookie

HTTP_PORT = 80
"""Browsers take it where an address names none."""
JOINING_COOKIE, JOINING_S = "companion_joining", 600
"""Names a device that chooses a seat until it has one, and for how many seconds at most."""
LOOPBACK = ("127.", "localhost", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link with which a phone takes a seat or watches.

    Attributes:
        token: For ``POST /logins``.
        address: For a browser.
        qr: The address as a QR code, SVG.
    """

    token: str
    address: str
    qr: str


@dataclass(frozen=True, slots=True)
class OpenInvitation(Invitation):
    """The invitation for everybody, which can be typed as well.

    Attributes:
        letters: The letters that end its short address.
        host: What stands before them: ``companion.local/``.
    """

    letters: str
    host: str

    @property
    def short_address(self) -> str:
        """The address to type."""
        return self.host + self.letters


def caller_in_seat(table: Table, player: str) -> Caller:
    """Return the caller in a player's seat as it is taken now; earlier occupants of the seat are not meant."""
    return Caller("player", player, table.id, table.seat_generation(player))


def create_invitation(caller: Caller) -> Invitation:
    """Return an invitation to be this caller, until somebody is logged out of that place."""
    return invitation_of_token(services().logins.join_token(services().guests.link(caller)))


def invite_host(table_id: str) -> Invitation:
    """Return an invitation to host a table, and no other, until somebody is logged out as its host."""
    return create_invitation(Caller("host", None, table_id))


def host_address(table_id: str) -> str:
    """Return the address of the invitation to host a table, as ``invite_host`` makes it."""
    token = services().logins.join_token(services().guests.link(Caller("host", None, table_id)))
    return f"{address_for_devices()}join/{token}"


def let_screen_in(letters: str, table_id: str | None) -> bool:
    """Let the screen that shows these letters look on at a table, or in the lobby; return whether there is one."""
    logins, guests = services().logins, services().guests
    if table_id is None:
        invitation = logins.open_invitation_token(guests.invitation_epoch, None)
    else:
        invitation = logins.join_token(guests.link(Caller("spectator", None, table_id)))
    return services().pairings.confirm(read_letters(letters), invitation)


def show_hall_on_screen(letters: str, token: str) -> bool:
    """Lead the screen that shows these letters to the hall display of an event; return whether there is one."""
    return services().pairings.confirm(read_letters(letters), token)


def invited_caller(token: str) -> Caller | None:
    """Return whom an invitation lets in; ``None``: nobody, or nobody any more."""
    link = services().logins.join(token)
    return link if link is not None and services().guests.honours(link) else None


def invitation_of_token(token: str) -> Invitation:
    """Return the invitation of a token: its address and the QR code of that."""
    address = f"{address_for_devices()}join/{token}"
    return Invitation(token, address, draw_qr(address))


@lru_cache(maxsize=32)
def draw_qr(address: str) -> str:
    """Return an address as a QR code: SVG without size, dark on light whatever the page's colours are."""
    svg = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(
        svg, kind="svg", xmldecl=False, svgns=True, border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr"
    )
    return svg.getvalue().decode().strip()


def address_for_devices() -> str:
    """Return the plain HTTP address of this app for other devices, on the network of the request.

    Loopback addresses would lead them to themselves, not every phone resolves names under ``.local``, and HTTPS opens
    only on devices that trust the certificate.
    """
    host, port = _requested_host()
    asked = f"http://{host}:{port}/" if request.is_secure else request.host_url
    if not host.startswith(LOOPBACK) and not host.endswith(".local"):
        return asked
    came_in_at = plain_address(request.environ.get(LOCAL_ADDRESS, ""))
    if came_in_at and not came_in_at.startswith(LOOPBACK):
        return f"http://{f'[{came_in_at}]' if ':' in came_in_at else came_in_at}:{port}/"
    return next(iter(services().reachable(port)), asked)


def _requested_host() -> tuple[str, int]:
    """Return the host of the request, and the port of plain HTTP."""
    parts = urlsplit(request.host_url)
    host = parts.netloc.removesuffix(f":{parts.port}") if parts.port else parts.netloc
    return host, int(request.environ["SERVER_PORT"]) if request.is_secure else parts.port or HTTP_PORT


def with_device(caller: Caller) -> Caller:
    """Return a caller with the id of their device: the one in its cookies, or a new one.

    The organiser and a guest on the same device have one each: logging out the guest does not end the organiser's.
    """
    before = services().logins.caller(cookie(LOGIN_COOKIE))
    stays = before is not None and before.is_organiser == caller.is_organiser
    device = before.device if before is not None and stays and services().guests.admits(before) else ""
    device = device or ("" if caller.is_organiser else joining_device())
    generation = services().guests.generation
    return replace(caller, device=device or secrets.token_urlsafe(6), generation=generation, links=0)


def remember_joining(answer: Response) -> None:
    """Name the device that chooses a seat, so that it gets the seat again where the answer to its choice is lost."""
    if not joining_device():
        set_cookie(answer, JOINING_COOKIE, services().logins.joining_token(), JOINING_S, from_code=False)


def joining_device() -> str:
    """Return the device that chooses a seat; empty where it has not been named."""
    return services().logins.joining_device(cookie(JOINING_COOKIE))


def register_guest(caller: Caller, *, alone: bool = False, invited: bool = True) -> Caller:
    """Store where a guest sits; return the guest with the id of their device.

    ``alone``: no other device may have the seat.  ``invited``: they did not come by the code for everybody.  Raises
    ``SeatTaken``.
    """
    guest = with_device(caller)
    if guest.table is None:
        return guest
    try:
        table = services().tables.get(guest.table)
    except UnknownTable:
        table = None  # the page that follows says that the game was put away
    name = "" if table is None or guest.player is None else table.names().get(guest.player, "")
    hosts = caller.role == "host"
    entry = Guest(
        guest.device, guest.table, guest.player, name, guest.seat_generation, listed=True, hosts=hosts, invited=invited
    )
    services().guests.came(entry, alone=alone, live=streams().devices)
    if table is not None:
        table.signal.bump()  # screens that show the code update the names that are taken
    return guest


def guests_at(table: Table) -> tuple[Guest, ...]:
    """Return players and watchers of a table who may still enter it: those whose seat was not taken over."""
    there = (guest for guest in services().guests.at(table.id) if not guest.hosts)
    return tuple(
        guest for guest in there if guest.player is None or guest.seat_generation == table.seat_generation(guest.player)
    )


def hosts_at(table: Table) -> tuple[Guest, ...]:
    """Return the devices that host a table."""
    return tuple(guest for guest in services().guests.at(table.id) if guest.hosts)


def log_out_guest(device: str, table_id: str | None, caller: Caller | None = None) -> None:
    """End a device's login, its own by ``caller``; screens that show the code, and its own page, are told."""
    services().guests.log_out(device, caller)
    with suppress(UnknownTable):  # put away meanwhile: nobody looks at it
        services().tables.get(table_id or "").signal.bump()


def open_invitation(table_id: str | None) -> OpenInvitation:
    """Return the one invitation for everybody, as it is shown at a table, or in the lobby."""
    logins, epoch = services().logins, services().guests.invitation_epoch
    made = invitation_of_token(logins.open_invitation_token(epoch, table_id))
    number = 0 if table_id is None else services().tables.number_of(table_id)
    letters = logins.open_invitation_letters(epoch, number)
    return OpenInvitation(made.token, made.address, made.qr, letters, short_host())


def join_address(table_id: str) -> str:
    """Return the address of the invitation for everybody at a table."""
    token = services().logins.open_invitation_token(services().guests.invitation_epoch, table_id)
    return f"{address_for_devices()}join/{token}"


def short_address(table_id: str) -> str:
    """Return the address to type that leads to a table."""
    letters = services().logins.open_invitation_letters(
        services().guests.invitation_epoch, services().tables.number_of(table_id)
    )
    return short_host() + letters


def short_host() -> str:
    """Return what stands before the letters of a short address: the name on the network, if this machine has one."""
    name, port = services().network_name(), _requested_host()[1]
    if name is None:
        return address_for_devices().removeprefix("http://")
    return f"{name}/" if port == HTTP_PORT else f"{name}:{port}/"


def table_of_letters(letters: str) -> tuple[str | None] | None:
    """Return to which table letters lead, in a tuple: ``None`` there is the lobby; without it they lead nowhere.

    Letters of tables whose game is over lead nowhere, so that a guess has few to hit, unless the banker is there.
    """
    its_services = services()
    epoch, at = its_services.guests.invitation_epoch, its_services.guests.current
    numbers = its_services.logins.tables_of_letters(epoch, letters)
    if numbers == (0,):
        return (None,)
    table = its_services.tables.joinable(numbers, at)
    return None if table is None else (table,)


def search_of_request(state: TableState | None) -> TableSearch:
    """Return which tables a request looks for (``?search=``, ``game=``).

    Words that may be letters of a short address find the table to which they lead.
    """
    logins, epoch = services().logins, services().guests.invitation_epoch
    search = TableSearch(text=request.args.get("search", ""), game=request.args.get("game") or None, state=state)
    letters = {word: read_letters(word) for word in search.words}
    numbers = {word: logins.tables_of_letters(epoch, read) for word, read in letters.items() if read is not None}
    return replace(search, numbers=numbers)


def caller_at_next_table(caller: Caller, then: Table) -> Caller | None:
    """Return who a guest is at the table that follows theirs; ``None`` if no free seat there has their name."""
    if caller.player is None:
        return replace(caller, table=then.id, seat_generation=0)
    name = _name_before(caller)
    same = [player for player, called in then.names().items() if called == name]
    taken = {guest.player for guest in guests_at(then) if guest.device != caller.device}
    if len(same) != 1 or same[0] in taken:
        return None
    return replace(caller_in_seat(then, same[0]), device=caller.device)


def _name_before(caller: Caller) -> str | None:
    """Return a guest's name at their table; if that is in the bin by now, the name they joined with."""
    try:
        return services().tables.get(caller.table or "").names().get(caller.player or "")
    except UnknownTable:
        there = services().guests.at(caller.table or "")
        return next((guest.name for guest in there if guest.device == caller.device), None)
