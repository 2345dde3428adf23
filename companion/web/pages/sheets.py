"""The sheets over a page: which there are, and what each one is asked for in its address."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import request

from companion.engine.errors import Refused
from companion.games.master_builder.rules.phases.hire import LOOK_FEE
from companion.service import crops
from companion.service.errors import Forbidden
from companion.web.auth import current_caller, open_table, services
from companion.web.pages import (
    amend_sheet,
    camera_sheet,
    compare_sheet,
    differences_sheet,
    explain_sheet,
    forecast_sheet,
    house_rules,
    journal_rows,
    notes_sheet,
    plan_sheet,
    then_sheet,
)
from companion.web.pages.asked import last_act
from companion.web.pages.phones import invited_guest
from companion.web.pages.scene import Scene
from companion.web.preparation import prepared

Ask = Callable[[Scene, str], dict[str, Any]]
"""Gives what a sheet needs beside the scene; the text is the player whom it is about."""


def _plan(scene: Scene, player: str) -> dict[str, Any]:
    suggested = _suggested(scene, player) if request.args.get("suggest") else None
    return {"plan": plan_sheet.drafted(scene, player, request.args, suggested)}


def _suggested(scene: Scene, player: str) -> dict[str, Any] | None:
    """Ask for the best plan; ``None`` where the player may not plan now, or somebody else asks."""
    try:
        return open_table(scene.table).advice.suggestion(current_caller().viewer, player)
    except (Refused, Forbidden):
        return None


def _camera(scene: Scene, _: str) -> dict[str, Any]:
    zone = camera_sheet.zone_asked(request.args.get("zone"), scene.camera["zones"])
    return {"deck": camera_sheet.deck_asked(request.args.get("deck"), scene.position), "zone": zone}


def _look(_: Scene, __: str) -> dict[str, Any]:
    return {"look_fee": LOOK_FEE}


def _seat_menu(scene: Scene, _: str) -> dict[str, Any]:
    return {"last_act": last_act(scene)}


def _phones(scene: Scene, _: str) -> dict[str, Any]:
    return {"invited": invited_guest(request.args.get("guest"), scene)}


def _explain(scene: Scene, _: str) -> dict[str, Any]:
    viewer, account = current_caller().viewer, request.args.get("account", "")
    return {"explained": explain_sheet.explained(open_table(scene.table), scene, account, viewer)}


def _forecast(scene: Scene, player: str) -> dict[str, Any]:
    table, viewer = open_table(scene.table), current_caller().viewer
    return {"lying_ahead": forecast_sheet.told(scene, table, viewer, player, request.args)}


def _notes(scene: Scene, _: str) -> dict[str, Any]:
    return {"hold": notes_sheet.told(open_table(scene.table), scene, current_caller().viewer)}


def _prepare(scene: Scene, _: str) -> dict[str, Any]:
    viewer = current_caller().viewer
    hands = notes_sheet.told(open_table(scene.table), scene, viewer)["lines"] if scene.version == 1 else []
    return {"steps": prepared(services(), open_table(scene.table)), "start_notes": hands}


def _differences(scene: Scene, _: str) -> dict[str, Any]:
    return {"differences": differences_sheet.told(scene)}


def _compare(scene: Scene, _: str) -> dict[str, Any]:
    return {"purses": compare_sheet.purses(scene), "differences": differences_sheet.told(scene)}


def _menu(scene: Scene, _: str) -> dict[str, Any]:
    setting = services().asking.setting(open_table(scene.table))
    return {"house_rules": house_rules.table_rules(scene.words, scene.position), "dial": setting}


def _crops(scene: Scene) -> frozenset[int]:
    """Name the entries beside which the caller may see what the camera saw."""
    return crops.visible(services().asking.keepsakes, open_table(scene.table), current_caller().viewer)


def _journal(scene: Scene, _: str) -> dict[str, Any]:
    return {"journal": journal_rows.rows(scene, most=len(scene.entries)), "crops": _crops(scene)}


def _crop(scene: Scene, _: str) -> dict[str, Any]:
    return {"crop": then_sheet.crop(scene, _crops(scene), request.args)}


def _amend(scene: Scene, _: str) -> dict[str, Any]:
    return {"amend": amend_sheet.asked(scene, open_table(scene.table), request.args)}


def _then(scene: Scene, _: str) -> dict[str, Any]:
    told = then_sheet.then(scene, open_table(scene.table), current_caller().viewer, request.args)
    return {"then": told, "crops": _crops(scene)}


_ASKED: Mapping[str, Ask] = {
    "plan": _plan,
    "camera": _camera,
    "look": _look,
    "seat_menu": _seat_menu,
    "phones": _phones,
    "explain": _explain,
    "forecast": _forecast,
    "notes": _notes,
    "prepare": _prepare,
    "differences": _differences,
    "compare": _compare,
    "menu": _menu,
    "journal": _journal,
    "amend": _amend,
    "then": _then,
    "crop": _crop,
}
"""Sheets that need more than the scene."""

SHEETS = frozenset(
    {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow", "count", "money"}
    | {"compare", "card", "turn", "rename", "menu", "plan", "journal", "amend", "camera", "look", "lend", "phones"}
    | {"explain", "forecast", "notes", "then", "crop", "device", "differences", "prepare"}
)
"""What may be asked for as a sheet over the tablet."""

SEAT_SHEETS = frozenset(
    {"hire", "fire", "economy", "reveal", "event", "open", "workers", "sections", "repay", "borrow", "plan", "look"}
    | {"lend", "journal", "seat_menu", "explain", "forecast", "notes", "then", "crop", "device"}
)
"""What a player's own device may ask for: his decisions, and what he may know."""


def sheet_values(scene: Scene, part: str) -> dict[str, Any]:
    """Give what a sheet was asked for: a player, a contract, a plan in the making; wild wishes are passed over."""
    player = current_caller().player or request.args.get("player", "")
    if player not in scene.players:
        player = scene.turn or next(iter(scene.players))
    contract = request.args.get("contract")
    asked: dict[str, Any] = {"player": player, "contract": contract if contract in scene.catalog["contracts"] else None}
    return asked | _ASKED[part](scene, player) if part in _ASKED else asked
