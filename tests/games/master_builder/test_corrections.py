"""The banker puts the books right: money, cards, counted cash, names."""

from typing import Any

import pytest

from companion.games.master_builder.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

MASTERS = workers_of("MC")
PHASES = ["hire", "contracts", "events", "build", "income", "finished"]
ANYBODY = {"sections": {"*": ["A"]}, "cost": 2_000}


def in_phase(phase: str) -> Scenario:
    given = Scenario("blue", "yellow")
    given.to("build", 2)
    given.give_money("yellow", 0)
    if phase == "finished":
        given.to("finished", 6)
    else:
        given.to(phase, 3 if phase in {"hire", "contracts", "events"} else 2)
    return given


def moment(given: Scenario) -> tuple[Any, ...]:
    return given.position["phase"], given.position["round"], *given.asks()


@pytest.mark.parametrize("phase", PHASES)
def test_money_is_corrected_in_every_phase(phase: str) -> None:
    given = in_phase(phase)
    before, blue, bank = moment(given), given.cash("blue"), given.position["bank"]
    given.do("correct_money", from_="bank", to="blue", amount=5_000, reason="paid twice")
    assert (given.cash("blue"), given.position["bank"]) == (blue + 5_000, bank - 5_000)
    assert moment(given) == before
    events = given.do("correct_money", from_="blue", to="yellow", amount=1_000, reason="a debt of honour")
    assert events[0] == {
        "event": "MoneyCorrected",
        "from": "blue",
        "to": "yellow",
        "amount": 1_000,
        "reason": "a debt of honour",
    }
    assert given.cash("blue") == blue + 4_000


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"from_": "blue", "to": "bank", "amount": 41_000}, "cannot_pay"),
        ({"from_": "blue", "to": "blue", "amount": 1_000}, "same_account"),
        ({"from_": "bank", "to": "bank", "amount": 1_000}, "same_account"),
        ({"from_": "green", "to": "bank", "amount": 1_000}, "unknown_player"),
        ({"from_": "bank", "to": "C01", "amount": 1_000}, "unknown_player"),
        ({"from_": "bank", "to": "box", "amount": 1_000}, "unknown_player"),
        ({"from_": "bank", "to": "blue", "amount": 0}, "nothing_to_move"),
        ({"from_": "bank", "to": "blue", "amount": -1_000}, "not_whole_thousands"),
        ({"from_": "bank", "to": "blue", "amount": 1_500}, "not_whole_thousands"),
        ({"from_": "bank", "to": "blue", "amount": 1_000.0}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": True}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": "1000"}, "wrong_type"),
        ({"from_": "bank", "to": None, "amount": 1_000}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": ""}, "reason_missing"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": " \n"}, "reason_missing"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": None}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": 7}, "wrong_type"),
        ({"to": "blue", "amount": 1_000}, "missing_field"),
    ],
)
def test_money_that_cannot_be_corrected_is_refused(fields: dict[str, Any], rule: str) -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("correct_money", **{"reason": "why", **fields}) == rule


def test_a_correction_needs_a_reason() -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("correct_money", from_="bank", to="blue", amount=1_000) == "missing_field"
    assert given.refuses("correct_card", card="W01", to="blue") == "missing_field"
    assert given.refuses("correct_card", card="W01", to="blue", reason="  ") == "reason_missing"


def test_the_bank_may_fall_below_nothing() -> None:
    given = Scenario("blue", "yellow")
    given.do("correct_money", from_="bank", to="blue", amount=700_000, reason="a rich uncle")
    assert given.position["bank"] == -85_000
    assert given.position["money_in_play"] == 695_000


@pytest.mark.parametrize("phase", PHASES)
def test_cash_is_counted_in_every_phase_and_moves_nothing(phase: str) -> None:
    given = in_phase(phase)
    before, booked = given.position, given.cash("blue")
    [event] = given.do("count_cash", player="blue", amount=booked + 3_000)
    assert event == {
        "event": "CashCounted",
        "player": "blue",
        "counted": booked + 3_000,
        "booked": booked,
        "difference": 3_000,
    }
    [agreed] = given.do("count_cash", player="blue", amount=booked)
    assert agreed["difference"] == 0
    assert given.position == before
    assert given.refuses("count_cash", player="blue", amount=booked + 1) == "not_whole_thousands"
    assert given.refuses("count_cash", player="blue", amount=-1_000) == "not_whole_thousands"
    assert given.refuses("count_cash", player="red", amount=0) == "unknown_player"


@pytest.mark.parametrize("phase", PHASES)
def test_a_worker_is_corrected_in_every_phase(phase: str) -> None:
    given = in_phase(phase)
    given.give_money("yellow", 0 if phase == "income" else 30_000)
    worker = given.player("blue")["workers"][0]
    before = given.player("blue")["wages"]
    given.do("correct_card", card="W01", to="blue", reason="wrong worker scanned")
    assert "W01" in given.player("blue")["workers"]
    assert given.player("blue")["wages"] == before + 5_000
    given.do("correct_card", card=worker, to="yellow", reason="wrong worker scanned")
    assert worker in given.player("yellow")["workers"]
    given.do("correct_card", card="W01", to="supply", reason="wrong worker scanned")
    assert "W01" not in given.player("blue")["workers"]
    assert given.position["phase"] == phase


def test_no_wage_limit_binds_a_correction() -> None:
    given = Scenario("blue", "yellow")
    given.give_cards("blue", *MASTERS)
    assert given.player("blue")["wages"] == 40_000
    lapsed = [event for entry in given.table.entries for event in entry.events if event["event"] == "OpportunityLapsed"]
    assert lapsed  # it was blue's opportunity, and nobody fits any more
    assert given.asks()[0] == ["yellow"]


def test_a_moved_worker_is_face_up_and_at_his_printed_wage() -> None:
    hit = [Effect("unavailable", type=("MC",)), Effect("wage_change", type=("MC",), amount=2_000, lasting="game")]
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": hit}))
    given.hire(blue=MASTERS[:5])
    given.to("events")
    given.do("turn_event", card="E05")
    assert given.player("blue")["unavailable"] == MASTERS[:5]
    given.do("correct_card", card="W01", to="yellow", reason="his after all")
    assert given.player("yellow")["unavailable"] == []
    assert "W01" not in given.position["workers"]
    given.do("correct_card", card="W01", to="blue", reason="no")
    assert given.player("blue")["unavailable"] == MASTERS[1:5]
    assert given.player("blue")["wages"] == 4 * 7_000 + 5_000


@pytest.mark.parametrize(
    ("card", "to", "rule"),
    [
        ("W01", "supply", "lies_there_already"),
        ("W02", "blue", "lies_there_already"),
        ("W01", "display", "no_such_place"),
        ("W01", "deck", "no_such_place"),
        ("W01", "removed", "no_such_place"),
        ("W01", "green", "no_such_place"),
        ("W01", "bank", "no_such_place"),
        ("C01", "supply", "no_such_place"),
        ("C01", "green", "no_such_place"),
        ("C01", "bank", "no_such_place"),
        ("C01", "deck", "lies_there_already"),
        ("E01", "deck", "undo_instead"),
        ("Y01", "deck", "undo_instead"),
        ("W41", "blue", "unknown_card"),
        ("C13", "blue", "unknown_card"),
        ("", "blue", "unknown_card"),
        (1, "blue", "wrong_type"),
        ("W01", None, "wrong_type"),
    ],
)
def test_a_card_that_cannot_be_put_there_is_refused(card: object, to: object, rule: str) -> None:
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W02")
    assert given.refuses("correct_card", card=card, to=to, reason="why") == rule


def with_contracts() -> Scenario:
    """Phase 4 of round 1: blue has C03 with two sections planned, yellow C01; C02 has 5,000 on it."""
    given = Scenario("blue", "yellow", catalog=deck(contracts={"*": ANYBODY}, wages={"*": 0}))
    given.hire(blue=workers_of("A")[:5], yellow=workers_of("A")[5:10])
    given.reveal("C01", "C02", "C03")
    given.sell("C03", "blue")
    given.sell("C01", "yellow")
    given.pass_all()
    given.to("build")
    return given


def test_a_contract_goes_with_what_is_built_on_it() -> None:
    given = with_contracts()
    given.raise_("blue", C03="wall-1 gable-1")
    given.to("hire", 2)
    given.do("correct_card", card="C03", to="yellow", reason="wrong seat")
    assert given.player("yellow")["contracts"]["C03"] == ["gable-1", "wall-1"]
    assert given.player("blue")["contracts"] == {}
    given.do("correct_card", card="C03", to="removed", reason="lost")
    assert given.position["removed"] == ["C03"]
    given.do("correct_card", card="C03", to="blue", reason="found")
    assert given.player("blue")["contracts"] == {"C03": []}  # what was built had come off


def test_a_finished_contract_stays_finished_with_another_player() -> None:
    given = with_contracts()
    given.give_cards("blue", "W40")
    given.raise_("blue", C03="wall-1 wall-2 gable-1 gable-2 roof-1 roof-2")
    given.to("hire", 2)
    assert given.player("blue")["completed"] == ["C03"]
    cash = given.cash("yellow")
    given.do("correct_card", card="C03", to="yellow", reason="his after all")
    assert (given.player("blue")["completed"], given.player("yellow")["completed"]) == ([], ["C03"])
    given.to("hire", 3)
    assert given.cash("yellow") == cash  # it is not paid a second time
    given.do("correct_card", card="C03", to="display", reason="all wrong")
    given.do("correct_card", card="C03", to="yellow", reason="all wrong")
    assert given.player("yellow")["contracts"]["C03"] == []


def test_money_on_a_contract_that_leaves_the_display_goes_to_the_bank() -> None:
    given = with_contracts()
    bank = given.position["bank"]
    assert given.position["display"] == {"C02": 5_000}
    given.do("correct_card", card="C02", to="blue", reason="bought it")
    assert given.position["bank"] == bank + 5_000
    assert given.position["on_contracts"] == 0
    given.do("correct_card", card="C02", to="display", reason="no")
    assert given.position["display"] == {"C02": 0}


@pytest.mark.parametrize("to", ["blue", "display", "removed"])
def test_a_contract_never_seen_comes_out_of_the_deck(to: str) -> None:
    given = with_contracts()
    deck_before = given.position["deck"]["contracts"]
    given.do("correct_card", card="C08", to=to, reason="it lay there")
    assert given.position["deck"]["contracts"] == deck_before - 1
    given.do("correct_card", card="C08", to="deck", reason="no")
    assert given.position["deck"]["contracts"] == deck_before
    assert "C08" not in {*given.position["display"], *given.position["removed"], *given.player("blue")["contracts"]}
    given.to("contracts", 2)
    given.idle()
    assert "C08" in given.offer("reveal_contracts")["fields"]["contracts"]["values"]


def test_an_empty_deck_gives_no_contract() -> None:
    given = with_contracts()
    for card in ("C04", "C05", "C06", "C07", "C08"):
        given.do("correct_card", card=card, to="removed", reason="aside")
    assert given.position["deck"]["contracts"] == 0
    assert given.refuses("correct_card", card="C09", to="blue", reason="boxed unseen") == "deck_is_empty"


def test_no_more_contracts_are_due_than_are_in_the_deck() -> None:
    given = Scenario("blue", "yellow", catalog=deck(reveal={"*": (9, 9, 9)}))
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    due, lying = given.position["reveal_due"], given.position["deck"]["contracts"]
    assert due == lying == 5
    unseen = given.offer("reveal_contracts")["fields"]["contracts"]["values"]
    given.do("correct_card", card=unseen[0], to="display", reason="turned up unasked")
    assert given.position["reveal_due"] == 4


def test_a_contract_under_the_hammer_stays() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    given.reveal("C01", "C02", "C03")
    given.do("open_auction", player="blue", contract="C01", bid=2_000)
    for to in ("blue", "deck", "removed"):
        assert given.refuses("correct_card", card="C01", to=to, reason="why") == "under_the_hammer"
    given.do("correct_card", card="C02", to="removed", reason="why")
    assert given.position["auction"]["contract"] == "C01"


def test_the_high_bidder_is_protected_and_a_poorer_rival_is_out() -> None:
    given = Scenario("blue", "yellow", "green")
    given.hire()
    given.reveal("C01", "C02", "C03", "C04")
    given.do("open_auction", player="blue", contract="C01", bid=20_000)
    assert given.refuses("correct_money", from_="blue", to="bank", amount=21_000, reason="why") == "bound_by_bid"
    given.do("correct_money", from_="blue", to="bank", amount=20_000, reason="why")
    events = given.do("correct_money", from_="yellow", to="green", amount=20_000, reason="why")
    assert events[-1] == {"event": "BidderLeft", "player": "yellow", "forced": True}
    assert given.asks()[0] == ["green"]


def test_two_contracts_bind_no_correction_in_round_1() -> None:
    given = Scenario("blue", "yellow")
    given.give_cards("blue", "C01", "C02", "C03")
    given.hire()
    given.reveal("C04", "C05", "C06")
    assert given.asks()[0] == ["yellow"]  # blue has more than two


def test_a_plan_that_becomes_illegal_is_made_again() -> None:
    given = with_contracts()
    given.raise_("blue", C03="wall-1 gable-1")
    assert given.asks()[0] == ["yellow"]
    shown = given.table.position_json("blue")
    assert shown is not None
    worker = shown["plan"]["C03"]["wall-1"][0]
    events = given.do("correct_card", card=worker, to="supply", reason="not his")
    assert events[-1] == {"event": "PlanVoided", "player": "blue"}
    assert given.asks()[0] == ["blue", "yellow"]
    given.raise_("blue", C03="wall-1 gable-1")
    given.do("correct_card", card="C03", to="removed", reason="not his")
    assert given.asks()[0] == ["yellow"]  # blue has nothing to build any more
    assert given.position["planned"] == []


def test_a_correction_that_leaves_nobody_to_plan_ends_the_phase() -> None:
    given = with_contracts()
    given.raise_("blue", C03="wall-1 gable-1")
    given.do("correct_card", card="C01", to="removed", reason="not his")
    assert given.position["phase"] == "hire"
    assert given.player("blue")["contracts"]["C03"] == ["gable-1", "wall-1"]


def test_corrections_move_the_standings_after_the_end() -> None:
    given = Scenario("blue", "yellow")
    given.to("finished", 6)
    worth = {line["player"]: line["worth"] for line in given.position["standings"]}
    given.do("correct_money", from_="bank", to="yellow", amount=200_000, reason="forgotten prize")
    first = given.position["standings"][0]
    assert (first["player"], first["worth"], first["rank"]) == ("yellow", worth["yellow"] + 200_000, 1)
    mine = next(iter(given.player("blue")["contracts"]))
    given.do("correct_card", card=mine, to="yellow", reason="his")
    assert mine in given.player("yellow")["contracts"]
    given.do("undo")
    given.do("undo")
    assert {line["player"]: line["worth"] for line in given.position["standings"]} == worth


@pytest.mark.parametrize("phase", PHASES)
def test_a_player_is_renamed_at_any_moment(phase: str) -> None:
    given = in_phase(phase)
    given.do("rename_player", player="blue", name=" Eve ")
    assert given.player("blue")["name"] == "Eve"
    assert given.refuses("rename_player", player="blue", name="") == "name_length"
    assert given.refuses("rename_player", player="red", name="Eve") == "unknown_player"
