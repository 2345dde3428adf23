"""The lobby: seat the players and start, or go on with a game that was interrupted."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.web.auth import current_caller, services
from companion.web.pages.camera_sheet import watched
from companion.web.pages.house_rules import lobby_rules
from companion.web.pages.initials import initials
from companion.web.pages.language import page_values, remember_language
from companion.words import Words

blueprint = Blueprint("lobby", __name__)

COLOURS = ("red", "blue", "yellow", "green")
MOST_SHOWN = 12

SAMPLE = {
    "wall": {"kind": "city_wall", "number": 1},
    "house": {"kind": "house", "number": 6},
    "begun": {"kind": "house", "number": 4},
}
"""Buildings that stand at the head of the page."""


@blueprint.get("/")
def lobby() -> AnyResponse:
    """Show the lobby to the banker; guests go to the table that they were invited to."""
    caller = current_caller()
    if caller.role != "banker":
        return redirect(url_for("tables.display", table_id=caller.table))
    words, values = page_values()
    tables = sorted(services().tables.all(), key=lambda one: str(one.get("changed_at", "")), reverse=True)
    decks = services().tables.catalogs()
    page: Response = make_response(
        render_template(
            "lobby.html",
            **values,
            colours=COLOURS,
            playable=[deck for deck in decks if deck["title"] is not None],
            faulty=[deck for deck in decks if deck["title"] is None],
            camera=watched(services(), "", services().scanner.sight("")),
            tables=[_shown(words, one) for one in tables[:MOST_SHOWN]],
            sample=SAMPLE,
            house=lobby_rules(words),
        )
    )
    return remember_language(page)


def _shown(words: Words, table: dict[str, Any]) -> dict[str, Any]:
    names = {one["id"]: one.get("name") or words.say_in("place", one["id"]) for one in table.get("players", ())}
    changed = words.moment(str(table.get("changed_at", "")), "EEEE d MMMM, HH:mm")
    return {**table, "names": names, "initials": initials(names), "changed": changed}
