"""The lobby: seat the players and start, or go on with a game that was interrupted."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.gamekit.manifest import Manifest
from companion.service.people.logins import Caller
from companion.web.faces import manifest_face
from companion.web.http.auth import current_caller, services
from companion.web.pages.camera_sheet import watched
from companion.web.pages.kept_games import binned_games, kept_games
from companion.web.pages.language import page_values, remember_language
from companion.web.pages.welcome import is_welcome_due

blueprint = Blueprint("lobby", __name__)


@blueprint.get("/")
def lobby() -> AnyResponse:
    """Show the lobby to the banker, after the welcome; guests go to the table that they were invited to."""
    caller = current_caller()
    if caller.role != "banker":
        return _to_his_table(caller)
    if is_welcome_due():
        return redirect("/welcome")
    words, values = page_values()
    manifest: Manifest = values["manifest"]
    face, notes = manifest_face(manifest), manifest.capabilities().keeps_notes
    decks = [deck for deck in services().tables.catalogs() if deck["game"] == manifest.name]
    page: Response = make_response(
        render_template(
            "lobby.html",
            **values,
            **decks_to_choose(decks),
            games=[one.manifest for one in services().tables.editions.values()],
            broken_games=services().broken_games,
            unplayable=services().tables.unplayable(),
            colours=manifest.seats.colours,
            seat_names=[words.say_in("place", colour) for colour in manifest.seats.colours],
            camera=watched(services(), "", services().scanner.sight("")),
            tables=kept_games(words),
            binned=binned_games(words),
            setup=face.setup(words),
            pages=face.pages,
            has_notes=notes is not None,
        )
    )
    return remember_language(page)


def decks_to_choose(decks: list[dict[str, Any]]) -> dict[str, Any]:
    """Part the decks into ``playable`` and ``faulty`` ones; ``deck_chosen`` is the one that was chosen last."""
    playable = [deck for deck in decks if deck["title"] is not None]
    names = [deck["name"] for deck in playable]
    wish = services().preferences.chosen.deck
    return {
        "playable": playable,
        "faulty": [deck for deck in decks if deck["title"] is None],
        "deck_chosen": wish if wish in names else next(iter(names), ""),
    }


def _to_his_table(caller: Caller) -> AnyResponse:
    """Lead a guest to his table; where it lies in the bin, say so."""
    if services().tables.lies_in_bin(caller.table or ""):
        _, values = page_values()
        return make_response(render_template("gone.html", **values), 410)
    return redirect(f"/tables/{caller.table}/display")
