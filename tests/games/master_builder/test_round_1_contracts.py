"""Round 1: everybody ends with one contract or two."""

from collections.abc import Iterator
from typing import Any

import pytest

from companion.engine.game import Position
from companion.engine.timeline import decide_and_settle
from companion.game_api.messages import Command
from companion.games.master_builder.rules.commands import Bid, OpenAuction, Pass
from companion.games.master_builder.rules.game import MasterBuilder
from companion.games.master_builder.rules.phases import waits
from companion.games.master_builder.rules.phases.contracts import may_bid
from companion.games.master_builder.rules.state import Contracts, State
from tests.games.master_builder.decks import deck
from tests.scenario import ALL_SEATS, Scenario

FIVE = ("C01", "C02", "C03", "C04", "C05")
GAME = MasterBuilder({})


def round_1(seats: int, **figures: Any) -> Scenario:
    given = Scenario(*ALL_SEATS[:seats], catalog=deck(**figures))
    while given.position["phase"] == "hire":
        given.idle()
    given.reveal(*FIVE[: seats + 1])
    return given


def contracts_of(given: Scenario) -> list[int]:
    return [len(given.player(seat)["contracts"]) for seat in given.seats]


@pytest.mark.parametrize(
    "seats", [pytest.param(2, id="MB-28 two"), pytest.param(3, id="MB-28 three"), pytest.param(4, id="MB-28 four")]
)
def test_whoever_wins_which_lot_everybody_ends_with_one_or_two(seats: int) -> None:
    position = round_1(seats).table.position
    assert position is not None
    ended = list(every_way(position))
    assert len(ended) >= 2**seats
    for owned in ended:
        assert set(owned) <= {1, 2}
        assert owned.count(2) <= 1


def every_way(position: Position[State]) -> Iterator[list[int]]:
    """Follow every choice of a winner for every lot, and yield how many contracts each has at the end."""
    state = position.state
    owned = [player.contracts for player in state.players]
    if not isinstance(state.phase, Contracts):
        yield owned
        return
    surplus = 0 if max(owned) == 2 else 1
    assert len(state.display) == owned.count(0) + surplus
    for winner in state.seats:
        if may_bid(state, winner):
            yield from every_way(won_by(winner, position))
    if not owned.count(0):
        while isinstance(position.state.phase, Contracts):
            position = after(position, Pass(asked(position)))
        yield from every_way(position)


def won_by(winner: str, position: Position[State]) -> Position[State]:
    lot = position.state.display[0]
    cost = next(card.cost for card in position.state.catalog.contracts if card.id == lot)
    position = after(position, OpenAuction(asked(position), lot, cost))
    while isinstance(position.state.phase, Contracts) and (auction := position.state.phase.auction) is not None:
        bidder = asked(position)
        position = after(position, Bid(bidder, auction.bid + 1_000) if bidder == winner else Pass(bidder))
    assert position.state.player(winner).site(lot) is not None
    return position


def asked(position: Position[State]) -> str:
    return waits(position)[0][0]


def after(position: Position[State], command: Command) -> Position[State]:
    return decide_and_settle(GAME, position, command)[1]


def test_four_players_the_first_with_two_leaves_one_for_each_other_mb_29() -> None:
    given = round_1(4)
    given.sell("C01", "blue")
    given.sell("C02", "blue")
    assert given.asks() == (["yellow"], ["open_auction", "pass"])
    given.do("open_auction", player="yellow", contract="C03", bid=3_000)
    assert given.position["auction"]["still_in"] == ["yellow", "green", "red"]
    given.do("bid", player="green", amount=4_000)
    given.do("pass", player="red")
    given.do("pass", player="yellow")
    given.do("open_auction", player="yellow", contract="C04", bid=4_000)
    assert given.position["auction"]["still_in"] == ["yellow", "red"]
    events = given.do("pass", player="red")
    assert {"event": "ContractSold", "player": "red", "contract": "C05", "paid": 4_000, "premium": 0} in events
    assert contracts_of(given) == [2, 1, 1, 1]
    assert given.position["phase"] == "events"


def test_two_players_the_first_with_two_leaves_the_last_at_printed_cost_mb_30() -> None:
    given = round_1(2)
    given.sell("C01", "blue", 9_000)
    given.sell("C02", "blue")
    assert given.player("yellow")["contracts"] == {"C03": []}
    assert given.cash("yellow") == 37_000
    assert given.position["phase"] == "events"


def test_the_left_neighbour_chooses_when_the_start_player_has_two_mb_30() -> None:
    given = round_1(3)
    given.sell("C01", "blue")
    given.sell("C02", "blue")
    assert given.asks()[0] == ["yellow"]


def test_the_choice_skips_a_neighbour_who_has_one_already_d14() -> None:
    given = round_1(3)
    given.sell("C01", "yellow")
    given.sell("C02", "blue")
    given.sell("C03", "blue")
    assert contracts_of(given) == [2, 1, 1]  # green got the last one without an auction


def test_nobody_wants_a_second_one_and_it_stays_with_5_on_it_mb_31() -> None:
    given = round_1(3)
    for contract, player in (("C01", "blue"), ("C02", "yellow"), ("C03", "green")):
        given.sell(contract, player)
    assert given.asks() == (["blue"], ["open_auction", "pass"])
    given.pass_all()
    assert given.position["display"] == {"C04": 5_000}
    assert contracts_of(given) == [1, 1, 1]
    assert given.position["phase"] == "events"


def test_the_surplus_one_can_be_a_second_one_d17() -> None:
    given = round_1(2)
    given.sell("C01", "blue")
    given.sell("C02", "yellow")
    given.do("pass", player="blue")
    given.do("open_auction", player="yellow", contract="C03", bid=3_000)
    given.do("pass", player="blue")
    assert contracts_of(given) == [1, 2]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_looked_at_every_opportunity_can_afford_it_too_mb_32(seats: int) -> None:
    given = Scenario(*ALL_SEATS[:seats], catalog=deck(), variants=["choosing_workers"])
    while given.position["phase"] == "hire":
        player = given.asks()[0][0]
        given.do("look_through", player=player, type="A" if given.position["hire"]["lap"] < 4 else "T")
        given.do("hire_worker", player=player, worker=given.offer("hire_worker")["fields"]["worker"]["values"][0])
    given.reveal(*FIVE[: seats + 1])
    assert {given.cash(seat) for seat in given.seats} == {35_000}
    assert max(card.cost for card in deck().contracts) <= 35_000
    while given.position["phase"] == "contracts":
        assert given.position["expects"] != ["borrow"]
        given.idle()
    assert {len(given.player(seat)["contracts"]) for seat in given.seats} == {1}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_forced_last_contract_is_always_affordable_mb_32(seats: int) -> None:
    given = round_1(seats)
    while given.position["phase"] == "contracts":
        without = [seat for seat in given.seats if not given.player(seat)["contracts"]]
        assert {given.cash(seat) for seat in without} <= {40_000}
        given.idle()


def test_when_all_decline_the_first_without_one_must_open_d16() -> None:
    given = round_1(3)
    for player in given.seats:
        given.do("pass", player=player)
    assert given.asks() == (["blue"], ["open_auction"])
    assert given.refuses("pass", player="blue") == "must_take_a_contract"
    assert {offer["do"] for offer in given.offers("blue")} == {"open_auction"}
    given.do("open_auction", player="blue", contract="C01", bid=2_000)
    given.do("pass", player="yellow")
    given.do("bid", player="green", amount=3_000)  # others may still outbid them
    given.do("pass", player="blue")
    assert given.asks() == (["blue"], ["open_auction"])
    given.sell("C02", "blue")
    assert given.asks() == (["yellow"], ["open_auction"])
    given.sell("C03", "yellow")
    assert contracts_of(given) == [1, 1, 1]
    assert given.position["display"] == {"C04": 5_000}


def test_who_must_open_and_can_pay_for_none_borrows_d16() -> None:
    given = round_1(2, contracts={"*": {"cost": 45_000}})
    assert given.asks() == (["blue"], ["borrow"])
    assert given.refuses("open_auction", player="blue", contract="C01", bid=45_000) == "must_borrow_first"
    assert given.refuses("pass", player="blue") == "must_take_a_contract"
    assert given.refuses("borrow", player="yellow", loan="small") == "not_your_turn"
    assert given.offers("blue") == [
        {
            "do": "borrow",
            "player": "blue",
            "urgency": "due",
            "fields": {"loan": {"kind": "one_of", "values": ["small", "large"]}},
        }
    ]
    given.do("borrow", player="blue", loan="small")
    assert given.cash("blue") == 50_000
    assert given.asks() == (["blue"], ["open_auction", "pass"])  # they can pay now, and have not declined
    given.do("open_auction", player="blue", contract="C01", bid=50_000)
    assert given.player("blue")["contracts"] == {"C01": []}
    assert given.asks() == (["yellow"], ["borrow"])
    given.do("borrow", player="yellow", loan="large")
    given.sell("C02", "yellow")
    assert contracts_of(given) == [1, 1]
    assert given.position["phase"] == "events"


def test_who_is_due_the_last_contract_and_cannot_pay_borrows_until_he_can_d15() -> None:
    given = round_1(2, contracts={"C03": {"cost": 60_000}})
    given.sell("C01", "blue")
    given.sell("C02", "blue")
    assert given.asks() == (["yellow"], ["borrow"])
    assert given.refuses("open_auction", player="yellow", contract="C03", bid=60_000) == "must_borrow_first"
    given.do("borrow", player="yellow", loan="small")
    assert given.asks() == (["yellow"], ["borrow"])
    given.do("borrow", player="yellow", loan="small")
    assert given.player("yellow")["contracts"] == {"C03": []}
    assert given.cash("yellow") == 0
    assert given.player("yellow")["loans"] == {"small": 2, "large": 0}
    assert given.position["phase"] == "events"


def test_later_there_is_no_limit_and_no_duty_mb_33() -> None:
    given = Scenario("blue", "yellow", catalog=deck(reveal={"*": (3, 3, 3)}))
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    given.idle()
    bought = []
    for contract in list(given.position["display"]):
        given.give_money("yellow", 100_000)
        given.sell(contract, "yellow")
        bought.append(contract)
    assert set(bought) <= set(given.player("yellow")["contracts"])
    assert len(bought) >= 3
    assert given.position["phase"] == "events"


def test_owning_no_contract_is_legal_later_mb_33() -> None:
    given = Scenario("blue", "yellow")
    given.to("hire", 2)
    for contract in given.player("blue")["contracts"]:
        given.do("correct_card", card=contract, to="removed", reason="aside")
    given.to("events")
    assert given.player("blue")["contracts"] == {}
