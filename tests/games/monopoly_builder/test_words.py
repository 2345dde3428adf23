"""Monopoly Builder in words: every refusal, event, command and moment in three languages."""

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from companion.game_api.messages import verb_of
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.messages import MESSAGES
from companion.games.monopoly_builder.rules.phases import TurnPhase
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.town import O, Town
from tests.words.refusals_in_source import rules

VARIANTS_OF = {
    "GameEnded": (".penthouse", ".last_solvent", ".called_off"),
    "Freed": (".fee", ".card", ".double"),
}
"""Events that are always told by one of several sentences."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_event_command_and_moment_has_its_words(language: str) -> None:
    words = Words(language, GAME)
    wanted = [("refused", rule) for rule in rules(GAME.name)]
    wanted += [
        ("event", kind.__name__ + variant)
        for kind in MESSAGES.events
        for variant in VARIANTS_OF.get(kind.__name__, ("",))
    ]
    wanted += [("command", verb_of(kind)) for kind in MESSAGES.commands]
    wanted += [("phase", phase) for phase in get_args(TurnPhase)]
    assert [(context, text) for context, text in wanted if words.template(text, context) == text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_name_only_what_an_event_holds(language: str) -> None:
    words = Words(language, GAME)
    for kind in MESSAGES.events:
        field_names = {field.name.rstrip("_") for field in fields(kind)}
        for variant in VARIANTS_OF.get(kind.__name__, ("",)):
            named = set(re.findall(r"\{(\w+)\}", words.template(kind.__name__ + variant, "event")))
            assert named <= field_names, kind.__name__


def test_words_are_the_same_ids_in_every_language() -> None:
    assert GAME.words is not None
    ids = {path.stem: re.findall(r'msgctxt "(.*)"\nmsgid "(.+)"', path.read_text("utf-8")) for path in _files()}
    assert ids["en"] == ids["fr"] == ids["de"]


def _files() -> list[Path]:
    assert GAME.words is not None
    return sorted(GAME.words.glob("*.po"))


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
