"""Acceptance examples MO-18 to MO-20, MO-60 to MO-66: chips of spaces, kept cards, stealing, Free Parking."""

from typing import Any

import pytest

from tests.games.monopoly_builder.town import (
    BARGAIN,
    JAIL,
    PARDON,
    PARKING,
    RESOURCES,
    STEAL,
    Town,
)


def test_mo_18_collect_and_roll_for_resources() -> None:
    town = Town()
    town.roll("red", 1, 2)
    assert town.chips("red") == {"red": 6}


def test_mo_19_go_pays_and_jail_ends_the_turn() -> None:
    town = Town(red={"space": 26})
    town.roll("red", 1, 4)
    assert town.cash("red") == 1_100


def test_mo_20_steal_and_free_parking() -> None:
    town = Town(red={"space": PARKING - 3, "chips": {"red": 2}})
    town.roll("red", 1, 2)
    town.do("free_parking", "red", give={"red": 2}, get="green")
    assert town.chips("red") == {"green": 1}


def test_mo_60_two_of_the_kind_unasked() -> None:
    town = Town(red={"chips": {}}, green={"chips": {"red": 19}})
    town.roll("red", 1, 2)
    assert town.chips("red") == {"red": 1}
    table = Town(red={"space": 9})
    table.roll("red", 1, 2)
    table.do("roll_for_resources", "red", dice=[4, 5])
    assert table.chips("red") == {"red": 2}
    choice = Town(red={"space": 9})
    choice.roll("red", 1, 2)
    choice.do("roll_for_resources", "red", dice=[3, 4])
    assert (choice.phase, choice.position["due"], choice.waits) == ("take", 2, ["red"])
    choice.do("take", "red", chips={"red": 1, "green": 1})
    assert (choice.chips("red"), choice.phase) == ({"red": 1, "green": 1}, "act")


def test_mo_61_exactly_what_is_due_and_there() -> None:
    town = Town(red={"space": 9}, green={"chips": {"yellow": 19}})
    town.roll("red", 1, 2)
    town.do("roll_for_resources", "red", dice=[3, 4])
    assert town.refuses("take", "red", chips={"red": 1}) == "not_as_many_as_due"
    assert town.refuses("take", "red", chips={"red": 3}) == "not_as_many_as_due"
    assert town.refuses("take", "red", chips={"yellow": 2}) == "tray_is_short"


def drawing(**players: Any) -> Town:
    town = Town(**{"red": {"space": 2}, **players})
    town.roll("red", 1, 2)
    assert town.phase == "chance"
    return town


def test_mo_62_a_kept_card_is_in_nobody_elses_pile() -> None:
    town = drawing()
    town.do("draw_chance", "red", card=PARDON)
    assert (town.player("red")["cards"], town.position["deck"]["chance"], town.phase) == ([PARDON], 19, "act")
    kept = drawing(green={"cards": [PARDON]})
    assert kept.refuses("draw_chance", "red", card=PARDON) == "somebody_keeps_it"


def test_mo_62_others_may_come_twice_in_a_row() -> None:
    town = drawing(green={"space": 2})
    town.do("draw_chance", "red", card="C05")
    town.do("end_turn", "red")
    town.roll("green", 1, 2)
    town.do("draw_chance", "green", card="C05")


def test_mo_63_the_jail_card_before_the_roll() -> None:
    town = Town(red={"space": JAIL, "in_jail": True, "tries": 1, "cards": [PARDON]})
    assert town.position["expects"] == ["roll", "leave_jail", "play_chance"]
    assert town.refuses("play_chance", "red", card=PARDON, from_="green") == "no_exchange_by_this_card"
    assert town.refuses("play_chance", "green", card=PARDON) == "not_held"
    town.do("play_chance", "red", card=PARDON)
    red = town.player("red")
    assert (red["in_jail"], red["tries"], town.position["deck"]["chance"], town.phase) == (False, 0, 20, "roll")
    free = Town(red={"cards": [PARDON]})
    assert free.refuses("play_chance", "red", card=PARDON) == "not_in_jail"


def bargaining(rules: dict[str, str | bool] | None = None) -> Town:
    red = {"cards": [BARGAIN], "chips": {"red": 1}}
    return Town(rules=rules, taken={"turn": "yellow"}, red=red, green={"chips": {"purple": 1, "red": 1}})


def test_mo_64_a_forced_trade_out_of_turn() -> None:
    town = bargaining()
    town.do("play_chance", "red", card=BARGAIN, from_="green", take="purple", give="red")
    assert (town.chips("red"), town.chips("green")) == ({"purple": 1}, {"red": 2})


@pytest.mark.parametrize(
    ("from_", "take", "give", "rule"),
    [
        ("red", "red", "green", "not_with_oneself"),
        ("green", "yellow", "red", "has_no_such_chip"),
        ("green", "red", "red", "a_kind_that_is_given"),
        ("green", "purple", "green", "not_so_many_chips"),
        ("green", None, "red", "say_the_exchange"),
    ],
)
def test_mo_64_what_no_forced_trade_is(from_: str, take: str | None, give: str, rule: str) -> None:
    said: dict[str, Any] = {"from": from_, "give": give, **({} if take is None else {"take": take})}
    assert bargaining().refuses("play_chance", "red", card=BARGAIN, **said) == rule


def test_mo_64_in_the_own_turn_where_the_table_says_so() -> None:
    town = bargaining({"forced_trade": "own_turn"})
    said = {"card": BARGAIN, "from_": "green", "take": "purple", "give": "red"}
    assert town.refuses("play_chance", "red", **said) == "only_in_your_turn"


def test_mo_65_stealing() -> None:
    town = Town(red={"space": STEAL - 3}, green={"chips": {"purple": 2}})
    town.roll("red", 1, 2)
    assert town.refuses("steal", "red", from_="red", kind="red") == "not_with_oneself"
    assert town.refuses("steal", "red", from_="green", kind="red") == "has_no_such_chip"
    town.do("steal", "red", from_="green", kind="purple")
    assert (town.chips("red"), town.chips("green"), town.phase) == ({"purple": 1}, {"purple": 1}, "act")
    without_victim = Town(red={"space": STEAL - 3})
    without_victim.roll("red", 1, 2)
    assert without_victim.phase == "act"


def parked(**chips: int) -> Town:
    town = Town(red={"space": PARKING - 3, "chips": chips}, yellow={"chips": {"yellow": 20 - chips.get("yellow", 0)}})
    town.roll("red", 1, 2)
    return town


def test_mo_66_free_parking_once_a_landing() -> None:
    town = parked(red=1, yellow=1)
    town.do("free_parking", "red", give={"red": 1, "yellow": 1}, get="green")
    assert (town.chips("red"), town.phase) == ({"green": 1}, "act")
    assert town.refuses("free_parking", "red", give={"green": 1}, get="red") == "not_now"


@pytest.mark.parametrize(
    ("give", "get", "rule"),
    [
        ({"red": 2, "purple": 1}, "green", "two_chips"),
        ({"red": 1}, "green", "two_chips"),
        ({"red": 1, "purple": 1}, "red", "a_kind_that_is_given"),
        ({"purple": 2}, "green", "not_so_many_chips"),
        ({"red": 2}, "yellow", "tray_is_short"),
    ],
)
def test_mo_66_what_free_parking_does_not_take(give: dict[str, int], get: str, rule: str) -> None:
    assert parked(red=2, purple=1).refuses("free_parking", "red", give=give, get=get) == rule


def test_mo_66_it_may_be_left_alone_and_needs_two_chips() -> None:
    town = parked(red=2)
    town.do("pass", "red")
    assert town.phase == "act"
    assert parked(red=1).phase == "act"


def test_mo_18_who_stands_on_the_space_for_resources_is_offered_to_roll_for_them() -> None:
    town = Town(red={"space": RESOURCES - 3})
    town.roll("red", 1, 2)
    offered = [offer for offer in town.offers("red") if offer["do"] == "roll_for_resources"]
    assert offered[0]["fields"] == {"dice": {"kind": "dice", "count": 2, "faces": 6}}
