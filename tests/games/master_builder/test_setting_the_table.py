"""Players, their money, and all components before the first worker is hired."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.games.master_builder.rules.house_rules import Rules
from companion.service.table.table import Request
from tests.games.master_builder.decks import deck
from tests.opened import house_deck
from tests.scenario import ALL_SEATS, Scenario, empty_table


def start(**changes: Any) -> dict[str, Any]:
    command: dict[str, Any] = {
        "do": "start_game",
        "game": "master_builder",
        "first": "blue",
        "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow"}],
        **changes,
    }
    return {key: value for key, value in command.items() if value is not ...}


def refusal(command: dict[str, Any]) -> str:
    return refused(command).rule


def refused(command: dict[str, Any]) -> Refused:
    table = empty_table()
    with pytest.raises(Refused) as refusal:
        table.submit(Request(command, "banker", "test"))
    assert table.position is None
    assert table.version == 0
    return refusal.value


def test_the_position_at_the_start_has_every_key_in_its_place() -> None:
    table = empty_table()
    assert table.position_json("banker") is None
    table.submit(Request(start(first="yellow"), "banker", "test"))
    position = table.position_json("banker")
    assert position is not None
    empty = {
        "cash": 40_000,
        "wages": 0,
        "workers": [],
        "unavailable": [],
        "contracts": {},
        "completed": [],
        "loans": {"small": 0, "large": 0},
        "event_hand": 0,
        "owes": 0,
    }
    described = {
        "game": "master_builder",
        "round": 1,
        "last_round": 6,
        "phase": "hire",
        "start_player": "yellow",
        "waiting_for": ["yellow"],
        "expects": ["hire_worker"],
        "reveal_due": 0,
        "players": {"yellow": {"name": "Yellow", **empty}, "blue": {"name": "Ada", **empty}},
        "display": {},
        "deck": {"contracts": 8, "economy": 5},
        "removed": [],
        "bank": 615_000,
        "on_contracts": 0,
        "money_in_play": 695_000,
        "auction": None,
        "finished": False,
        "standings": None,
        "rules": {},
        "variants": [],
    }
    assert {key: position[key] for key in described} == described
    assert list(position["players"]) == ["yellow", "blue"]
    assert position["seats"] == ["blue", "yellow"]


@pytest.mark.parametrize(
    ("seats", "bank", "contracts", "shown"),
    [
        pytest.param(2, 615_000, 8, 3, id="MB-05 MB-06 MB-07 two"),
        pytest.param(3, 575_000, 12, 4, id="MB-05 MB-06 MB-07 three"),
        pytest.param(4, 535_000, 12, 5, id="MB-05 MB-06 MB-07 four"),
    ],
)
def test_cash_bank_and_decks_follow_the_number_of_players(seats: int, bank: int, contracts: int, shown: int) -> None:
    given = Scenario(*ALL_SEATS[:seats])
    assert {player["cash"] for player in given.position["players"].values()} == {40_000}
    assert (given.position["bank"], given.position["money_in_play"]) == (bank, 695_000)
    assert given.position["deck"]["contracts"] == contracts
    given.hire()
    assert given.position["reveal_due"] == shown
    given.reveal(*[f"C{number:02}" for number in range(1, shown + 1)])
    assert given.position["deck"]["contracts"] == contracts - shown


def test_all_loans_of_the_box_bring_300_and_cost_384_or_420_mb_04() -> None:
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 40_000}, reveal={"*": (0, 0, 0)}))
    assert given.position["phase"] == "contracts"  # nobody can be hired
    given.give_cards("blue", *[f"W{number:02}" for number in range(1, 41)])
    for round_ in range(1, 7):
        given.to("build", round_)
        given.give_money("blue", 0)
        given.to("income")
        for _ in range(2):
            given.do("borrow", player="blue", loan="small")
            given.give_money("blue", 0)
        given.give_money("yellow", 100_000)
        if round_ < 6:
            given.do("borrow", player="blue", loan="large")
            given.give_money("blue", 100_000)
    given.do("borrow", player="blue", loan="large")
    assert given.player("blue")["loans"] == {"small": 12, "large": 6}
    assert given.player("blue")["owes"] == 384_000
    unseen = [card.id for card in house_deck().contracts if card.id not in _seen(given)]
    for card in unseen[: given.position["deck"]["contracts"]]:
        assert given.player("blue")["owes"] == 384_000
        given.do("correct_card", card=card, to="removed", reason="to empty the deck")
    assert given.player("blue")["owes"] == 420_000


def _seen(given: Scenario) -> set[str]:
    owned = {
        card for player in given.position["players"].values() for card in (*player["contracts"], *player["completed"])
    }
    return owned | set(given.position["display"]) | set(given.position["removed"])


FIVE = [{"id": seat} for seat in (*ALL_SEATS, "blue")]


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        pytest.param({"players": [{"id": "blue"}]}, "number_of_players", id="MB-08 one player"),
        pytest.param({"players": FIVE}, "number_of_players", id="MB-08 five players"),
        pytest.param({"players": []}, "number_of_players", id="nobody"),
        pytest.param({"players": [{"id": "blue"}, {"id": "blue"}]}, "colour_taken_twice", id="one colour twice"),
        pytest.param({"players": [{"id": "blue"}, {"id": "pink"}]}, "wrong_type", id="no such colour"),
        pytest.param({"players": [{"id": "blue"}, {"name": "Ben"}]}, "missing_field", id="no colour"),
        pytest.param({"players": [{"id": "blue", "age": 9}, {"id": "red"}]}, "unknown_field", id="more than a name"),
        pytest.param({"players": {"blue": "Ada"}}, "wrong_type", id="players by colour"),
        pytest.param({"players": ["blue", "red"]}, "wrong_type", id="players as words"),
        pytest.param({"players": [{"id": "blue", "name": None}, {"id": "red"}]}, "wrong_type", id="null for a name"),
        pytest.param({"players": [{"id": "blue", "name": 5}, {"id": "red"}]}, "wrong_type", id="a number for a name"),
        pytest.param({"players": [{"id": "blue", "name": " "}, {"id": "red"}]}, "name_length", id="blank name"),
        pytest.param({"players": [{"id": "blue", "name": "x" * 41}, {"id": "red"}]}, "name_length", id="long name"),
        pytest.param(
            {"players": [{"id": "blue", "name": "a\x07b"}, {"id": "red"}]}, "name_unseen", id="bell in a name"
        ),
        pytest.param({"first": "red"}, "unknown_player", id="first sits not here"),
        pytest.param({"first": ...}, "missing_field", id="first left out"),
        pytest.param({"players": ...}, "missing_field", id="players left out"),
        pytest.param({"game": ...}, "missing_field", id="game left out"),
        pytest.param({"game": "chess"}, "wrong_type", id="another game"),
        pytest.param({"catalog": "attic"}, "unknown_catalog", id="no such catalog"),
        pytest.param({"catalog": None}, "wrong_type", id="null for a catalog"),
        pytest.param({"rules": None}, "wrong_type", id="null for rules"),
        pytest.param({"rules": []}, "wrong_type", id="a list of rules"),
        pytest.param({"rules": {"hire_fire": 3}}, "wrong_type", id="a number for a rule"),
        pytest.param({"rules": {"hire_fire": "four"}}, "unknown_rule_value", id="no such value"),
        pytest.param({"rules": {"hireFire": "three"}}, "unknown_rule", id="no such rule"),
        pytest.param({"rules": {"unstarted_pays": "true"}}, "unknown_rule_value", id="the word true"),
        pytest.param({"rules": {"first_player": True}}, "unknown_rule_value", id="yes for a word"),
        pytest.param({"variants": ["chess"]}, "unknown_variant", id="no such variant"),
        pytest.param({"variants": "loaning_workers"}, "wrong_type", id="a word for variants"),
        pytest.param({"colour": "blue"}, "unknown_field", id="an unknown field"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused(changes: dict[str, Any], rule: str) -> None:
    assert refusal(start(**changes)) == rule


def test_who_names_a_rule_that_there_is_not_is_told_what_there_is() -> None:
    value = refused(start(rules={"hire_fire": "twice"}))
    assert value.details == {"key": "hire_fire", "value": "twice", "allowed": ("three", "until_all_pass")}
    word = refused(start(rules={"unstarted_pays": "true"}))
    assert word.details == {"key": "unstarted_pays", "value": "true", "allowed": ("True", "False")}
    assert refused(start(rules={"hireFire": "three"})).details == {"key": "hireFire"}
    assert refused(start(variants=["chess"])).details == {"variant": "chess"}


def test_every_default_may_be_named() -> None:
    table = empty_table()
    defaults = {name: getattr(Rules(), name) for name in Rules.__dataclass_fields__}
    table.submit(Request(start(rules=defaults, variants=[], catalog="house"), "banker", "test"))
    assert table.position is not None
    assert table.position.state.rules == Rules()


def test_how_the_first_player_was_found_changes_nothing() -> None:
    table = empty_table()
    table.submit(Request(start(rules={"first_player": "chosen"}), "banker", "test"))
    assert table.position is not None
    assert table.position.state.rules == replace(Rules(), first_player="chosen")
    assert table.position.state.turn_order == ("blue", "yellow")


def test_a_name_is_trimmed_and_may_be_left_out() -> None:
    table = empty_table()
    players = [{"id": "red", "name": "  Ada   of York "}, {"id": "green"}]
    table.submit(Request(start(players=players, first="red"), "banker", "test"))
    position = table.position_json("banker")
    assert position is not None
    assert {player: state["name"] for player, state in position["players"].items()} == {
        "red": "Ada of York",
        "green": "Green",
    }


def test_a_name_of_forty_characters_is_long_enough() -> None:
    given = Scenario("blue", "yellow")
    given.do("rename_player", player="blue", name="x" * 40)
    assert given.player("blue")["name"] == "x" * 40
    assert given.refuses("rename_player", player="blue", name="x" * 41) == "name_length"


def test_a_second_start_is_refused() -> None:
    given = Scenario("blue", "yellow")
    assert (
        given.refuses("start_game", game="master_builder", first="blue", players=start()["players"])
        == "started_already"
    )


def test_nothing_can_be_done_before_the_start() -> None:
    assert refusal({"do": "pass", "player": "blue"}) == "not_started"
    assert refusal({"do": "undo"}) == "not_started"
    assert refusal({"do": "count_cash", "player": "blue", "amount": 0}) == "not_started"
