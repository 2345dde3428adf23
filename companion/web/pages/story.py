"""The story of a game that is over: one picture to send, and the page that offers it."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.drawing import OUTLINE, PAPER, Drawing, Rectangle, TextLine
from companion.game_api.ui import TableView, Values
from companion.web.default_ui.drawing_view import as_stage_svg
from companion.web.game_ui import table_ui
from companion.web.http.auth import open_table
from companion.web.pages.ending import (
    GROUND,
    MOST_ON_SCREEN,
    SIDE,
    VOICE,
    fit_text,
    lines,
    results,
    standings_places,
)
from companion.web.pages.language import PageFrame, page_frame, remember_language
from companion.web.pages.tables import ending_of, public_scene

blueprint = Blueprint("story", __name__)

TIMES_OF_DAY = ("day", "night")


@blueprint.get("/tables/<table_id>/story")
def story(table_id: str) -> AnyResponse:
    """Show the picture, and let it be sent or kept; a game that is not over leads to its table."""
    table = open_table(table_id)
    if not _over(table_id):
        return redirect(url_for("tables.display", table_id=table_id))
    frame = page_frame(table)
    time_of_day = _time_of_day(frame.theme == "dark")
    file = f"{table.game.manifest.name.replace('_', '-')}-{table_id}.png"
    about = {**_contents(table_id, frame), "table_id": table_id, "time_of_day": time_of_day, "file": file}
    page = frame.render("story.html", **about)
    return remember_language(make_response(page))


@blueprint.get("/tables/<table_id>/story.svg")
def picture(table_id: str) -> AnyResponse:
    """Return the picture as SVG, 1200 by 1200, whole in itself; ``look``: ``day`` or ``night``."""
    if not _over(table_id):
        return make_response("", 404)
    return Response(_picture(table_id), mimetype="image/svg+xml")


def _over(table_id: str) -> bool:
    overview = open_table(table_id).overview
    return overview is not None and overview.finished


def _contents(table_id: str, frame: PageFrame) -> dict[str, Any]:
    """Return what the picture tells, and the page in words: who won, the story, the turning points, the results."""
    table = open_table(table_id)
    scene = public_scene(table, frame.words)
    story_end = ending_of(table, scene)
    winners = [place.player for place in scene.overview.standings if place.rank == 1]
    names = [scene.names[player] for player in winners]
    return {
        "scene": scene,
        "ending": story_end,
        "results": results(scene, story_end),
        "winners": winners,
        "title": frame.say("{player} wins", player=names[0])
        if len(names) == 1
        else frame.say("{players} share first place", players=frame.words.listed(names)),
        "turns": story_end.turns[-MOST_ON_SCREEN:] if story_end else (),
    }


def _picture(table_id: str) -> str:
    table = open_table(table_id)
    frame = page_frame(table)
    contents = _contents(table_id, frame)
    ui, scene, story_end = table_ui(table), contents["scene"], contents["ending"]
    values = ui.values(scene, None)
    about: dict[str, Any] = {
        **values,
        **contents,
        "position": scene.position,
        "stands": _stands(scene, story_end.picture if story_end else None, values.get("stage")),
        "played": frame.words.moment(str(scene.entries[-1]["at"]), "day"),
        "night": _time_of_day() == "night",
        "side": SIDE,
        "ground": GROUND,
        "places": standings_places(len(scene.players)),
        "voice": VOICE,
        "fitted": fit_text,
        "lines": lines,
    }
    template = current_app.jinja_env.select_template([f"{ui.folder}/story.svg", "plain/story.svg"])
    return frame.render(template, **about)


def _stands(scene: TableView, picture: Drawing | None, stage: Mapping[str, Any] | None) -> Values:
    """Return what the picture shows above the turning points: the game's own, its columns, or a podium."""
    columns: Mapping[str, Markup] = stage["columns"] if stage else {}
    if not columns and picture is None:
        ranks = {place.player: place.rank for place in scene.overview.standings}
        last = max(ranks.values(), default=1)
        columns = {player: as_stage_svg(_step(ranks.get(player, last), last), "xMidYMax") for player in scene.players}
    return {"picture": as_stage_svg(picture, "xMidYMax") if picture else "", "columns": columns}


def _step(rank: int, last: int) -> Drawing:
    """Draw the step of a podium for a rank."""
    high = 60.0 + 50.0 * (last - rank)
    shapes = (
        Rectangle(0, 0, 120, high, fill=PAPER, line=OUTLINE, thick=3),
        TextLine(60, 42, 34, str(rank), "middle", bold=True),
    )
    return Drawing(120, high, shapes)


def _time_of_day(dark: bool = False) -> str:  # noqa: FBT001, FBT002 - which one where nobody asked
    wished = request.args.get("look", "")
    return wished if wished in TIMES_OF_DAY else TIMES_OF_DAY[dark]
