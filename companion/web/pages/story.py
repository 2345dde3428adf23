"""The story of a game that is over: one picture to send, where the game draws one, and the page that offers it."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, request, url_for
from jinja2 import TemplateNotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.service.table.worth import worth_over_rounds
from companion.web.game_ui import table_ui
from companion.web.http.auth import current_caller, open_table
from companion.web.pages.language import page_frame, remember_language
from companion.web.pages.tables import public_scene

blueprint = Blueprint("story", __name__)

LOOKS = ("day", "night")


@blueprint.get("/tables/<table_id>/story")
def story(table_id: str) -> AnyResponse:
    """Show the picture, and let it be sent or kept; a game that is not over, or draws none, leads to its table."""
    table = open_table(table_id)
    if not _over(table_id) or _picture(table_id) is None:
        return redirect(url_for("tables.display", table_id=table_id))
    frame = page_frame(table)
    time_of_day = _look(frame.theme == "dark")
    file = f"{table.game.manifest.name.replace('_', '-')}-{table_id}.png"
    page = frame.render("story.html", table_id=table_id, time_of_day=time_of_day, file=file)
    return remember_language(make_response(page))


@blueprint.get("/tables/<table_id>/story.svg")
def picture(table_id: str) -> AnyResponse:
    """Return the picture as SVG, 1200 by 1200, whole in itself; ``look``: ``day`` or ``night``."""
    drawn = _picture(table_id) if _over(table_id) else None
    if drawn is None:
        return make_response("", 404)
    return Response(drawn, mimetype="image/svg+xml")


def _over(table_id: str) -> bool:
    overview = open_table(table_id).overview
    return overview is not None and overview.finished


def _picture(table_id: str) -> str | None:
    table = open_table(table_id)
    frame = page_frame(table)
    words = frame.words
    face, scene = table_ui(table), public_scene(table, words)
    about: dict[str, Any] = {
        **face.values(scene, None),
        "scene": scene,
        "position": scene.position,
        "rounds": worth_over_rounds(table, current_caller().viewer),
        "played": words.moment(str(scene.entries[-1]["at"]), "day"),
        "night": _look() == "night",
    }
    try:
        return frame.render(f"{face.folder}/story.svg", **about)
    except TemplateNotFound:
        return None


def _look(dark: bool = False) -> str:  # noqa: FBT001, FBT002 - which one where nobody asked
    wished = request.args.get("look", "")
    return wished if wished in LOOKS else LOOKS[dark]
