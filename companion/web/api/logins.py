"""Logins: a PIN or an invitation for a token."""

from flask import Blueprint, Response, jsonify

from companion.service.access.logins import Caller, WrongPin
from companion.web.http.auth import (
    LOGIN_COOKIE,
    current_caller,
    log_in_by_pin,
    remember,
    remember_device,
    services,
)
from companion.web.http.guests import log_out_guest, seated
from companion.web.http.language import drop_cookie
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("logins", __name__)


@blueprint.post("/logins")
def log_in() -> Response:
    """Answer ``{"pin"}`` or ``{"join"}`` with a token, which is in a cookie too."""
    given = json_object()
    match given:
        case {"pin": str(pin)} if len(given) == 1:
            caller = _by_pin(pin)
        case {"join": str(token)} if len(given) == 1:
            caller = _by_invitation(token)
        case _:
            raise Problem(400, "malformed", 'Send {"pin": "..."} or {"join": "..."}, and nothing else.')
    figures().count("logins", outcome="done")
    token = services().logins.token(seated(caller))
    answer = jsonify({"token": token, "role": caller.role, "player": caller.player, "table": caller.table})
    answer.status_code = 201
    remember(answer, token)
    if caller.role == "banker":
        remember_device(answer)
    return answer


@blueprint.delete("/logins")
def log_out() -> Response:
    """End the login that the request was made with, for ever; 204."""
    caller = current_caller()
    if caller.device:
        log_out_guest(caller.device, caller.table)
    answer = Response(status=204)
    drop_cookie(answer, LOGIN_COOKIE)
    return answer


def _by_pin(pin: str) -> Caller:
    try:
        return log_in_by_pin(pin)
    except WrongPin:
        raise Problem(401, "wrong_pin", "That is not the PIN.", headers={"WWW-Authenticate": "Bearer"}) from None


def _by_invitation(token: str) -> Caller:
    caller = services().logins.join(token)
    if caller is None:
        figures().count("logins", outcome="bad_invitation")
        detail = "This invitation is not good any more."
        raise Problem(401, "login_needed", detail, headers={"WWW-Authenticate": "Bearer"})
    return caller
