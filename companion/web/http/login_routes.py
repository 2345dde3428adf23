"""Login by the PIN form or an invitation's QR code, and logout, for browsers."""

from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from companion.service.access.guests import SeatTaken
from companion.service.access.logins import LOGIN_COOKIE, Caller, LockedOut, WrongPin
from companion.web.http.auth import (
    caller_if_any,
    log_in_by_pin,
    safe_local_path,
    services,
    set_device_cookie,
    set_login_cookie,
)
from companion.web.http.guests import (
    JOINING_COOKIE,
    invited_caller,
    joining_device,
    log_out_guest,
    register_guest,
)
from companion.web.http.language import delete_cookie
from companion.web.http.metrics import metrics

blueprint = Blueprint("entrances", __name__)


@blueprint.post("/login")
def log_in() -> Response:
    """Log in by the PIN form (fields ``pin`` and ``next``).

    A wrong PIN redirects to the form with ``error=pin``, too many attempts with ``error=wait`` and ``seconds``.
    """
    back = safe_local_path(request.form.get("next"))
    try:
        caller = log_in_by_pin(request.form.get("pin", "").strip())
    except WrongPin:
        return _to_form(back, error="pin")
    except LockedOut as locked:
        return _to_form(back, error="wait", seconds=str(locked.retry_after))
    return _redirect_counted(caller, back)


@blueprint.get("/join/<token>")
def join(token: str) -> Response:
    """Log in by an invitation and redirect to its table, or to the page that asks a guest for their name."""
    if services().logins.read_open_invitation(token) is not None:
        return redirect(f"/who/{token}", 303)
    caller = invited_caller(token)
    if caller is None:
        metrics().count("logins", outcome="bad_invitation")
        return _to_form("/", error="join")
    try:
        return _redirect_counted(caller, first_page(caller))
    except SeatTaken:
        return _to_form("/", error="hosts" if caller.role == "host" else "taken")


@blueprint.post("/logout")
def log_out() -> Response:
    """End the login of this browser, or of a program's token; a guest's name is free again for another device."""
    caller = caller_if_any()
    if caller is not None and caller.device:
        log_out_guest(caller.device, caller.table, caller)
    answer = redirect("/login", 303)
    delete_cookie(answer, LOGIN_COOKIE)
    return answer


def first_page(caller: Caller) -> str:
    """Return the first page of a caller."""
    if caller.is_organiser:
        return "/"
    if caller.is_banker:
        return f"/tables/{caller.table}"
    if caller.player is None:
        return f"/tables/{caller.table}/display"
    return f"/tables/{caller.table}/seats/{caller.player}"


def _redirect_counted(caller: Caller, page: str) -> Response:
    answer = redirect_logged_in(caller, page)
    metrics().count("logins", outcome="done")
    return answer


def redirect_logged_in(caller: Caller, page: str, *, alone: bool = False, invited: bool = True) -> Response:
    """Redirect to a page with the caller's login cookie; where a guest sits is stored.

    ``alone``: no other device may have the seat.  ``invited``: they did not come by the code for everybody.  Raises
    ``SeatTaken``.
    """
    answer = redirect(page, 303)
    set_login_cookie(answer, services().logins.token(register_guest(caller, alone=alone, invited=invited)))
    if joining_device():
        delete_cookie(answer, JOINING_COOKIE)
    if caller.is_organiser:
        set_device_cookie(answer)
    return answer


def _to_form(back: str, **given: str) -> Response:
    return redirect(f"/login?{urlencode({'next': back, **given})}", 303)
