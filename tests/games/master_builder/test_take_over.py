"""Taking over a game already begun at the table: what has to be said, what follows, and every fault told."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.table.table import Request, Table
from tests.opened import house_deck
from tests.refusal_details import check_details
from tests.scenario import Json, empty_table


def position(**more: Any) -> Json:
    """A game of three in round 3, with no more said than has to be."""
    return {
        "game": "master_builder",
        "round": 3,
        "phase": "hire",
        "start_player": "yellow",
        "players": {
            "blue": {"cash": 21_000, "workers": ["W07", "W31"], "contracts": {"C08": ["gable-1", "wall-1"]}},
            "yellow": {"cash": 40_000, "name": "Ben", "workers": ["W01"], "completed": ["C01"]},
            "green": {"cash": 5_000, "contracts": {"C03": []}, "loans": {"small": 1}},
        },
        "display": {"C05": 5_000},
        **more,
    }


def take(said: Json, **more: Any) -> Table:
    table = empty_table(house_deck())
    table.submit(Request({"do": "take_over", "position": said, **more}, "banker", "test"))
    return table


def shown(said: Json) -> Json:
    seen = take(said).position_json("banker")
    assert seen is not None
    return seen


def faults(said: Json) -> list[Any]:
    """The rules that a position breaks, each with what it names."""
    table = empty_table(house_deck())
    with pytest.raises(Refused) as refused:
        table.submit(Request({"do": "take_over", "position": said}, "banker", "test"))
    assert table.version == 0
    assert refused.value.rule == "position_faulty"
    broken_rules: list[Any] = [(fault["rule"], fault["details"]) for fault in refused.value.details["faults"]]  # type: ignore[index, union-attr]
    for rule, details in broken_rules:
        check_details(rule, details)
    return broken_rules


# ---------------------------------------------------------------------------------------- what follows
def test_what_is_left_out_follows_from_the_rest() -> None:
    seen = shown(position())
    assert (seen["bank"], seen["on_contracts"], seen["money_in_play"]) == (624_000, 5_000, 695_000)
    assert seen["deck"] == {"contracts": 8, "economy": 4}
    assert (seen["last_round"], seen["waiting_for"], seen["hire"]["lap"]) == (6, ["yellow"], 1)
    assert seen["seats"] == ["blue", "yellow", "green"]
    assert list(seen["players"]) == ["yellow", "green", "blue"]
    assert [player["name"] for player in seen["players"].values()] == ["Ben", "Green", "Blue"]
    assert seen["players"]["green"]["owes"] == 13_000


def test_it_is_the_first_entry_and_cannot_be_undone_nor_come_later() -> None:
    table = take(position(), reason="the other tablet broke")
    assert table.entries[0].events[0]["reason"] == "the other tablet broke"
    with pytest.raises(Refused) as refused:
        table.submit(Request({"do": "undo"}, "banker", "test"))
    assert refused.value.rule == "nothing_to_undo"
    with pytest.raises(Refused) as refused:
        table.submit(Request({"do": "take_over", "position": position()}, "banker", "test"))
    assert refused.value.rule == "started_already"


def test_a_section_that_was_entered_wrongly_is_put_right_by_amending_the_position() -> None:
    # given a game taken over with a section too few, at which was played on
    table = take(position())
    table.submit(Request({"do": "hire_worker", "player": "yellow", "worker": "W30"}, "banker", "test"))

    # when its first entry is amended
    right = position()
    right["players"]["blue"]["contracts"]["C08"].append("wall-2")
    amend = {"do": "amend", "seq": 1, "with": {"do": "take_over", "position": right}, "confirm": True}
    table.submit(Request(amend, "banker", "test"))

    # then the section stands, and what was played holds
    players = (table.position_json("banker") or {})["players"]
    assert players["blue"]["contracts"]["C08"] == ["gable-1", "wall-1", "wall-2"]
    assert "W30" in players["yellow"]["workers"]


def test_with_two_players_four_contracts_stay_in_the_box() -> None:
    two = position()
    del two["players"]["green"]
    assert shown(two)["deck"]["contracts"] == 5


@pytest.mark.parametrize(
    ("more", "economy"),
    [
        ({"round": 1}, 5),
        ({"round": 2}, 5),
        ({"round": 2, "phase": "events"}, 4),
        ({"round": 3, "phase": "contracts"}, 4),
        ({"round": 3, "phase": "contracts", "economy_due": False}, 3),
        ({"round": 6, "phase": "build"}, 0),
        ({"turned": {"economy": ["Y01", "Y05", "Y07"]}}, 2),
        ({"deck": {"economy": 1}}, 1),
    ],
)
def test_the_economy_deck_is_reckoned_by_the_round_if_nobody_counted_it(more: Json, economy: int) -> None:
    assert shown(position(**more))["deck"]["economy"] == economy


def test_a_phase_without_details_has_just_begun() -> None:
    assert shown(position(phase="contracts"))["expects"] == ["turn_economy"]
    assert shown(position(phase="contracts", round=1))["reveal_due"] == 0
    assert shown(position(phase="events"))["expects"] == ["turn_event"]
    assert shown(position(phase="build"))["waiting_for"] == ["blue"]
    assert shown(position(phase="finished"))["standings"][0]["player"] == "yellow"


def test_income_that_was_reached_is_paid_finished_buildings_first() -> None:
    whole = ["gable-1", "gable-2", "roof-1", "roof-2", "wall-1", "wall-2"]
    said = position(phase="income")
    said["players"]["blue"]["contracts"]["C08"] = whole
    events = [event["event"] for event in take(said).entries[0].events]
    assert events == ["GameTakenOver", "PricePaid", *["WagesPaid"] * 3, "RoundBegan"]


def test_wages_that_an_event_changed_are_kept() -> None:
    said = position(workers={"W07": 6_000}, round_wages={"W07": 1_000})
    printed = {card.id: card.wage for card in house_deck().workers}
    seen = shown(said)
    assert seen["players"]["blue"]["wages"] == 6_000 + printed["W31"]
    assert (seen["workers"], seen["round_wages"]) == ({"W07": 6_000}, {"W07": 1_000})


def test_an_auction_goes_on_with_the_bidder_who_is_asked() -> None:
    auction = {"contract": "C05", "bid": 9_000, "leader": "yellow", "still_in": ["yellow", "green", "blue"]}
    seen = shown(position(phase="contracts", auction=auction, waiting_for=["blue"]))
    assert (seen["waiting_for"], seen["expects"]) == (["blue"], ["bid", "pass"])
    assert shown(position(phase="contracts", auction=auction))["waiting_for"] == ["blue"]  # green has not the money


def test_those_in_an_auction_bid_in_turn_order_however_they_are_named() -> None:
    still_in = ["blue", "green", "yellow"]
    said = position(
        phase="contracts", auction={"contract": "C05", "bid": 4_000, "leader": "yellow", "still_in": still_in}
    )
    assert shown(said)["auction"]["still_in"] == ["yellow", "green", "blue"]
    assert shown(said)["waiting_for"] == ["green"]


def test_in_round_1_who_has_no_contract_may_be_in_an_auction() -> None:
    still_in = ["yellow", "green"]
    said = with_second_contract({**AUCTION, "bid": 4_000, "still_in": still_in})()
    said["players"]["green"]["contracts"] = {}
    assert shown(said)["auction"]["still_in"] == still_in


def test_an_event_goes_on_where_it_is() -> None:
    card = next(card for card in house_deck().events if any(effect.count for effect in card.effects))
    seen = shown(position(phase="events", event={"card": card.id}))
    assert (seen["phase"], card.id in seen["turned"]["events"]) == ("build", True)


def test_every_place_of_a_hand_of_events_is_dealt_unless_said_otherwise() -> None:
    seen = shown(position(variants=["selective_events"]))
    assert {player["event_hand"] for player in seen["players"].values()} == {2}


@pytest.mark.parametrize(
    ("crews", "lap", "waits"),
    [
        ((0, 0, 0), 1, "yellow"),
        ((3, 3, 3), 4, "yellow"),
        ((3, 4, 4), 4, "blue"),
        ((4, 5, 4), 5, "green"),
        ((1, 4, 3), 2, "blue"),
    ],
)
def test_in_round_1_the_lap_follows_from_the_crews_and_everybody_ends_with_five(
    crews: tuple[int, ...], lap: int, waits: str
) -> None:
    # given a game in round 1 of which is told how many workers everybody has hired
    said = position(round=1, display={})
    spare = [card.id for card in house_deck().workers]
    for player, count in zip(said["players"].values(), crews, strict=True):
        player |= {"workers": [spare.pop() for _ in range(count)], "contracts": {}, "completed": []}

    # then it goes on with whoever comes next
    table = take(said)
    at = table.position_json("banker")
    assert at is not None
    assert (at["hire"]["lap"], at["hire"]["laps"], at["waiting_for"]) == (lap, 5, [waits])

    # and as well where the lap is told besides
    assert shown({**said, "hire": {"lap": lap}})["hire"] == at["hire"]

    # and after the phase everybody has five workers
    while at["phase"] == "hire":
        command = {"do": "hire_worker", "player": at["waiting_for"][0], "worker": spare.pop()}
        table.submit(Request(command, "banker", "test"))
        at = table.position_json("banker")
        assert at is not None
    assert {len(player["workers"]) for player in at["players"].values()} == {5}


def test_in_round_1_phase_2_follows_once_everybody_has_five_workers() -> None:
    said = position(round=1, display={})
    spare = [card.id for card in house_deck().workers]
    for player in said["players"].values():
        player |= {"workers": [spare.pop() for _ in range(5)], "contracts": {}, "completed": []}

    assert (shown(said)["phase"], shown(said)["reveal_due"]) == ("contracts", 4)
    assert faults({**said, "hire": {"lap": 2}})[0][0] == "disagrees"
    assert faults({**said, "waiting_for": ["green"]})[0][0] == "disagrees"


@pytest.mark.parametrize("worker", ["W07", "W20"])
def test_an_event_goes_on_with_workers_whom_it_hit_employed_or_dismissed(worker: str) -> None:
    # given an event of which Blue's second effect is due, and a worker of theirs, or one whom it has dismissed
    seen = shown(position(phase="events", event={**HIT, "hit": [worker]}))

    # then it pays for that worker
    assert (seen["phase"], seen["players"]["blue"]["cash"]) == ("build", 24_000)


# ---------------------------------------------------------------------------------------- faults
def blue(**changes: Any) -> Callable[[], Json]:
    def changed() -> Json:
        said = position()
        said["players"]["blue"].update(changes)
        return said

    return changed


def with_(**more: Any) -> Callable[[], Json]:
    return lambda: position(**more)


def face_down_and_lent() -> Json:
    said = position(phase="build", variants=["loaning_workers"], lent=[LENT])
    said["players"]["blue"]["unavailable"] = ["W07"]
    return said


def with_second_contract(auction: Json) -> Callable[[], Json]:
    """Round 1: blue has two contracts, so that only who has none may bid."""

    def changed() -> Json:
        said = position(phase="contracts", round=1, auction=auction, display={"C05": 0})
        said["players"]["blue"]["contracts"] = {"C08": [], "C07": []}
        said["players"]["yellow"]["completed"] = []
        return said

    return changed


def settled(**more: Any) -> Callable[[], Json]:
    """Phase 5, half over."""
    return with_(phase="income", settlement=more)


HIT = {"card": "E03", "player": "blue", "effect": 1}
PRICE = next(card.price for card in house_deck().contracts if card.id == "C01")
AUCTION = {"contract": "C05", "bid": 9_000, "leader": "yellow", "still_in": ["yellow", "blue"]}
LENT = {"worker": "W07", "owner": "blue", "borrower": "green"}


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (with_(round=0), "no_such_round"),
        (with_(round=7), "no_such_round"),
        (with_(last_round=2), "last_round_cannot_be"),
        (with_(start_player="red"), "unknown_player"),
        (with_(seats=["blue", "yellow"]), "seats_differ"),
        (with_(players={"blue": {"cash": 0}}, start_player="blue"), "number_of_players"),
        (blue(name=" "), "name_length"),
        (blue(event_hand=1), "event_hand_cannot_be"),
        (blue(cash=-1_000), "cash_cannot_be"),
        (blue(cash=1_500), "cash_cannot_be"),
        (blue(cash=690_000), "more_money_than_in_the_box"),
        (with_(bank=623_000), "money_does_not_add_up"),
        (blue(loans={"small": -1}), "loans_cannot_be"),
        (with_(display={"C05": 3_000}), "premium_cannot_be"),
        (blue(workers=["W01"]), "in_two_places"),
        (blue(workers=["W07", "W07"]), "in_two_places"),
        (blue(workers=["W77"]), "unknown_worker"),
        (blue(contracts={"C77": []}), "unknown_contract"),
        (blue(contracts={"C05": []}), "in_two_places"),
        (blue(unavailable=["W01"]), "not_your_worker"),
        (blue(contracts={"C08": ["roof-1"]}), "needs_wall_and_gable"),
        (blue(contracts={"C08": ["side-1a"]}), "no_such_section"),
        (blue(contracts={"C08": ["wall-1", "gable-1", "wall-1"]}), "section_twice"),
        (
            blue(contracts={"C08": ["gable-1", "gable-2", "roof-1", "roof-2", "wall-1", "wall-2"]}),
            "finished_but_unpaid",
        ),
        (with_(removed=["C05"]), "in_two_places"),
        (with_(turned={"events": ["E01", "E01"]}), "named_twice"),
        (with_(turned={"events": ["E99"]}), "unknown_event"),
        (with_(turned={"economy": ["Y99"]}), "unknown_economy"),
        (with_(deck={"economy": 6}), "economy_deck_cannot_be"),
        (with_(deck={"contracts": 7}), "disagrees"),
        (blue(wages=3_000), "disagrees"),
        (with_(loans_late=True), "disagrees"),
        (with_(waiting_for=["yellow"], expects=["bid"]), "disagrees"),
        (with_(standings=[{"player": "blue", "rank": 1}]), "disagrees"),
        (with_(workers={"W40": 3_000}), "wage_of_nobody"),
        (with_(workers={"W07": 500}), "wage_cannot_be"),
        (with_(hire={"lap": 4}), "no_such_lap"),
        (with_(hire={"laps": 5}), "disagrees"),
        (with_(hire={"rested": ["red"]}), "unknown_player"),
        (with_(hire={"passes": -1}), "passes_cannot_be"),
        (with_(hire={"lap": 2, "passes": 7}), "passes_cannot_be"),
        (with_(hire={"passes": 3}, rules={"hire_fire": "until_all_pass"}), "passes_cannot_be"),
        (with_(hire={"rested": ["blue"]}, rules={"hire_fire": "until_all_pass"}), "rest_does_not_exist"),
        (with_(hire={"rested": ["yellow"]}), "cannot_wait_for"),
        (with_(hire={"looked": "A"}), "variant_not_played"),
        (with_(waiting_for=["blue", "yellow"]), "one_at_a_time"),
        (with_(declined=["blue"]), "belongs_to_phase"),
        (with_(reveal_due=2), "belongs_to_phase"),
        (with_(phase="contracts", reveal_due=9), "reveal_cannot_be"),
        (with_(phase="contracts", round=1, economy_due=True), "economy_not_due"),
        (with_(phase="contracts", auction={**AUCTION, "contract": "C06"}), "not_on_display"),
        (with_(phase="contracts", auction={**AUCTION, "leader": "green"}), "leader_left"),
        (with_(phase="contracts", auction={**AUCTION, "bid": 0}), "bid_below_cost"),
        (with_(phase="contracts", auction={**AUCTION, "bid": 900_000}), "cannot_pay"),
        (with_(phase="contracts", auction=AUCTION, waiting_for=["yellow"]), "cannot_wait_for"),
        (with_(phase="events", drawn=1), "events_cannot_be"),
        (with_(phase="events", event={"card": "E01", "effect": 9}), "no_such_effect"),
        (with_(phase="events", event={"card": "E03", "effect": 1}), "missing_field"),
        (with_(phase="events", event={"card": "E03", "hit": ["W07"]}), "missing_field"),
        (with_(phase="events", event={**HIT, "hit": ["W07", "W07"]}), "named_twice"),
        (with_(phase="events", event={**HIT, "hit": ["W99"]}), "unknown_worker"),
        (with_(phase="events", event={**HIT, "hit": ["W01"]}), "not_your_worker"),
        (settled(earned=[{"player": "yellow", "contract": "C01", "price": -7}]), "disagrees"),
        (settled(earned=[{"player": "yellow", "contract": "C01", "price": PRICE}] * 2), "named_twice"),
        (settled(paid={"blue": -3}), "not_whole_thousands"),
        (with_(phase="build", planned=["blue"]), "plans_are_made_again"),
        (with_(phase="build", lent=[LENT]), "variant_not_played"),
        (with_(phase="build", variants=["loaning_workers"], lent=[{**LENT, "owner": "yellow"}]), "not_your_worker"),
        (with_(phase="build", variants=["loaning_workers"], lent=[{**LENT, "borrower": "blue"}]), "not_to_oneself"),
        (
            with_(phase="build", variants=["loaning_workers"], lent=[LENT, {**LENT, "borrower": "yellow"}]),
            "named_twice",
        ),
        (face_down_and_lent, "worker_not_free"),
        (with_second_contract(AUCTION), "may_not_bid"),
        (
            with_(
                phase="income",
                settlement={"earned": [{"player": "blue", "contract": "C08", "price": 1_000}], "paid": {}},
            ),
            "not_your_contract",
        ),
        (with_(catalog="none"), "unknown_catalog"),
    ],
)
def test_a_fault_is_told(said: Callable[[], Json], rule: str) -> None:
    assert rule in [broken for broken, _ in faults(said())]


def test_all_faults_are_told_at_once_and_none_twice() -> None:
    said = position(display={"C05": 3_000, "C08": 0})
    said["players"]["blue"]["cash"] = 1_234
    said["players"]["green"]["workers"] = ["W01", "W99"]
    broken_rules = faults(said)
    assert sorted(rule for rule, _ in broken_rules) == [
        "cash_cannot_be",
        "in_two_places",
        "in_two_places",
        "premium_cannot_be",
        "unknown_worker",
    ]
    assert ("in_two_places", {"card": "C08", "places": ("blue", "display")}) in broken_rules


def test_more_than_two_contracts_in_round_1_and_more_than_are_in_the_game_are_told() -> None:
    said = position(round=1)
    said["players"]["blue"]["contracts"] = {f"C0{number}": [] for number in range(5, 9)}
    said["display"] = {"C10": 0}
    assert "two_contracts_in_round_1" in [rule for rule, _ in faults(said)]
    del said["players"]["green"]
    said["players"]["yellow"]["completed"] = ["C09"]
    said["display"] = {f"C{number}": 0 for number in (10, 11, 12, "02")}
    assert ("more_contracts_than_there_are", {"count": 9, "playing": 8}) in faults(said)


def test_with_no_contract_left_the_last_round_has_to_be_said() -> None:
    said = position(display={}, removed=[f"C{number:02}" for number in range(1, 13) if number not in {1, 3, 8}])
    assert faults(said) == [("say_the_last_round", {})]
    assert shown({**said, "last_round": 3})["last_round"] == 3
    assert faults({**said, "phase": "contracts"}) == [("say_the_last_round", {})]
    assert shown({**said, "phase": "contracts", "last_round": 6})["last_round"] == 6
    again = {**said, "phase": "contracts", "last_round": 3}  # phase 2 ends at once, and looks whether the game does
    assert (shown(again)["phase"], shown(again)["last_round"]) == ("events", 3)
    assert shown({**said, "rules": {"removed_counts_for_end": False}})["last_round"] == 6


def test_iou_cards_that_there_are_not_are_told_where_they_are_limited() -> None:
    said = position(rules={"iou_supply": "limited"})
    said["players"]["blue"]["loans"] = {"large": 7}
    assert faults(said) == [("loan_sold_out", {"loan": "large"})]


def test_open_plans_are_taken_over_and_must_be_possible() -> None:
    said = position(phase="build", rules={"plans": "open"}, plans={"blue": {"C08": {"roof-1": ["W07"]}}})
    assert faults(said)
    assert shown({**said, "plans": {}})["waiting_for"] == ["blue"]
    lending = {**said, "variants": ["loaning_workers"], "plans": {"green": {}}}
    assert shown(lending)["expects"] == ["plan"]  # after the first plan nobody lends


@pytest.mark.parametrize(
    ("said", "rule", "field"),
    [
        ({**position(), "cash": 3}, "unknown_field", "position.cash"),
        ({**position(), "round": "3"}, "wrong_type", "position.round"),
        ({key: value for key, value in position().items() if key != "phase"}, "missing_field", "position.phase"),
        ({**position(), "players": {"purple": {"cash": 0}}}, "wrong_type", "position.players.purple.[key]"),
    ],
)
def test_what_is_no_position_at_all_is_refused_by_its_field(said: Json, rule: str, field: str) -> None:
    table = empty_table(house_deck())
    with pytest.raises(Refused) as refused:
        table.submit(Request({"do": "take_over", "position": said}, "banker", "test"))
    assert (refused.value.rule, refused.value.details["field"]) == (rule, field)
