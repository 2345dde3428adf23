"""The display of contracts: those that come up, those that stay unsold, and the premium on them."""

from typing import Any

import pytest

from tests.games.master_builder.decks import deck
from tests.scenario import ALL_SEATS, Scenario


def in_round_2(*seats: str, show: tuple[int, int, int], unseen: int | None = None, **figures: Any) -> Scenario:
    """Round 1 is over, the display is empty, ``unseen`` contracts are left, and the economy is to be turned."""
    given = Scenario(*seats, catalog=deck(reveal={"*": show}, **figures))
    given.to("hire", 2)
    for card in [*given.position["display"]]:
        given.do("correct_card", card=card, to="removed", reason="aside")
    gone = given.position["deck"]["contracts"] - (unseen if unseen is not None else 99)
    for card in unseen_contracts(given)[: max(0, gone)]:
        given.do("correct_card", card=card, to="removed", reason="aside")
    given.to("contracts", 2)
    return given


def unseen_contracts(given: Scenario) -> list[str]:
    assert given.table.position is not None
    seen = given.table.position.state.seen
    return [f"C{number:02}" for number in range(1, 13) if f"C{number:02}" not in seen]


@pytest.mark.parametrize(
    ("seats", "shown"),
    [pytest.param(2, 0, id="MB-34 two"), pytest.param(3, 1, id="MB-34 three"), pytest.param(4, 1, id="MB-34 four")],
)
def test_the_printed_economic_situation_shows_0_1_1(seats: int, shown: int) -> None:
    given = in_round_2(*ALL_SEATS[:seats], show=(0, 1, 1))
    given.do("turn_economy", card="Y03")
    assert given.position["reveal_due"] == shown
    assert given.position["phase"] == ("contracts" if shown else "events")


def test_too_few_in_the_deck_come_up_all_and_loans_become_late_mb_35() -> None:
    given = in_round_2("blue", "yellow", show=(3, 3, 3), unseen=1)
    assert given.position["deck"] == {"contracts": 1, "economy": 5}
    assert given.position["loans_late"] is False
    given.do("turn_economy", card="Y03")
    assert given.position["reveal_due"] == 1
    given.idle()
    assert given.position["deck"] == {"contracts": 0, "economy": 4}
    assert given.position["loans_late"] is True


def test_the_economy_is_turned_even_where_only_the_display_is_left_d20() -> None:
    given = Scenario("blue", "yellow", catalog=deck(reveal={"*": (3, 3, 3)}))
    given.hire()
    given.reveal("C01", "C02", "C03")
    while given.position["phase"] == "contracts":
        given.idle()
    for card in unseen_contracts(given)[:5]:
        given.do("correct_card", card=card, to="removed", reason="aside")
    given.to("contracts", 2)
    assert given.asks()[1] == ["turn_economy"]
    given.do("turn_economy", card="Y01")
    assert given.position["reveal_due"] == 0
    assert given.asks()[1] == ["open_auction", "pass"]


def test_with_deck_and_display_empty_the_phase_is_passed_over() -> None:
    given = Scenario("blue", "yellow")
    given.to("hire", 2)
    for card in [*given.position["display"], *unseen_contracts(given)][: 5 + len(given.position["display"])]:
        given.do("correct_card", card=card, to="removed", reason="aside")
    assert given.position["deck"]["contracts"] == 0
    given.to("events", 2)
    assert given.position["deck"]["economy"] == 5
    assert given.position["last_round"] == 3


def test_an_unsold_contract_gets_5_and_is_bought_for_6_less_5_mb_36() -> None:
    given = in_round_2("blue", "yellow", show=(1, 1, 1), contracts={"*": {"cost": 5_000}})
    given.do("turn_economy", card="Y01")
    [card] = given.reveal_some(1)
    bank = given.position["bank"]
    given.pass_all()
    assert given.position["display"] == {card: 5_000}
    assert (given.position["on_contracts"], given.position["bank"]) == (5_000, bank - 5_000)
    given.to("contracts", 3)
    given.idle()
    given.idle()
    given.give_money("blue", 40_000)
    events = given.sell(card, "blue", 6_000)
    assert {"event": "ContractSold", "player": "blue", "contract": card, "paid": 6_000, "premium": 5_000} in events
    assert given.cash("blue") == 39_000  # 6 less 5: 1
    assert given.position["on_contracts"] == 0
    assert events[-1]["event"] != "PremiumLaid"


def test_unsold_twice_it_is_removed_and_the_5_go_back_mb_36() -> None:
    given = in_round_2("blue", "yellow", show=(1, 0, 0))
    given.do("turn_economy", card="Y01")
    [card] = given.reveal_some(1)
    given.pass_all()
    given.to("contracts", 3)
    given.idle()
    [other] = given.reveal_some(1)
    assert given.position["on_contracts"] == 5_000
    bank = given.position["bank"]
    given.pass_all()
    assert card in given.position["removed"]
    assert given.position["display"] == {other: 5_000}  # never 10 on one card
    assert given.position["bank"] == bank
    assert given.refuses("correct_card", card=card, to="removed", reason="again") == "lies_there_already"


def test_a_whole_display_gets_5_each_mb_37() -> None:
    given = in_round_2("blue", "yellow", show=(3, 3, 3))
    given.do("turn_economy", card="Y01")
    cards = given.reveal_some(3)
    bank = given.position["bank"]
    given.pass_all()
    assert given.position["display"] == dict.fromkeys(sorted(cards), 5_000)
    assert given.position["on_contracts"] == 15_000
    assert given.position["bank"] == bank - 15_000


def test_the_premium_does_not_count_as_cash_d11() -> None:
    given = in_round_2("blue", "yellow", show=(1, 0, 0))
    given.do("turn_economy", card="Y01")
    given.reveal_some(1)
    given.pass_all()
    given.to("contracts", 3)
    given.idle()
    given.reveal_some(1)
    lowest = min(given.table.catalog_json()["contracts"][card]["cost"] for card in given.position["display"])
    assert given.position["start_player"] == "blue"
    given.give_money("blue", lowest - 1_000)
    assert 5_000 in given.position["display"].values()
    assert given.asks()[0] == ["yellow"]  # blue cannot choose


def test_in_the_last_round_nothing_is_removed_and_nothing_laid_d18() -> None:
    given = Scenario("blue", "yellow", catalog=deck(reveal={"*": (1, 1, 1)}))
    given.to("contracts", 6)
    given.idle()
    given.idle()
    before = given.position["display"], given.position["removed"], given.position["on_contracts"]
    given.pass_all()
    assert (given.position["display"], given.position["removed"], given.position["on_contracts"]) == before
    assert sorted(before[0].values()) == [0, 5_000]
