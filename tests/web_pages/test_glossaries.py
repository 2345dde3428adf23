"""Words and symbols of games that bring no pages of their own are explained, with drawings and rules behind them."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from companion.words import LANGUAGES, Words
from tests.opened import installed_games
from tests.web_pages.bot_tables import GAMES, begin, tables_of


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of the two games."""
    return tables_of({name: installed_games().manifest(name) for name in GAMES})


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_explained_and_its_rule_is_there(banker: FlaskClient, name: str, language: str) -> None:
    manifest = installed_games().manifest(name)
    words = Words(language, manifest)
    assert manifest.glossary is not None
    assert manifest.handbook is not None
    groups = manifest.glossary().groups(words)

    page = unescape(banker.get(f"/words?game={name}&lang={language}").text)

    for group, terms in groups.items():
        assert words.template(group, "term group") != group
        for term in terms:
            assert words.template(term.id, "term") != term.id
            says = words.template(term.id, "term says")
            assert says != term.id
            assert says in page
            assert manifest.handbook().about(term.rule) is not None
    assert page.count('<span class="term-drawn"><svg') >= 4


@pytest.mark.parametrize("name", GAMES)
def test_no_explanation_is_left_that_nobody_shows(name: str) -> None:
    manifest = installed_games().manifest(name)
    assert manifest.glossary is not None
    assert manifest.words is not None
    english = (manifest.words / "en.po").read_text(encoding="utf-8")
    ids = re.findall(r'msgctxt "term says"\nmsgid "(\w+)"', english)
    shown = [term.id for terms in manifest.glossary().groups(Words("en", manifest)).values() for term in terms]
    assert sorted(ids) == sorted(shown)


@pytest.mark.parametrize("name", GAMES)
def test_lobby_and_menu_lead_to_the_words_of_the_game(banker: FlaskClient, tables: Tables, name: str) -> None:
    table = begin(tables, name).table
    assert f'href="/words?game={name}"' in banker.get(f"/?game={name}").text
    assert f'href="/words?table={table.id}"' in banker.get(f"/tables/{table.id}/live?part=menu").text
