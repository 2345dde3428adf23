"""The solvency forecast in stories whose figures can be checked by hand."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.engine.ledger import BANK, transfer
from companion.games.master_builder.forecast.money import Forecast
from companion.games.master_builder.forecast.view import forecast, safe_bids, what_if_bid
from companion.games.master_builder.rules.state import GamePosition, contract_account
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

PLAIN: dict[str, Any] = {"sections": {"*": ("A",)}, "price": 60_000, "cost": 2_000}
APPRENTICES = workers_of("A")[:3]


def story(**more: Any) -> Scenario:
    """Blue and yellow in round 2, before contracts are chosen; every section takes one apprentice."""
    catalog = deck(contracts={"*": PLAIN}, wages={"*": 0, "A": 4_000}, reveal={"*": (0, 0, 0)})
    given = Scenario("blue", "yellow", catalog=catalog, **more)
    given.to("hire", 2)
    for seat in ("blue", "yellow"):
        for card in [*given.player(seat)["workers"], *given.player(seat)["contracts"]]:
            given.do("correct_card", card=card, to="supply" if card[0] == "W" else "deck", reason="a clean table")
    for contract in given.position["display"]:
        given.do("correct_card", card=contract, to="deck", reason="a clean table")
    given.give_cards("blue", *APPRENTICES)
    return given


def position_of(given: Scenario) -> GamePosition:
    position = given.table.position
    assert position is not None
    return position


def steps(prediction: Forecast) -> list[tuple[int, str, int, int]]:
    return [(movement.round, movement.why, movement.amount, movement.cash) for movement in prediction.movements]


def test_three_apprentices_finish_a_house_in_two_rounds_and_then_only_cost() -> None:
    given = story()
    given.give_money("blue", 20_000)
    given.give_cards("blue", "C03")

    prediction = forecast(position_of(given), "blue")

    assert steps(prediction) == [
        (2, "wages", -12_000, 8_000),
        (3, "price", 60_000, 68_000),
        (3, "wages", -12_000, 56_000),
        (4, "wages", -12_000, 44_000),
        (5, "wages", -12_000, 32_000),
        (6, "wages", -12_000, 20_000),
    ]
    assert prediction.next is not None
    assert (prediction.next.cash, prediction.next.round, prediction.next.forced, prediction.next.short) == (
        8_000,
        2,
        0,
        0,
    )
    assert (prediction.end.cash, prediction.end.round, prediction.worth) == (8_000, 2, 20_000)


def test_a_low_that_lasts_is_told_with_the_round_in_which_it_began() -> None:
    given = story()

    prediction = forecast(position_of(given), "yellow")

    assert {amount for _, _, amount, _ in steps(prediction)} == {0}
    assert (prediction.end.cash, prediction.end.round) == (given.cash("yellow"), 2)


def test_a_bid_that_leaves_too_little_for_wages_forces_loans_which_the_house_pays_off() -> None:
    # given 20,000 and a house on display
    given = story()
    given.give_money("blue", 20_000)
    given.do("correct_card", card="C03", to="display", reason="for sale")

    # when blue asks what a bid of 12,000 would do
    prediction = what_if_bid(position_of(given), "blue", "C03", 12_000)

    # then they are 4,000 short at once, borrow a Small loan, and the house pays a round later
    assert steps(prediction)[:5] == [
        (2, "contract", -12_000, 8_000),
        (2, "loan", 10_000, 18_000),
        (2, "wages", -12_000, 6_000),
        (3, "price", 60_000, 66_000),
        (3, "wages", -12_000, 54_000),
    ]
    assert prediction.next is not None
    assert (prediction.next.cash, prediction.next.short, prediction.next.small, prediction.next.large) == (
        -4_000,
        4_000,
        1,
        0,
    )
    assert (prediction.owes_early, prediction.owes_late, prediction.late) == (13_000, 15_000, False)
    assert prediction.worth == 54_000 - 3 * 12_000 - 13_000


def test_the_highest_safe_bid_is_told_with_the_round_that_limits_it() -> None:
    given = story()
    given.give_money("blue", 20_000)
    given.do("correct_card", card="C03", to="display", reason="for sale")

    bids = safe_bids(position_of(given), "blue", "C03")

    assert (bids.least, bids.most, bids.next, bids.end) == (2_000, 20_000, 8_000, 8_000)
    assert [(limit.round, limit.most) for limit in bids.rounds][:3] == [(2, 8_000), (3, 56_000), (4, 44_000)]


def test_where_even_the_lowest_bid_is_too_high_no_bid_is_safe() -> None:
    given = story()
    given.give_money("blue", 13_000)
    given.do("correct_card", card="C03", to="display", reason="for sale")

    bids = safe_bids(position_of(given), "blue", "C03")

    assert (bids.least, bids.next, bids.end, bids.rounds[0].most) == (2_000, None, None, 1_000)


def test_the_lot_that_somebody_leads_for_is_reckoned_as_his() -> None:
    given = story()
    given.give_money("blue", 20_000)
    for contract in ("C03", "C08"):
        given.do("correct_card", card=contract, to="display", reason="for sale")
    given.to("contracts", 2)
    given.idle()
    given.do("pass", player="yellow")
    given.do("open_auction", player="blue", contract="C03", bid=7_000)

    assert steps(forecast(position_of(given), "blue"))[0] == (2, "contract", -7_000, 13_000)
    assert steps(forecast(position_of(given), "yellow"))[0][1] == "wages"
    assert [step[2] for step in steps(what_if_bid(position_of(given), "blue", "C03", 8_000))][:2] == [-8_000, -12_000]
    assert [step[2] for step in steps(what_if_bid(position_of(given), "blue", "C08", 5_000))][:2] == [-7_000, -5_000]


@pytest.mark.parametrize(
    ("contract", "amount", "rule"),
    [
        ("C03", 1_000, "bid_below_cost"),
        ("C03", 21_000, "cannot_pay"),
        ("C03", 2_500, "not_whole_thousands"),
        ("C08", 2_000, "not_on_display"),
        ("C99", 2_000, "unknown_contract"),
    ],
)
def test_what_cannot_be_bid_is_refused(contract: str, amount: int, rule: str) -> None:
    given = story()
    given.give_money("blue", 20_000)
    given.do("correct_card", card="C03", to="display", reason="for sale")

    with pytest.raises(Refused) as refused:
        what_if_bid(position_of(given), "blue", contract, amount)
    assert refused.value.rule == rule


def test_once_contracts_are_chosen_nobody_asks_about_bids() -> None:
    given = story()
    given.do("correct_card", card="C03", to="display", reason="for sale")
    given.give_cards("blue", "C08")
    given.to("build", 2)

    with pytest.raises(Refused) as refused:
        safe_bids(position_of(given), "blue", "C03")
    assert (refused.value.rule, refused.value.details["phase"]) == ("not_in_this_phase", "build")


def test_by_house_rule_what_lies_on_a_contract_helps_to_pay_for_it() -> None:
    given = story(rules={"premium_funds_bid": True})
    given.do("correct_card", card="C03", to="display", reason="for sale")
    given.to("hire", 3)
    given.give_money("blue", 20_000)

    prediction = what_if_bid(position_of(given), "blue", "C03", 25_000)

    assert steps(prediction)[:2] == [(3, "premium", 5_000, 25_000), (3, "contract", -25_000, 0)]
    assert safe_bids(position_of(given), "blue", "C03").most == 25_000


def test_a_shortage_of_more_than_two_small_loans_takes_a_large_one() -> None:
    given = story()
    given.give_cards("blue", *workers_of("A")[:7])
    given.give_money("blue", 8_000)

    prediction = forecast(position_of(given), "blue")

    assert [movement.loan for movement in prediction.movements if movement.round == 2] == ["small", "small", None]
    assert [movement.loan for movement in prediction.movements if movement.round == 3] == ["large", None]


def test_a_loan_that_is_sold_out_gives_way_to_the_other() -> None:
    given = story(rules={"iou_supply": "limited"})
    given.give_money("blue", 0)
    position = position_of(given)
    yellow = replace(position.state.player("yellow"), small=12)
    position = replace(position, state=position.state.with_player(yellow))

    assert [movement.loan for movement in forecast(position, "blue").movements if movement.loan] == ["large", "large"]


def test_what_an_event_did_for_this_round_ends_with_it() -> None:
    """One is face down and one dearer; in the next round all three work at their wages."""
    given = story()
    given.give_money("blue", 50_000)
    given.give_cards("blue", "C03")
    given.to("build", 2)
    position = position_of(given)
    first, second, third = position.state.player("blue").crew
    crew = (replace(first, face_up=False), replace(second, extra=3_000), third)
    position = replace(position, state=position.state.with_player(replace(position.state.player("blue"), crew=crew)))

    prediction = forecast(position, "blue")

    assert [movement.amount for movement in prediction.movements if movement.why == "wages"][:2] == [-15_000, -12_000]
    assert next(movement.round for movement in prediction.movements if movement.why == "price") == 4


def test_a_secret_plan_is_looked_at_only_in_confidence() -> None:
    given = story()
    given.give_money("blue", 50_000)
    given.give_cards("blue", "C03")
    given.to("build", 2)
    given.give_cards("yellow", "C08", workers_of("T")[0])
    given.plan("blue")

    def paid(*, in_confidence: bool) -> int:
        prediction = forecast(position_of(given), "blue", in_confidence=in_confidence)
        return next(movement.round for movement in prediction.movements if movement.why == "price")

    assert (paid(in_confidence=False), paid(in_confidence=True)) == (3, 4)


def test_an_open_plan_counts_for_everybody() -> None:
    given = story(rules={"plans": "open"})
    given.give_money("blue", 50_000)
    given.give_cards("blue", "C03")
    given.give_cards("yellow", "C08")
    given.give_cards("yellow", *workers_of("A")[3:6])
    given.to("build", 2)
    given.plan("yellow")

    yellow = forecast(position_of(given), "yellow")

    assert next(movement.round for movement in yellow.movements if movement.why == "price") == 4


def test_while_others_still_owe_wages_the_next_ones_are_those_of_the_next_round() -> None:
    given = story()
    given.give_money("blue", 20_000)
    given.give_cards("yellow", workers_of("A")[5])
    given.give_money("blue", 0)
    given.to("income", 2)
    given.give_money("yellow", 20_000)  # they come first and have paid
    assert given.asks()[0] == ["blue"]

    yellow, blue = forecast(position_of(given), "yellow"), forecast(position_of(given), "blue")

    assert [movement.round for movement in yellow.movements] == [3, 4, 5, 6]
    assert [(movement.round, movement.why) for movement in blue.movements][:3] == [
        (2, "loan"),
        (2, "loan"),
        (2, "wages"),
    ]


def test_after_the_end_nothing_moves_any_more() -> None:
    given = story()
    given.give_cards("blue", "C03")
    given.to("finished", 6)

    prediction = forecast(position_of(given), "blue")

    assert (prediction.movements, prediction.next) == ((), None)
    assert prediction.worth == next(
        standing["worth"] for standing in given.position["standings"] if standing["player"] == "blue"
    )


@pytest.mark.parametrize(
    ("deck_left", "lying", "rules", "last"),
    [
        (3, {}, {}, 6),
        (0, {}, {}, 3),
        (0, {"C03": 5_000}, {}, 3),
        (0, {"C03": 0}, {}, 4),
        (0, {"C03": 5_000}, {"unsold": "keep_forever"}, 6),
        (0, {"C03": 5_000}, {"removed_counts_for_end": False}, 6),
        (0, {}, {"removed_counts_for_end": False}, 3),
    ],
)
def test_the_game_is_as_long_as_the_contracts_let_it_be(
    deck_left: int, lying: dict[str, int], rules: dict[str, Any], last: int
) -> None:
    given = story(rules=rules)
    position = position_of(given)
    state = replace(position.state, deck=deck_left, display=tuple(lying))
    ledger = position.ledger
    for contract, amount in lying.items():
        more = amount - ledger.balance(contract_account(contract))
        ledger = ledger.post(transfer(BANK, contract_account(contract), more))

    prediction = forecast(replace(position, state=state, ledger=ledger), "blue")

    assert max(movement.round for movement in prediction.movements) == last
