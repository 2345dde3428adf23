"""Sentences of Monopoly Builder that field types alone do not give."""

from pathlib import Path

import pytest

from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.rules.catalog import Effect
from companion.games.monopoly_builder.teaching import describe_effect
from companion.games.monopoly_builder.ui.corrections import MonopolyBuilderCorrections
from companion.words import Words
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import JAIL, O, Town, drawing


def test_a_trade_is_told_with_both_sides() -> None:
    town = Town(red={"deeds": [O], "chips": {"red": 2}})
    give = {"money": 50, "deeds": [O], "chips": {"red": 2}}
    event = town.do("trade", "red", with_="green", give=give, get={})[0]
    said = Words("en", GAME).event(event, town.table.names(), town.table.catalog_json())
    assert said == "Red gives green 50\u00a0M, 2 red, and Canal Row for nothing"


def test_a_rent_that_lapses_is_told_as_what_the_payer_would_have_owed() -> None:
    # given red, who lands on green's deed, and green, who says nothing until green rolls
    town = Town("red", "green", green={"deeds": [O]})
    town.roll("red", 1, 3)
    town.do("end_turn", "red")
    events = town.roll("green", 1, 2)
    [lapsed] = [event for event in events if event["event"] == "ClaimsLapsed"]

    assert lapsed == {"event": "ClaimsLapsed", "payers": ["red"]}
    said = [Words(language, GAME).event(lapsed, town.table.names(), {}) for language in ("en", "fr", "de")]
    assert said == [
        "Rent due from red was not claimed in time and lapses",
        "Le loyer dû par red n’a pas été réclamé à temps et il est perdu",  # noqa: RUF001 a French sentence
        "Miete von red wurde nicht rechtzeitig gefordert und verfällt",
    ]


def test_dice_and_chips_are_told() -> None:
    town = Town()
    events = town.roll("red", 1, 5)
    words = Words("de", GAME)
    sentences = [words.event(event, town.table.names(), town.table.catalog_json()) for event in events]
    assert sentences[:2] == ["Red würfelt 1 + 5", "Red bekommt 2 rote"]


SINGULAR = {
    "en": ("1 Chance card", "Move 1 space forwards", "Move 1 space back", ", 1 try"),
    "fr": ("1 carte Chance", "Avance de 1 case", "Recule de 1 case", ", 1 essai"),
    "de": ("1 Ereigniskarte", "Zieh 1 Feld vor", "Zieh 1 Feld zurück", ", 1 Versuch"),
}


@pytest.mark.parametrize("language", SINGULAR)
def test_one_is_told_as_one(language: str) -> None:
    # given a card, a space and a try, one of each
    words, town = Words(language, GAME), Town(red={"space": JAIL, "in_jail": True, "tries": 1})
    figures = MonopolyBuilderCorrections().figures(scene(town, language))
    (token,) = (figure for figure in figures if figure.key == "space:red")
    pile = words.described_figure("deck", {"chance": 1}, town.table.names(), town.table.catalog_json())
    moves = [describe_effect({"do": "move", "by": by}, words) for by in (1, -1)]

    # then none is told as several
    card, forwards, back, tried = SINGULAR[language]
    assert pile == card
    assert [move.split("\u202f;")[0].split(";")[0] for move in moves] == [forwards, back]
    assert token.now.endswith(tried)


GUIDES = {"en": "monopoly-builder.md", "fr": "monopoly-builder.fr.md", "de": "monopoly-builder.de.md"}


@pytest.mark.parametrize("language", GUIDES)
def test_the_guide_names_the_buttons_for_an_own_box_and_for_a_trade_that_is_sent_back(language: str) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guide" / GUIDES[language]).read_text(encoding="utf-8")

    words = Words(language, GAME)
    for button in ("Use my box", "Change it"):
        assert f"**{words.say(button)}**" in guide


GO_EITHER_WAY = {"en": "landing there either way", "fr": "s\u2019y arrêter, même à reculons", "de": "auch rückwärts"}


@pytest.mark.parametrize("language", GO_EITHER_WAY)
def test_the_rule_book_pays_whoever_lands_on_go_backwards_as_the_companion_does(language: str) -> None:
    # given red on Chance, whose card sends them back five spaces onto GO
    town = drawing(Effect("move", by=-5))

    # then red is paid, and the rule of moving says so
    assert (town.player("red")["space"], town.cash("red")) == (0, 900 + 200)
    sentences = Words(language, GAME).say_in("rulebook says", "moving").split(". ")
    assert GO_EITHER_WAY[language] in sentences[-1].split(";")[0]
