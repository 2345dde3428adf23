"""House rules of phase 1: the order of round 1, going on until all pass, and wages beyond the track."""

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of


def first_lap_orders(draft: str) -> list[list[str]]:
    given = Scenario("blue", "yellow", "green", rules={"round1_draft": draft})
    orders: list[list[str]] = []
    while given.position["phase"] == "hire":
        lap = given.position["hire"]["lap"]
        orders += [[]] * (lap - len(orders))
        orders[-1] = [*orders[-1], given.asks()[0][0]]
        given.idle()
    return orders


def test_the_first_workers_are_taken_in_the_same_order_five_times() -> None:
    assert first_lap_orders("lap") == [["blue", "yellow", "green"]] * 5


def test_a_snake_turns_back_in_every_second_lap() -> None:
    there, back = ["blue", "yellow", "green"], ["green", "yellow", "blue"]
    assert first_lap_orders("snake") == [there, back, there, back, there]


def test_a_snake_is_for_the_first_round_only() -> None:
    given = Scenario("blue", "yellow", rules={"round1_draft": "snake"})
    given.to("hire", 2)
    asked: list[str] = []
    while given.position["phase"] == "hire":
        asked += given.asks()[0]
        given.do("pass", player=asked[-1])
    assert asked == ["yellow", "blue"] * 3


def until_all_pass() -> Scenario:
    given = Scenario("blue", "yellow", "green", rules={"hire_fire": "until_all_pass"})
    given.to("hire", 2)
    return given


def test_hiring_goes_on_until_three_pass_in_a_row_mb_22() -> None:
    given = until_all_pass()
    for act in ["H", "P", "P", "H", "P", "P"]:
        player = given.asks()[0][0]
        worker = given.offer("hire_worker")["fields"]["worker"]["values"][-1]
        if act == "H":
            given.do("hire_worker", player=player, worker=worker)
        else:
            given.do("pass", player=player)
    assert given.position["phase"] == "hire"
    given.do("pass", player=given.asks()[0][0])
    assert given.position["phase"] == "contracts"


def test_a_dismissal_too_lets_the_others_act_again() -> None:
    given = until_all_pass()
    given.do("pass", player="yellow")
    given.do("pass", player="green")
    given.do("fire_worker", player="blue", worker=given.player("blue")["workers"][0])
    given.do("pass", player="yellow")
    given.do("pass", player="green")
    assert given.position["phase"] == "hire"
    given.do("pass", player="blue")
    assert given.position["phase"] == "contracts"


def test_there_is_nothing_to_rest_from_while_all_go_on() -> None:
    given = until_all_pass()
    assert given.refuses("pass", player="yellow", rest=True) == "rest_does_not_exist"
    assert [offer for offer in given.offers("yellow") if offer.get("rest")] == []


def test_twenty_laps_are_the_bound_of_hiring_and_firing_for_ever() -> None:
    given = until_all_pass()
    acts = 0
    while given.position["phase"] == "hire":
        player = given.asks()[0][0]
        crew = given.player(player)["workers"]
        if len(crew) > 4:
            given.do("fire_worker", player=player, worker=crew[0])
        else:
            worker = given.offer("hire_worker")["fields"]["worker"]["values"][0]
            given.do("hire_worker", player=player, worker=worker)
        acts += 1
    assert acts == 20 * 3


def risen(rule: str, *effects: Effect) -> Scenario:
    """Blue holds four masters, two foremen and an apprentice, 29,000; then E05 raises wages."""
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": effects}), rules={"wage_overflow": rule})
    masters, foremen = workers_of("MC"), workers_of("F")
    given.hire(blue=(*masters[:4], foremen[0]), yellow=workers_of("A")[:5])
    given.to("events")
    given.give_cards("blue", foremen[1], workers_of("A")[12])
    assert given.player("blue")["wages"] == 29_000
    given.do("turn_event", card="E05")
    return given


DEARER = Effect("wage_change", type=("MC",), amount=1_000, lasting="game")


@pytest.mark.parametrize(("rule", "paid"), [("cap", 30_000), ("full", 33_000)])
def test_wages_beyond_the_track_are_paid_up_to_its_end_or_in_full(rule: str, paid: int) -> None:
    given = risen(rule, DEARER)
    assert given.player("blue")["wages"] == 33_000
    given.give_money("blue", 50_000)
    given.to("hire", 2)
    assert given.cash("blue") == 50_000 - paid
    given.do("pass", player="yellow")
    assert given.refuses("hire_worker", player="blue", worker=workers_of("A")[11]) == "wage_limit"


def test_who_stands_beyond_the_track_dismisses_just_enough() -> None:
    given = risen("dismiss", DEARER)
    masters, foremen, apprentice = workers_of("MC"), workers_of("F"), workers_of("A")[12]
    assert given.asks() == (["blue"], ["choose_workers"])
    field = given.offer("choose_workers")["fields"]["workers"]
    assert field["kind"] == "any_set"
    assert sorted(field["values"]) == sorted([[worker] for worker in (*masters[:4], *foremen[:2])])
    for wrong in (
        [],
        [apprentice],
        [foremen[0], apprentice],
        [foremen[0], foremen[0]],
        ["W40"],
        [masters[0], foremen[0]],
    ):
        assert given.refuses("choose_workers", player="blue", workers=wrong) == "dismiss_just_enough"
    assert given.refuses("choose_sections", player="blue", sections={}) == "no_sections_to_choose"
    events = given.do("choose_workers", player="blue", workers=[foremen[0]])
    assert {"event": "WorkersDismissed", "player": "blue", "workers": [foremen[0]]} in events
    assert given.player("blue")["wages"] == 29_000
    assert given.position["phase"] == "build"
    given.to("hire", 2)
    assert foremen[0] in given.offer("hire_worker")["fields"]["worker"]["values"]


def test_where_nobody_else_would_do_he_goes_at_once() -> None:
    given = risen("dismiss", Effect("wage_change", quirk=("S",), type=("MC",), amount=30_000))
    assert given.position["workers"] == {}  # the only dear one has gone
    assert given.position["phase"] == "build"
    assert given.player("blue")["wages"] == 24_000


def test_all_effects_of_the_card_come_before_the_choice() -> None:
    given = risen("dismiss", DEARER, Effect("dismiss", type=("F",)))
    assert given.position["phase"] == "build"  # without the foremen they are below the end of the track
    assert given.player("blue")["wages"] == 25_000


def test_any_set_that_is_just_enough_may_go_though_not_all_are_listed() -> None:
    raising = Effect("wage_change", amount=1_000)
    catalog = deck(events={"E05": [raising]}, wages={"*": 1_000})
    given = Scenario("blue", "yellow", catalog=catalog, rules={"wage_overflow": "dismiss"})
    given.to("events")
    crew = given.player("blue")["workers"]
    spare = [f"W{number:02}" for number in range(1, 41) if f"W{number:02}" not in given.player("yellow")["workers"]]
    given.give_cards("blue", *[worker for worker in spare if worker not in crew][:25])
    given.do("turn_event", card="E05")
    assert given.player("blue")["wages"] == 60_000
    assert len(given.offer("choose_workers")["fields"]["workers"]["values"]) == 200
    last = given.player("blue")["workers"][-15:]
    assert given.refuses("choose_workers", player="blue", workers=last[1:]) == "dismiss_just_enough"
    given.do("choose_workers", player="blue", workers=last)
    assert given.player("blue")["wages"] == 30_000
