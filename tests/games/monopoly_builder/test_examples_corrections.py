"""Acceptance examples MO-89 to MO-99, MO-102: strictness, corrections, undo, take-over."""

from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.table.table import Request
from tests.games.monopoly_builder.town import JAIL, O_SPACE, O, P, Town, built, empty_table, spaces

ACT: dict[str, Any] = {"phase": "act"}
WHY = {"reason": "looked again"}


@pytest.mark.parametrize(
    "command",
    [
        {"do": "dance"},
        {"do": "roll", "player": "red"},
        {"do": "roll", "player": "red", "dice": [1, 2], "speed": 3},
        {"do": "roll", "player": 7, "dice": [1, 2]},
        {"do": "roll", "player": "mauve", "dice": [1, 2]},
        {"do": "mortgage", "player": "red", "deed": "D17"},
        {"do": "draw_chance", "player": "red", "card": "C21"},
        {"do": "bank_trade", "player": "red", "give": "blue", "get": "red"},
    ],
)
def test_mo_89_what_is_no_command(command: dict[str, Any]) -> None:
    town = Town()
    before = town.position
    with pytest.raises(Refused):
        town.give(command)
    assert town.position == before


def test_mo_90_a_game_begins_once() -> None:
    start: dict[str, Any] = {"game": "monopoly_builder", "first": "red", "players": [{"id": "red"}, {"id": "green"}]}
    assert Town().refuses("start_game", **start) == "started_already"


@pytest.mark.parametrize("dice", [[0, 3], [7, 1], [3], [1, 2, 3], ["6", 1], [True, 2]])
def test_mo_91_no_such_dice(dice: list[Any]) -> None:
    Town().refuses("roll", "red", dice=dice)


def test_mo_92_cards_put_right() -> None:
    town = Town(red={"space": 1, "deeds": [P]}, green={"cards": ["C01"]})
    town.roll("red", 1, 2)
    assert town.refuses("correct_card", card=P, to="green", reason=" ") == "reason_missing"
    assert town.refuses("correct_card", card=P, to="red", **WHY) == "nothing_would_change"
    assert town.refuses("correct_card", card=O, to="green", **WHY) == "on_offer"
    assert town.refuses("correct_card", card="C05", to="red", **WHY) == "nobody_keeps_it"
    assert town.refuses("correct_card", card="C01", to="red", mortgaged=True, **WHY) == "not_mortgaged_ever"
    assert town.refuses("correct_card", card=P, to="bank", mortgaged=False, **WHY) == "not_mortgaged_ever"
    town.do("buy", "red")
    town.do("correct_card", card=O, to="green", mortgaged=True, **WHY)
    assert (town.player("green")["deeds"], town.player("green")["mortgaged"]) == ([O], [O])
    town.do("correct_card", card=O, to="bank", **WHY)
    assert O in town.position["unsold"]
    town.do("correct_card", card="C01", to="deck", **WHY)
    assert town.position["deck"]["chance"] == 20


def test_mo_93_money_put_right() -> None:
    town = Town()
    assert town.refuses("correct_money", from_="red", to="red", amount=5, **WHY) == "nothing_would_change"
    assert town.refuses("correct_money", from_="red", to="bank", amount=0, **WHY) == "not_a_multiple"
    assert town.refuses("correct_money", from_="red", to="bank", amount=905, **WHY) == "cannot_pay"
    town.do("count_cash", "red", amount=885)
    assert town.cash("red") == 900
    assert town.refuses("count_cash", "red", amount=-5) == "not_a_multiple"
    assert town.refuses("rename_player", "red", name="red") == "nothing_would_change"
    town.do("rename_player", "red", name="Eve")
    assert town.player("red")["name"] == "Eve"


def test_mo_94_chips_put_right() -> None:
    town = Town()
    said: dict[str, Any] = {"kind": "red", "count": 2, "from_": "red", "to": 5, **WHY}
    town.do("correct_chips", **said)
    assert town.position["spaces"] == {"5": {"red": 2}}
    assert town.refuses("correct_chips", **{**said, "count": 5}) == "not_so_many_chips"
    assert town.refuses("correct_chips", **{**said, "to": "red"}) == "nothing_would_change"
    assert town.refuses("correct_chips", **{**said, "count": 0}) == "nothing_would_change"
    assert town.refuses("correct_chips", **{**said, "to": 28}) == "unknown_space"
    assert town.refuses("correct_chips", **{**said, "to": "mauve"}) == "unknown_player"
    town.do("correct_chips", kind="red", count=2, from_=5, to="bank", **WHY)
    assert town.position["tray"]["red"] == 18


def test_mo_95_blocks_put_right() -> None:
    town = Town(taken=ACT)
    town.do("correct_block", cell="B2", owner="red", height=3, **WHY)
    assert town.player("red")["blocks"] == 9
    assert town.refuses("correct_block", cell="B2", owner="red", height=3, **WHY) == "nothing_would_change"
    assert town.refuses("correct_block", cell="B2", owner="red", height=5, **WHY) == "no_such_height"
    assert town.refuses("correct_block", cell="B2", height=3, **WHY) == "say_the_owner"
    assert town.refuses("correct_block", cell="B2", owner="red", height=0, **WHY) == "say_the_owner"
    assert town.refuses("correct_block", cell="A3", owner="red", height=1, **WHY) == "unknown_cell"
    town.do("correct_block", cell="B2", height=0, **WHY)
    assert town.player("red")["blocks"] == 12
    few = Town(taken={**ACT, **built(A1=("red", 4), A2=("red", 4), B1=("red", 2))})
    assert few.refuses("correct_block", cell="B2", owner="red", height=4, **WHY) == "no_block_left"


def penthouse() -> Town:
    five = {"red": 2, "purple": 1, "green": 1, "yellow": 1}
    town = Town(taken={**ACT, **built(A1=("red", 4))}, red={"chips": five})
    town.do("build", "red", cell="A1", chips=five)
    return town


def test_mo_95_the_penthouse_stands() -> None:
    assert penthouse().refuses("correct_block", cell="A1", owner="red", height=3, **WHY) == "the_penthouse_stands"


def test_mo_96_tokens_put_right() -> None:
    town = Town()
    town.do("correct_position", "red", space=JAIL, in_jail=True, tries=1, **WHY)
    assert (town.player("red")["in_jail"], town.player("red")["tries"]) == (True, 1)
    assert town.refuses("correct_position", "red", space=4, in_jail=True, **WHY) == "jail_is_elsewhere"
    assert town.refuses("correct_position", "red", space=JAIL, in_jail=True, tries=3, **WHY) == "no_such_tries"
    assert town.refuses("correct_position", "red", space=JAIL, tries=1, **WHY) == "no_such_tries"
    assert town.refuses("correct_position", "red", space=28, **WHY) == "unknown_space"


def test_mo_96_the_business_of_a_space_stays_with_it() -> None:
    town = Town(red={"space": 1})
    town.roll("red", 1, 2)
    town.do("correct_position", "red", space=20, **WHY)
    town.do("buy", "red")
    assert town.player("red")["deeds"] == [O]


def test_mo_97_the_turn_put_right() -> None:
    town = Town(red={"space": 1}, green={"deeds": [P]})
    town.roll("red", 1, 2)
    town.do("decline", "red")
    town.do("correct_turn", player="green", phase="act", **WHY)
    assert (town.turn, town.phase, town.position["auction"], town.position["claims"]) == ("green", "act", None, [])
    assert town.refuses("correct_turn", **WHY) == "say_player_or_phase"
    assert town.refuses("correct_turn", phase="buy", **WHY) == "wrong_type"
    town.do("correct_turn", phase="finished", **WHY)
    assert town.position["standings"]
    assert town.refuses("correct_turn", phase="finished", **WHY) == "game_over"
    town.do("correct_turn", player="red", **WHY)
    assert (town.turn, town.phase) == ("red", "roll")
    assert penthouse().refuses("correct_turn", phase="roll", **WHY) == "the_penthouse_stands"


def test_mo_97_a_fee_that_was_cut_short_is_owed_again() -> None:
    town = Town("red", "green", red={"space": JAIL, "in_jail": True, "tries": 2, "cash": 30})
    town.roll("red", 1, 2)
    town.do("correct_turn", player="green", **WHY)
    assert (town.player("red")["tries"], town.position["debts"]) == (3, [])
    town.quiet("green")
    town.roll("red", 1, 2)
    assert town.position["debts"] == [{"debtor": "red", "creditor": "bank", "amount": 50}]


def test_mo_98_undo_to_the_start_and_back() -> None:
    town = Town(taken=spaces(3, purple=2))
    town.roll("red", 1, 3)
    town.do("buy", "red")
    town.do("end_turn", "red")
    last = town.position
    for _ in range(3):
        town.do("undo")
    assert town.refuses("undo") == "nothing_to_undo"
    for _ in range(3):
        town.do("redo")
    assert town.position == last
    assert town.refuses("redo") == "nothing_to_redo"


def test_mo_99_a_position_as_it_is_shown() -> None:
    town = Town("red", "green", "yellow", rules={"rent": "auto"}, taken=built(A1=("green", 2)), green={"deeds": [P]})
    town.roll("red", 1, 2)
    shown = town.position
    other = Town(taken={key: value for key, value in shown.items() if key != "players"}, **shown["players"])
    assert other.position == shown


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"bank": 10_995}, id="money"),
        pytest.param({"money_in_play": 13_695}, id="money in play"),
        pytest.param({"spaces": {"3": {"red": 21}}}, id="21 red chips"),
        pytest.param({"spaces": {"28": {"red": 1}}}, id="no such space"),
        pytest.param({"phase": "buy"}, id="phase buy"),
        pytest.param({"colour": "red"}, id="unknown field"),
        pytest.param({"claims": [{"owner": "red"}]}, id="claims"),
        pytest.param({"board": {"A1": {"owner": "red", "height": 5}}}, id="penthouse in a running game"),
        pytest.param({"board": {"A3": {"owner": "red", "height": 1}}}, id="no cell"),
        pytest.param({"board": {"A1": {"owner": "purple", "height": 1}}}, id="nobody's building"),
        pytest.param({"doubles": 3}, id="doubles"),
        pytest.param({"dice": [0, 7]}, id="dice"),
        pytest.param({"unsold": ["D01"]}, id="unsold"),
        pytest.param({"tray": {"red": 3}}, id="tray"),
        pytest.param({"deck": {"chance": 3}}, id="deck"),
        pytest.param({"sites": {str(O_SPACE): P}}, id="sites"),
        pytest.param({"turn": "purple"}, id="nobody's turn"),
        pytest.param({"variants": ["x"]}, id="variant"),
        pytest.param({"rules": {"rent": "never"}}, id="rule"),
    ],
)
def test_mo_99_positions_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        Town(taken=wrong)


@pytest.mark.parametrize(
    "red",
    [
        {"cash": -5},
        {"cash": 7},
        {"space": 28},
        {"in_jail": True},
        {"tries": 1},
        {"deeds": [O, O]},
        {"deeds": ["D17"]},
        {"mortgaged": [O]},
        {"cards": ["C05"]},
        {"cards": ["C99"]},
        {"chips": {"blue": 1}},
        {"chips": {"red": -1}},
        {"blocks": 3},
        {"bankrupt": True},
        {"bankrupt": True, "cash": 0},
        {"name": " "},
    ],
)
def test_mo_99_players_that_cannot_be(red: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        Town(red=red)


def test_mo_99_a_deed_in_two_places_and_a_game_that_runs() -> None:
    with pytest.raises(Refused):
        Town(red={"deeds": [O]}, green={"deeds": [O]})
    town = Town()
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "players": {"red": {"cash": 5}}}
    assert town.refuses("take_over", position=position) == "started_already"


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("steal", {"from": "green", "kind": "red"}),
        ("free_parking", {"give": {"red": 2}, "get": "green"}),
        ("draw_chance", {"card": "C05"}),
        ("roll_for_resources", {"dice": [1, 2]}),
        ("take", {"chips": {"red": 2}}),
        ("return_chips", {"chips": {"red": 2}}),
        ("buy", {}),
        ("decline", {}),
        ("discard", {"chips": {"red": 1}}),
        ("pass", {}),
        ("bid", {"amount": 10}),
    ],
)
def test_mo_102_at_moments_that_are_not_theirs(verb: str, fields: dict[str, Any]) -> None:
    assert Town().refuses(verb, "red", **fields) == "not_now"


def test_mo_92_a_card_that_fell_out_of_a_hand_is_put_back_into_it() -> None:
    town = Town(green={"cards": ["C01"]})
    assert town.refuses("correct_card", card="C01", to="green", **WHY) == "nothing_would_change"
    assert town.refuses("correct_card", card="C02", to="deck", **WHY) == "nothing_would_change"
    town.do("correct_card", card="C02", to="red", **WHY)
    assert town.player("red")["cards"] == ["C02"]
    assert town.position["deck"]["chance"] == 18


def test_mo_97_a_token_put_where_it_stands_changes_nothing() -> None:
    town = Town(red={"space": 5})
    assert town.refuses("correct_position", player="red", space=5, **WHY) == "nothing_would_change"


@pytest.mark.parametrize(("rule", "fault"), [("ends", True), ("plays_on", False)])
def test_mo_99_a_game_that_only_one_player_can_go_on_with_is_over(rule: str, fault: bool) -> None:
    # given green, who is bankrupt, and red alone
    players = {"red": {"cash": 900}, "green": {"cash": 0, "bankrupt": True}}
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "rules": {"last_solvent": rule}}
    taken = Request({"do": "take_over", "position": {**position, "players": players}}, "banker", "test")

    # then it is taken over as finished alone, unless the table plays on
    if not fault:
        empty_table().submit(taken)
        return
    with pytest.raises(Refused) as refused:
        empty_table().submit(taken)
    few = {"field": "phase", "solvent": 1, "needed": 2}
    assert refused.value.details["faults"] == ({"rule": "disagrees", "details": few},)
    finished = {**position, "phase": "finished", "players": players}
    empty_table().submit(Request({"do": "take_over", "position": finished}, "banker", "test"))


def test_mo_99_a_game_without_anybody_solvent_is_over_whatever_the_table_plays() -> None:
    gone = {"cash": 0, "bankrupt": True}
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "rules": {"last_solvent": "plays_on"}}
    taken = {"do": "take_over", "position": {**position, "players": {"red": gone, "green": gone}}}

    with pytest.raises(Refused) as refused:
        empty_table().submit(Request(taken, "banker", "test"))
    assert refused.value.details["faults"] == (
        {"rule": "disagrees", "details": {"field": "phase", "solvent": 0, "needed": 1}},
        {"rule": "bankrupt", "details": {"player": "red", "turn": "red"}},
    )
