"""The big screen before a game: how to join, and the names as they are typed on the tablet."""

from dataclasses import dataclass

from flask import Response, make_response, request

from companion.game_api.manifest import Manifest
from companion.game_api.ui import initials
from companion.service.access.lobby_seats import LobbySeats
from companion.web.http.auth import services
from companion.web.http.guests import open_invitation
from companion.web.pages.language import page_frame, remember_language


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
