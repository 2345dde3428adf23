"""The variants on choosing workers and on events."""

from typing import Any

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import ALL_SEATS, Scenario, workers_of

CHOOSING = ["choosing_workers"]


def choosing(round_: int = 1, **figures: Any) -> Scenario:
    given = Scenario("blue", "yellow", catalog=deck(**figures), variants=CHOOSING)
    if round_ > 1:
        given.to("hire", round_)
    return given


def test_a_look_costs_1000_and_its_opportunity_goes_on_mb_67() -> None:
    given = choosing()
    assert given.asks() == (["blue"], ["hire_worker", "look_through"])
    [offer] = [offer for offer in given.offers("blue") if offer["do"] == "look_through"]
    assert offer["fields"] == {"type": {"kind": "one_of", "values": ["A", "T", "F", "MC"]}}
    given.do("look_through", player="blue", type="F")
    assert (given.cash("blue"), given.position["bank"]) == (39_000, 616_000)
    assert given.position["hire"]["looked"] == "F"
    assert given.asks() == (["blue"], ["hire_worker"])  # in round 1 they must
    assert given.offer("hire_worker")["fields"]["worker"]["values"] == workers_of("F")
    assert [offer["do"] for offer in given.offers("blue")] == ["hire_worker"]
    assert given.refuses("hire_worker", player="blue", worker="W01") == "hire_from_that_pile"
    assert given.refuses("look_through", player="blue", type="A") == "looked_already"
    assert given.refuses("pass", player="blue") == "no_pass_in_round_1"
    given.do("hire_worker", player="blue", worker=workers_of("F")[3])
    assert given.position["hire"]["looked"] is None
    assert given.asks() == (["yellow"], ["hire_worker", "look_through"])


def test_nobody_looks_without_money_mb_67() -> None:
    given = choosing()
    given.give_money("blue", 0)
    assert given.refuses("look_through", player="blue", type="F") == "cannot_pay"
    assert [offer["do"] for offer in given.offers("blue")] == ["hire_worker"]


def test_without_the_variant_nobody_looks() -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("look_through", player="blue", type="F") == "variant_not_played"
    assert given.asks() == (["blue"], ["hire_worker"])


def test_only_who_is_asked_looks_and_only_in_phase_1() -> None:
    given = choosing()
    assert given.refuses("look_through", player="yellow", type="F") == "not_your_turn"
    given.to("events")
    assert given.refuses("look_through", player="blue", type="F") == "not_in_this_phase"


def test_after_a_look_he_may_decline_but_fire_nobody() -> None:
    given = choosing(2)
    assert given.asks() == (["yellow"], ["hire_worker", "fire_worker", "pass", "look_through"])
    cash = given.cash("yellow")
    given.do("look_through", player="yellow", type="MC")
    assert given.asks() == (["yellow"], ["hire_worker", "pass"])
    own = given.player("yellow")["workers"][0]
    assert given.refuses("fire_worker", player="yellow", worker=own) == "hire_from_that_pile"
    assert "fire_worker" not in [offer["do"] for offer in given.offers("yellow")]
    given.do("pass", player="yellow")
    assert given.cash("yellow") == cash - 1_000
    given.do("pass", player="blue")
    assert given.asks()[0] == ["yellow"]  # the fee is lost and the opportunity used, no more
    given.do("look_through", player="yellow", type="MC")
    assert given.cash("yellow") == cash - 2_000


def test_there_is_nothing_to_look_at_in_an_empty_pile() -> None:
    given = choosing(2)
    masters = [worker for worker in workers_of("MC") if worker not in given.player("yellow")["workers"]]
    given.give_cards("blue", *masters)
    assert given.refuses("look_through", player="yellow", type="MC") == "pile_is_empty"
    [offer] = [offer for offer in given.offers("yellow") if offer["do"] == "look_through"]
    assert offer["fields"]["type"]["values"] == ["A", "T", "F"]
    given.give_cards("blue", *[f"W{number:02}" for number in range(1, 41)])
    assert "look_through" not in [offer["do"] for offer in given.offers("yellow")]


def test_in_round_1_nobody_looks_where_nobody_fits() -> None:
    given = choosing(wages={"MC": 31_000})
    assert given.refuses("look_through", player="blue", type="MC") == "nobody_fits_there"
    [offer] = [offer for offer in given.offers("blue") if offer["do"] == "look_through"]
    assert offer["fields"]["type"]["values"] == ["A", "T", "F"]


def test_a_pile_that_a_correction_empties_after_the_look_stops_nobody() -> None:
    given = choosing(wages={"F": 1_000})
    given.do("look_through", player="blue", type="F")
    given.give_cards("yellow", *workers_of("F"))
    assert given.asks()[0] == ["yellow"]
    assert given.player("blue")["workers"] == []


@pytest.mark.parametrize(("seats", "dealt"), [(2, 4), (3, 6), (4, 8)])
def test_everybody_is_dealt_two_events_mb_68(seats: int, dealt: int) -> None:
    given = Scenario(*ALL_SEATS[:seats], variants=["selective_events"])
    assert sum(player["event_hand"] for player in given.position["players"].values()) == dealt


def sources(seats: int, *variants: str) -> list[list[tuple[str, bool]]]:
    """In each round the start player, and whether the events came from their hand."""
    given = Scenario(*ALL_SEATS[:seats], catalog=deck(wages={"*": 0}), variants=variants)
    rounds: list[list[tuple[str, bool]]] = [[] for _ in range(6)]
    while not given.position["finished"]:
        round_, start = given.position["round"], given.position["start_player"]
        for event in given.idle():
            if event["event"] == "EventTurned":
                rounds[round_ - 1].append((start, event["from_hand"]))
    return rounds


def test_two_players_have_played_their_hands_after_four_rounds_mb_68() -> None:
    rounds = sources(2, "selective_events")
    assert rounds == [[(("blue", "yellow")[number % 2], number < 4)] for number in range(6)]


def test_hands_of_three_or_four_last_the_game_mb_68() -> None:
    for seats in (3, 4):
        assert all(from_hand for [(_, from_hand)] in sources(seats, "selective_events"))


def test_while_there_is_a_hand_a_card_of_it_is_played() -> None:
    given = Scenario("blue", "yellow", variants=["selective_events"])
    given.to("events")
    assert given.refuses("turn_event", card="E05") == "event_from_hand"
    assert given.refuses("turn_event", card="E05", from_hand=False) == "event_from_hand"
    offer = given.offer("turn_event")
    assert (offer["by"], offer["from_hand"]) == ("blue", True)
    given.do("turn_event", card="E05", from_hand=True)
    assert [given.player(player)["event_hand"] for player in ("blue", "yellow")] == [1, 2]
    given.do("undo")
    assert given.player("blue")["event_hand"] == 2
    given.to("events", 5)
    assert given.refuses("turn_event", card="E05", from_hand=True) == "no_event_in_hand"
    assert "from_hand" not in given.offer("turn_event")


def test_two_events_come_one_after_the_other_mb_70() -> None:
    gift, hit = Effect("receive", amount=3_000), Effect("unavailable", type=("MC",), count=1)
    catalog = deck(events={"E05": [gift, hit], "E06": [gift, hit]})
    given = Scenario("blue", "yellow", catalog=catalog, variants=["additional_events"])
    given.hire(blue=("W01", "W02", "W09", "W18", "W28"))
    given.to("events")
    cash = given.cash("blue")
    given.do("turn_event", card="E05")
    assert given.refuses("turn_event", card="E06") == "event_not_due"
    given.do("choose_workers", player="blue", workers=["W01"])
    assert given.cash("blue") == cash + 3_000
    assert given.asks() == (["blue"], ["turn_event"])
    assert given.refuses("turn_event", card="E05") == "turned_before"
    given.do("turn_event", card="E06")
    given.do("choose_workers", player="blue", workers=["W01"])  # who lies face down may be hit again
    assert given.cash("blue") == cash + 6_000
    assert given.player("blue")["unavailable"] == ["W01"]
    assert given.position["phase"] == "build"
    assert given.position["turned"]["events"] == ["E05", "E06"]


@pytest.mark.parametrize(("variants", "drawn"), [((), 6), (("additional_events",), 12)])
def test_a_whole_game_draws_6_or_12_different_ones_of_16_mb_41(variants: tuple[str, ...], drawn: int) -> None:
    given = Scenario("blue", "yellow", catalog=deck(reveal={"*": (0, 0, 0)}), variants=variants)
    while not given.position["finished"]:
        given.idle()
    turned = given.position["turned"]["events"]
    assert len(turned) == len(set(turned)) == drawn
    assert set(turned) < {card.id for card in deck().events}


def test_without_the_variant_one_event_comes_a_round() -> None:
    assert [len(events) for events in sources(2)] == [1] * 6


def test_with_both_variants_a_card_of_the_hand_comes_first_and_then_one_of_the_deck() -> None:
    rounds = sources(2, "selective_events", "additional_events")
    assert [[from_hand for _, from_hand in events] for events in rounds] == [[True, False]] * 4 + [[False, False]] * 2


def test_of_the_second_card_none_comes_from_the_hand() -> None:
    given = Scenario("blue", "yellow", variants=["selective_events", "additional_events"])
    given.to("events")
    given.do("turn_event", card="E05", from_hand=True)
    assert given.refuses("turn_event", card="E06", from_hand=True) == "no_event_in_hand"
    given.do("turn_event", card="E06")
    assert given.position["phase"] == "build"
