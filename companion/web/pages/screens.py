"""Televisions: one opens ``/tv`` and shows letters; the banker's tablet takes these, and it shows the table."""

from flask import Blueprint, Response, make_response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.service.access.logins import Caller
from companion.service.access.screens import TooManyScreens, WaitingScreen
from companion.web.http.auth import COOKIE_SECONDS, caller_if_any, current_caller, open_table, services
from companion.web.http.guests import address_for_devices, draw_qr, invited_caller, let_screen_in, short_host
from companion.web.http.language import cookie, delete_cookie, set_cookie
from companion.web.http.login_routes import first_page, redirect_logged_in
from companion.web.http.metrics import metrics
from companion.web.pages.join import current_table, lobby_screen, table_for_code
from companion.web.pages.language import page_frame, remember_language

blueprint = Blueprint("screens", __name__)

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
        return _redirect_let_in(Caller("spectator", None, table.id))
    if is_let_in:
        answer = lobby_screen()
        set_cookie(answer, SCREEN_COOKIE, invitation, COOKIE_SECONDS, from_code=False)
        return answer
    if "part" in request.args:
        return make_response("", 409)
    try:
        screen = services().pairings.waiting(token) or services().pairings.begin(request.remote_addr or "")
    except TooManyScreens:
        return _waiting_page(None)
    answer = _waiting_page(screen)
    set_cookie(answer, SCREEN_COOKIE, screen.token, services().pairings.seconds_left(screen), from_code=False)
    return answer


def _redirect_let_in(guest: Caller) -> AnyResponse:
    metrics().count("logins", outcome="done")
    answer = redirect_logged_in(guest, first_page(guest))
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
    page = make_response(page_frame().render("tv.html", letters=letters, qr=qr), 200 if screen else 503)
    page.headers["Refresh"] = REFRESH_S if screen else REFRESH_WHEN_FULL_S
    return remember_language(page)


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
    names = [] if table is None else list(table.names().values())
    about = {"letters": letters[:MOST_TYPED], "wrong": wrong, "table": table, "names": names, "host": short_host()}
    page = page_frame(table).render("tv_confirm.html", **about)
    return remember_language(make_response(page, 404 if wrong else 200))
