"""The lobby: who is about to play, for a big screen that shows the names while they are typed."""

from typing import Annotated

from flask import Blueprint, Response
from pydantic import Field

from companion.game_api.seating import LONGEST_NAME
from companion.service.access.lobby_seats import LobbySeat
from companion.web.http.auth import require_banker, services
from companion.web.http.endpoint import FOR_BANKER, SENDING, Answer, Body, ClosedShape, endpoint
from companion.web.http.problems import Problem

blueprint = Blueprint("lobby", __name__)


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
    "Say who is about to play, so that a big screen in the lobby shows it; nothing of it is stored; for the banker.",
    answers=Answer("Shown.", None, 204),
    problems=(*FOR_BANKER, *SENDING),
    body=SEATS,
)
def show_seats() -> Response:
    """Show who is about to play on screens that wait for the game."""
    require_banker()
    given = SEATS.read()
    game = services().tables.games.get(given.game)
    players = [seat.id for seat in given.players]
    if game is None or len(set(players)) < len(players) or not set(players) <= set(game.manifest.seats.colours):
        raise Problem("malformed", "Name an installed game, and each of its seats at most once.")
    services().lobby.seat(given.game, tuple(LobbySeat(seat.id, seat.name.strip()) for seat in given.players))
    return Response(status=204)
