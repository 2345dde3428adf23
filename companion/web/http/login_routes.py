"""The doors for people: the PIN form, the invitation from a QR code, and the way out."""

from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from companion.service.access.logins import Caller, LockedOut, WrongPin
from companion.web.http.auth import (
    LOGIN_COOKIE,
    caller_if_any,
    local_path,
    log_in_by_pin,
    remember,
    remember_device,
    services,
)
from companion.web.http.guests import log_out_guest, seated
from companion.web.http.language import drop_cookie
from companion.web.http.metrics import figures

blueprint = Blueprint("entrances", __name__)


@blueprint.post("/login")
def log_in() -> Response:
    """Take the PIN form (fields ``pin`` and ``next``).

    A wrong PIN leads back to the form with ``error=pin``, too many with ``error=wait`` and ``seconds``.
    """
    back = local_path(request.form.get("next"))
    try:
        caller = log_in_by_pin(request.form.get("pin", "").strip())
    except WrongPin:
        return _to_form(back, error="pin")
    except LockedOut as locked:
        return _to_form(back, error="wait", seconds=str(locked.retry_after))
    return _let_in(caller, back)


@blueprint.get("/join/<token>")
def join(token: str) -> Response:
    """Let in whoever brings an invitation; a guest is led to the table of the invitation, or asked who he is."""
    if services().logins.evening(token) is not None:
        return redirect(f"/who/{token}", 303)
    caller = services().logins.join(token)
    if caller is None:
        figures().count("logins", outcome="bad_invitation")
        return _to_form("/", error="join")
    return _let_in(caller, first_page(caller))


@blueprint.post("/logout")
def log_out() -> Response:
    """End the login of this browser, or of a program's token; a guest's name is free again for another phone."""
    caller = caller_if_any()
    if caller is not None and caller.device:
        log_out_guest(caller.device, caller.table)
    answer = redirect("/login", 303)
    drop_cookie(answer, LOGIN_COOKIE)
    return answer


def first_page(caller: Caller) -> str:
    """Give the page at which a caller begins."""
    if caller.table is None:
        return "/"
    if caller.player is None:
        return f"/tables/{caller.table}/display"
    return f"/tables/{caller.table}/seats/{caller.player}"


def _let_in(caller: Caller, page: str) -> Response:
    figures().count("logins", outcome="done")
    return let_in(caller, page)


def let_in(caller: Caller, page: str) -> Response:
    """Lead to a page as this caller; of a guest it is remembered where he sits."""
    answer = redirect(page, 303)
    remember(answer, services().logins.token(seated(caller)))
    if caller.role == "banker":
        remember_device(answer)
    return answer


def _to_form(back: str, **given: str) -> Response:
    return redirect(f"/login?{urlencode({'next': back, **given})}", 303)
