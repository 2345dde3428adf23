"""Command cards: told from afar by a drawing, with a large word in the player's language."""

import pytest

from companion.bootstrap.printing import create_command_cards
from companion.game_api.drawing import LABEL_TOP, Disc, Drawing, Polygon, TextLine
from companion.games import master_builder, men_at_work, monopoly_builder
from companion.words import LANGUAGES

GAMES = {module.GAME.name: module.GAME for module in (master_builder, men_at_work, monopoly_builder)}
BIG = 9.0
"""Millimetres: the size of type that is read from beside the table."""


def is_pictogram(drawing: Drawing) -> bool:
    return any(isinstance(shape, Disc | Polygon) for shape in drawing.shapes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_each_command_card_has_a_drawing_and_a_large_word(game: str, language: str) -> None:
    cards = create_command_cards(GAMES[game], language)

    assert len(cards) == len(GAMES[game].command_cards) + 5
    for card in cards:
        lines = [shape for shape in card.front.drawing.shapes if isinstance(shape, TextLine)]
        assert card.front.label is not None
        assert any(line.words == card.front.label.read and line.size >= BIG for line in lines)
        assert is_pictogram(card.front.drawing), card.front.label.card


def test_drawings_of_command_cards_end_above_the_label() -> None:
    for card in create_command_cards(men_at_work.GAME, "de"):
        shapes = card.front.drawing.shapes
        feet = [y for shape in shapes if isinstance(shape, Polygon) for _, y in shape.points]
        feet += [disc.y + disc.radius for disc in shapes if isinstance(disc, Disc)]
        assert max(feet) <= LABEL_TOP, card.front.label
