"""Acceptance examples MO-100 and MO-101: what Chance cards do."""

import pytest

from companion.games.monopoly_builder.rules.catalog import Effect
from tests.games.monopoly_builder.town import (
    O_SPACE,
    O,
    P,
    built,
    drawing,
)


def test_mo_100_what_cards_do() -> None:
    floors = built(A1=("red", 4), A2=("red", 2))
    assert drawing(Effect("pay", amount=10, per="floor"), taken=floors).cash("red") == 840
    gift = drawing(Effect("receive", amount=20, players=True))
    assert [gift.cash(seat) for seat in gift.seats] == [940, 880, 880]
    own = drawing(Effect("gain", kind="own", count=1, who="all"))
    assert [own.chips(seat) for seat in own.seats] == [{seat: 1} for seat in own.seats]
    choice = drawing(Effect("lose", kind="any", count=1), red={"chips": {"red": 2, "green": 1}})
    assert (choice.phase, choice.position["due"]) == ("return_chips", 1)
    choice.do("return_chips", "red", chips={"green": 1})
    assert (choice.phase, choice.chips("red")) == ("act", {"red": 2})
    unasked = drawing(Effect("lose", kind="any", count=3), red={"chips": {"red": 2}})
    assert (unasked.phase, unasked.chips("red")) == ("act", {})
    home = drawing(Effect("move_to", type="go"))
    assert (home.cash("red"), home.player("red")["space"], home.phase) == (1_100, 0, "act")


@pytest.mark.parametrize(
    ("effect", "cash"),
    [
        (Effect("receive", amount=15, per="deed"), 930),
        (Effect("receive", amount=15, per="building", who="drawer"), 930),
        (Effect("receive", amount=10, per="chip"), 930),
        (Effect("receive", amount=100), 1_000),
        (Effect("pay", amount=25, who="all"), 875),
        (Effect("pay", amount=25, who="others"), 900),
    ],
)
def test_mo_100_amounts_by_number(effect: Effect, cash: int) -> None:
    red = {"deeds": [O, P], "chips": {"red": 3}}
    assert drawing(effect, red=red, taken=built(A1=("red", 1), A2=("red", 3))).cash("red") == cash


def test_mo_100_more_than_one_effect_and_a_theft_in_between() -> None:
    effects = (Effect("steal"), Effect("receive", amount=50), Effect("manual"))
    town = drawing(*effects, green={"chips": {"green": 1}})
    assert (town.phase, town.cash("red")) == ("steal", 900)
    town.do("steal", "red", from_="green", kind="green")
    assert (town.phase, town.cash("red"), town.chips("red")) == ("act", 950, {"green": 1})


def test_mo_100_choices_one_player_after_the_other() -> None:
    town = drawing(Effect("gain", kind="any", count=1, who="all"))
    for seat in town.seats:
        assert (town.phase, town.waits) == ("take", [seat])
        town.do("take", seat, chips={"yellow": 1})
    assert town.phase == "act"


def test_mo_100_a_card_to_jail_and_one_to_another_space() -> None:
    jailed = drawing(Effect("go_to_jail"))
    assert (jailed.turn, jailed.player("red")["in_jail"]) == ("green", True)
    moved = drawing(Effect("move_to", space=O_SPACE))
    assert (moved.cash("red"), moved.phase, moved.player("red")["space"]) == (1_100, "buy", O_SPACE)


def test_mo_101_a_debt_of_several_waits_for_each() -> None:
    town = drawing(Effect("pay", amount=50, who="all"), green={"cash": 30}, yellow={"cash": 10})
    assert (town.cash("red"), town.waits) == (850, ["green", "yellow"])
    town.do("trade", "yellow", with_="red", give={}, get={"money": 40})
    assert (town.cash("yellow"), town.waits) == (0, ["green"])
