"""Pages that games bring beside those of a table: joining a game already begun, and the like."""

from flask import Blueprint, Response, jsonify, make_response, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import Refused
from companion.web.game_ui import ui_for
from companion.web.http.auth import current_caller, services
from companion.web.pages.language import page_frame, remember_language
from companion.web.pages.lobby import decks_to_choose

blueprint = Blueprint("take_over", __name__)


@blueprint.get("/take-over")
def take_over() -> AnyResponse:
    """Show the form for what lies on the table to the banker; ``?game=`` says of which game."""
    return _own_page("take-over")


@blueprint.post("/take-over/draft")
def draft() -> AnyResponse:
    """Return what follows from what was entered so far, as JSON; nothing where it is no position."""
    frame = page_frame()
    words = frame.words
    manifest = frame.manifest
    so_far = ui_for(manifest).drafts.get("take-over")
    if current_caller().role != "banker" or so_far is None:
        raise NotFound
    entered, game = request.get_json(silent=True), services().tables.games[manifest.name]
    if not isinstance(entered, dict) or entered.get("do") != "take_over":
        return jsonify({})
    try:
        command = game.codec.command(entered)
    except Refused:
        return jsonify({})
    return jsonify(so_far(words, game.catalogs, command))


def _own_page(name: str) -> AnyResponse:
    if current_caller().role != "banker":
        return redirect("/")
    frame = page_frame()
    words = frame.words
    manifest = frame.manifest
    face = ui_for(manifest)
    if name not in face.pages:
        raise NotFound
    decks = [deck for deck in services().tables.catalogs() if deck["game"] == manifest.name]
    own = face.pages[name](words, decks)
    template = f"{face.folder}/{name.replace('-', '_')}.html"
    about = {"decks": decks_to_choose(decks), "colours": manifest.seats.colours, **own}
    page: Response = make_response(frame.render(template, **about))
    return remember_language(page)
