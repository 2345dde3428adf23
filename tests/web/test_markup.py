"""Sentences on pages: escaped, with values in their places, exactly as MarkupSafe fills them."""

from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from markupsafe import Markup, escape

from companion.web.pages.language import fill_markup

COMPANION = Path(__file__).resolve().parents[2] / "companion"

SENTENCES = sorted(
    {
        said
        for path in COMPANION.rglob("*.po")
        for message in read_po(BytesIO(path.read_bytes()))
        for said in (message.string if isinstance(message.string, tuple | list) else [message.string])
        if said
    }
)


def test_every_sentence_of_every_language_is_filled_as_markupsafe_would() -> None:
    for sentence in SENTENCES:
        places = [place for _, place, _, _ in Formatter().parse(sentence) if place]
        values = {place: Markup("<b>Ben</b>") if number % 2 else "<Ada> & 'co'" for number, place in enumerate(places)}
        assert fill_markup(sentence, values) == escape(sentence).format(**values)
    assert len(SENTENCES) > 3000


@pytest.mark.parametrize(
    "sentence", ["{count:5}|", "{name!r}", "{name.upper}", "{{braces}} {count}", "<b>{name}</b>", ""]
)
def test_sentences_that_ask_for_more_than_a_value_are_filled_too(sentence: str) -> None:
    values = {"count": 3, "name": "<Ada>"}
    assert fill_markup(sentence, values) == escape(sentence).format(**values)


def test_a_value_that_is_missing_is_an_error_of_the_program() -> None:
    with pytest.raises(KeyError, match="name"):
        fill_markup("{name} passes", {})
