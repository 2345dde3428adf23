"""People: logins, invitations to phones and screens, who has joined, and what a player asks of another."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify

from companion.engine.game import Refused
from companion.service.access.guests import Guest, SeatTaken
from companion.service.access.logins import LOGIN_COOKIE, Caller, WrongPin
from companion.service.table.table import Request
from companion.web.api.commands import COMMAND, counted_refusal, seen_version
from companion.web.api.shapes import AgreementAskedJson, AgreementJson, AnsweredJson, EntryJson
from companion.web.http.auth import (
    command_source,
    current_caller,
    log_in_by_pin,
    open_table,
    services,
    set_device_cookie,
    set_login_cookie,
)
from companion.web.http.endpoint import (
    INSIDE,
    LANGUAGE,
    SEEN,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    Shape,
    TableId,
    endpoint,
    only_of_type,
    read_json_object,
    request_key,
)
from companion.web.http.guests import (
    Invitation,
    caller_in_seat,
    create_invitation,
    guests_at,
    hosts_at,
    invite_host,
    invited_caller,
    open_invitation,
    register_guest,
)
from companion.web.http.guests import log_out_guest as log_out_device
from companion.web.http.language import delete_cookie
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem, problem_of_refusal

blueprint = Blueprint("people", __name__)


class PinLogin(ClosedShape):
    """The banker's PIN."""

    pin: str


class InvitationLogin(ClosedShape):
    """The token of an invitation."""

    join: str


class ScreenLogin(ClosedShape):
    """The token of a screen that waited to be let in."""

    screen: str


class LoginJson(Shape):
    """A login: its token, and who the caller is with it."""

    token: str
    role: Literal["banker", "host", "player", "spectator"]
    player: str | None
    table: str | None


class InvitePlayer(ClosedShape):
    """The player whose phone is invited."""

    player: str


class InviteSpectator(ClosedShape):
    """A spectator is invited."""

    spectator: Annotated[Literal[True], only_of_type(bool)]


class InvitationJson(Shape):
    """An invitation: its token, the address for a browser, and the address as a QR code (SVG)."""

    token: str
    address: str
    qr: str


class GuestJson(ClosedShape):
    """A phone or screen that joined by a code; ``player`` is null for a spectator's."""

    device: str
    player: str | None


class GuestsJson(Shape):
    """The guests, and the one code for everybody; ``short_address`` can be typed, and ends with ``letters``."""

    guests: list[GuestJson]
    address: str
    qr: str
    short_address: str
    letters: str


class HostJson(ClosedShape):
    """A device that hosts a table."""

    device: str


class HostsJson(Shape):
    """The devices that host a table."""

    hosts: list[HostJson]


class LoggedOutJson(Shape):
    """The device that was logged out."""

    out: str


class EveningJson(Shape):
    """The number of the evening that begins; codes of earlier ones are void."""

    evening: int


class AgreementsJson(Shape):
    """The open questions."""

    agreements: list[AgreementJson]


class AnswerAgreement(ClosedShape):
    """The answer to a question."""

    answer: Literal["yes", "no"]


LOG_IN = Body[PinLogin | InvitationLogin | ScreenLogin](
    PinLogin | InvitationLogin | ScreenLogin,
    'Send {"pin": "..."}, {"join": "..."} or {"screen": "..."}, and nothing else.',
)
INVITE = Body[InvitePlayer | InviteSpectator](
    InvitePlayer | InviteSpectator, 'Send {"player": "..."} or {"spectator": true}, and nothing else.'
)
ANSWER_AGREEMENT = Body[AnswerAgreement](AnswerAgreement, 'Send {"answer": "yes"} or "no", and nothing else.')


@blueprint.post("/logins")
@endpoint(
    "A PIN, an invitation or the token of a screen that was let in for a token, which is set as a cookie too.",
    answers=Answer("Logged in.", LoginJson, 201),
    problems=("wrong_pin", "login_needed", "locked_out", "seat_taken", *SENDING, "internal"),
    body=LOG_IN,
)
def log_in() -> Response:
    """Return a token for a PIN, an invitation, or the token of a screen; it is in a cookie too."""
    given = LOG_IN.read()
    caller = _caller_of(given)
    try:
        token = services().logins.token(register_guest(caller))
    except SeatTaken:
        raise Problem("seat_taken", "Other devices have this seat already; log one of them out.") from None
    metrics().count("logins", outcome="done")
    answer = jsonify({"token": token, "role": caller.role, "player": caller.player, "table": caller.table})
    answer.status_code = 201
    set_login_cookie(answer, token)
    if caller.is_organiser:
        set_device_cookie(answer)
    return answer


@blueprint.delete("/logins")
@endpoint(
    "End the login that this request is made with: its token opens nothing any more.",
    answers=Answer("Logged out.", None, 204),
    problems=("login_needed", "cross_site", "internal"),
)
def log_out() -> Response:
    """End the login that the request was made with, for ever."""
    caller = current_caller()
    if caller.device:
        log_out_device(caller.device, caller.table, caller)
    answer = Response(status=204)
    delete_cookie(answer, LOGIN_COOKIE)
    return answer


def _caller_of(given: PinLogin | InvitationLogin | ScreenLogin) -> Caller:
    if isinstance(given, PinLogin):
        return _caller_by_pin(given.pin)
    return _caller_by_invitation(given.join) if isinstance(given, InvitationLogin) else _caller_on_screen(given.screen)


def _caller_on_screen(token: str) -> Caller:
    invitation = services().pairings.collect(token)
    if invitation is not None:
        return _caller_by_invitation(invitation)
    waits = services().pairings.waiting_screen(token) is not None
    detail = "The banker has not let this screen in yet." if waits else "This screen waits no more; begin anew."
    raise Problem("login_needed", detail, headers={"WWW-Authenticate": "Bearer"})


def _caller_by_pin(pin: str) -> Caller:
    try:
        return log_in_by_pin(pin)
    except WrongPin:
        raise Problem("wrong_pin", "That is not the PIN.", headers={"WWW-Authenticate": "Bearer"}) from None


def _caller_by_invitation(token: str) -> Caller:
    caller = invited_caller(token)
    if caller is None:
        metrics().count("logins", outcome="bad_invitation")
        detail = "This invitation is not good any more."
        raise Problem("login_needed", detail, headers={"WWW-Authenticate": "Bearer"})
    return caller


@blueprint.post("/tables/<table_id>/invitations")
@endpoint(
    "A join token for a player's phone, or for a spectator; for the banker alone.",
    answers=Answer("The token, its address, and the address as a QR code (SVG).", InvitationJson, 201),
    problems=(*INSIDE, *SENDING, "refused"),
    body=INVITE,
    parameters=(LANGUAGE,),
)
def invite(table_id: TableId) -> Response:
    """Return an invitation for a player's phone or for a spectator."""
    table = open_table(table_id)
    given = INVITE.read()
    if isinstance(given, InvitePlayer) and given.player not in table.names():
        raise problem_of_refusal(Refused("unknown_player", player=given.player), {})
    caller = (
        caller_in_seat(table, given.player) if isinstance(given, InvitePlayer) else Caller("spectator", None, table_id)
    )
    return _answer_invitation(create_invitation(caller))


def _answer_invitation(made: Invitation) -> Response:
    answer = jsonify({"token": made.token, "address": made.address, "qr": made.qr})
    answer.status_code = 201
    return answer


@blueprint.get("/tables/<table_id>/guests")
@endpoint(
    "Which phones and screens have joined, and the one code with which everybody joins; for the banker.",
    answers=Answer("The guests.", GuestsJson),
    problems=INSIDE,
)
def list_guests(table_id: TableId) -> Response:
    """Return who has joined, and the one code for everybody."""
    table = open_table(table_id)
    code = open_invitation(table.id)
    guests = [_guest_json(guest) for guest in guests_at(table)]
    return jsonify(
        {
            "guests": guests,
            "address": code.address,
            "qr": code.qr,
            "short_address": code.short_address,
            "letters": code.letters,
        }
    )


def _guest_json(guest: Guest) -> dict[str, Any]:
    return {"device": guest.device, "player": guest.player}


@blueprint.delete("/tables/<table_id>/guests/<device>")
@endpoint(
    "Log one phone or screen out; for the banker.",
    answers=Answer("Logged out.", LoggedOutJson),
    problems=(*INSIDE, "cross_site"),
)
def log_out_guest(table_id: TableId, device: Annotated[str, "The id of the device."]) -> Response:
    """Log one phone or screen out; its own page says so within a second."""
    table = open_table(table_id)
    return _log_out(device, table.id, guests_at(table), "No such phone has joined here.")


@blueprint.post("/tables/<table_id>/hosts")
@endpoint(
    "A join token for whoever runs this table, and no other; for the organiser.",
    answers=Answer("The token, its address, and the address as a QR code (SVG).", InvitationJson, 201),
    problems=(*INSIDE, "cross_site"),
)
def invite_to_host(table_id: TableId) -> Response:
    """Return an invitation to host a table."""
    return _answer_invitation(invite_host(open_table(table_id).id))


@blueprint.get("/tables/<table_id>/hosts")
@endpoint("Which devices host the table; for the organiser.", answers=Answer("Hosts.", HostsJson), problems=INSIDE)
def list_hosts(table_id: TableId) -> Response:
    """Return the devices that host a table."""
    return jsonify({"hosts": [{"device": host.device} for host in hosts_at(open_table(table_id))]})


@blueprint.delete("/tables/<table_id>/hosts/<device>")
@endpoint(
    "Log a host out, and end the invitations to host the table; for the organiser.",
    answers=Answer("Logged out.", LoggedOutJson),
    problems=(*INSIDE, "cross_site"),
)
def log_out_host(table_id: TableId, device: Annotated[str, "The id of the device."]) -> Response:
    """Log a host out; its own page says so within a second."""
    table = open_table(table_id)
    return _log_out(device, table.id, hosts_at(table), "No such device hosts this table.")


def _log_out(device: str, table_id: str, people: Iterable[Guest], unknown: str) -> Response:
    """Log one of these people out; raise a ``not_found`` problem that says ``unknown`` where none has the device."""
    if all(guest.device != device for guest in people):
        raise Problem("not_found", unknown)
    log_out_device(device, table_id)
    return jsonify({"out": device})


@blueprint.delete("/guests")
@endpoint(
    "Log every phone and screen out, hosts and other devices of the organiser too; codes and invitations given before "
    "let nobody in; for the organiser.",
    answers=Answer("Logged out.", EveningJson),
    problems=("login_needed", "forbidden", "cross_site", "internal"),
)
def log_out_guests() -> Response:
    """Log every device out but the caller's; codes and invitations that were given before let nobody in any more."""
    services().guests.new_evening(kept=current_caller().device)
    return jsonify({"evening": services().guests.invitation_epoch})


@blueprint.get("/tables/<table_id>/agreements")
@endpoint(
    "What one asks of another: the questions that concern the caller.",
    answers=Answer("The open questions.", AgreementsJson),
    problems=INSIDE,
)
def list_agreements(table_id: TableId) -> Response:
    """Return the open questions that concern the caller."""
    waiting = services().consents.open_for(open_table(table_id), current_caller().viewer)
    return jsonify({"agreements": [agreement.as_json() for agreement in waiting]})


@blueprint.post("/tables/<table_id>/agreements")
@endpoint(
    "Ask whom it concerns for their yes: `hire_out` by its owner, or `undo` of what somebody did.",
    answers=(
        Answer("The caller's own act: the entry.", EntryJson),
        Answer("Somebody is asked.", AgreementAskedJson, 202),
    ),
    problems=(*INSIDE, *SENDING, "stale", "refused", "version_needed"),
    body=COMMAND,
    parameters=(LANGUAGE, SEEN),
    counts_once=True,
)
def ask_for_agreement(table_id: TableId) -> Response:
    """Ask for ``hire_out`` or ``undo``: 202 with the question, or 200 with the entry where nobody else need agree."""
    table, actor = open_table(table_id), current_caller().viewer
    wish = Request(read_json_object(), actor, command_source(), seen_version())
    try:
        made = services().consents.ask(table, wish)
        if made is None:
            return jsonify(table.submit(replace(wish, key=request_key(actor))))
    except Refused as refused:
        raise counted_refusal(refused, table) from None
    answer = jsonify({"asked": made.as_json()})
    answer.status_code = 202
    return answer


@blueprint.post("/tables/<table_id>/agreements/<int:number>")
@endpoint(
    "Agree or not; who asked may only take their question back.",
    answers=Answer("Answered; the entry that a yes led to.", AnsweredJson),
    problems=(*INSIDE, *SENDING, "stale", "refused"),
    body=ANSWER_AGREEMENT,
    parameters=(LANGUAGE,),
    counts_once=True,
)
def answer_agreement(table_id: TableId, number: Annotated[int, "The id of the question."]) -> Response:
    """Answer a question; return the entry that a yes led to."""
    table, actor = open_table(table_id), current_caller().viewer
    answer = ANSWER_AGREEMENT.read().answer
    try:
        key = request_key(f"{actor}:agreement {number}")
        before = table.stored_under(key)
        entry = before or services().consents.answer(table, number, actor=actor, yes=answer == "yes", key=key)
    except Refused as refused:
        raise counted_refusal(refused, table) from None
    return jsonify({"answer": answer, "entry": entry})
