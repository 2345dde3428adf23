"""Texts of cards in three languages: amounts with their sign, and one form of address, as on all pages."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

DECKS = sorted((Path(__file__).parents[2] / "companion" / "games").glob("*/cards/decks/*.toml"))
BARE = re.compile(r"(?<![$\d])\d{1,3}[.,\s\u00a0\u202f]\d{3}(?!\d)(?![\s\u00a0\u202f]?[$M])")
"""Thousands without the sign of money."""
PLURAL = {
    "fr": re.compile(r"\b(vous|votre|vos|[a-zé]{3,}ez)\b", re.IGNORECASE),
    "de": re.compile(r"\b(euch|eure[rnms]?|euer)\b", re.IGNORECASE),
}


def texts(value: object) -> Iterator[tuple[str, str]]:
    """Return every text of a deck with its language; texts outside of a table of languages are English."""
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from texts(item)
    elif isinstance(value, dict):
        for key, inside in cast("dict[str, object]", value).items():
            if key == "texts":
                yield from cast("dict[str, str]", inside).items()
            elif key == "text":
                yield "en", str(inside)
            else:
                yield from texts(inside)


@pytest.mark.parametrize("deck", DECKS, ids=[deck.parents[2].name for deck in DECKS])
def test_cards_name_amounts_with_their_sign_and_address_one_person(deck: Path) -> None:
    # given every text of a deck
    said = list(texts(tomllib.loads(deck.read_text(encoding="utf-8"))))

    # then none has bare thousands, and none addresses several people
    assert [text for _, text in said if BARE.search(text)] == []
    assert [text for language, text in said if language in PLURAL and PLURAL[language].search(text)] == []


def test_a_bare_amount_and_the_other_address_are_noticed() -> None:
    assert BARE.search("coûte 1\u202f000 de plus")
    assert BARE.search("you receive 1,000 for each")
    assert not BARE.search("1.000\u00a0$ mehr, $1,000 more")
    assert PLURAL["fr"].search("Renvoyez un ouvrier")
    assert PLURAL["de"].search("nach eurer Wahl")
