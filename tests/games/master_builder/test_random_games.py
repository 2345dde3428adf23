"""Whole games played at random by what is offered: sums and limits that hold at every moment."""

import json
import random
from collections.abc import Iterable
from typing import Any

from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from companion.engine.game import Refused
from companion.games.master_builder.rules.phases.hire import in_supply
from companion.games.master_builder.rules.state import State
from companion.service.table.table import Request
from tests.extent import of_all
from tests.games.master_builder.decks import deck
from tests.opened import house_deck
from tests.scenario import ALL_SEATS, Json, Scenario
from tests.strategies import command_of

CONTRACTS = {card.id for card in house_deck().contracts}
WORKERS = {card.id for card in house_deck().workers}
SECTIONS = {card.id: {section.name for section in card.sections} for card in house_deck().contracts}
REGULATIONS = {
    "needs_wall_and_gable",
    "roof_needs_four_walls",
    "needs_wall_and_side",
    "first_wall_first",
    "team_does_not_fit",
}


def filled(chance: random.Random, offer: Json) -> Json:
    """Choose a value for every open field of an offer."""
    return {**command_of(offer), **{name: chosen(chance, field) for name, field in offer["fields"].items()}}


def chosen(chance: random.Random, field: Json) -> Any:
    match field["kind"]:
        case "one_of" | "any_of_these" | "any_set":
            return chance.choice(field["values"])
        case "some_of":
            return chance.sample(field["values"], chance.randint(field["least"], field["most"]))
        case "amount":
            assert field["least"] <= field["most"]
            steps = (field["most"] - field["least"]) // field["step"]
            return field["least"] + field["step"] * chance.choice((0, 0, chance.randint(0, steps)))
        case _:
            return assigned(chance, field)


def assigned(chance: random.Random, field: Json) -> Json:
    """Put workers who are good enough on some open sections; where they stand is for the rules to judge."""
    free = list(field["workers"])
    chance.shuffle(free)
    work: Json = {}
    for contract, places in field["sites"].items():
        for section, code in places.items():
            if chance.random() < 0.8 and len(free) >= len(code):
                work.setdefault(contract, {})[section] = [free.pop() for _ in code]
    return work


class RandomGame:
    """A game in which everybody does whatever is offered."""

    def __init__(self, seats: int, seed: int) -> None:
        self.chance = random.Random(seed)
        catalog = house_deck() if seed % 2 else deck(contracts={"*": {"sections": {"*": ["A"]}}})
        self.scenario = Scenario(*ALL_SEATS[:seats], catalog=catalog)
        self.commands: list[Json] = []

    @property
    def state(self) -> State:
        """Return the state of the position."""
        position = self.scenario.table.position
        assert position is not None
        state: State = position.state
        return state

    def step(self, position: Json) -> None:
        """Submit one command that was offered; a plan that the rules refuse is made smaller."""
        offers = [
            offer for offer in self.scenario.table.show("banker")["offers"] if offer["do"] not in {"undo", "redo"}
        ]
        due = [offer for offer in offers if offer["urgency"] == "due"]
        assert due, f"nobody can move the game on: {position}"
        assert {offer.get("player", offer.get("by")) for offer in due} >= set(position["waiting_for"])
        offer = self.chance.choice(offers if self.chance.random() < 0.3 else due)
        command = filled(self.chance, offer)
        if command["do"] == "plan" and not self.can_be(command):
            command["work"] = {}
        self.submit(command)

    def can_be(self, plan: Json) -> bool:
        """Lock a plan unless the building regulations refuse it: then it must be for one of their reasons."""
        state = self.scenario.table.position
        assert state is not None
        try:
            self.scenario.table.game.rules.decide(state, self.scenario.table.game.codec.command(plan))
        except Refused as refused:
            return refused.rule not in REGULATIONS
        return True

    def submit(self, command: Json) -> None:
        json.dumps(command)
        self.scenario.table.submit(Request(command, "banker", "test"))
        self.commands.append(command)


def conserved(position: Json) -> None:
    """MB-71 to MB-75."""
    players = position["players"]
    workers = [worker for player in players.values() for worker in player["workers"]]
    assert len(workers) == len(set(workers))
    assert set(workers) <= WORKERS
    lying = [card for player in players.values() for card in (*player["contracts"], *player["completed"])]
    lying += [*position["display"], *position["removed"]]
    assert len(lying) == len(set(lying))
    assert set(lying) <= CONTRACTS
    boxed = 4 if len(players) == 2 else 0
    assert position["deck"]["contracts"] + len(lying) + boxed == 12
    assert len(position["turned"]["economy"]) + position["deck"]["economy"] == 5
    assert len(set(position["turned"]["events"])) == len(position["turned"]["events"]) <= position["round"]
    cash = [player["cash"] for player in players.values()]
    assert sum(cash) + position["bank"] + position["on_contracts"] == position["money_in_play"] == 695_000
    assert position["on_contracts"] == sum(position["display"].values())
    assert min(cash) >= 0
    sites = [sections for player in players.values() for sections in player["contracts"].values()]
    assert all(len(sections) < 6 for sections in sites)
    if position["round"] == 1 and position["phase"] in {"events", "build", "income"}:  # MB-77
        assert {len(player["contracts"]) for player in players.values()} <= {1, 2}


def in_its_place(state: State) -> None:
    """MB-21, MB-71, MB-72: the wage marker, the piles, and that sections follow their contract."""
    employed = [worker for player in state.players for worker in player.crew]
    assert {*in_supply(state), *(worker.id for worker in employed)} == WORKERS
    assert len(in_supply(state)) + len(employed) == 40
    for player in state.players:
        assert player.wages == sum(worker.wage + worker.extra for worker in player.crew)
        assert all(worker.due >= 0 for worker in player.crew)
        for site in player.sites:
            assert set(site.built) <= SECTIONS[site.contract]
            assert len(set(site.built)) == len(site.built)


def within_limits(events: Iterable[Any], before: Json) -> None:
    """MB-75: nobody is hired above 30, nobody pays more than 30 in wages."""
    for event in events:
        if event["event"] == "WorkerHired":
            assert before["players"][event["player"]]["wages"] + event["wage"] <= 30_000
        if event["event"] == "WagesPaid":
            assert event["amount"] <= 30_000


@drawn(seats=st.integers(2, 4), seed=st.integers(0, 10**9))
@settings(max_examples=of_all(8, 30), deadline=None)
def test_sums_and_limits_hold_in_every_game_mb_21_mb_71_mb_72_mb_73_mb_74_mb_75_mb_77(seats: int, seed: int) -> None:
    game = RandomGame(seats, seed)
    position = game.scenario.position
    while not position["finished"]:
        before = position
        game.step(before)
        position = game.scenario.position
        within_limits(game.scenario.table.entries[-1].events, before)
        conserved(position)
        in_its_place(game.state)
    assert position["round"] <= 6


@drawn(seats=st.integers(2, 4), seed=st.integers(0, 10**9))
@settings(max_examples=of_all(3, 8), deadline=None)
def test_the_same_commands_lead_to_the_same_state_mb_76(seats: int, seed: int) -> None:
    game = RandomGame(seats, seed)
    while not (position := game.scenario.position)["finished"]:
        game.step(position)
    again = RandomGame(seats, seed).scenario
    for command in game.commands:
        again.table.submit(Request(command, "banker", "test"))
    assert again.table.position == game.scenario.table.position
    assert again.table.journal("banker") == game.scenario.table.journal("banker")
    assert position["round"] <= 6
