"""A table that is full: long names, six figures of money, four contracts each, five lots on display."""

from typing import Any

from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.guide.stage import game_of_bots

NAMES = ("Bartholomew", "Anne-Sophie", "Maximiliane-Sophie", "Wolfgang-Amadeus")
CONTRACTS, LOTS, MORE = 4, 5, 123_000
REASON = "a full table"


def crowded(tables: Tables, phase: str) -> Table:
    """Return a table of four at the beginning of a phase of round 3, filled up."""
    game = game_of_bots(tables, 4, 5)
    game.until(lambda at: at["phase"] == phase and at["round"] == 3 and not at["auction"])
    table = game.table
    for player, name in zip(list(game.position["seats"]), NAMES, strict=True):
        _do(table, do="rename_player", player=player, name=name)
        _do(table, do="correct_money", **{"from": "bank", "to": player, "amount": MORE}, reason=REASON)
    free = _free(table)
    if phase == "contracts":
        for card in free[: LOTS - len(game.position["display"])]:
            _do(table, do="correct_card", card=card, to="display", reason=REASON)
        free = _free(table)
    for player, seen in game.position["players"].items():
        for _ in range(CONTRACTS - len(seen["contracts"])):
            if free:
                _do(table, do="correct_card", card=free.pop(), to=player, reason=REASON)
    return table


def _free(table: Table) -> list[str]:
    """Contracts that lie in the deck or beside the table."""
    position = table.position_json("banker") or {}
    owned_cards = {card for seen in position["players"].values() for card in (*seen["contracts"], *seen["completed"])}
    return [
        card
        for card in table.catalog_json()["contracts"]
        if card not in owned_cards and card not in position["display"]
    ]


def _do(table: Table, **command: Any) -> None:
    table.submit(Request(command, "banker", "test"))
