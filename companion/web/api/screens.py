"""Screens before a game: the names in the lobby as they are typed, and screens that wait to be let in."""

from typing import Annotated

from flask import Blueprint, Response, jsonify, request
from pydantic import Field

from companion.game_api.seating import LONGEST_NAME, shown_name
from companion.service.access.screens import LobbySeat, TooManyScreens
from companion.web.http.auth import open_table, services
from companion.web.http.endpoint import FOR_BANKER, INSIDE, SENDING, Answer, Body, ClosedShape, Shape, TableId, endpoint
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
    counts_once=True,
)
def let_screen_in_by_letters(table_id: TableId) -> Response:
    """Let a screen look on by the letters that it shows."""
    table = open_table(table_id)
    if not let_screen_in(LET_IN.read().letters, table.id):
        raise Problem("not_found", "No screen shows these letters now.")
    answer = jsonify({"table": table.id})
    answer.status_code = 201
    return answer


# The lobby: who is about to play, for a big screen that shows the names while they are typed.


class LobbySeatJson(ClosedShape):
    """A seat; its name is empty until somebody types one."""

    id: str
    name: Annotated[str, Field(max_length=LONGEST_NAME)]


class LobbySeatsJson(ClosedShape):
    """The seats of a game that is about to begin, in the order in which people sit."""

    game: str
    players: list[LobbySeatJson]


SEATS = Body[LobbySeatsJson](
    LobbySeatsJson, 'Send {"game": "...", "players": [{"id": "...", "name": "..."}]}, and nothing else.'
)


@blueprint.post("/lobby")
@endpoint(
    "Say who is about to play, so that a big screen in the lobby shows it; nothing of it is stored; for the organiser.",
    answers=Answer("Shown.", None, 204),
    problems=(*FOR_BANKER, *SENDING),
    body=SEATS,
)
def show_seats() -> Response:
    """Show who is about to play on screens that wait for the game."""
    given = SEATS.read()
    game = services().tables.games.get(given.game)
    players = [seat.id for seat in given.players]
    if game is None or len(set(players)) < len(players) or not set(players) <= set(game.manifest.seats.colours):
        raise Problem("malformed", "Name an installed game, and each of its seats at most once.")
    services().lobby.seat(given.game, tuple(LobbySeat(seat.id, shown_name(seat.name)) for seat in given.players))
    return Response(status=204)
