"""The user interface of a game: its own, or the default UI."""

import logging
from collections.abc import Mapping
from functools import cache

from companion.game_api.manifest import Manifest
from companion.game_api.ui import GameUI
from companion.service.access.logins import Caller
from companion.service.ports import UnknownTable
from companion.service.services import Services
from companion.service.table.table import Table
from companion.web.default_ui.ui import DefaultUI

log = logging.getLogger(__name__)


def table_ui(table: Table) -> GameUI:
    """Return the user interface of the game that is played at a table."""
    return ui_for(table.game.manifest)


@cache
def ui_for(manifest: Manifest) -> GameUI:
    """Return the user interface of a game; the default UI if its own cannot be loaded, and the log says why."""
    if manifest.ui is None:
        return DefaultUI(manifest)
    try:
        return manifest.ui()
    except Exception:
        log.exception("pages of %s cannot be loaded; it is shown with the default UI", manifest.name)
        return DefaultUI(manifest)


def main_game(services: Services) -> Manifest:
    """Return the game that the pages of the house speak of where none is chosen: the first that is installed."""
    return next(iter(services.tables.games.values())).manifest


def requested_game(services: Services, args: Mapping[str, str], caller: Caller | None) -> Manifest:
    """Return the game that a page is about: by ``game``, or by the ``table`` of the caller that it links back to."""
    games = services.tables.games
    named = games.get(args.get("game", ""))
    if named is not None:
        return named.manifest
    table_id = args.get("table", "")
    if not table_id or caller is None or not caller.may_enter(table_id):
        return main_game(services)
    try:
        return services.tables.get(table_id).game.manifest
    except UnknownTable:
        return main_game(services)
