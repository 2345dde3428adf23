"""The sheets of the house over a table's pages, of any game, and what each is drawn with."""

from collections.abc import Callable, Mapping
from functools import partial

from flask import abort, request

from companion.engine.ledger import player_account
from companion.game_api.ui import GameUI, SheetRequest, TableView, Values
from companion.service.camera.proposals import visible_crops
from companion.service.ports import UnknownAccount
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, open_table, services
from companion.web.http.guests import guests_at, open_invitation
from companion.web.pages.camera import chosen_zone
from companion.web.pages.consent_prompts import last_act
from companion.web.pages.join import invited_guest
from companion.web.pages.journal import (
    amend_sheet,
    entry_blocks,
    entry_picture,
    explained_figure,
    figure_sheet,
    past_position,
)
from companion.web.pages.notes import describe_notes
from companion.web.table_state import preparation_steps

SEAT_SHEETS = frozenset({"journal", "seat_menu", "notes", "then", "crop", "device", "explain"})
"""Names of the house's sheets on a player's own device, in any game."""

SHEETS = SEAT_SHEETS - {"seat_menu"} | {"menu", "amend", "correct", "camera", "phones", "prepare"}
"""Names of the house's sheets over the tablet, of any game."""

SheetValues = Callable[[TableView, GameUI, SheetRequest], Values]
"""Returns what a sheet of the house needs beside the table."""


def _camera(scene: TableView, ui: GameUI, ask: SheetRequest) -> Values:
    zone = chosen_zone(ask.args.get("zone"), scene.camera.zones)
    wish, words = ask.args.get("deck"), scene.words
    backs = {code: words.card(code, scene.catalog) for code in sorted(ask.table.shared_labels())}
    commands = {card: words.say_in("command card", card) for card in ask.table.game.command_words}
    more_decks = {name: cards for name, cards in (("of-backs", backs), ("of-commands", commands)) if cards}
    values = ui.lay_values(scene, wish)
    return {**values, "deck": wish if wish in more_decks else values["deck"], "more_decks": more_decks, "zone": zone}


def _seat_menu(scene: TableView, _: GameUI, __: SheetRequest) -> Values:
    return {"last_act": last_act(scene)}


def _phones(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    invited = invited_guest(ask.args.get("guest"), scene)
    guests = guests_at(open_table(scene.table))
    return {"invited": invited, "guests": guests, "code": None if invited else open_invitation(scene.table)}


def _notes_sheet(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    return {"hold": describe_notes(ask.table, scene, ask.viewer)}


def _prepare(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    table: Table = ask.table
    noted = scene.version == 1 and table.game.can.notes is not None
    hands = describe_notes(table, scene, ask.viewer).lines if noted else []
    return {"steps": preparation_steps(services(), table), "start_notes": hands}


def _menu(scene: TableView, ui: GameUI, ask: SheetRequest) -> Values:
    setting, kinds = services().proposals.settings(ask.table), ask.table.game.manifest.kinds
    can = ask.table.game.can
    return {
        "house_rules": ui.rules_here(scene),
        "has_choices": can.choices is not None,
        "prepares": can.preparation is not None,
        "dial": setting,
        "kinds": [(kind.name, scene.words.named("deck", kind.table or kind.name)) for kind in kinds],
    }


def _crops(ask: SheetRequest) -> frozenset[int]:
    """Return the numbers of the entries whose picture the caller may see."""
    return visible_crops(services().proposals.keepsakes, ask.table, ask.viewer)


def _journal(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    crops = _crops(ask)
    return {"journal": entry_blocks(scene, len(scene.entries), crops), "crops": crops}


def _crop(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    return {"crop": entry_picture(scene, _crops(ask), ask.args)}


def _amend(scene: TableView, ui: GameUI, ask: SheetRequest) -> Values:
    return {"amend": amend_sheet(scene, ui, ask)}


def _correct(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    return {"correct": figure_sheet(scene, ask)}


def _explain(scene: TableView, _: GameUI, ask: SheetRequest) -> Values:
    account = ask.args.get("account") or player_account(ask.player)
    try:
        return {"explained": explained_figure(scene, ask.table, account, ask.viewer)}
    except UnknownAccount:
        abort(404)


def _then(scene: TableView, ui: GameUI, ask: SheetRequest) -> Values:
    viewer = "spectator" if scene.covered else ask.viewer
    past = past_position(scene, ui, ask.table, viewer, ask.args)
    return {"then": past, "then_values": partial(ui.values, past.scene, None), "crops": _crops(ask)}


_SHEET_VALUES: Mapping[str, SheetValues] = {
    "camera": _camera,
    "seat_menu": _seat_menu,
    "phones": _phones,
    "notes": _notes_sheet,
    "prepare": _prepare,
    "menu": _menu,
    "journal": _journal,
    "amend": _amend,
    "correct": _correct,
    "explain": _explain,
    "then": _then,
    "crop": _crop,
}
"""Sheets of the house that need more than the scene."""


def sheet_values(table: Table, ui: GameUI, scene: TableView, part: str) -> Values:
    """Return the values of a sheet for the player, card or plan in its address; unknown ones are passed over."""
    caller = current_caller()
    player = caller.player or request.args.get("player", "")
    if player not in scene.players:
        player = scene.turn or next(iter(scene.players))
    ask = SheetRequest(request.args, caller.viewer, player, table)
    values = {"player": player, **ui.sheet(scene, part, ask)}
    return values | _SHEET_VALUES[part](scene, ui, ask) if part in _SHEET_VALUES else values
