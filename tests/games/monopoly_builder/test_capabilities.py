"""Capabilities of Monopoly Builder besides its rules: agreements, owners of chips, and what ends with the game."""

from companion.game_api.ui import TextContext
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.capabilities import trade_partner
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.ui.texts import MonopolyBuilderEventTexts
from companion.words import Words
from tests.games.monopoly_builder.town import O, Town


def test_only_a_trade_needs_the_yes_of_somebody_else() -> None:
    assert trade_partner(c.Trade("red", "green", c.Bundle(money=5), c.Bundle(money=10))) == "green"
    assert trade_partner(c.EndTurn("red")) is None


def test_a_heap_of_chips_is_a_players_or_a_spaces() -> None:
    telling = TextContext(Words("en", GAME), card=str, person={"red": "Bartholomew"}.__getitem__, catalog={})
    tells = MonopolyBuilderEventTexts()

    assert tells.record("heap", 12, telling) == "space 12"
    assert tells.record("heap", "red", telling) == "Bartholomew"


def test_what_is_under_way_ends_with_the_game() -> None:
    # given a rent that nobody has claimed yet, and a deed on offer
    town = Town(red={"space": 1}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    assert town.position["claims"]

    # when they call the game off
    town.do("correct_turn", phase="finished", reason="it got late")

    # then there is nothing left to claim
    assert (town.position["claims"], town.position["debts"], town.position["auction"]) == ([], [], None)


def test_doubles_are_counted_anew_after_jail() -> None:
    town = Town(taken={"doubles": 2})

    town.roll("red", 4, 4)

    assert (town.player("red")["in_jail"], town.position["doubles"]) == (True, 0)
