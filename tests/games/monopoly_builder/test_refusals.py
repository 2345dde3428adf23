"""Refusals of Monopoly Builder that no numbered example asks for, and what cards under the camera mean."""

from typing import Any

import pytest

from companion.engine.game import Placement, Question, Refused
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.bots.deals import STRENGTHS, paying
from companion.games.monopoly_builder.bots.play import acting
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import Effect
from companion.games.monopoly_builder.rules.evolve import evolve
from companion.service.table.table import Request
from companion.words import Words
from tests.games.monopoly_builder.town import (
    BARGAIN,
    JAIL,
    PARDON,
    RESOURCES,
    O,
    P,
    Town,
    board,
    built,
    empty_table,
    with_card,
)

WHY = {"reason": "looked again"}


def test_before_the_start_nothing_is_done() -> None:
    with pytest.raises(Refused, match="not_started"):
        empty_table().submit(Request({"do": "end_turn", "player": "red"}, "banker", "test"))
    with pytest.raises(ValueError, match="before the start"):
        evolve(None, e.TurnBegan("red", 0))


def test_chips_and_cards_that_are_none() -> None:
    town = Town(taken={"phase": "discard"}, red={"chips": {"red": 8}})
    assert town.refuses("discard", "red", chips={"blue": 2}) == "unknown_kind"
    assert town.refuses("discard", "red", chips={"red": -2}) == "not_so_many_chips"
    said: dict[str, Any] = {"kind": "red", "count": -1, "from_": "red", "to": 5, **WHY}
    assert town.refuses("correct_chips", **said) == "not_so_many_chips"
    assert town.refuses("correct_card", card="C99", to="red", **WHY) == "unknown_chance"
    assert town.refuses("mortgage", "red", deed="D77") == "unknown_deed"


def test_choices_are_those_of_one_player_and_of_so_many() -> None:
    town = Town(catalog=with_card("C05", Effect("lose", kind="any", count=1)), red={"space": 2, "chips": {"red": 3}})
    town.roll("red", 1, 2)
    town.do("draw_chance", "red", card="C05")
    assert town.refuses("return_chips", "red", chips={"red": 2}) == "not_as_many_as_due"
    assert town.refuses("return_chips", "green", chips={"red": 1}) == "not_your_turn"


def test_a_kept_card_that_the_banker_settles() -> None:
    town = Town(catalog=with_card("C05", Effect("manual"), keep=True), red={"cards": ["C05"]})
    assert {"do": "play_chance", "player": "red", "card": "C05", "urgency": "possible", "fields": {}} in town.offers(
        "red"
    )
    town.do("play_chance", "red", card="C05")
    assert town.position["deck"]["chance"] == 20


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"board": {"A1": {"owner": "red", "height": 6}}}, id="height"),
        pytest.param(
            {"board": {cell: {"owner": "red", "height": 4} for cell in ("A1", "A2", "B1", "B2")}}, id="16 blocks"
        ),
        pytest.param({"rules": {"deeds": "shuffled"}, "players": {"red": {"cash": 900, "deeds": [O]}}}, id="face down"),
        pytest.param({"players": {"red": {"cash": 900, "cards": [PARDON, PARDON]}}}, id="card twice"),
    ],
)
def test_positions_that_cannot_be(wrong: dict[str, Any]) -> None:
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", **wrong}
    position["players"] = {"red": {"cash": 900}, "green": {"cash": 900}, **wrong.get("players", {})}
    with pytest.raises(Refused):
        empty_table().submit(Request({"do": "take_over", "position": position}, "banker", "test"))


def lay(town: Town, card: str, zone: str = "tray", event: Any = "place") -> Any:
    position = town.table.position
    assert position is not None
    return town.table.game.rules.read(position, Placement(event, f"MO1{card}", card, zone, 1.0))


def rule(reading: Any) -> str:
    assert isinstance(reading, Question)
    return reading.rule


def test_a_deed_on_offer_is_bought_and_one_under_the_hammer_asks() -> None:
    town = Town(red={"space": 1})
    town.roll("red", 1, 2)
    assert lay(town, O, "red") == c.Buy("red")
    town.do("decline", "red")
    town.do("bid", "green", amount=10)
    assert rule(lay(town, O, "green")) == "hammer_now"
    assert rule(lay(town, O, "red")) == "card_means_nothing"


def test_a_deed_that_is_turned_up() -> None:
    town = Town(rules={"deeds": "shuffled"})
    town.roll("red", 1, 3)
    assert lay(town, O) == c.TurnDeed("red", O)


def test_dice_are_the_throw_that_is_awaited() -> None:
    town = Town(red={"space": RESOURCES - 3})
    assert lay(town, "3 + 4") == c.Roll("red", (3, 4))
    town.roll("red", 1, 2)
    assert lay(town, "2 + 6") == c.RollForResources("red", (2, 6))
    town.do("roll_for_resources", "red", dice=[2, 6])
    while town.phase == "take":
        town.do("take", "red", chips={"red": town.position["due"]})
    assert lay(town, "3 + 4") is None


def test_deeds_of_players_are_questions() -> None:
    town = Town(red={"deeds": [O, P], "mortgaged": [P]})
    assert rule(lay(town, O)) == "mortgage_it"
    assert rule(lay(town, P)) == "lift_the_mortgage"
    assert rule(lay(town, O, "green")) == "trade_it"
    assert rule(lay(town, "D77")) == "unknown_card"


def test_a_question_of_the_camera_says_its_amount_and_a_yes_does_it() -> None:
    # given red with a deed for 100, one that is lifted for 70, and a bid of green for another
    town = Town(red={"deeds": [O, P], "mortgaged": [P], "space": 9})
    names, catalog = town.table.names(), town.table.catalog_json()

    def asked(card: str, zone: str) -> tuple[str, Any]:
        reading = lay(town, card, zone)
        return Words("en", GAME).refusal(rule(reading), dict(reading.details), names, catalog), reading.yes

    assert asked(O, "tray") == ("Mortgage Canal Row for 100\u00a0M?", c.Mortgage("red", O))
    assert asked(P, "tray") == ("Lift the mortgage on Ferry Steps for 70\u00a0M?", c.Unmortgage("red", P))
    town.roll("red", 1, 3)
    deed = town.position["offered"]
    town.do("decline", "red")
    town.do("bid", "green", amount=25)
    assert asked(deed, "green") == ("Green leads with 25\u00a0M: close the auction?", c.Hammer())


def test_what_lies_where_it_belongs_is_not_told() -> None:
    town = Town(red={"deeds": [O, P], "mortgaged": [P], "cards": [PARDON]}, green={"cards": [BARGAIN]})

    assert [lay(town, card, "red") for card in (O, P, PARDON)] == [None, None, None]
    assert lay(town, BARGAIN, "green") is None


def test_a_kept_card_before_another_player_asks_for_the_trade_that_brings_it_there() -> None:
    town = Town(red={"cards": [PARDON]}, green={"cards": [BARGAIN]})

    assert rule(lay(town, PARDON, "green")) == "trade_it"
    assert rule(lay(town, BARGAIN, "yellow")) == "trade_it"


def test_a_jail_card_on_the_tray_has_no_use_outside_of_jail() -> None:
    town = Town(red={"cards": [PARDON]}, green={"cards": [BARGAIN]})

    assert rule(lay(town, PARDON)) == "card_means_nothing"
    assert rule(lay(town, BARGAIN)) == "say_the_exchange"


def test_chance_cards_that_are_drawn_kept_and_played() -> None:
    drawing = Town(red={"space": 2})
    drawing.roll("red", 1, 2)
    assert lay(drawing, "C05") == c.DrawChance("red", "C05")
    jailed = Town(red={"space": JAIL, "in_jail": True, "cards": [PARDON]}, green={"cards": [BARGAIN]})
    assert lay(jailed, PARDON) == c.PlayChance("red", PARDON)
    assert rule(lay(jailed, BARGAIN)) == "say_the_exchange"
    assert rule(lay(jailed, "C05")) == "card_means_nothing"
    assert lay(jailed, PARDON, event="remove") is None


def test_a_claim_passes_anything_and_a_bid_what_others_bid() -> None:
    game = Town().table.game.rules
    bid, passed = e.BidMade("green", 10, ()), e.BidderPassed("green")
    assert game.overtakes(c.ClaimRent("green", O), bid)
    assert game.overtakes(c.Bid("red", 15), bid)
    assert game.overtakes(c.Bid("red", 15), passed)
    assert game.overtakes(c.Pass("red"), passed)
    assert not game.overtakes(c.Pass("red"), bid)
    assert not game.overtakes(c.EndTurn("red"), passed)


def test_bots_pay_as_long_as_they_can_and_build_no_block_that_is_not_there() -> None:
    town = Town(red={"space": 1, "cash": 5, "deeds": [P]}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    town.do("claim_rent", "green", deed=O)
    position = town.table.position
    assert position is not None
    assert paying(position, "red") == c.Mortgage("red", P)
    assert paying(position, "yellow") == c.DeclareBankrupt("yellow")
    full = built(A1=("red", 4), A2=("red", 4), B1=("red", 4))
    idle = Town(taken={"phase": "act", **full}, red={"chips": {"red": 3}}, catalog=board())
    position = idle.table.position
    assert position is not None
    assert acting(position, "red", STRENGTHS["strong"], lambda _: 0) == c.EndTurn("red")


def sentence_of_refusal(town: Town, language: str, do: str, player: str | None = None, **fields: Any) -> str:
    """Return what somebody is told whose command is refused."""
    actor = {} if player is None else {"player": player}
    command = {"do": do, **actor, **{key.removesuffix("_"): value for key, value in fields.items()}}
    with pytest.raises(Refused) as refused:
        town.table.submit(Request(command, "banker", "test"))
    details = dict(refused.value.details)
    return Words(language, GAME).refusal(refused.value.rule, details, town.table.names(), town.table.catalog_json())


@pytest.mark.parametrize(
    ("language", "of_player", "of_space", "of_bank"),
    [
        (
            "en",
            "Chips (purple) with red: 1, not 2.",
            "Chips (red) with space 5: 3, not 4.",
            "Chips (green) of the bank: 0, not 1.",
        ),
        (
            "fr",
            "Jetons (violet), red\u202f: 1 et non 2.",
            "Jetons (rouge), la case 5\u202f: 3 et non 4.",
            "Jetons (vert) de la banque\u202f: 0 et non 1.",
        ),
        (
            "de",
            "Chips (lila), red: 1, nicht 2.",
            "Chips (rot), Feld 5: 3, nicht 4.",
            "Chips (grün) der Bank: 0, nicht 1.",
        ),
    ],
)
def test_too_few_chips_are_told_with_the_place_the_kind_and_both_numbers(
    language: str, of_player: str, of_space: str, of_bank: str
) -> None:
    # given red with a purple chip, three red chips on a space, and all green ones with green
    chips = {"chips": {"purple": 1, "red": 7}}
    town = Town(taken={"phase": "discard", "spaces": {"5": {"red": 3}}}, red=chips, green={"chips": {"green": 20}})

    assert sentence_of_refusal(town, language, "discard", "red", chips={"purple": 2}) == of_player
    assert (
        sentence_of_refusal(town, language, "correct_chips", kind="red", count=4, from_=5, to="red", **WHY) == of_space
    )
    town.do("discard", "red", chips={"red": 2})
    town.do("correct_turn", player="red", phase="act", **WHY)
    assert sentence_of_refusal(town, language, "bank_trade", "red", give="red", get="green") == of_bank


def test_every_fault_of_chips_that_are_taken_over_says_its_figures() -> None:
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "spaces": {"5": {"green": -2}}}
    position["players"] = {"red": {"cash": 900, "chips": {"red": 21}}, "green": {"cash": 900}}
    with pytest.raises(Refused) as refused:
        empty_table().submit(Request({"do": "take_over", "position": position}, "banker", "test"))

    assert refused.value.details["faults"] == (
        {"rule": "not_so_many_chips", "details": {"place": 5, "kind": "green", "count": -2, "there": 0}},
        {"rule": "tray_is_short", "details": {"kind": "red", "count": 21, "there": 20}},
    )
