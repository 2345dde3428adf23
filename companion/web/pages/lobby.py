"""The lobby: seat the players and start, or go on with a game that was interrupted."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.manifest import Manifest
from companion.service.access.logins import Caller
from companion.service.ports import UnknownTable
from companion.service.table.table import Table
from companion.web.game_ui import manifest_face
from companion.web.http.auth import current_caller, services
from companion.web.http.guests import evening_code, joined
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
            code=evening_code(None),
            **_last_game(),
            tables=kept_games(words),
            binned=binned_games(words),
            prints_cards=services().print_join_cards is not None,
            keeps_backups=services().backups is not None,
            setup=face.setup(words),
            pages=face.pages,
            has_notes=notes is not None,
        )
    )
    return remember_language(page)


def _last_game() -> dict[str, Any]:
    """Say whose phones and screens come along, and with ``?again=`` what was played and who sat where."""
    found = services()
    wish = request.args.get("again") or found.guests.current
    if wish is None or wish == found.played_by_bots:
        return {"follows": None, "again": None, "coming_along": False}
    try:
        table = found.tables.get(wish)
    except UnknownTable:  # it lies in the bin: its phones come along all the same
        return {"follows": None, "again": None, "coming_along": False}
    again = started_as(table) if "again" in request.args else None
    return {"follows": table.id, "again": again, "coming_along": bool(joined(table))}


def started_as(table: Table) -> dict[str, Any] | None:
    """Give what a game was begun with, its players as they are called now; ``None`` for one that was taken over."""
    command = table.entries[0].command
    if command["do"] != "start_game":
        return None
    names = table.names()
    players = [{"id": one["id"], "name": names.get(one["id"], "")} for one in command["players"]]
    kept = {key: command[key] for key in ("game", "catalog", "first", "rules", "variants") if key in command}
    return {**kept, "players": players, "notes": table.id in services().preferences.chosen.notes}


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
