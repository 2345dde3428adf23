"""Joining a table: phones by the code of the evening, invitations and letters; big screens, let in by the banker."""

import ipaddress
from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, Response, make_response, redirect, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.manifest import Manifest
from companion.game_api.ui import TableView, initials
from companion.service.access.guests import SeatTaken
from companion.service.access.logins import FREE_TRIES_OVERALL, LETTERS_IN_ADDRESS, Caller, LockedOut, read_letters
from companion.service.access.screens import LobbySeats, TooManyScreens, WaitingScreen
from companion.service.ports import Forbidden, UnknownTable
from companion.service.table.table import Table
from companion.web.http.auth import (
    COOKIE_SECONDS,
    LOCAL_ADDRESS,
    PASSED_ON,
    TO_LOGIN,
    caller_if_any,
    current_caller,
    host_name,
    open_table,
    plain_address,
    services,
)
from companion.web.http.guests import (
    Invitation,
    OpenInvitation,
    address_for_devices,
    caller_at_next_table,
    caller_in_seat,
    create_invitation,
    draw_qr,
    guests_at,
    hosts_at,
    invite_host,
    invited_caller,
    joining_device,
    let_screen_in,
    log_out_guest,
    open_invitation,
    remember_joining,
    short_host,
    table_of_letters,
)
from companion.web.http.language import cookie, delete_cookie, language, seat_names, set_cookie, words_of
from companion.web.http.login_routes import first_page, redirect_logged_in
from companion.web.http.metrics import metrics
from companion.web.pages.language import page_frame, remember_language

# The big screen before a game: how to join, and the names as they are typed on the tablet


@dataclass(frozen=True, slots=True)
class SeatOnScreen:
    """A seat as it is shown: without a name it is free."""

    player: str
    name: str
    initial: str
    arrived: bool


def lobby_screen() -> Response:
    """Return the page; with ``?part=lobby`` only what changes, for the code of the page."""
    now = services().lobby.now
    game = services().tables.games.get(now.game or "")
    frame = page_frame(of=None if game is None else game.manifest)
    template = "parts/lobby_screen.html" if "part" in request.args else "screen.html"
    page = frame.render(template, code=open_invitation(None), seats=seats_on_screen(now, frame.manifest))
    return remember_language(make_response(page))


def seats_on_screen(now: LobbySeats, manifest: Manifest) -> list[SeatOnScreen]:
    """Return the seats that were typed, and behind them those that are left for others."""
    names = {seat.player: seat.name for seat in now.seats if seat.name}
    letters = initials(names)
    players = [seat.player for seat in now.seats]
    left = [colour for colour in manifest.seats.colours if colour not in players]
    shown = [*players, *left][: max(manifest.seats.most, len(players))]
    return [
        SeatOnScreen(player, names.get(player, ""), letters.get(player, ""), player == now.arrived) for player in shown
    ]


blueprint = Blueprint("join", __name__)

WATCH = "watch"
"""Form value of a spectator who chooses no seat."""
SPECTATOR_GUEST = "spectator"
OWN_SCREEN_COOKIE = "companion_own_screen"
"""Marks the browser of the machine's own screen, which nobody could log in again."""


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A seat that can be chosen; ``taken``: another phone has joined for it already."""

    player: str
    name: str
    initial: str
    taken: bool


@blueprint.get("/who/<token>")
def choose_seat(token: str) -> AnyResponse:
    """Show the seats to choose from, or a request to wait before a game has begun; ``?part=names``: only the seats."""
    is_valid, table = table_for_code(token)
    if not is_valid:
        return redirect("/login?error=join", 303)
    if table is None and _leads_to_unreadable(token):
        return remember_language(make_response(page_frame().render("gone.html", unreadable=True), 410))
    frame = page_frame(table)
    template = "parts/names.html" if request.args.get("part") == "names" else "who.html"
    page = make_response(frame.render(template, token=token, table=table, seats=seat_choices(table), late=False))
    if caller_if_any() is None:
        remember_joining(page)
    return remember_language(page)


@blueprint.post("/who/<token>")
def take_seat(token: str) -> AnyResponse:
    """Log in for a seat (field ``player``) or as a spectator; answer 409 if the seat was taken."""
    is_valid, table = table_for_code(token)
    if not is_valid:
        return redirect("/login?error=join", 303)
    wish = request.form.get("player", "")
    if table is None:
        return redirect(url_for("join.choose_seat", token=token), 303)
    if wish == WATCH:
        caller = Caller("spectator", None, table.id)
        return redirect_logged_in(caller, first_page(caller), invited=False)
    if wish in table.names():
        caller = caller_in_seat(table, wish)
        with suppress(SeatTaken):
            return redirect_logged_in(caller, first_page(caller), alone=True, invited=False)
    frame = page_frame(table)
    page = frame.render("who.html", token=token, table=table, seats=seat_choices(table), late=True)
    return make_response(page, 409)


@blueprint.get("/tables/<table_id>/next")
def follow_table(table_id: str) -> AnyResponse:
    """Redirect a phone or screen to the table that followed this one; without a seat there, to the choice of seats.

    Whoever left their seat to somebody else leads nowhere: the seat of that name there is the other one's.
    """
    caller = current_caller()
    then = services().next_table(table_id)
    if then is None:
        return redirect(url_for("tables.display", table_id=table_id))
    try:
        open_table(table_id)
    except Forbidden:
        return redirect(TO_LOGIN, 303)
    except UnknownTable:  # put into the bin meanwhile; the name with which they came counts then
        pass
    if caller.is_organiser:
        return redirect(url_for("tables.display", table_id=then))
    try:
        guest = caller_at_next_table(caller, services().tables.get(then))
    except UnknownTable:  # put away at this moment
        return redirect(url_for("tables.display", table_id=table_id))
    if guest is not None:
        invited = any(before.invited for before in services().guests.at(table_id) if before.device == caller.device)
        with suppress(SeatTaken):
            return redirect_logged_in(guest, first_page(guest), alone=not guest.is_banker, invited=invited)
    return redirect(url_for("join.choose_seat", token=open_invitation(then).token), 303)


@blueprint.post("/tables/<table_id>/log-out")
def log_out(table_id: str) -> AnyResponse:
    """Log out the phone or screen named by the field ``device``; for the organiser a host, or ``everybody``, too."""
    caller = current_caller()
    table = open_table(table_id)
    if "everybody" in request.form and not caller.is_organiser:
        raise Forbidden
    if "everybody" in request.form:
        services().guests.new_evening(kept=caller.device)
        table.signal.bump()  # the code that is shown is another one
    device = request.form.get("device", "")
    hosts = [host.device for host in hosts_at(table)] if caller.is_organiser else []
    if device in hosts or any(guest.device == device for guest in guests_at(table)):
        log_out_guest(device, table.id)
    return redirect(url_for("join.show_host" if device in hosts else "tables.tablet", table_id=table_id), 303)


@blueprint.get("/tables/<table_id>/host")
def show_host(table_id: str) -> AnyResponse:
    """Show the code with which somebody else runs a table, and the devices that do."""
    table = open_table(table_id)
    about = {"names": list(_names_at(table).values()), "hosts": hosts_at(table), "code": invite_host(table.id)}
    return remember_language(make_response(page_frame(table).render("host.html", table=table, **about)))


def seat_choices(table: Table | None) -> list[SeatChoice]:
    """Return the seats of a table, and which of them are taken by a phone other than this one."""
    if table is None:
        return []
    names = _names_at(table)
    letters = initials(names)
    caller = caller_if_any()
    mine = joining_device() if caller is None else caller.device
    taken = {guest.player for guest in guests_at(table) if guest.device != mine}
    return [SeatChoice(player, name, letters[player], player in taken) for player, name in names.items()]


def _names_at(table: Table) -> dict[str, str]:
    """Return the names at the seats of a table, as people read them."""
    return seat_names(words_of(table.game.manifest), table.names())


def table_for_code(token: str) -> tuple[bool, Table | None]:
    """Return whether a code is valid this evening, and its table; ``None`` before a game has begun."""
    its_services = services()
    code = its_services.logins.read_open_invitation(token)
    if code is None or code[0] != its_services.guests.invitation_epoch:
        return False, None
    at = code[1] or its_services.guests.current
    if at is None:
        return True, None
    try:
        table = its_services.tables.get(its_services.next_table(at) or at)
    except UnknownTable:
        return True, None
    # In the lobby nobody knows yet which game is to come: one that is over is none.
    over = code[1] is None and (table.overview is None or table.overview.finished)
    return True, None if over else table


def _leads_to_unreadable(token: str) -> bool:
    """Return whether a code names a table that cannot be read here."""
    code = services().logins.read_open_invitation(token)
    return code is not None and code[1] in services().tables.torn


@blueprint.get("/join-cards.pdf")
def send_join_cards() -> AnyResponse:
    """Return the join code as a sheet of cards to print (PDF), for the banker."""
    write = services().print_join_cards
    if write is None:
        raise NotFound
    invitation = open_invitation(None)
    return Response(write(invitation.address, invitation.short_address, language()), mimetype="application/pdf")


@blueprint.get("/screen")
def show_own_screen() -> AnyResponse:
    """Show the display of the running table on the machine's own screen; before there is one, the lobby.

    Only a browser on this machine is let in: nobody sits at it who could log in.
    """
    if not _is_this_machine():
        return redirect("/login", 303)
    table = current_table()
    if table is not None:
        caller = Caller("spectator", None, table.id)
        answer = redirect_logged_in(caller, first_page(caller))
        set_cookie(answer, OWN_SCREEN_COOKIE, "1", from_code=False)
        return answer
    return lobby_screen()


def is_own_screen() -> bool:
    """Return whether the request comes from the machine's own screen, which was led to a table before."""
    return bool(cookie(OWN_SCREEN_COOKIE)) and _is_this_machine()


def _is_this_machine() -> bool:
    """Return whether the request comes from a browser on this machine and was not forwarded by a proxy."""
    ends = (request.remote_addr or "", plain_address(request.environ.get(LOCAL_ADDRESS, "")))
    name = host_name(request.headers.get("Host", ""))
    passed_on = request.environ.get(PASSED_ON, True)
    return all(map(_is_loopback, ends)) and name in {"localhost", "127.0.0.1", "::1"} and not passed_on


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(plain_address(address)).is_loopback
    except ValueError:
        return False


def current_table() -> Table | None:
    """Return the table that a screen of this installation shows: where the banker is, else the latest that goes on."""
    its_services = services()
    at = its_services.guests.current
    try:
        table = None if at is None else its_services.tables.get(its_services.next_table(at) or at)
    except UnknownTable:
        table = None
    over = table is None or table.overview is None or table.overview.finished
    return its_services.tables.latest_unfinished() if over else table


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation for one guest: a player id or ``spectator``."""

    guest: str
    invitation: Invitation


def invited_guest(guest: str | None, scene: TableView) -> Invited | None:
    """Return an invitation for the guest chosen on the sheet; ``None`` if nobody was chosen yet."""
    if guest is None:
        return None
    if guest == SPECTATOR_GUEST:
        return Invited(guest, create_invitation(Caller("spectator", None, scene.table)))
    return (
        Invited(guest, create_invitation(caller_in_seat(open_table(scene.table), guest)))
        if guest in scene.players
        else None
    )


def visible_join_code(table: Table) -> OpenInvitation | None:
    """Return the join code as long as somebody at the table has not joined with a phone."""
    joined_players = {guest.player for guest in guests_at(table)}
    return None if joined_players >= table.names().keys() else open_invitation(table.id)


# Short addresses: four letters lead a phone to the page where it joins


@blueprint.get("/join")
def type_letters() -> AnyResponse:
    """Ask for the letters of a short address, or follow those typed (``?letters=``)."""
    typed = request.args.get("letters")
    return _letters_page() if typed is None else _follow_letters(typed)


@blueprint.get("/<letters>")
def open_short_address(letters: str) -> AnyResponse:
    """Redirect a short address to the page where its table is joined."""
    if len(letters) != LETTERS_IN_ADDRESS or not (letters.isascii() and letters.isalpha()):
        raise NotFound
    return _follow_letters(letters)


MOST_FREE_LETTERS = 400
"""Wrong letters of all addresses that cost no wait in the largest hall: one for each running table."""


def _follow_letters(typed: str) -> AnyResponse:
    """Redirect to the page where a table is joined; wrong letters are counted against their sender.

    Letters that no address has are no guess.
    """
    letters = read_letters(typed)
    if letters is None:
        return _letters_page(error="wrong")
    place = table_of_letters(letters)
    there = services().tables.count()
    free = max(FREE_TRIES_OVERALL, min(there.tables - there.finished, MOST_FREE_LETTERS))
    try:
        services().logins.letters_guard.judge(lambda: place is not None, request.remote_addr or "", free=free)
    except LockedOut as locked:
        metrics().count("logins", outcome="locked_out")
        return _letters_page(error="wait", seconds=locked.retry_after)
    if place is None:
        metrics().count("logins", outcome="bad_invitation")
        return _letters_page(error="wrong")
    return redirect(f"/who/{open_invitation(place[0]).token}", 303)


def _letters_page(error: str = "", seconds: int = 0) -> AnyResponse:
    page = make_response(page_frame().render("letters.html", error=error, seconds=seconds))
    page.status_code = {"": 200, "wrong": 404, "wait": 429}[error]
    if seconds:
        page.headers["Retry-After"] = str(seconds)
    return remember_language(page)


# Televisions: one opens ``/tv`` and shows letters; the banker's tablet takes these, and it shows the table

SCREEN_COOKIE = "companion_screen"
"""Keeps the token of a screen that waits to be let in."""
REFRESH_S = "3"
"""Seconds after which a screen that waits asks again; a television may run no scripts of ours."""
REFRESH_WHEN_FULL_S = "30"
MOST_TYPED = 12
"""Characters of wrong letters that stand in the field again."""


@blueprint.get("/tv")
def show_waiting_screen() -> AnyResponse:
    """Show letters until the banker lets this screen in, and then the big screen of the table or of the lobby.

    ``?part=lobby``: what changes on that of the lobby; 409 tells its code that the page shows something else now.
    """
    token = cookie(SCREEN_COOKIE)
    invitation = services().pairings.collect(token) or token
    if services().logins.read_hall_token(invitation) is not None:
        answer = redirect(f"/hall/{invitation}", 303)
        delete_cookie(answer, SCREEN_COOKIE)
        return answer
    guest = invited_caller(invitation)
    if guest is not None:
        return _redirect_let_in(guest)
    caller = caller_if_any()
    if caller is not None:
        return _screen_of(caller)
    is_let_in, table = table_for_code(invitation)
    if table is not None:
        return _redirect_let_in(Caller("spectator", None, table.id), invited=False)
    if is_let_in:
        answer = lobby_screen()
        set_cookie(answer, SCREEN_COOKIE, invitation, COOKIE_SECONDS, from_code=False)
        return answer
    if "part" in request.args:
        return make_response("", 409)
    try:
        screen = services().pairings.waiting_screen(token) or services().pairings.begin(request.remote_addr or "")
    except TooManyScreens:
        return _waiting_page(None)
    answer = _waiting_page(screen)
    set_cookie(answer, SCREEN_COOKIE, screen.token, services().pairings.seconds_left(screen), from_code=False)
    return answer


def _redirect_let_in(guest: Caller, *, invited: bool = True) -> AnyResponse:
    metrics().count("logins", outcome="done")
    answer = redirect_logged_in(guest, first_page(guest), invited=invited)
    delete_cookie(answer, SCREEN_COOKIE)
    return answer


def _screen_of(caller: Caller) -> AnyResponse:
    """Return the big screen for a device that is logged in; the organiser's shows the lobby before a game."""
    if caller.is_organiser:
        table = current_table()
        return lobby_screen() if table is None else redirect(f"/tables/{table.id}/display", 303)
    return redirect(f"/tables/{caller.table}/display" if caller.is_banker else first_page(caller), 303)


def _waiting_page(screen: WaitingScreen | None) -> Response:
    """Return the page with letters; without a screen the request to wait."""
    qr = None if screen is None else draw_qr(f"{address_for_devices()}tv/{screen.letters}")
    letters = "" if screen is None else screen.letters
    refresh = REFRESH_S if screen else REFRESH_WHEN_FULL_S
    page = page_frame().render("tv.html", letters=letters, qr=qr, refresh=refresh)
    return remember_language(make_response(page, 200 if screen else 503))


@blueprint.get("/screens")
@blueprint.get("/tv/<letters>")
def ask_to_confirm(letters: str = "") -> AnyResponse:
    """Ask the banker for the letters of a television, or whether to let in that whose code they scanned."""
    return _confirming_page(letters)


@blueprint.post("/screens")
def let_into_lobby() -> AnyResponse:
    """Let the television in that shows the letters of the field ``letters``, before a game; for the banker."""
    letters = request.form.get("letters", "")
    return redirect("/", 303) if let_screen_in(letters, None) else _confirming_page(letters, wrong=True)


@blueprint.post("/tables/<table_id>/screens")
def let_in(table_id: str) -> AnyResponse:
    """Let the television in that shows the letters of the field ``letters``; for the banker."""
    table, letters = open_table(table_id), request.form.get("letters", "")
    if not let_screen_in(letters, table.id):
        return _confirming_page(letters, wrong=True)
    return redirect(f"/tables/{table.id}", 303)


def _confirming_page(letters: str, *, wrong: bool = False) -> AnyResponse:
    own_table = current_caller().table
    table = current_table() if own_table is None else open_table(own_table)
    names = [] if table is None else list(_names_at(table).values())
    about = {"letters": letters[:MOST_TYPED], "wrong": wrong, "table": table, "names": names, "host": short_host()}
    page = page_frame(table).render("tv_confirm.html", **about)
    return remember_language(make_response(page, 404 if wrong else 200))
