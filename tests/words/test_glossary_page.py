"""Words and symbols are explained in every language, and lead to rules that there are."""

import re
from pathlib import Path

import pytest

from companion.games.master_builder import GAME
from companion.games.master_builder.rules.rulebook import BY_ID
from companion.games.master_builder.ui.glossary import GROUPS, WORKER_TYPES, groups
from companion.words import LANGUAGES, Words

TEMPLATE = Path(__file__).resolve().parents[2] / "templates/games/master_builder/words.html"
TERMS = [term for _, terms in GROUPS for term in terms]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_explained(language: str) -> None:
    words = Words(language, GAME)
    for term in TERMS:
        assert words.template(term.id, "term says") != term.id
        assert term.id in WORKER_TYPES or words.template(term.id, "term") != term.id
    for group, _ in GROUPS:
        assert words.template(group, "term group") != group


def test_no_explanation_is_left_that_nobody_shows() -> None:
    english = (Path(__file__).resolve().parents[2] / "companion/games/master_builder/words/en.po").read_text(
        encoding="utf-8"
    )
    result = re.findall(r'msgctxt "term says"\nmsgid "(\w+)"', english)
    assert sorted(result) == sorted(term.id for term in TERMS)


def test_every_rule_that_a_term_leads_to_exists() -> None:
    assert not [term.rule for term in TERMS if term.rule and term.rule not in BY_ID]


def test_every_term_has_its_drawing() -> None:
    template = TEMPLATE.read_text(encoding="utf-8")
    assert not [term.id for term in TERMS if f'"{term.id}"' not in template]


def test_a_worker_is_called_what_he_is_called_at_the_table() -> None:
    workers = next(group for group in groups(Words("de", GAME)) if group.id == "workers")
    assert [term.title for term in workers.terms][:4] == ["Lehrling", "Geselle", "Vorarbeiter", "Meister"]
