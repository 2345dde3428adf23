"""The pages of one table, and their living parts, which the page's code fetches anew at every change."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.service.errors import Forbidden, UnknownTable
from companion.service.logins import Caller
from companion.service.table import Table
from companion.service.worth import worth_over_rounds
from companion.web.auth import current_caller, open_table, services
from companion.web.pages import (
    camera_sheet,
    house_rules,
    journal_rows,
    lately,
    notes_sheet,
    outlook,
    settlement,
    waiting,
    worth_chart,
)
from companion.web.pages.asked import Asked, asked_of, last_act
from companion.web.pages.drawn import drawn
from companion.web.pages.language import page_values, remember_language
from companion.web.pages.scene import Scene
from companion.web.pages.seat_sentence import own_sentence
from companion.web.pages.sheets import SEAT_SHEETS, SHEETS, sheet_values
from companion.web.preparation import is_due, prepared
from companion.web.sight import sight_seen, told_beside
from companion.words import Words

blueprint = Blueprint("tables", __name__)

TO_THE_DOOR = "/login?error=seat"


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


@blueprint.get("/tables/<table_id>/report")
def report(table_id: str) -> AnyResponse:
    """Show how the game ended on a page to be printed; before the end there is nothing to print yet."""
    words, values = page_values()
    scene = _scene(table_id, words, public=True)
    if scene.phase != "finished":
        return redirect(url_for("tables.display", table_id=table_id))
    about = {
        "played": words.moment(str(scene.entries[0]["at"]), "day"),
        "house_rules": house_rules.table_rules(words, scene.position),
        "sentence": waiting.expectation(scene),
    }
    page = render_template(
        "report.html", **values, scene=scene, position=scene.position, waiting=waiting, drawn=_worth(table_id), **about
    )
    return remember_language(make_response(page))


@blueprint.get("/tables/<table_id>/live")
def live(table_id: str) -> AnyResponse:
    """Give one part of a page: ``part`` is ``tablet``, ``seat``, ``display``, ``glance``, ``proposal``, or a sheet."""
    part = request.args.get("part", "tablet")
    if part == "display":
        return make_response(_drawn_once(table_id, part, public=True))
    pages, sheets = _parts_for(current_caller())
    if part in pages:
        return make_response(_drawn_once(table_id, part))
    if part in sheets:
        words, values = page_values()
        scene = _scene(table_id, words)
        return make_response(
            render_template(f"sheets/{part}.html", **values, **{**_values(scene), **sheet_values(scene, part)})
        )
    return make_response("", 404)


def _drawn_once(table_id: str, part: str, *, public: bool = False) -> str:
    """Draw a part that depends on nothing but the table, its camera, who looks, and what his device chose."""
    table, caller = open_table(table_id), current_caller()
    words, values = page_values()
    # The count comes first: what changes while the rest is looked up makes the next screen draw anew.
    moment = (table.signal.count, json.dumps(told_beside(services(), table, caller)))
    screen = (table_id, part, caller.role, caller.viewer, words.language, notes_sheet.wanted(table_id))

    def draw() -> str:
        return render_template(f"{part}.html", **values, **_values(_scene(table_id, words, public=public)))

    return drawn().text(screen, moment, draw)


def _parts_for(caller: Caller) -> tuple[frozenset[str], frozenset[str]]:
    """Say which pages' parts and which sheets a caller may have.  Raises ``Forbidden`` for onlookers."""
    if caller.role == "spectator":
        raise Forbidden
    if caller.player is not None:
        return frozenset({"seat", "glance"}), SEAT_SHEETS
    return frozenset({"tablet", "glance", "proposal"}), SHEETS


@blueprint.errorhandler(UnknownTable)
def no_such_table(unknown: UnknownTable) -> AnyResponse:
    """Lead the banker back to the lobby, where the tables are listed, and guests to the door.

    Of a table in the bin the lobby tells guests, too.
    """
    if "part" in request.args:
        return make_response("", 404)
    told_there = current_caller().role == "banker" or services().tables.lies_in_bin(unknown.table_id)
    return redirect("/" if told_there else TO_THE_DOOR)


@blueprint.errorhandler(Forbidden)
def not_for_this_device(_: Forbidden) -> AnyResponse:
    """Tell whose seat is somebody else's now how he comes in again; parts of pages are fetched by code."""
    return make_response("", 403) if "part" in request.args else redirect(TO_THE_DOOR)


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
    asked = tuple(seen["proposals"])
    return replace(scene, proposals=asked, suggest=seen["suggest"], camera=camera, ahead=partial(_ahead, table, viewer))


def _ahead(table: Table, viewer: str, player: str, contract: str | None) -> dict[str, Any] | None:
    """Look ahead for a player; ``None`` where this viewer may not see his money."""
    try:
        return table.advice.forecast(viewer, player, contract)
    except Forbidden:
        return None


def _values(scene: Scene) -> dict[str, Any]:
    sentence, told = waiting.expectation(scene)
    me = current_caller().player
    due = is_due(open_table(scene.table)) and current_caller().role == "banker"
    noted = notes_sheet.wanted(scene.table) and current_caller().role != "spectator"
    return {
        "scene": scene,
        "notes": notes_sheet.told(open_table(scene.table), scene, current_caller().viewer) if noted else None,
        "position": scene.position,
        "sentence": sentence,
        "told": told,
        "preparation": prepared(services(), open_table(scene.table)) if due else None,
        "standing": {player: waiting.standing(scene, player) for player in scene.players},
        "journal_rows": partial(journal_rows.rows, scene),
        "me": me,
        "agreements": _agreements(scene),
        "own": own_sentence(scene, me) if me else None,
        "waiting": waiting,
        "settlement": settlement,
        "lately": lately,
        "outlook": outlook,
        "worth": partial(_worth, scene.table),
        "notes_wanted": notes_sheet.wanted(scene.table),
        "chosen": chosen_here,
        "undoing": last_act,
        "as_json": as_json,
    }


def _worth(table_id: str) -> worth_chart.Chart | None:
    """Lay out what everybody was worth after each round; it is asked for once the game is over."""
    return worth_chart.chart(worth_over_rounds(open_table(table_id), current_caller().viewer))


def _agreements(scene: Scene) -> list[Asked]:
    viewer = current_caller().viewer
    waiting_ones = services().agreements.waiting(services().tables.get(scene.table), viewer)
    return [asked_of(scene, one, viewer) for one in waiting_ones]


def chosen_here(choice: str) -> bool:
    """Say whether somebody chose this for his own device: ``sounds`` or ``speech``; the page's code keeps it."""
    return request.cookies.get(choice) == "1"


def as_json(value: Any) -> str:
    """Write a command for an attribute of a button."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
