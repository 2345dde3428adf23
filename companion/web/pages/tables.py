"""The pages of one table, and their living parts, which the page's code fetches anew at every change."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.errors import Refused
from companion.games.master_builder.phases.hire import LOOK_FEE
from companion.service.errors import Forbidden, UnknownTable
from companion.service.logins import Caller
from companion.service.table import Table
from companion.web.auth import current_caller, open_table, services
from companion.web.pages import (
    amend_sheet,
    camera_sheet,
    explain_sheet,
    house_rules,
    journal_rows,
    outlook,
    plan_sheet,
    settlement,
    waiting,
)
from companion.web.pages.language import page_values, remember_language
from companion.web.pages.phones import invited_guest
from companion.web.pages.scene import Scene
from companion.web.pages.seat_sentence import own_sentence
from companion.web.sight import sight_seen
from companion.words import Words

blueprint = Blueprint("tables", __name__)

SHEETS = frozenset(
    {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow", "count", "money"}
    | {"card", "turn", "rename", "menu", "plan", "journal", "amend", "camera", "look", "lend", "explain", "phones"}
)
"""What may be asked for as a sheet over the tablet."""

SEAT_SHEETS = frozenset(
    {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow", "plan", "look"}
    | {"lend", "journal", "seat_menu", "explain"}
)
"""What a player's own device may ask for: his decisions, and what he may know."""


@blueprint.get("/tables/<table_id>")
def tablet(table_id: str) -> AnyResponse:
    """Show the banker's tablet; players are led to their seats, onlookers to the display."""
    caller = current_caller()
    if caller.player is not None:
        return redirect(url_for("tables.seat", table_id=table_id, player=caller.player))
    if caller.role != "banker":
        return redirect(url_for("tables.display", table_id=table_id))
    return _page("table.html", "tablet", table_id)


@blueprint.get("/tables/<table_id>/display")
def display(table_id: str) -> AnyResponse:
    """Show the big screen: nothing to touch, nothing secret."""
    return _page("display_page.html", "display", table_id)


@blueprint.get("/tables/<table_id>/seats/<player>")
def seat(table_id: str, player: str) -> AnyResponse:
    """Show a player's phone; only his own device shows what he alone may know, so others are led elsewhere."""
    if current_caller().player != player:
        return redirect(url_for("tables.tablet", table_id=table_id))
    return _page("table.html", "seat", table_id)


@blueprint.get("/tables/<table_id>/live")
def live(table_id: str) -> AnyResponse:
    """Give one part of a page: ``part`` is ``tablet``, ``seat``, ``display``, ``proposal`` or the name of a sheet."""
    part = request.args.get("part", "tablet")
    words, values = page_values()
    if part == "display":
        return make_response(render_template("display.html", **values, **_values(_scene(table_id, words, public=True))))
    pages, sheets = _parts_for(current_caller())
    scene = _scene(table_id, words)
    if part in pages:
        return make_response(render_template(f"{part}.html", **values, **_values(scene)))
    if part in sheets:
        return make_response(
            render_template(f"sheets/{part}.html", **values, **{**_values(scene), **_asked(scene, part)})
        )
    return make_response("", 404)


def _parts_for(caller: Caller) -> tuple[frozenset[str], frozenset[str]]:
    """Say which pages' parts and which sheets a caller may have.  Raises ``Forbidden`` for onlookers."""
    if caller.role == "spectator":
        raise Forbidden
    if caller.player is not None:
        return frozenset({"seat"}), SEAT_SHEETS
    return frozenset({"tablet", "proposal"}), SHEETS


@blueprint.errorhandler(UnknownTable)
def no_such_table(_: UnknownTable) -> AnyResponse:
    """Lead back to the lobby, where the tables are listed."""
    return redirect("/") if "part" not in request.args else make_response("", 404)


def _page(template: str, part: str, table_id: str) -> Response:
    words, values = page_values()
    scene = _scene(table_id, words, public=part == "display")
    page = render_template(template, **values, **_values(scene), part=part)
    return remember_language(make_response(page))


def _scene(table_id: str, words: Words, *, public: bool = False) -> Scene:
    """Look at a table; ``public`` shows what everybody may see, whoever asks."""
    table = open_table(table_id)
    caller = current_caller()
    viewer = "spectator" if public else caller.viewer
    shown = table.show(viewer)
    scene = Scene(
        table=table_id,
        version=shown["version"],
        position=shown["position"],
        offers=tuple(shown["offers"]),
        catalog=table.catalog_json(),
        words=words,
        entries=tuple(table.journal(viewer)),
    )
    if public:
        return scene
    seen = sight_seen(services().scanner, table_id, caller)
    camera = camera_sheet.watched(services(), table_id, seen["sight"])
    return replace(scene, proposals=tuple(seen["proposals"]), camera=camera, ahead=partial(_ahead, table, viewer))


def _ahead(table: Table, viewer: str, player: str, contract: str | None) -> dict[str, Any] | None:
    """Look ahead for a player; ``None`` where this viewer may not see his money."""
    try:
        return table.advice.forecast(viewer, player, contract)
    except Forbidden:
        return None


def _values(scene: Scene) -> dict[str, Any]:
    sentence, told = waiting.expectation(scene)
    me = current_caller().player
    return {
        "scene": scene,
        "position": scene.position,
        "sentence": sentence,
        "told": told,
        "standing": {player: waiting.standing(scene, player) for player in scene.players},
        "journal": journal_rows.rows(scene),
        "me": me,
        "own": own_sentence(scene, me) if me else None,
        "waiting": waiting,
        "settlement": settlement,
        "outlook": outlook,
        "as_json": as_json,
    }


def _asked(scene: Scene, part: str) -> dict[str, Any]:
    """Give what a sheet was asked for: a player, a contract, a plan in the making."""
    asked: dict[str, Any] = {"player": request.args.get("player"), "contract": request.args.get("contract")}
    mine = current_caller().player
    if mine is not None:
        asked["player"] = mine
    elif asked["player"] not in scene.players:
        asked["player"] = scene.turn or next(iter(scene.players))
    if asked["contract"] not in scene.catalog["contracts"]:
        asked["contract"] = None
    return asked | _of_sheet(scene, part, asked["player"])


def _of_sheet(scene: Scene, part: str, player: str) -> dict[str, Any]:
    """Give what one sheet alone shows."""
    match part:
        case "plan":
            return {"plan": _drafted(scene, player)}
        case "camera":
            return {"deck": camera_sheet.deck_asked(request.args.get("deck"), scene.position)}
        case "look":
            return {"look_fee": LOOK_FEE}
        case "phones":
            return {"invited": invited_guest(request.args.get("guest"), scene)}
        case "explain":
            viewer, account = current_caller().viewer, request.args.get("account", "")
            return {"explained": explain_sheet.explained(open_table(scene.table), scene, account, viewer)}
        case "menu":
            return {"house_rules": house_rules.table_rules(scene.words, scene.position)}
        case "journal":
            return {"journal": journal_rows.rows(scene, most=len(scene.entries))}
        case "amend":
            return {"amend": amend_sheet.asked(scene, open_table(scene.table), request.args)}
        case _:
            return {}


def _drafted(scene: Scene, player: str) -> Any:
    """Draft a plan as far as it was tapped, or as it is suggested."""
    suggested = _suggested(scene, player) if request.args.get("suggest") else None
    return plan_sheet.drafted(scene, player, request.args, suggested)


def _suggested(scene: Scene, player: str) -> dict[str, Any] | None:
    """Ask for the best plan; ``None`` where the player may not plan now, or somebody else asks."""
    try:
        return open_table(scene.table).advice.suggestion(current_caller().viewer, player)
    except (Refused, Forbidden):
        return None


def as_json(value: Any) -> str:
    """Write a command for an attribute of a button."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
