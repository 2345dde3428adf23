"""House rules on the reckoning and on money that is not shown; and sets of rules as groups play them."""

import json
from dataclasses import fields
from typing import Any

import pytest

from companion.games.master_builder.rules.house_rules import Rules
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario

PRICE: dict[str, Any] = {
    "contracts": {"*": {"price": 130_000, "cost": 2_000}},
    "wages": {"*": 0},
    "reveal": {"*": (0, 0, 0)},
}


def standings(given: Scenario) -> list[tuple[str, int, int]]:
    return [(line["player"], line["worth"], line["rank"]) for line in given.position["standings"]]


@pytest.mark.parametrize(("pays", "unfinished"), [(True, 10_000), (False, 0)])
def test_a_contract_with_nothing_built_pays_or_not(*, pays: bool, unfinished: int) -> None:
    given = Scenario("blue", "yellow", catalog=deck(**PRICE), rules={"unstarted_pays": pays})
    given.to("finished", 6)
    assert [line["unfinished"] for line in given.position["standings"]] == [unfinished] * 2


def test_what_was_begun_pays_though_unstarted_contracts_do_not() -> None:
    easy: dict[str, Any] = {**PRICE, "contracts": {"*": {"price": 130_000, "cost": 2_000, "sections": {"*": ["A"]}}}}
    given = Scenario("blue", "yellow", catalog=deck(**easy), rules={"unstarted_pays": False})
    given.to("build")
    given.give_cards("blue", "C03")
    given.raise_("blue", C03="wall-1 gable-1")
    given.to("finished", 6)
    assert [line["unfinished"] for line in given.position["standings"] if line["player"] == "blue"] == [50_000]


def level(tie_break: str) -> Scenario:
    """Blue and yellow of equal worth; blue has two loans, yellow one, blue a building, green far behind."""
    easy: dict[str, Any] = {**PRICE, "contracts": {"*": {"price": 0, "cost": 2_000, "sections": {"*": ["A"]}}}}
    rules: dict[str, Any] = {"tie_break": tie_break, "loans": "voluntary_anytime_but_phase2", "unstarted_pays": False}
    given = Scenario("yellow", "blue", "green", catalog=deck(**easy), rules=rules)
    for player in ("yellow", "blue", "blue"):
        given.do("borrow", player=player, loan="small")
    given.to("build")
    given.give_cards("blue", "C03", "W40")
    given.raise_("blue", C03="wall-1 wall-2 gable-1 gable-2 roof-1 roof-2")
    given.to("finished", 6)
    given.give_money("yellow", 63_000)
    given.give_money("blue", 76_000)
    given.give_money("green", 1_000)
    assert given.player("blue")["completed"] == ["C03"]
    return given


@pytest.mark.parametrize(
    ("tie_break", "ranks"),
    [
        ("shared", [("yellow", 50_000, 1), ("blue", 50_000, 1), ("green", 1_000, 3)]),
        ("fewer_loans", [("yellow", 50_000, 1), ("blue", 50_000, 2), ("green", 1_000, 3)]),
        ("more_buildings", [("blue", 50_000, 1), ("yellow", 50_000, 2), ("green", 1_000, 3)]),
    ],
)
def test_equal_worth_shares_the_place_or_something_breaks_the_tie(
    tie_break: str, ranks: list[tuple[str, int, int]]
) -> None:
    assert standings(level(tie_break)) == ranks


@pytest.mark.parametrize("tie_break", ["shared", "fewer_loans", "more_buildings"])
def test_who_is_alike_in_that_too_shares_the_place(tie_break: str) -> None:
    given = Scenario("blue", "yellow", catalog=deck(**PRICE), rules={"tie_break": tie_break})
    given.to("finished", 6)
    given.give_money("blue", 20_000)
    given.give_money("yellow", 20_000)
    assert [rank for _, _, rank in standings(given)] == [1, 1]


def cash_seen(given: Scenario, viewer: str) -> dict[str, Any]:
    position = given.table.position_json(viewer)
    assert position is not None
    return {"bank": position["bank"], **{seat: player["cash"] for seat, player in position["players"].items()}}


def test_money_lies_open() -> None:
    given = Scenario("blue", "yellow")
    seen = {"bank": 615_000, "blue": 40_000, "yellow": 40_000}
    assert [cash_seen(given, viewer) for viewer in ("blue", "yellow", "spectator", "banker")] == [seen] * 4


def test_hidden_money_is_seen_by_its_owner_and_the_banker_until_the_end() -> None:
    given = Scenario("blue", "yellow", rules={"money": "hidden"})
    everything = {"bank": 615_000, "blue": 40_000, "yellow": 40_000}
    assert cash_seen(given, "banker") == everything
    assert cash_seen(given, "blue") == {"bank": None, "blue": 40_000, "yellow": None}
    assert cash_seen(given, "yellow") == {"bank": None, "blue": None, "yellow": 40_000}
    assert cash_seen(given, "spectator") == {"bank": None, "blue": None, "yellow": None}
    given.to("finished", 6)
    assert None not in cash_seen(given, "spectator").values()


@pytest.mark.parametrize(("money", "asked"), [("open", None), ("hidden", ["yellow"])])
def test_hidden_money_leaves_nobody_out_unasked(money: str, asked: list[str] | None) -> None:
    given = Scenario("blue", "yellow", rules={"money": money})
    given.to("contracts")
    given.reveal_some(3)
    given.give_money("yellow", 5_000)
    given.do("open_auction", player="blue", contract=min(given.position["display"]), bid=20_000)
    if asked is None:
        assert given.position["auction"] is None
        return
    assert given.asks() == (asked, ["bid", "pass"])
    assert [offer["do"] for offer in given.offers("yellow")] == ["pass"]
    assert given.refuses("bid", player="yellow", amount=21_000) == "cannot_pay"
    given.do("pass", player="yellow")
    assert given.cash("blue") == 20_000


def test_hidden_money_is_not_told_by_what_a_worker_might_cost() -> None:
    given = Scenario("blue", "yellow", rules={"money": "hidden"}, variants=["loaning_workers"])
    given.to("build")
    given.give_money("yellow", 7_000)
    [offer] = [offer for offer in given.offers("blue") if offer["do"] == "hire_out"]
    assert offer["fields"]["price"]["most"] == 695_000
    worker = given.player("blue")["workers"][0]
    refusal = given.refusal("hire_out", owner="blue", worker=worker, borrower="yellow", price=8_000)
    assert (refusal.rule, "cash" in refusal.details) == ("cannot_pay", False)
    given.do("hire_out", owner="blue", worker=worker, borrower="yellow", price=7_000)


def other_values() -> list[tuple[str, str | bool]]:
    kinds: dict[str, tuple[str | bool, ...]] = {
        "hire_fire": ("until_all_pass",),
        "first_player": ("chosen",),
        "round1_draft": ("snake",),
        "wage_overflow": ("full", "dismiss"),
        "after_pass": ("end_phase", "return_to_start"),
        "premium_funds_bid": (True,),
        "uncontested_price": ("printed",),
        "unsold": ("keep_forever",),
        "plans": ("open",),
        "roof_timing": ("next_phase",),
        "roof_pair": ("together",),
        "city_wall_order": ("free",),
        "loans": ("voluntary_phase5", "voluntary_anytime_but_phase2"),
        "iou_supply": ("limited",),
        "late_when": ("deck_and_display_empty",),
        "money": ("hidden",),
        "removed_counts_for_end": (False,),
        "unstarted_pays": (False,),
        "final_rate": ("always_late",),
        "tie_break": ("fewer_loans", "more_buildings"),
        "event_debt": ("loan",),
    }
    assert list(kinds) == [field.name for field in fields(Rules)]
    return [(key, value) for key, values in kinds.items() for value in values]


@pytest.mark.parametrize(("key", "value"), other_values())
def test_every_value_can_be_chosen_is_shown_and_plays_to_the_end(key: str, value: str | bool) -> None:
    given = Scenario("blue", "yellow", "green", rules={key: value})
    assert given.position["rules"] == {key: value}
    given.to("finished", 6)
    assert json.dumps(given.position)


SUMMARY_SHEET = {"hire_fire": "until_all_pass", "first_player": "random", "late_when": "deck_and_display_empty"}


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        ({}, {}),
        (SUMMARY_SHEET, {"hire_fire": "until_all_pass", "late_when": "deck_and_display_empty"}),
    ],
)
def test_the_rules_as_printed_and_those_of_the_summary_sheet(rules: dict[str, str], shown: dict[str, str]) -> None:
    given = Scenario("blue", "yellow", rules=rules)
    assert given.position["rules"] == shown
    given.to("hire", 2)
    assert given.position["hire"]["laps"] == (20 if rules else 3)
    given.to("finished", 6)
