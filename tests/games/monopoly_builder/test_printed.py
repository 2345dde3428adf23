"""Printed parts of Monopoly Builder: a sign on each Chance card, and notes that are told apart without colour."""

from itertools import pairwise

import pytest

from companion.game_api.drawing import LABEL_LEFT, Disc, DrawnShape, Polygon, Rectangle, TextLine
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.cards.reading import MonopolyBuilderCards
from companion.games.monopoly_builder.drawings.cards import chance
from companion.games.monopoly_builder.drawings.game import NOTES, MonopolyBuilderDrawings
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.town import house_board

CATALOG = MonopolyBuilderCards().as_json(house_board())
BAND, TEXT_END, NUMBER_AT = 17, 57, 81


def sign(card: str, language: str = "en") -> list[DrawnShape]:
    """Return what is drawn on a Chance card besides paper, band and words."""
    drawn = chance(card, CATALOG, Words(language, GAME)).shapes
    return [
        shape
        for shape in drawn
        if isinstance(shape, Disc | Polygon) or (isinstance(shape, Rectangle) and shape.y > BAND)
    ]


def extent(shape: DrawnShape) -> tuple[float, float, float, float]:
    """Return left, top, right and foot."""
    match shape:
        case Disc():
            x, y, r = shape.x, shape.y, shape.radius
            return x - r, y - r, x + r, y + r
        case Rectangle():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Polygon():
            across, down = zip(*shape.points, strict=True)
            return min(across), min(down), max(across), max(down)
        case _:
            raise AssertionError(shape)


@pytest.mark.parametrize("card", CATALOG["chance"])
def test_each_chance_card_has_a_sign_beside_its_label_that_covers_nothing(card: str) -> None:
    shapes = sign(card)

    assert shapes
    for left, top, right, foot in map(extent, shapes):
        assert left >= 4
        assert right <= LABEL_LEFT - 1.5
        assert top >= TEXT_END
        assert foot <= NUMBER_AT


def test_a_sign_says_what_a_card_does_first() -> None:
    figures = {
        card: [shape.words for shape in chance(card, CATALOG, Words("en", GAME)).shapes if isinstance(shape, TextLine)]
        for card in CATALOG["chance"]
    }
    assert "+100" in figures["C04"]
    assert "\u221210" in figures["C05"]
    assert "3" in figures["C13"]
    assert {"+", "R", "P"} <= set(figures["C19"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_are_told_apart_by_a_house_that_is_the_higher_the_more_they_are_worth(language: str) -> None:
    notes = MonopolyBuilderDrawings().extras(CATALOG, Words(language, GAME))["money"].pieces
    each = dict.fromkeys(notes)
    houses = [[shape for shape in note.shapes if isinstance(shape, Polygon)] for note in each]

    assert len(each) == len(NOTES)
    tops = [extent(house[0])[1] for house in houses]
    assert all(lower > higher for lower, higher in pairwise(tops))
    assert min(tops) > 4


@pytest.mark.parametrize(
    ("language", "tokens"),
    [
        ("en", ["Crane", "Anvil", "Plane", "Lantern"]),
        ("fr", ["Grue", "Enclume", "Rabot", "Lanterne"]),
        ("de", ["Kran", "Amboss", "Hobel", "Laterne"]),
    ],
)
def test_a_reference_card_names_its_token_in_the_readers_language(language: str, tokens: list[str]) -> None:
    cards = MonopolyBuilderDrawings().extras(CATALOG, Words(language, GAME))["references"].pieces

    headings = [
        [shape.words for shape in card.shapes if isinstance(shape, TextLine) and shape.heading] for card in cards
    ]
    assert headings == [[token] for token in tokens]
