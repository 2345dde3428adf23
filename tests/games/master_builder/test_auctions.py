"""Phase 2: choosing a contract and bidding for it."""

import pytest

from tests.games.master_builder.decks import deck
from tests.scenario import ALL_SEATS, Scenario

FIVE_ON_DISPLAY = ("C01", "C03", "C04", "C08", "C10")


@pytest.fixture
def four() -> Scenario:
    """Four players before their first auction; C01 costs 2,000, C10 10,000."""
    given = Scenario(*ALL_SEATS)
    given.hire()
    given.reveal(*FIVE_ON_DISPLAY)
    return given


@pytest.fixture
def two() -> Scenario:
    """Two players in round 2 with C03 (3,000) and C10 (10,000) on display; yellow holds the mallet."""
    given = Scenario("blue", "yellow", catalog=deck(reveal={"*": (2, 2, 2)}))
    given.hire()
    given.reveal("C01", "C02", "C05")
    given.to("contracts", 2)
    given.do(
        "correct_card",
        card=given.position["removed"] or next(iter(given.position["display"])),
        to="removed",
        reason="aside",
    )
    given.do("turn_economy", card="Y01")
    given.reveal("C03", "C10")
    return given


def test_the_printed_auction_goes_to_red_for_7_mb_23(four: Scenario) -> None:
    assert four.asks() == (["blue"], ["open_auction", "pass"])
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert four.asks() == (["yellow"], ["bid", "pass"])
    four.do("bid", player="yellow", amount=5_000)
    four.do("pass", player="green")
    four.do("bid", player="red", amount=7_000)
    assert four.position["auction"] == {
        "contract": "C01",
        "bid": 7_000,
        "leader": "red",
        "still_in": ["blue", "yellow", "red"],
    }
    four.do("pass", player="blue")
    events = four.do("pass", player="yellow")
    assert events[1] == {"event": "ContractSold", "player": "red", "contract": "C01", "paid": 7_000, "premium": 0}
    assert [four.cash(player) for player in ALL_SEATS] == [40_000, 40_000, 40_000, 33_000]
    assert four.position["bank"] == 535_000 + 7_000
    assert four.player("red")["contracts"] == {"C01": []}
    assert "C01" not in four.position["display"]
    assert four.position["auction"] is None


def test_who_passed_is_out_of_this_auction_but_not_of_the_next_mb_24(four: Scenario) -> None:
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    four.do("bid", player="yellow", amount=5_000)
    four.do("pass", player="green")
    assert four.refuses("bid", player="green", amount=9_000) == "not_your_turn"
    four.do("pass", player="red")
    assert four.asks()[0] == ["blue"]
    four.do("pass", player="blue")
    four.do("open_auction", player="blue", contract="C03", bid=3_000)
    four.do("pass", player="yellow")
    assert four.asks()[0] == ["green"]
    four.do("bid", player="green", amount=4_000)
    four.pass_all_in_auction()
    assert four.player("green")["contracts"] == {"C03": []}


def test_the_auction_laps_until_one_bidder_is_left(four: Scenario) -> None:
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    asked = []
    for amount in range(3_000, 11_000, 1_000):
        asked += four.asks()[0]
        four.do("bid", player=asked[-1], amount=amount)
    assert asked == ["yellow", "green", "red", "blue"] * 2
    assert four.position["auction"]["leader"] == "blue"
    four.pass_all_in_auction()
    assert four.cash("blue") == 30_000


@pytest.mark.parametrize(
    ("bid", "rule"),
    [
        pytest.param(1_000, "bid_below_cost", id="MB-25 cost less 1,000"),
        pytest.param(0, "bid_below_cost", id="nothing"),
        pytest.param(-2_000, "not_whole_thousands", id="below nothing"),
        pytest.param(2_500, "not_whole_thousands", id="half a thousand"),
        pytest.param(41_000, "cannot_pay", id="MB-25 above own cash"),
        pytest.param(10**9, "cannot_pay", id="above all money in the world"),
        pytest.param(2_000.0, "wrong_type", id="a fraction"),
        pytest.param(True, "wrong_type", id="yes"),
        pytest.param("2000", "wrong_type", id="a word"),
        pytest.param(None, "wrong_type", id="null"),
    ],
)
def test_an_opening_bid_that_cannot_be_is_refused(four: Scenario, bid: object, rule: str) -> None:
    assert four.refuses("open_auction", player="blue", contract="C01", bid=bid) == rule


def test_the_cost_is_enough_to_open_mb_25(four: Scenario) -> None:
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert four.position["auction"]["bid"] == 2_000


@pytest.mark.parametrize(
    ("amount", "rule"),
    [
        pytest.param(5_000, "bid_too_low", id="MB-25 the same"),
        pytest.param(4_000, "bid_too_low", id="less"),
        pytest.param(5_500, "not_whole_thousands", id="half a thousand"),
        pytest.param(41_000, "cannot_pay", id="MB-25 above own cash"),
    ],
)
def test_a_raise_that_cannot_be_is_refused(four: Scenario, amount: int, rule: str) -> None:
    four.do("open_auction", player="blue", contract="C01", bid=5_000)
    assert four.refuses("bid", player="yellow", amount=amount) == rule
    assert four.offer("bid")["fields"]["amount"] == {"kind": "amount", "least": 6_000, "most": 40_000, "step": 1_000}


def test_nobody_is_hired_between_auctions(four: Scenario) -> None:
    assert four.refuses("hire_worker", player="blue", worker="W01") == "not_in_this_phase"
    assert four.refuses("plan", player="blue", work={}) == "not_in_this_phase"


def test_nobody_borrows_for_a_bid_mb_25(four: Scenario) -> None:
    assert four.refuses("borrow", player="blue", loan="small") == "no_loans_for_bids"
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert four.refuses("borrow", player="yellow", loan="small") == "no_loans_for_bids"
    assert four.refuses("borrow", player="blue", loan="small") == "not_your_turn"


def test_the_opener_alone_pays_his_own_bid_mb_26(four: Scenario) -> None:
    four.do("open_auction", player="blue", contract="C01", bid=9_000)
    four.pass_all_in_auction()
    assert four.cash("blue") == 31_000


def test_the_start_player_chooses_again_unless_he_cannot_pay_mb_27(two: Scenario) -> None:
    assert two.asks() == (["yellow"], ["open_auction", "pass"])
    two.sell("C03", "yellow")
    assert two.asks()[0] == ["yellow"]
    two.give_money("yellow", 9_000)  # C10 costs 10,000
    assert two.asks() == (["blue"], ["open_auction", "pass"])
    two.do("open_auction", player="blue", contract="C10", bid=10_000)  # yellow cannot raise: sold at once
    assert two.position["auction"] is None
    assert "C10" in two.player("blue")["contracts"]


def test_the_choice_moves_left_past_who_declined_d08(two: Scenario) -> None:
    two.do("pass", player="yellow")
    assert two.position["declined"] == ["yellow"]
    assert two.asks()[0] == ["blue"]
    two.do("open_auction", player="blue", contract="C03", bid=3_000)
    two.do("bid", player="yellow", amount=4_000)  # D09: who does not choose may still bid
    two.do("pass", player="blue")
    assert "C03" in two.player("yellow")["contracts"]
    assert two.asks()[0] == ["blue"]
    two.do("pass", player="blue")
    assert two.position["phase"] == "events"


def test_who_cannot_raise_is_out_when_his_turn_comes_d10(four: Scenario) -> None:
    four.give_money("yellow", 5_000)
    four.give_money("red", 6_000)
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert four.position["auction"]["still_in"] == list(ALL_SEATS)
    four.do("pass", player="yellow") if four.cash("yellow") < 3_000 else four.do("bid", player="yellow", amount=3_000)
    events = four.do("bid", player="green", amount=6_000)
    assert {"event": "BidderLeft", "player": "red", "forced": True} in events
    assert four.asks()[0] == ["blue"]
    events = four.do("bid", player="blue", amount=7_000)
    assert {"event": "BidderLeft", "player": "yellow", "forced": True} in events
    assert four.position["auction"]["still_in"] == ["blue", "green"]


def test_rest_means_nothing_outside_phase_1(four: Scenario) -> None:
    assert four.refuses("pass", player="blue", rest=True) == "rest_only_when_hiring"
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert four.refuses("pass", player="yellow", rest=True) == "rest_only_when_hiring"
    four.do("pass", player="yellow", rest=False)


def test_one_lot_at_a_time_and_only_from_the_display(four: Scenario) -> None:
    assert four.refuses("bid", player="blue", amount=5_000) == "no_auction"
    assert four.refuses("open_auction", player="yellow", contract="C01", bid=2_000) == "not_your_turn"
    assert four.refuses("open_auction", player="blue", contract="C02", bid=9_000) == "not_on_display"
    assert four.refuses("open_auction", player="blue", contract="C13", bid=9_000) == "unknown_contract"
    assert four.refuses("open_auction", player="blue", contract="W01", bid=9_000) == "unknown_contract"
    four.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert four.refuses("open_auction", player="yellow", contract="C03", bid=9_000) == "auction_running"
    assert four.refuses("pass", player="blue") == "not_your_turn"


def test_each_contract_within_reach_is_offered_with_its_figures(four: Scenario) -> None:
    four.give_money("blue", 6_000)
    offers = {offer.get("contract"): offer for offer in four.offers("blue") if offer["do"] == "open_auction"}
    assert list(offers) == ["C01", "C03", "C04", "C08"]
    assert offers["C08"]["fields"]["bid"] == {"kind": "amount", "least": 6_000, "most": 6_000, "step": 1_000}
    assert four.refuses("open_auction", player="blue", contract="C10", bid=10_000) == "cannot_pay"
    assert four.offers("yellow") == []


def test_cards_come_before_bids() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    assert given.refuses("open_auction", player="blue", contract="C01", bid=2_000) == "cards_first"
    given.reveal("C01")
    assert given.position["reveal_due"] == 2
    assert given.refuses("open_auction", player="blue", contract="C01", bid=2_000) == "cards_first"
    assert given.refuses("pass", player="blue") == "cards_first"
    given.reveal("C02", "C03")
    given.do("open_auction", player="blue", contract="C01", bid=2_000)


@pytest.mark.parametrize(
    ("contracts", "rule"),
    [
        ([], "reveal_count"),
        (["C02", "C03", "C04"], "reveal_count"),
        (["C01"], "contract_seen"),
        (["C02", "C02"], "named_twice"),
        (["C13"], "unknown_contract"),
        (["W01"], "unknown_contract"),
        ("C02", "wrong_type"),
        ([2], "wrong_type"),
        ([["C02"]], "wrong_type"),
        ({"C02": 1}, "wrong_type"),
    ],
)
def test_contracts_that_cannot_come_up_are_refused(contracts: object, rule: str) -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    given.reveal("C01")
    assert given.refuses("reveal_contracts", contracts=contracts) == rule
    offered = given.offer("reveal_contracts")
    assert offered["by"] == "blue"
    assert "player" not in offered
    assert (offered["fields"]["contracts"]["least"], offered["fields"]["contracts"]["most"]) == (1, 2)


def test_nothing_more_comes_up_once_all_are_up(four: Scenario) -> None:
    assert four.refuses("reveal_contracts", contracts=["C02"]) == "reveal_count"


def test_the_economy_is_turned_before_contracts() -> None:
    given = Scenario("blue", "yellow")
    given.to("contracts", 2)
    assert given.refuses("reveal_contracts", contracts=["C11"]) == "economy_first"
