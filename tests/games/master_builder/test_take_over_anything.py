"""A position as a running game shows it can be taken over at another table, and leads on as it would have here."""

import json
import random

import pytest

from companion.engine.game import Refused
from companion.games.master_builder.bots.dealer import Piles, next_act
from companion.service.table.table import Request, Table
from tests.extent import by_night, of_all
from tests.games.master_builder.test_random_house_rules import step, table
from tests.opened import house_deck, shuffled
from tests.scenario import Json, Scenario, empty_table


def taken(given: Scenario) -> Scenario:
    """Start another table from nothing but what a game shows."""
    position = given.table.position
    assert position is not None
    other = object.__new__(Scenario)
    other.seats = given.seats
    other.table = empty_table(position.state.catalog)
    other.do("take_over", position=json.loads(json.dumps(given.position)), reason="the other tablet broke")
    return other


def unordered(value: object) -> object:
    """Leave the order of cards out: which worker came first to a player no position says."""
    if isinstance(value, dict):
        return {key: unordered(member) for key, member in value.items()}
    return (
        sorted(json.dumps(unordered(member), sort_keys=True) for member in value) if isinstance(value, list) else value
    )


def quiet(position: Json) -> bool:
    """Return whether a position tells all: plans that were made in secret it does not."""
    return not position.get("planned") or "plans" in position


@pytest.mark.parametrize("seed", range(of_all(1, 8)))
def test_at_every_moment_of_a_game_but_while_secret_plans_lie_there(seed: int) -> None:
    given, chance = table(seed)
    compared = 0
    while not (position := given.position)["finished"]:
        if quiet(position) and chance.random() < 0.3:
            other = taken(given)
            assert other.position == position
            for seat in given.seats:
                assert unordered(other.offers(seat)) == unordered(given.offers(seat))
            compared += 1
        step(given, chance)
    assert taken(given).position == given.position
    assert compared > 10


@pytest.mark.parametrize("seed", range(of_all(2, 4)))
def test_the_same_commands_lead_on_to_the_same_end(seed: int) -> None:
    # given a game in its middle, taken over
    given, chance = table(seed)
    while given.position["round"] < 2 or given.position["phase"] != "contracts":
        step(given, chance)
    other = taken(given)

    # when both are played on alike
    while not given.position["finished"]:
        before = given.table.version
        step(given, chance)
        for entry in given.table.entries[before:]:
            other.table.submit(Request(entry.command, "banker", "test"))

        # then they stand alike all the time
        assert other.position == given.position


@pytest.mark.parametrize("phase", ["hire", "contracts", "events", "build"])
@pytest.mark.parametrize("players", [4, *by_night(2, 3)])
def test_bots_play_on_to_the_end_from_the_beginning_of_any_phase(phase: str, players: int) -> None:
    given = Scenario(*("blue", "yellow", "green", "red")[:players], catalog=house_deck())
    piles = shuffled(house_deck(), players)
    played_by_bots(given, piles, until=lambda shown: shown["round"] == 3 and shown["phase"] == phase)
    other = taken(given)
    played_by_bots(other, piles, until=lambda shown: shown["finished"])
    assert other.position["standings"]


def played_by_bots(given: Scenario, piles: Piles, until: object) -> None:
    assert callable(until)
    codec = given.table.game.codec
    while not until(given.position):
        assert given.table.position is not None
        act = next_act(given.table.position, piles)
        assert act is not None
        given.table.submit(Request(codec.command_json(act.command), "banker", "test"))


@pytest.mark.parametrize("seed", range(of_all(3, 6)))
def test_a_position_with_a_card_money_or_section_moved_is_refused_or_says_the_same(seed: int) -> None:
    given, chance = table(seed)
    while given.position["round"] < 3 or not quiet(given.position):
        step(given, chance)
    refused = 0
    for _ in range(40):
        position = json.loads(json.dumps(given.position))
        spoilt = spoil(position, chance)
        other = empty_table(given.table.position.state.catalog)  # type: ignore[union-attr]
        if (rule := refused_by(other, spoilt)) is not None:
            assert rule in {"position_faulty", "wrong_type", "unknown_field", "missing_field"}
            refused += 1
            continue
        shown = other.position_json("banker")
        assert shown is not None
        assert (
            sum(player["cash"] for player in shown["players"].values()) + shown["bank"] + shown["on_contracts"]
            == 695_000
        )
    assert refused > 20


def refused_by(table_: Table, position: Json) -> str | None:
    """Submit a position to take over; return the rule by which it is refused, if it is."""
    try:
        table_.submit(Request({"do": "take_over", "position": position}, "banker", "test"))
    except Refused as refusal:
        return refusal.rule
    return None


def spoil(position: Json, chance: random.Random) -> Json:
    """Change one thing in a position."""
    player = position["players"][chance.choice(sorted(position["players"]))]
    match chance.randrange(8):
        case 0:
            player["cash"] += chance.choice((-1_000, 1_000, 500))
        case 1:
            player["workers"] = [*player["workers"], chance.choice(("W01", "W20", "W99"))]
        case 2:
            player["contracts"] = {**player["contracts"], chance.choice(("C01", "C05", "C12")): ["roof-1"]}
        case 3:
            player["completed"] = [*player["completed"], chance.choice(("C01", "C05"))]
        case 4:
            position["display"]["C07"] = 3_000
        case 5:
            position["bank"] += 1_000
        case 6:
            position["deck"]["economy"] = 7
        case _:
            position[chance.choice(sorted(position))] = chance.choice((None, 3, "blue", [], {}))
    return position
