"""A bundled deck as somebody would teach it, card by card."""

import tomllib
from typing import Any

from companion.game_api.manifest import Manifest
from tests.opened import installed_games
from tests.service.taught_board import printed_board

Json = dict[str, Any]
GAMES = ("master_builder", "men_at_work", "monopoly_builder")


def manifest(game: str) -> Manifest:
    return installed_games().manifest(game)


def printed(game: str) -> dict[str, Json]:
    """Return the printed values of each card of a game's bundled deck, as the fields that are asked for it."""
    game_manifest = manifest(game)
    assert game_manifest.teaching
    teaches = game_manifest.teaching()
    tables = tomllib.loads(next(iter(game_manifest.cards().bundled.values())).read_text("utf-8"))
    if game == "monopoly_builder":
        return printed_board(tables)
    cards = [(table, entry) for table in teaches.cards for entry in _listed(tables[table])]
    entries = {_id(table, entry): entry for table, entry in cards}
    order = [card for ids in teaches.cards.values() for card in ids]
    return {card: {field.name: entries[card][field.name] for field in teaches.fields(card)} for card in order}


def _listed(table: Any) -> list[Json]:
    return table if isinstance(table, list) else [table]


def _id(table: str, entry: Json) -> str:
    return f"C{entry['number']:02}" if table == "contract" else str(entry["id"])
