"""The plain page of a table that cannot be drawn as its game draws it: what is safe to say, and *Undo*."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import current_app, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.guard import log_mistake
from companion.game_api.ui import Language, TableView
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, open_table
from companion.web.http.problems import answer_unexpected
from companion.web.pages.language import page_frame

PAGES = {"tables.tablet": "tablet", "tables.seat": "seat"}
"""Pages on which something can be tapped; all others show a bare big screen."""
LIVE_PARTS = frozenset({"tablet", "seat", "display"})


def draw_bare_page(error: Exception) -> AnyResponse:
    """Return a page without what the game draws; errors that have an answer of their own keep it."""
    handlers: Any = current_app.error_handler_spec[None][None]
    own: Iterator[Callable[[Exception], AnyResponse]]
    own = (handlers[kind] for kind in type(error).__mro__ if kind in handlers)
    handler = next(own)
    if handler is not answer_unexpected:
        return handler(error)
    try:
        return _bare_page(error)
    except Exception:  # noqa: BLE001 - the last resort of a page; the log has the first error
        return answer_unexpected(error)


def _bare_page(error: Exception) -> AnyResponse:
    table = open_table(str((request.view_args or {})["table_id"]))
    asked = request.args.get("part")
    part = asked or PAGES.get(str(request.endpoint), "display")
    log_mistake(table.game.name, f"page {part}", error)
    caller, frame = current_caller(), page_frame(table)
    viewer = "spectator" if part == "display" else caller.viewer
    scene = _bare_scene(table, viewer, frame.words)
    values: dict[str, object] = {
        "scene": scene,
        "me": caller.player if part == "seat" else None,
        "viewer": caller.viewer,
        "organises": caller.is_organiser,
        "part": part,
        "ui_folder": "plain",
        "bare": True,
        "is_living": part in LIVE_PARTS,
    }
    if asked is not None:
        return make_response("" if asked in ("glance", "proposal") else frame.render("plain/bare.html", **values))
    return make_response(frame.render("display_page.html" if part == "display" else "table.html", **values))


def _shown(table: Table, viewer: str) -> Mapping[str, Any]:
    """Return version and offers of a table; of one whose offers cannot be listed the banker's way back alone."""
    try:
        return table.show(viewer)
    except Exception as error:  # noqa: BLE001 - this page is the last that is left
        log_mistake(table.game.name, "offers", error)
        tip = table.history.timeline.tip
        can_undo = viewer == "banker" and tip is not None and tip.before is not None
        undo = {"do": "undo", "urgency": "possible", "fields": dict[str, Any]()}
        return {"version": table.version, "offers": [undo] if can_undo else []}


def _bare_scene(table: Table, viewer: str, words: Language) -> TableView:
    """Return what any game shows: who plays, and what may be done."""
    shown, overview = _shown(table, viewer), table.overview
    assert overview is not None  # noqa: S101 - a table without a start has no page
    position: dict[str, Any] = {"players": {player: {} for player in overview.names}}
    return TableView(
        table=table.id,
        version=shown["version"],
        position=position,
        overview=overview,
        offers=tuple(shown["offers"]),
        catalog={},
        words=words,
    )
