"""Phase 1: hire and fire."""

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import ALL_SEATS, Scenario, workers_of

TEAM_OF_14 = ("W01", "W09", "W18", "W28", "W29")
DEAR = ("W01", "W02", "W03", "W04", "W05")  # five masters: 25,000
CHEAP = ("W30", "W31", "W32", "W33", "W34")


@pytest.mark.parametrize(
    ("seats", "left"),
    [
        pytest.param(2, 30, id="MB-14 two"),
        pytest.param(3, 25, id="MB-14 three"),
        pytest.param(4, 20, id="MB-14 four"),
    ],
)
def test_in_round_1_everybody_takes_five_one_at_a_time(seats: int, left: int) -> None:
    given = Scenario(*ALL_SEATS[:seats])
    asked, free = [], []
    while given.position["phase"] == "hire":
        assert given.position["expects"] == ["hire_worker"]
        assert given.position["hire"]["laps"] == 5
        asked += given.position["waiting_for"]
        free = given.offer("hire_worker")["fields"]["worker"]["values"]
        given.idle()
    assert asked == list(given.seats) * 5
    assert len(free) - 1 == left
    assert {len(player["workers"]) for player in given.position["players"].values()} == {5}


def test_in_round_1_nobody_passes_or_fires_mb_14() -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("pass", player="blue") == "no_pass_in_round_1"
    assert given.refuses("pass", player="blue", rest=True) == "no_pass_in_round_1"
    given.do("hire_worker", player="blue", worker="W01")
    given.do("hire_worker", player="yellow", worker="W02")
    assert given.refuses("fire_worker", player="blue", worker="W01") == "no_firing_in_round_1"
    assert {offer["do"] for offer in given.offers("blue")} == {"hire_worker"}


def test_the_marker_of_the_printed_example_stands_on_14_mb_15() -> None:
    given = Scenario("blue", "yellow")
    given.hire(blue=TEAM_OF_14)
    assert given.player("blue")["wages"] == 14_000


def test_wages_of_a_team_run_from_5_to_25_and_all_cost_119_mb_16() -> None:
    wages = [card.wage for card in deck().workers]
    given = Scenario("blue", "yellow")
    given.hire(blue=DEAR, yellow=CHEAP)
    assert given.player("blue")["wages"] == 25_000
    assert given.player("yellow")["wages"] == 5_000
    assert sum(wages) == 119_000
    assert not any(sum(five) == 6_000 for five in ([1_000] * 4 + [wage] for wage in set(wages)))


def test_three_opportunities_with_one_act_each_mb_17() -> None:
    given = Scenario("blue", "yellow")
    given.hire(blue=CHEAP, yellow=("W35", "W36", "W37", "W38", "W39"))
    given.to("hire", 2)  # yellow holds the mallet
    assert given.asks() == (["yellow"], ["hire_worker", "fire_worker", "pass"])
    given.do("hire_worker", player="yellow", worker="W09")
    assert given.player("yellow")["wages"] == 9_000
    assert given.asks()[0] == ["blue"]
    assert given.refuses("hire_worker", player="yellow", worker="W28") == "not_your_turn"
    given.do("pass", player="blue")
    given.do("hire_worker", player="yellow", worker="W28")
    assert given.player("yellow")["wages"] == 10_000
    given.do("pass", player="blue")
    assert given.position["hire"] == {"lap": 3, "laps": 3, "looked": None, "passes": 1, "rested": []}
    assert "rest" not in {key for offer in given.offers("yellow") for key in offer}  # nothing left to rest from
    given.do("fire_worker", player="yellow", worker="W35")
    assert given.player("yellow")["wages"] == 9_000
    assert given.player("yellow")["workers"] == ["W09", "W28", "W36", "W37", "W38", "W39"]
    given.do("pass", player="blue")
    assert given.position["phase"] == "contracts"
    assert given.refuses("hire_worker", player="yellow", worker="W10") == "cards_first"  # no fourth act


def test_passing_first_does_not_forbid_hiring_second_mb_18() -> None:
    given = Scenario("blue", "yellow")
    given.to("hire", 2)
    given.do("pass", player="yellow", rest=False)
    given.do("pass", player="blue")
    given.do("hire_worker", player="yellow", worker="W01")
    assert "W01" in given.player("yellow")["workers"]


def test_rest_passes_all_opportunities_left() -> None:
    given = Scenario("blue", "yellow", "green")
    given.to("hire", 2)
    assert {"do": "pass", "player": "yellow", "rest": True, "urgency": "due", "fields": {}} in given.offers("yellow")
    given.do("pass", player="yellow")
    given.do("pass", player="green", rest=True)
    given.do("pass", player="blue")
    given.do("pass", player="yellow", rest=True)
    hire = {"lap": 2, "laps": 3, "looked": None, "passes": 4, "rested": ["yellow", "green"]}
    assert given.position["hire"] == hire
    given.do("pass", player="blue")
    assert given.asks()[0] == ["blue"]
    assert given.position["hire"]["lap"] == 3
    given.do("pass", player="blue")
    assert given.position["phase"] == "contracts"


def test_the_wage_track_ends_at_30_mb_19() -> None:
    given = Scenario("blue", "yellow")
    given.hire(yellow=DEAR, blue=CHEAP)
    given.to("hire", 2)
    given.do("hire_worker", player="yellow", worker="W28")  # 26
    given.do("pass", player="blue")
    assert given.player("yellow")["wages"] == 26_000
    assert given.refuses("hire_worker", player="yellow", worker="W06") == "wage_limit"
    offered = given.offer("hire_worker")["fields"]["worker"]["values"]
    assert "W06" not in offered
    assert "W09" in offered
    given.do("hire_worker", player="yellow", worker="W09")  # 30
    given.do("pass", player="blue")
    assert given.refuses("hire_worker", player="yellow", worker="W29") == "wage_limit"
    assert [offer["do"] for offer in given.offers("yellow")] == ["fire_worker", "pass"]
    given.do("fire_worker", player="yellow", worker="W01")
    assert given.player("yellow")["wages"] == 25_000


def test_from_30_on_nobody_is_hired_even_for_nothing() -> None:
    given = Scenario("blue", "yellow", catalog=deck(wages={"A": 0}))
    given.hire(yellow=DEAR, blue=CHEAP)
    given.to("hire", 2)
    given.give_cards("yellow", "W06")
    assert given.player("yellow")["wages"] == 30_000
    assert given.refuses("hire_worker", player="yellow", worker="W28") == "wage_limit"
    assert "hire_worker" not in {offer["do"] for offer in given.offers("yellow")}
    given.give_cards("yellow", "W07")
    assert given.player("yellow")["wages"] == 35_000  # no limit binds a correction, and the true total is shown
    assert given.refuses("hire_worker", player="yellow", worker="W28") == "wage_limit"
    given.do("pass", player="yellow")


def test_who_was_fired_can_be_hired_again_mb_20() -> None:
    given = Scenario("blue", "yellow")
    given.hire(yellow=DEAR, blue=CHEAP)
    given.to("hire", 2)
    given.do("fire_worker", player="yellow", worker="W05")
    given.do("hire_worker", player="blue", worker="W05")
    assert given.player("blue")["workers"] == ["W05", *CHEAP]
    assert given.player("yellow")["workers"] == ["W01", "W02", "W03", "W04"]


def test_the_marker_is_the_sum_of_the_wages_mb_21() -> None:
    wages = {card.id: card.wage for card in deck().workers}
    given = Scenario("blue", "yellow", "green")
    while not given.position["finished"]:
        given.idle()
        for player in given.position["players"].values():
            assert player["wages"] == sum(wages[worker] for worker in player["workers"])


def test_everybody_may_be_fired() -> None:
    given = Scenario("blue", "yellow")
    given.hire(yellow=DEAR, blue=CHEAP)
    for round_ in (2, 3):
        given.to("hire", round_)
        for worker in DEAR[(round_ - 2) * 3 : (round_ - 1) * 3]:
            given.do("pass", player="blue") if given.asks()[0] == ["blue"] else None
            given.do("fire_worker", player="yellow", worker=worker)
    assert given.player("yellow")["workers"] == []
    assert given.player("yellow")["wages"] == 0


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"player": "yellow", "worker": "W02"}, "not_your_turn"),
        ({"player": "green", "worker": "W02"}, "unknown_player"),
        ({"player": "pink", "worker": "W02"}, "unknown_player"),
        ({"player": "blue", "worker": "W41"}, "unknown_worker"),
        ({"player": "blue", "worker": "C01"}, "unknown_worker"),
        ({"player": "blue", "worker": "W01"}, "worker_taken"),
        ({"player": "blue", "worker": 1}, "wrong_type"),
        ({"player": "blue"}, "missing_field"),
    ],
)
def test_a_worker_who_cannot_be_hired_is_refused(fields: dict[str, object], rule: str) -> None:
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W01")
    given.do("hire_worker", player="yellow", worker="W09")
    assert given.refuses("hire_worker", **fields) == rule


def test_only_ones_own_worker_can_be_fired() -> None:
    given = Scenario("blue", "yellow")
    given.hire(yellow=DEAR, blue=CHEAP)
    given.to("hire", 2)
    assert given.refuses("fire_worker", player="yellow", worker="W30") == "not_your_worker"
    assert given.refuses("fire_worker", player="yellow", worker="W28") == "not_your_worker"
    assert given.refuses("fire_worker", player="yellow", worker="W99") == "unknown_worker"
    assert given.refuses("fire_worker", player="blue", worker="W30") == "not_your_turn"


def test_who_can_afford_nobody_under_the_limit_loses_the_opportunity_in_round_1() -> None:
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 8_000}))
    while given.position["phase"] == "hire":
        given.idle()
    assert {player["wages"] for player in given.position["players"].values()} == {24_000}
    assert {len(player["workers"]) for player in given.position["players"].values()} == {3}
    lapsed = [event for event in given.table.entries[-1].events if event["event"] == "OpportunityLapsed"]
    assert [event["player"] for event in lapsed] == ["blue", "yellow", "blue", "yellow"]


def test_where_nobody_can_be_hired_round_1_begins_with_contracts() -> None:
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 31_000}))
    assert given.position["phase"] == "contracts"
    assert given.asks() == (["blue"], ["reveal_contracts"])


def test_an_empty_pile_offers_nobody() -> None:
    given = Scenario("blue", "yellow")
    given.hire(blue=workers_of("MC")[:5], yellow=workers_of("MC")[5:] + workers_of("A")[:2])
    given.to("hire", 2)
    offered = set(given.offer("hire_worker")["fields"]["worker"]["values"])
    assert not offered & set(workers_of("MC"))
    given.do("pass", player="yellow")
    given.do("fire_worker", player="blue", worker="W01")
    assert "W01" in given.offer("hire_worker")["fields"]["worker"]["values"]


def test_firing_tells_the_wage_where_an_event_has_changed_it() -> None:
    # given a tradesman and an apprentice, and an event by which the tradesman earns more for good
    dearer = (Effect("wage_change", type=("T",), amount=1_000, lasting="game"),)
    given = Scenario("blue", "yellow", catalog=deck(events={"E01": dearer}, wages={"T": 3_000}))
    tradesman, apprentice = workers_of("T")[0], workers_of("A")[0]
    given.hire(yellow=[tradesman, *workers_of("A")[:4]])
    given.to("events")
    given.do("turn_event", card="E01")
    given.to("hire", 2)

    # then only where it is not what is printed
    [event, *_] = given.do("fire_worker", player="yellow", worker=tradesman)
    assert event == {"event": "WorkerFired", "player": "yellow", "worker": tradesman, "wage": 4_000}
    given.do("pass", player="blue")
    [event, *_] = given.do("fire_worker", player="yellow", worker=apprentice)
    assert event == {"event": "WorkerFired", "player": "yellow", "worker": apprentice}
