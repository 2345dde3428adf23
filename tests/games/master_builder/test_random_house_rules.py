"""Whole games under house rules and variants drawn by lot: what holds at every moment whatever is switched."""

import random
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from companion.engine.game import Refused
from companion.games.master_builder.rules.house_rules import VARIANTS, Rules
from companion.service.table.table import Request
from tests.extent import of_all
from tests.games.master_builder.decks import deck
from tests.games.master_builder.test_random_games import CONTRACTS, REGULATIONS, WORKERS, filled
from tests.opened import house_deck
from tests.scenario import ALL_SEATS, Json, Scenario

LOCAL_REGULATIONS = {*REGULATIONS, "roof_waits_a_phase", "roofs_together"}
PER_SWITCH = {
    field.name: (True, False)
    if get_type_hints(Rules)[field.name] is bool
    else get_args(get_type_hints(Rules)[field.name])
    for field in fields(Rules)
}


def table(seed: int) -> tuple[Scenario, random.Random]:
    """Set a table with rules and variants drawn by this seed; every second one with a deck that is easily built."""
    chance = random.Random(seed)
    rules = {name: chance.choice(values) for name, values in PER_SWITCH.items()}
    variants = [variant for variant in VARIANTS if chance.random() < 0.5]
    events = {card.id: card.effects for card in house_deck().events}
    easy = deck(contracts={"*": {"sections": {"*": ["A"]}}}, events=events)
    catalog = easy if seed % 2 else house_deck()
    return Scenario(*ALL_SEATS[: 2 + seed % 3], catalog=catalog, rules=rules, variants=variants), chance


def step(given: Scenario, chance: random.Random) -> None:
    """Submit one command that was offered; only a plan, or a price that is hidden, may be more than can be."""
    offers = [offer for offer in given.table.show("banker")["offers"] if offer["do"] not in {"undo", "redo"}]
    due = [offer for offer in offers if offer["urgency"] == "due"]
    assert {offer.get("player", offer.get("by")) for offer in due} >= set(given.asks()[0])
    on = [offer for offer in due if offer["do"] != "hire_out"]
    offer = chance.choice(offers if chance.random() < 0.2 else on)
    command = filled(chance, offer)
    rule = answer(given, command)
    if rule is None:
        return
    if command["do"] == "hire_out":
        assert (rule, given.position["rules"].get("money")) == ("cannot_pay", "hidden")
        return
    assert command["do"] == "plan"
    assert rule in LOCAL_REGULATIONS
    given.do("plan", player=command["player"], work={})


def answer(given: Scenario, command: Json) -> str | None:
    """Play a command; the rule by which it is refused, if it is."""
    try:
        given.table.submit(Request(command, "banker", "test"))
    except Refused as refused:
        return refused.rule
    return None


def holds(position: Json) -> None:
    """Money and cards are conserved, nobody is below zero, no more IOUs are lent than the rules allow."""
    players = position["players"].values()
    workers = [worker for player in players for worker in player["workers"]]
    assert len(workers) == len(set(workers))
    assert set(workers) <= WORKERS
    lying = [card for player in players for card in (*player["contracts"], *player["completed"])]
    lying += [*position["display"], *position["removed"]]
    assert len(lying) == len(set(lying))
    assert set(lying) <= CONTRACTS
    assert position["deck"]["contracts"] + len(lying) + (4 if len(players) == 2 else 0) == 12
    events = position["turned"]["events"]
    assert len(events) == len(set(events)) <= 2 * position["round"]
    cash = [player["cash"] for player in players]
    assert sum(cash) + position["bank"] + position["on_contracts"] == position["money_in_play"] == 695_000
    assert min([*cash, *(player["event_hand"] for player in players)]) >= 0
    if position["rules"].get("iou_supply"):
        assert sum(player["loans"]["large"] for player in players) <= 6


@pytest.mark.parametrize("seed", range(of_all(5, 24)))
def test_sums_and_limits_hold_whatever_rules_are_played(seed: int) -> None:
    given, chance = table(seed)
    while not (position := given.position)["finished"]:
        step(given, chance)
        holds(position)
    holds(position)
    assert position["round"] <= position["last_round"] <= 6
    standings: list[Any] = position["standings"]
    assert standings[0]["rank"] == 1
