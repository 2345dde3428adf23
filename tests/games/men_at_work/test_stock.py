"""The strip of pieces on tablet, phone and display: how many of each kind lie where."""

from typing import Any

import pytest

from companion.game_api.drawing import Drawing, TextLine
from companion.games.men_at_work import GAME
from companion.games.men_at_work.drawings.game import stock
from companion.games.men_at_work.rules.catalog import PIECES
from companion.words import Words

RESERVE = dict(zip(PIECES, (5, 4, 6, 3, 10, 2, 11, 8), strict=True))
SITE = dict(zip(PIECES, (1, 1, 1, 1, 6, 7, 0, 0), strict=True))
NOTHING = dict.fromkeys(PIECES, 0)


def strip(language: str = "en", **heaps: Any) -> Drawing:
    """Draw a position's pieces."""
    drawn = stock({"reserve": RESERVE, "site": SITE, "floor": NOTHING, **heaps}, words(language))
    assert drawn is not None
    return drawn


def words(language: str) -> Words:
    """Return the game's words."""
    return Words(language, GAME)


def rows(drawn: Drawing) -> list[str]:
    """Read the figures off a strip, line by line."""
    texts = [shape for shape in drawn.shapes if isinstance(shape, TextLine) and shape.y > 15]
    lines = sorted({round(text.y) for text in texts if text.words.isdigit()})
    return [" ".join(text.words for text in texts if text.words.isdigit() and round(text.y) == line) for line in lines]


def test_each_kind_of_piece_has_its_number_in_reserve_and_on_the_site() -> None:
    assert rows(strip()) == ["5 4 6 3 10 2 11 8", "1 1 1 1 6 7 0 0"]


def test_the_floor_has_a_line_as_soon_as_anything_fell() -> None:
    fallen = strip(floor={**NOTHING, "bricks": 2})

    assert rows(fallen)[2] == "0 0 0 0 0 0 0 2"
    assert fallen.height > strip().height


def test_where_nobody_counts_there_is_nothing_to_draw() -> None:
    assert stock({"reserve": None, "site": None, "floor": None}, words("en")) is None


def test_who_does_not_see_it_is_told_it() -> None:
    assert strip().says == (
        "Reserve: 5 orange, 4 purple, 6 black, 3 white, 10 workers, 2 supports, 11 beams, 8 bricks. "
        "Site: 1 orange, 1 purple, 1 black, 1 white, 6 workers, 7 supports"
    )


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_its_letters_and_places_are_those_of_the_language(language: str) -> None:
    shown = {shape.words for shape in strip(language).shapes if isinstance(shape, TextLine)}

    assert words(language).say_in("field", "reserve") in shown
    assert {words(language).say_in("colour", colour)[:1].upper() for colour in ("orange", "white")} <= shown
