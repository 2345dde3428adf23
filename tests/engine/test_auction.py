import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.game import Auction, clockwise_order, left_neighbour

SEATS = ("red", "blue", "yellow", "green")


def test_after_the_opening_the_left_neighbour_is_asked() -> None:
    auction = Auction.open("C03", 2_000, "blue", clockwise_order(SEATS, "blue"))
    assert (auction.leader, auction.bid, auction.to_bid) == ("blue", 2_000, "yellow")
    assert auction.still_in == ("blue", "yellow", "green", "red")


def test_who_opens_alone_has_won() -> None:
    assert Auction.open("C03", 2_000, "blue", ("blue",)).to_bid is None


def test_bidding_goes_on_clockwise_lap_after_lap_past_the_leader() -> None:
    auction = Auction.open("C03", 1, "blue", clockwise_order(SEATS, "blue"))
    asked = []
    for amount in range(2, 12):
        asked.append(auction.to_bid)
        auction = auction.with_bid(amount)
        assert (auction.leader, auction.bid) == (asked[-1], amount)
    assert asked == ["yellow", "green", "red", "blue"] * 2 + ["yellow", "green"]


def test_who_leaves_is_not_asked_again() -> None:
    auction = Auction.open("C03", 1, "blue", clockwise_order(SEATS, "blue"))
    auction = auction.without("yellow").with_bid(2).without("red")
    assert (auction.leader, auction.to_bid, auction.still_in) == ("green", "blue", ("blue", "green"))
    auction = auction.with_bid(3)
    assert (auction.leader, auction.to_bid) == ("blue", "green")
    won = auction.without("green")
    assert (won.still_in, won.to_bid, won.leader, won.bid) == (("blue",), None, "blue", 3)


def test_who_leaves_out_of_turn_keeps_nobody_waiting() -> None:
    auction = Auction.open("C03", 1, "blue", clockwise_order(SEATS, "blue"))
    without = auction.without("green")
    assert (without.to_bid, without.still_in) == ("yellow", ("blue", "yellow", "red"))
    assert without.with_bid(2).to_bid == "red"


@given(st.integers(2, 4), st.lists(st.booleans(), max_size=40))
def test_one_is_asked_after_the_other_until_one_is_left(players: int, raising: list[bool]) -> None:
    auction = Auction.open("C03", 1, SEATS[0], SEATS[:players])
    for raises in raising:
        if auction.to_bid is None:
            break
        asked = auction.to_bid
        assert asked != auction.leader
        assert {asked, auction.leader} <= set(auction.still_in)
        auction = auction.with_bid(auction.bid + 1) if raises else auction.without(asked)
        assert (auction.leader == asked) is raises
    assert (auction.to_bid is None) == (auction.still_in == (auction.leader,))


@pytest.mark.parametrize("first", SEATS)
def test_turn_order_is_clockwise_from_whoever_begins(first: str) -> None:
    order = clockwise_order(SEATS, first)
    assert order[0] == first
    assert sorted(order) == sorted(SEATS)
    for seat, following in zip(order, (*order[1:], first), strict=True):
        assert left_neighbour(SEATS, seat) == following
