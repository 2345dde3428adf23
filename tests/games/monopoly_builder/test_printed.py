"""Printed parts of Monopoly Builder: a sign on each Chance card, and notes that are told apart without colour."""

from dataclasses import replace
from itertools import pairwise

import pytest

from companion.game_api.drawing import LABEL_LEFT, Disc, DrawnShape, Polygon, Rectangle, TextLine
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.cards.reading import MonopolyBuilderCards
from companion.games.monopoly_builder.drawings.cards import chance, deed, reference
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


@pytest.mark.parametrize("totals", [(7,), (4, 12), (2, 3, 12), (2, 3, 4, 10, 11, 12), tuple(range(2, 13))])
def test_a_deed_shows_each_total_that_brings_chips_beside_its_label(totals: tuple[int, ...]) -> None:
    deeds = tuple(replace(each, numbers=totals) for each in house_board().deeds)
    catalog = MonopolyBuilderCards().as_json(replace(house_board(), deeds=deeds))

    drawn = deed("D01", catalog, Words("en", GAME)).shapes
    figures = [shape.words for shape in drawn if isinstance(shape, TextLine) and shape.words.isdigit()]
    boxes = [extent(shape) for shape in drawn if isinstance(shape, Rectangle) and shape.y > TEXT_END]
    [chip_top] = [extent(shape)[1] for shape in drawn if isinstance(shape, Disc)]
    assert figures == [str(total) for total in totals]
    assert len(boxes) == len(totals)
    assert max(right for _, _, right, _ in boxes) <= LABEL_LEFT - 1
    assert max(foot for _, _, _, foot in boxes) <= chip_top


def test_a_reference_card_shows_all_chips_of_a_floor_however_many_they_are() -> None:
    # given a box whose second floor costs nine red and twelve of any kind
    first, _, *others = house_board().floors
    floors = (first, (("red", 9), ("any", 12)), *others)
    catalog = MonopolyBuilderCards().as_json(replace(house_board(), floors=floors))

    drawn = reference(catalog["references"]["red"], catalog, Words("en", GAME)).shapes
    row = [shape for shape in drawn if 38 < getattr(shape, "y", 0) < 50]
    assert sum(isinstance(shape, Disc) for shape in row) == 2
    assert {"9", "12"} <= {shape.words for shape in row if isinstance(shape, TextLine)}
