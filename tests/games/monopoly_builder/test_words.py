"""Sentences of Monopoly Builder that field types alone do not give."""

from companion.games.monopoly_builder import GAME
from companion.words import Words
from tests.games.monopoly_builder.town import O, Town


def test_a_trade_is_told_with_both_sides() -> None:
    town = Town(red={"deeds": [O], "chips": {"red": 2}})
    give = {"money": 50, "deeds": [O], "chips": {"red": 2}}
    event = town.do("trade", "red", with_="green", give=give, get={})[0]
    said = Words("en", GAME).event(event, town.table.names(), town.table.catalog_json())
    assert said == "Red gives green 50\u00a0M, 2 red, and Canal Row for nothing"


def test_dice_and_chips_are_told() -> None:
    town = Town()
    events = town.roll("red", 1, 5)
    words = Words("de", GAME)
    sentences = [words.event(event, town.table.names(), town.table.catalog_json()) for event in events]
    assert sentences[:2] == ["Red würfelt 1 + 5", "Red bekommt 2 rote"]
