"""The sheets over a page: those of the house, and what each one is asked for in its address."""

from collections.abc import Callable, Mapping

from flask import request

from companion.game_api.ui import GameUI, SheetRequest, TableView, Values
from companion.service.camera import keepsakes as crops
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, open_table, services
from companion.web.http.guests import guests_at, open_invitation
from companion.web.pages.asked import last_act
from companion.web.pages.camera import chosen_zone
from companion.web.pages.join import invited_guest
from companion.web.pages.journal import amend_sheet, entry_picture, entry_rows, past_position
from companion.web.pages.language import deck_title
from companion.web.pages.notes import describe_notes
from companion.web.preparation import preparation_steps

Give = Callable[[TableView, GameUI, SheetRequest], Values]
"""Gives what a sheet needs beside the scene."""


def _camera(scene: TableView, face: GameUI, ask: SheetRequest) -> Values:
    zone = chosen_zone(ask.args.get("zone"), scene.camera.zones)
    return {**face.lay_values(scene, ask.args.get("deck")), "zone": zone}


def _seat_menu(scene: TableView, _: GameUI, __: SheetRequest) -> Values:
    return {"last_act": last_act(scene)}


def _phones(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    invited = invited_guest(ask.args.get("guest"), scene)
    guests = guests_at(open_table(scene.table))
    return {"invited": invited, "guests": guests, "code": None if invited else open_invitation(scene.table)}


def _notes(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    return {"hold": describe_notes(ask.table, scene, ask.viewer)}


def _prepare(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    table: Table = ask.table
    noted = scene.version == 1 and table.game.can.notes is not None
    hands = describe_notes(table, scene, ask.viewer).lines if noted else []
    return {"steps": preparation_steps(services(), table), "start_notes": hands}


def _menu(scene: TableView, face: GameUI, ask: SheetRequest) -> Values:
    setting, kinds = services().proposals.settings(ask.table), ask.table.game.manifest.kinds
    return {
        "house_rules": face.rules_here(scene),
        "dial": setting,
        "kinds": [(kind.name, deck_title(scene.words, kind)) for kind in kinds],
    }


def _crops(ask: SheetRequest) -> frozenset[int]:
    """Return the numbers of the entries whose picture the caller may see."""
    return crops.visible_crops(services().proposals.keepsakes, ask.table, ask.viewer)


def _journal(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    return {"journal": entry_rows(scene, most=len(scene.entries)), "crops": _crops(ask)}


def _crop(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    return {"crop": entry_picture(scene, _crops(ask), ask.args)}


def _amend(scene: TableView, face: GameUI, ask: SheetRequest) -> Values:
    return {"amend": amend_sheet(scene, face, ask)}


def _then(scene: TableView, face: GameUI, ask: SheetRequest) -> Values:
    viewer = "spectator" if scene.covered else ask.viewer
    return {"then": past_position(scene, face, ask.table, viewer, ask.args), "crops": _crops(ask)}


_ASKED: Mapping[str, Give] = {
    "camera": _camera,
    "seat_menu": _seat_menu,
    "phones": _phones,
    "notes": _notes,
    "prepare": _prepare,
    "menu": _menu,
    "journal": _journal,
    "amend": _amend,
    "then": _then,
    "crop": _crop,
}
"""Sheets of the house that need more than the scene."""

SHEETS = frozenset({"menu", "journal", "amend", "camera", "phones", "notes", "then", "crop", "device", "prepare"})
"""What may be asked for as a sheet over the tablet of any game."""

SEAT_SHEETS = frozenset({"journal", "seat_menu", "notes", "then", "crop", "device"})
"""What a player's own device may ask for in any game."""


def sheet_values(table: Table, face: GameUI, scene: TableView, part: str) -> Values:
    """Return what a sheet was asked for: a player, a card, a plan in the making; wild wishes are passed over."""
    caller = current_caller()
    player = caller.player or request.args.get("player", "")
    if player not in scene.players:
        player = scene.turn or next(iter(scene.players))
    ask = SheetRequest(request.args, caller.viewer, player, table)
    values = {"player": player, **face.sheet(scene, part, ask)}
    return values | _ASKED[part](scene, face, ask) if part in _ASKED else values
