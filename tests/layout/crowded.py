"""A table that is full: long names, six figures of money, four contracts each, five lots on display."""

from itertools import islice
from typing import Any

from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.guide.stage import game_of_bots

NAMES = ("Bartholomew", "Anne-Sophie", "Maximiliane-Sophie", "Wolfgang-Amadeus")
CONTRACTS, LOTS, MORE = 4, 5, 123_000
REASON = "a full table"
SEATS = ("blue", "yellow", "green", "red")
MOST_OF_ONE = 6
SHELVES = {
    2: ((MOST_OF_ONE, 0), (0, 2)),
    3: ((MOST_OF_ONE, 0), (0, MOST_OF_ONE), (0, 0)),
    4: ((MOST_OF_ONE, 0), (0, 4), (1, 1), (0, 0)),
}
"""Finished buildings and contracts of each player, by the number of players."""


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


def full_shelves(tables: Tables, players: int) -> Table:
    """Return a table with all contracts before players: the first has six finished buildings, the others the rest."""
    cards = iter(f"C{number:02}" for number in range(1, 13))
    position: dict[str, Any] = {
        "game": "master_builder",
        "round": 6,
        "phase": "hire",
        "start_player": SEATS[0],
        "players": {
            seat: {
                "name": name,
                "cash": MORE,
                "completed": list(islice(cards, completed)),
                "contracts": {card: [] for card in islice(cards, contracts)},
            }
            for seat, name, (completed, contracts) in zip(SEATS, NAMES, SHELVES[players], strict=False)
        },
    }
    return tables.start(Request({"do": "take_over", "position": position}, "banker", "test"))


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
