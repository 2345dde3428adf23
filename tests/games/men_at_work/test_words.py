"""Men at Work in words: every refusal, event, command and moment in three languages."""

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from companion.game_api.messages import verb_of
from companion.games.men_at_work import GAME
from companion.games.men_at_work.messages import MESSAGES
from companion.games.men_at_work.rules.phases import ActionPhase
from companion.words import LANGUAGES, Words
from tests.games.men_at_work.building_site import Site
from tests.words.refusals_in_source import rules

VARIANTS_OF = {"GameEnded": (".awards", ".last_standing", ".exhausted")}
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
    wanted += [("phase", phase) for phase in get_args(ActionPhase)]
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


def test_pieces_are_told_by_their_number() -> None:
    site = Site()
    site.turn("two_bricks", "HOP")
    event = site.do("done")[0]
    assert Words("en", GAME).event(event, site.table.names()) == "Blue places a worker and 2 bricks"
    assert Words("de", GAME).event(event, site.table.names()) == "Blue setzt einen Arbeiter und 2 Ziegel"


def test_a_card_is_told_by_its_panels_and_a_back_by_what_it_shows() -> None:
    site = Site()
    catalog = site.table.catalog_json()
    words = Words("en", GAME)
    panels = catalog["cards"]["I01"]
    names = [catalog["instructions"][panels[side]]["name"] for side in ("girder", "worker")]
    assert words.card("I01", catalog) == f"I01 ({names[0]} / {names[1]})"
    assert words.card("BOSS", catalog) == "The boss"
    assert words.card("HBW", catalog) == "a worker on black or white"
