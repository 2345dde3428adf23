"""A game of Master Builder as long as wanted: by what is offered, with many loans and long auctions."""

import random
from collections.abc import Sequence
from typing import Any

from companion import bootstrap
from companion.bootstrap.games import load_game
from companion.engine.game import OFFER_ONLY, Refused
from companion.games.master_builder import GAME
from companion.service.table.table import Request, Table

RULES = {"loans": "voluntary_anytime_but_phase2"}
SEATS = ("blue", "yellow", "red", "green")
START_COMMAND = {
    "do": "start_game",
    "game": GAME.name,
    "first": "blue",
    "players": [{"id": seat, "name": seat.title()} for seat in SEATS],
    "rules": RULES,
}
MOVES = 90
"""So few moves only bring a game to its end; whatever is beyond is loans, repayments and raised bids."""
RAISES = 0.97


def begun() -> Table:
    """Set a table for four that is kept in memory."""
    deck = bootstrap.load_bundled_catalog(GAME)
    table = bootstrap.create_in_memory_table(load_game(GAME, {"house": deck}))
    table.submit(Request(START_COMMAND, "banker", "play"))
    return table


def long_game(entries: int, seed: int = 1) -> Table:
    """Play until the journal has so many entries; ``ValueError`` where the game was over before."""
    lots = random.Random(seed)  # noqa: S311 - a game that can be repeated, no secret
    table = begun()
    while table.version < entries:
        offers = [offer for offer in table.show("banker")["offers"] if offer["do"] not in {"undo", "redo"}]
        if not offers:
            message = f"over after {table.version} entries"
            raise ValueError(message)
        possible = [offer for offer in offers if offer["urgency"] == "possible"]
        wander = possible and lots.random() > MOVES / entries
        due = _raises(lots, [offer for offer in offers if offer["urgency"] == "due"])
        _give(table, lots, lots.choice(possible if wander else due))
    return table


def _raises(lots: random.Random, due: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Let auctions go on for long."""
    bids = [offer for offer in due if offer["do"] == "bid"]
    return bids if bids and lots.random() < RAISES else due


def _give(table: Table, lots: random.Random, offer: dict[str, Any]) -> None:
    command = {key: value for key, value in offer.items() if key not in OFFER_ONLY}
    command |= {name: _chosen(lots, field) for name, field in offer["fields"].items()}
    try:
        table.submit(Request(command, "banker", "play"))
    except Refused:
        if command["do"] != "plan":
            raise
        table.submit(Request({**command, "work": {}}, "banker", "play"))


def _chosen(lots: random.Random, field: dict[str, Any]) -> Any:
    match field["kind"]:
        case "one_of" | "any_of_these" | "any_set":
            return lots.choice(field["values"])
        case "some_of":
            return lots.sample(field["values"], field["most"])
        case "amount":
            return field["least"]
        case _:
            return _assigned(lots, field)


def _assigned(lots: random.Random, field: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """Put somebody on the first open section of each site; whether they are good enough is for the rules to say."""
    free = sorted(field["workers"])
    lots.shuffle(free)
    work: dict[str, dict[str, list[str]]] = {}
    for contract, places in field["sites"].items():
        section, team = next(iter(places.items()))
        if len(free) >= len(team):
            work[contract] = {section: [free.pop() for _ in team]}
    return work
