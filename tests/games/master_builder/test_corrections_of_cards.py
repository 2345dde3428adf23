"""The banker puts cards where they lie on the table."""

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import PHASES, Scenario, waiting_in, workers_of

MASTERS = workers_of("MC")
ANYBODY = {"sections": {"*": ["A"]}, "cost": 2_000}


@pytest.mark.parametrize("phase", PHASES)
def test_a_worker_is_corrected_in_every_phase(phase: str) -> None:
    given = waiting_in(phase)
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
