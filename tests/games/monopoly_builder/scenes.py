"""A town as pages see it."""

from companion.game_api.ui import TableView
from companion.games.monopoly_builder import GAME
from companion.words import Words
from tests.games.monopoly_builder.town import Town


def scene(town: Town, language: str = "en") -> TableView:
    """See a town as everybody does."""
    overview = town.table.overview
    assert overview is not None
    shown = town.table.show("spectator")
    words, catalog = Words(language, GAME), town.table.catalog_json()
    entries = tuple(town.table.journal("spectator"))
    return TableView("t", shown["version"], shown["position"], overview, (), catalog, words, entries)
