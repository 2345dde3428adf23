"""Every sentence of the pages is there in every language, with the same places to fill."""

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from companion.words import LANGUAGES
from companion.words.words import FOLDER, STEPS
from tests.opened import installed_games
from tests.words.spoken_sentences import of_game, of_house, plurals

OTHERS = [language for language in LANGUAGES if language != "en"]


@cache
def house(language: str) -> Catalog:
    return read(FOLDER, language)


@cache
def steps(language: str) -> Catalog:
    return read(STEPS, language)


@cache
def game(name: str, language: str) -> Catalog:
    folder = installed_games().manifest(name).words
    assert folder
    return read(folder, language)


def read(folder: Path, language: str) -> Catalog:
    with (folder / f"{language}.po").open("rb") as source:
        return read_po(source, locale=language)


GAMES = ("master_builder", "men_at_work", "monopoly_builder")
CATALOGUES = [house, steps, *(partial(game, name) for name in GAMES)]
OWNERS = pytest.mark.parametrize("catalogue", CATALOGUES, ids=("house", "steps", *GAMES))


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_the_house_is_translated_by_the_house(language: str) -> None:
    missing = sorted(sentence for sentence in of_house() if not _translation(house(language), sentence))

    assert of_house()
    assert missing == []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_a_game_is_translated_by_it_or_by_the_house(language: str, name: str) -> None:
    catalogs = (game(name, language), house(language))

    missing = sorted(
        sentence for sentence in of_game(name) if not any(_translation(words, sentence) for words in catalogs)
    )

    assert of_game(name)
    assert missing == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_left_that_nobody_says(language: str) -> None:
    assert _left(house(language), of_house()) == []
    assert [_left(game(name, language), of_game(name) - of_house()) for name in GAMES] == [[]] * len(GAMES)


def _left(catalog: Catalog, said: frozenset[str]) -> list[str]:
    ids = [_ids(message.id)[0] for message in catalog if message.id and not message.context]
    return [sentence for sentence in ids if sentence not in said]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_game_calls_something_the_house_does_not_call_too(language: str) -> None:
    ids = {(message.context, message.id) for message in house(language) if message.id}

    assert not ids & {(message.context, message.id) for message in game("master_builder", language) if message.id}


@OWNERS
@pytest.mark.parametrize("language", OTHERS)
def test_translations_hold_the_places_of_their_sentence(language: str, catalogue: Callable[[str], Catalog]) -> None:
    english = {(message.context, _ids(message.id)[0]): message for message in catalogue("en")}

    for message in catalogue(language):
        if not message.id:
            continue
        first = _ids(message.id)[0]
        source = english.get((message.context, first))
        wanted = places(_ids(source.string)[-1] if source and message.context else first)
        for said in _ids(message.string):
            assert places(said) <= wanted | {"count"}, said
            assert message.context or places(said) == wanted, said


@OWNERS
@pytest.mark.parametrize("language", OTHERS)
def test_languages_know_the_same_ids(language: str, catalogue: Callable[[str], Catalog]) -> None:
    english = {(message.context, message.id) for message in catalogue("en") if message.context}

    theirs = {(message.context, message.id) for message in catalogue(language) if message.context}

    assert theirs == english


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_sentences_with_numbers_have_both_forms(language: str, name: str) -> None:
    catalogs = (game(name, language), house(language))

    assert all(any(isinstance(_message(words, plural), tuple) for words in catalogs) for plural in plurals(name))


@OWNERS
def test_french_has_narrow_spaces_before_high_signs(catalogue: Callable[[str], Catalog]) -> None:
    for message in catalogue("fr"):
        for said in _ids(message.string):
            assert not any(f" {sign}" in said for sign in ";:?!"), said


@OWNERS
def test_french_tells_people_what_to_do_by_tu(catalogue: Callable[[str], Catalog]) -> None:
    for message in catalogue("fr"):
        for said in _ids(message.string):
            assert said.startswith("Chez ") or not re.match(r"[A-ZÉ][a-zéèç]+ez\b", said), said


def _ids(text: object) -> tuple[str, ...]:
    return tuple(str(item) for item in text) if isinstance(text, tuple | list) else (str(text),)


def _message(catalog: Catalog, sentence: str) -> object:
    result = catalog.get(sentence)
    return result.string if result else None


def _translation(catalog: Catalog, sentence: str) -> bool:
    result = catalog.get(sentence)
    if result is not None:
        return all(_ids(result.string)) and not result.fuzzy
    return any(message.id and sentence in _ids(message.id) and all(_ids(message.string)) for message in catalog)
