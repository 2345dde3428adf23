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
    """What is printed on each card of the deck that comes with a game, as the fields that are asked for it."""
    found = manifest(game)
    assert found.teaching
    teaches = found.teaching()
    tables = tomllib.loads(next(iter(found.cards().bundled.values())).read_text("utf-8"))
    if game == "monopoly_builder":
        return printed_board(tables)
    cards = [(table, one) for table in teaches.cards for one in _listed(tables[table])]
    known = {_id(table, one): one for table, one in cards}
    order = [card for ids in teaches.cards.values() for card in ids]
    return {card: {one.name: known[card][one.name] for one in teaches.fields(card)} for card in order}


def _listed(table: Any) -> list[Json]:
    return table if isinstance(table, list) else [table]


def _id(table: str, one: Json) -> str:
    return f"C{one['number']:02}" if table == "contract" else str(one["id"])
