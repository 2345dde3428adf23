"""Rounds, phases, and who holds the mallet."""

from typing import Any

import pytest

from tests.scenario import ALL_SEATS, Scenario

PHASES = ["hire", "contracts", "events", "build", "income"]


def test_six_rounds_of_five_phases_in_their_order_mb_11() -> None:
    given = Scenario("blue", "yellow", "green")
    seen: list[tuple[int, str]] = []
    while not given.position["finished"]:
        now = (given.position["round"], given.position["phase"])
        if now not in seen:
            seen.append(now)
        if now[1] == "build":
            given.give_money(given.position["start_player"], 0)  # so that income is waited for
        given.idle()
    assert seen == [(round_, phase) for round_ in range(1, 7) for phase in PHASES]
    assert given.position["phase"] == "finished"
    assert given.asks() == ([], [])


@pytest.mark.parametrize(
    ("seats", "turns"),
    [
        pytest.param(2, [3, 3], id="MB-12 two"),
        pytest.param(3, [2, 2, 2], id="MB-12 three"),
        pytest.param(4, [2, 2, 1, 1], id="MB-12 four"),
    ],
)
def test_the_mallet_moves_left_each_round(seats: int, turns: list[int]) -> None:
    given = Scenario(*ALL_SEATS[:seats])
    starts = []
    for round_ in range(1, 7):
        given.to("hire", round_)
        starts.append(given.position["start_player"])
        assert next(iter(given.position["players"])) == starts[-1] == given.position["waiting_for"][0]
    assert [starts.count(seat) for seat in given.seats] == turns
    assert starts == [given.seats[number % seats] for number in range(6)]


def test_economy_card_k_is_turned_in_round_k_plus_1_mb_13() -> None:
    given = Scenario("blue", "yellow", "green")
    given.to("contracts", 1)
    assert given.asks() == (["blue"], ["reveal_contracts"])
    assert given.refuses("turn_economy", card="Y01") == "economy_not_due"
    for round_ in range(2, 7):
        given.to("contracts", round_)
        assert given.asks() == ([given.position["start_player"]], ["turn_economy"])
        assert given.position["deck"]["economy"] == 7 - round_
        assert given.position["reveal_due"] == 0
        given.do("turn_economy", card=f"Y0{round_ - 1}")
        assert given.position["deck"]["economy"] == 6 - round_


def test_an_economic_situation_is_turned_once() -> None:
    given = Scenario("blue", "yellow", "green")
    given.to("contracts", 2)
    given.do("turn_economy", card="Y03")
    given.to("contracts", 3)
    assert given.refuses("turn_economy", card="Y03") == "turned_before"
    assert given.refuses("turn_economy", card="Y12") == "unknown_economy"
    assert given.position["turned"] == {"economy": ["Y03"], "events": ["E15", "E16"]}


@pytest.mark.parametrize("phase", PHASES)
def test_commands_of_other_phases_are_refused(phase: str) -> None:
    given = Scenario("blue", "yellow")
    given.to("build", 2)
    given.give_money("yellow", 0)
    given.to(phase, 3 if phase in {"hire", "contracts", "events"} else 2)
    player = given.position["waiting_for"][0]
    commands: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "hire": [
            ("hire_worker", {"player": player, "worker": "W01"}),
            ("fire_worker", {"player": player, "worker": "W01"}),
        ],
        "contracts": [
            ("turn_economy", {"card": "Y01"}),
            ("reveal_contracts", {"contracts": ["C01"]}),
            ("open_auction", {"player": player, "contract": "C01", "bid": 2_000}),
            ("bid", {"player": player, "amount": 2_000}),
        ],
        "events": [
            ("turn_event", {"card": "E01"}),
            ("choose_workers", {"player": player, "workers": []}),
            ("choose_sections", {"player": player, "sections": {}}),
        ],
        "build": [("plan", {"player": player, "work": {}})],
        "income": [("borrow", {"player": player, "loan": "small"})],
    }
    for other, wrong in commands.items():
        for verb, fields in wrong if other != phase else ():
            expected = "cards_first" if phase == "contracts" and verb != "turn_economy" else "not_in_this_phase"
            assert given.refuses(verb, **fields) == expected, verb


def test_after_the_end_only_the_books_can_be_put_right() -> None:
    given = Scenario("blue", "yellow")
    given.to("finished", 6)
    for verb, fields in (
        ("hire_worker", {"player": "blue", "worker": "W01"}),
        ("turn_event", {"card": "E01"}),
        ("plan", {"player": "blue", "work": {}}),
        ("repay", {"player": "yellow", "loan": "large"}),
    ):
        assert given.refuses(verb, **fields) == "game_over"
    assert given.offers("blue") == []
    assert [offer["do"] for offer in given.table.show("banker")["offers"]] == ["undo"]
