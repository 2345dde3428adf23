"""Screens that show letters until the banker lets them in by these."""

from flask import Blueprint, Response, jsonify, request

from companion.service.access.screen_pairings import TooManyScreens
from companion.web.http.auth import open_table, require_banker, services
from companion.web.http.endpoint import INSIDE, SENDING, Answer, Body, ClosedShape, Shape, TableId, endpoint
from companion.web.http.guests import address_for_devices, draw_qr, let_screen_in
from companion.web.http.problems import Problem

blueprint = Blueprint("screens", __name__)


class WaitingScreenJson(Shape):
    """A screen that waits: what it shows, and the token that is a login of its own once it was let in."""

    letters: str
    address: str
    qr: str
    token: str
    seconds: int


class LetScreenIn(ClosedShape):
    """The letters that a screen shows."""

    letters: str


class ScreenLetInJson(Shape):
    """The table that the screen shows now."""

    table: str


LET_IN = Body[LetScreenIn](LetScreenIn, 'Send {"letters": "..."}, and nothing else.')


@blueprint.post("/screens")
@endpoint(
    "Begin to wait as a screen: four letters to show, which are good for `seconds`, and the token for "
    "`POST /logins` once the banker has let the screen in.",
    answers=Answer(
        "The letters, the address at which the banker confirms them, and that as a QR code.", WaitingScreenJson, 201
    ),
    problems=("busy", "cross_site", "internal"),
    is_open=True,
)
def begin_as_screen() -> Response:
    """Return letters for a screen that nobody has let in yet."""
    try:
        screen = services().pairings.begin(request.remote_addr or "")
    except TooManyScreens as full:
        raise Problem("busy", "Too many screens wait.", headers={"Retry-After": str(full.retry_after)}) from None
    address = f"{address_for_devices()}tv/{screen.letters}"
    answer = jsonify(
        {
            "letters": screen.letters,
            "address": address,
            "qr": draw_qr(address),
            "token": screen.token,
            "seconds": services().pairings.seconds_left(screen),
        }
    )
    answer.status_code = 201
    return answer


@blueprint.post("/tables/<table_id>/screens")
@endpoint(
    "Let the screen in that shows these letters: it looks on at the table; for the banker.",
    answers=Answer("Let in.", ScreenLetInJson, 201),
    problems=(*INSIDE, *SENDING),
    body=LET_IN,
)
def let_screen_in_by_letters(table_id: TableId) -> Response:
    """Let a screen look on by the letters that it shows."""
    require_banker()
    table = open_table(table_id)
    if not let_screen_in(LET_IN.read().letters, table.id):
        raise Problem("not_found", "No screen shows these letters now.")
    answer = jsonify({"table": table.id})
    answer.status_code = 201
    return answer
