"""Every sentence of the pages is there in every language, with the same places to fill."""

from functools import cache
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from companion.words import LANGUAGES
from companion.words.catalogues import FOLDER
from tests.words.spoken_sentences import plurals, sentences

OTHERS = [language for language in LANGUAGES if language != "en"]


@cache
def catalogue(language: str) -> Catalog:
    with (FOLDER / f"{language}.po").open("rb") as source:
        return read_po(source, locale=language)


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_the_pages_is_translated(language: str) -> None:
    known = catalogue(language)

    missing = sorted(one for one in sentences() if not _translation(known, one))

    assert sentences()
    assert missing == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_left_that_nobody_says(language: str) -> None:
    said = sentences()

    left = [_ids(message.id)[0] for message in catalogue(language) if message.id and not message.context]

    assert [one for one in left if one not in said] == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_hold_the_places_of_their_sentence(language: str) -> None:
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


@pytest.mark.parametrize("language", OTHERS)
def test_languages_know_the_same_ids(language: str) -> None:
    english = {(message.context, message.id) for message in catalogue("en") if message.context}

    theirs = {(message.context, message.id) for message in catalogue(language) if message.context}

    assert theirs == english


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_with_numbers_have_both_forms(language: str) -> None:
    known = catalogue(language)

    assert all(isinstance(_message(known, one), tuple) for one in plurals())


def test_french_has_narrow_spaces_before_high_signs() -> None:
    for message in catalogue("fr"):
        for said in _ids(message.string):
            assert not any(f" {sign}" in said for sign in ";:?!"), said


def _ids(text: object) -> tuple[str, ...]:
    return tuple(str(one) for one in text) if isinstance(text, tuple | list) else (str(text),)


def _message(known: Catalog, sentence: str) -> object:
    found = known.get(sentence)
    return found.string if found else None


def _translation(known: Catalog, sentence: str) -> bool:
    found = known.get(sentence)
    if found is not None:
        return all(_ids(found.string)) and not found.fuzzy
    return any(message.id and sentence in _ids(message.id) and all(_ids(message.string)) for message in known)
