"""The tables of a catalog file out of what was taught of a box."""

from collections.abc import Mapping
from itertools import count
from typing import Any

from companion.games.monopoly_builder.cards.taught_effects import effect_table
from companion.games.monopoly_builder.rules.kinds import KINDS

Json = Mapping[str, Any]

BOARD, TOWN, SETS = "BOARD", "TOWN", "SETS"
SET_COLOURS = ("brown", "light_blue", "pink", "orange", "red", "yellow", "green", "dark_blue")
KINDS_OR_ANY = (*KINDS, "any")
_KEPT = ("out_of_jail", "forced_trade")


def tables(name: str, known: Mapping[str, Json]) -> dict[str, Any]:
    """Write what is known; what is not taught yet is left empty, so that its place tells it."""
    board, town, sets = (known.get(sheet, {}) for sheet in (BOARD, TOWN, SETS))
    return {
        "game": "monopoly_builder",
        "name": name,
        "invented": False,
        "floors": [_costs(held["costs"]) for _, held in _of(known, "F")],
        "foundation": {key: town.get(key, []) for key in ("rows", "apart", "joined")},
        "sets": dict(zip(SET_COLOURS, sets.get("points", ()), strict=False)),
        "space": _spaces(board),
        "deed": [
            {"id": card, **held, "numbers": [int(one) for one in held["numbers"]]} for card, held in _of(known, "D")
        ],
        "chance": [_chance(card, held) for card, held in _of(known, "C")],
        "reference": [{"player": KINDS[int(card[1:]) - 1], **held} for card, held in _of(known, "R")],
    }


def _of(known: Mapping[str, Json], letter: str) -> list[tuple[str, Json]]:
    return [(card, held) for card, held in sorted(known.items()) if card[0] == letter and card[1:].isdigit()]


def _costs(costs: list[int]) -> dict[str, int]:
    return {kind: number for kind, number in zip(KINDS_OR_ANY, costs, strict=True) if number}


def _spaces(board: Json) -> list[dict[str, Any]]:
    """Write the ring; its deeds have their numbers in the order in which one walks past them."""
    numbers = count(1)
    found: list[dict[str, Any]] = []
    for space in board.get("ring", ()):
        kind, _, of = space.partition(".")
        more: dict[str, Any] = {"kind": of} if of else {}
        if kind == "deed":
            more = {"deed": f"D{next(numbers):02}"}
        elif kind == "roll_for_resources":
            more = {"table": {total: team[0] for total, team in board["table"].items()}}
        found.append({"type": kind, **more})
    return found


def _chance(card: str, held: Json) -> dict[str, Any]:
    effects = [effect_table(act) for act in held["effects"]]
    kept = held["keep"] == "kept" or any(one["do"] in _KEPT for one in effects)
    return {"id": card, "name": held["name"], "text": held["text"], "keep": kept, "effects": effects}
