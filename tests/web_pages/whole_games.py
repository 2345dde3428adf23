"""Games played by offers alone until a wanted moment comes up."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.strategies import command_of

NAMES = {"red": "Cleo", "blue": "Ada", "yellow": "Ben", "green": "Dan"}
WEIGHTS = {"hire_worker": 3.0, "open_auction": 3.0, "fire_worker": 0.2, "bid": 0.7, "hire_out": 0.2}
MOST = 900
SHEET_OF = {
    "hire_worker": "hire",
    "fire_worker": "fire",
    "look_through": "look",
    "turn_economy": "economy",
    "reveal_contracts": "reveal",
    "turn_event": "event",
    "open_auction": "open",
    "choose_workers": "workers",
    "choose_sections": "sections",
    "plan": "plan",
    "hire_out": "lend",
    "borrow": "borrow",
    "repay": "repay",
}
"""The sheet of Master Builder that a button opens for what is not a command by itself."""

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """A moment worth a look: how many play, and how it is known."""

    name: str
    players: int
    there: Callable[[dict[str, Any]], bool]
    seed: int = 1
    rules: dict[str, Any] = field(default_factory=dict[str, Any])
    variants: tuple[str, ...] = ()


@cache
def moments() -> tuple[Moment, ...]:
    """Every phase, and every kind of question in it."""
    return (
        Moment("first_hire", 3, lambda at: at["phase"] == "hire"),
        Moment("later_hire", 4, lambda at: at["phase"] == "hire" and at["round"] == 2),
        Moment("reveal", 2, lambda at: "reveal_contracts" in at["expects"]),
        Moment("economy", 2, lambda at: "turn_economy" in at["expects"]),
        Moment("choice", 3, lambda at: "open_auction" in at["expects"]),
        Moment("auction", 4, lambda at: at["auction"] is not None),
        Moment("event_card", 2, lambda at: "turn_event" in at["expects"]),
        Moment("event_choice", 4, lambda at: "choose_workers" in at["expects"]),
        Moment("build", 4, lambda at: at["phase"] == "build"),
        Moment("loan", 3, lambda at: at["phase"] == "income" and "borrow" in at["expects"]),
        Moment("end", 2, lambda at: at["finished"]),
    )


@cache
def house_moments() -> tuple[Moment, ...]:
    """Return the moments that only house rules and variants bring about."""
    return (
        Moment("look", 3, lambda at: "look_through" in at["expects"], variants=("choosing_workers",)),
        Moment("looked", 3, lambda at: bool(at.get("hire", {}).get("looked")), variants=("choosing_workers",)),
        Moment("from_hand", 2, lambda at: "turn_event" in at["expects"], variants=("selective_events",)),
        Moment("lending", 3, lambda at: "hire_out" in at["expects"], variants=("loaning_workers",)),
        Moment("lent", 3, lambda at: bool(at.get("lent")), variants=("loaning_workers",)),
        Moment(
            "may_borrow",
            3,
            lambda at: {"borrow", "pass"} <= set(at["expects"]),
            rules={"loans": "voluntary_phase5"},
        ),
        Moment(
            "anytime",
            4,
            lambda at: at["phase"] == "hire" and at["round"] == 2,
            rules={"loans": "voluntary_anytime_but_phase2", "hire_fire": "until_all_pass", "round1_draft": "snake"},
        ),
        Moment(
            "dismissal",
            4,
            lambda at: (
                "choose_workers" in at["expects"] and at["players"][at["waiting_for"][0]]["wages"] > at["wage_limit"]
            ),
            rules={"wage_overflow": "dismiss"},
        ),
        Moment("covered", 3, lambda at: at["phase"] == "build", rules={"money": "hidden", "plans": "open"}),
    )


def table_at(tables: Tables, moment: Moment) -> tuple[str, JsonObject]:
    """Play until the moment; give the table's id and what the banker is shown."""
    for seed in range(moment.seed, moment.seed + 8):
        table = started(tables, moment)
        shown = played(table, moment, random.Random(seed))
        if shown is not None:
            return table.id, shown
    raise AssertionError(f"no game came to {moment.name}")


def started(tables: Tables, moment: Moment) -> Table:
    seats = list(NAMES)[: moment.players]
    command = {
        "do": "start_game",
        "game": "master_builder",
        "first": seats[-1],
        "players": [{"id": seat, "name": NAMES[seat]} for seat in seats],
        "rules": moment.rules,
        "variants": list(moment.variants),
    }
    return tables.start(Request(command, "banker", "test"))


def played(table: Table, moment: Moment, dice: random.Random) -> JsonObject | None:
    for _ in range(MOST):
        shown = table.show("banker")
        position = shown["position"]
        if moment.there(position):
            return shown
        due = [
            offer
            for offer in shown["offers"]
            if offer["urgency"] == "due" and player_of(offer) in position["waiting_for"]
        ]
        if not due:
            return None
        offer = dice.choices(due, [WEIGHTS.get(offer["do"], 1.0) for offer in due])[0]
        table.submit(Request(chosen(offer, dice), "banker", "test"))
    return None


def player_of(offer: dict[str, Any]) -> str:
    return str(offer.get("player", offer.get("by")))


def chosen(offer: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    return command_of(offer) | {name: value(field, dice) for name, field in offer["fields"].items()}


def value(field: dict[str, Any], dice: random.Random) -> Any:
    match field["kind"]:
        case "one_of" | "any_of_these" | "any_set":
            return dice.choice(field["values"])
        case "some_of":
            return dice.sample(field["values"], field["most"])
        case "amount":
            return field["least"]
        case _:
            return {}
