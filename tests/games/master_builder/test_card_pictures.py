"""Pictures on printed cards: those of the big screen, beside a label that can still be read."""

import re
from pathlib import Path

import numpy as np
import pytest

from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.printing import write_print_and_play
from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LABEL_LEFT,
    LABEL_SIDE,
    LABEL_TOP,
    SAFE,
    Drawing,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
)
from companion.games.master_builder.drawings import pictures
from companion.games.master_builder.drawings.buildings import building
from companion.games.master_builder.drawings.game import MasterBuilderDrawings
from companion.games.master_builder.drawings.pictures import (
    HATS,
    HEIGHT,
    PICTURES,
    TONES,
    WIDTH,
    draw_builder,
    draw_picture,
    picture_parts,
)
from companion.printing.cards import PrintSettings
from companion.printing.sheets import fit_grid
from companion.vision.read import read_codes
from companion.words import Words
from tests.opened import installed_games
from tests.printing.sheets_seen import scanned

DOTS = 300
A_MM = DOTS / 25.4
MANIFEST = installed_games().manifest("master_builder")
DECK = load_bundled_catalog(MANIFEST)
CATALOG = MANIFEST.cards().as_json(DECK)
PICTURED = [*CATALOG["events"], *CATALOG["economy"]]
SCREEN = Path(pictures.__file__).parents[1] / "static" / "turned.css"


ROOM_ABOVE = 3.5
"""Millimetres between the band with a contract's name and the place of its building."""


def framed(card: Drawing) -> Rectangle:
    """The frame of a card's picture, which is drawn over it."""
    return next(shape for shape in reversed(card.shapes) if isinstance(shape, Rectangle))


@pytest.mark.parametrize("kind", [*PICTURES, "of a later version"])
def test_every_picture_stays_in_its_frame(kind: str) -> None:
    shapes = draw_picture(kind, 10, 20, WIDTH / 10)

    points = [point for shape in shapes if isinstance(shape, Polygon) for point in shape.points]
    assert len(points) > 100
    assert all(10 <= x <= 10 + WIDTH / 10 and 20 <= y <= 20 + HEIGHT / 10 for x, y in points)


def test_paper_has_the_tones_of_the_big_screen_by_day() -> None:
    screen = SCREEN.read_text()
    by_day = dict(re.findall(r"--p-([a-z]+): (#[0-9a-f]{6});", screen))
    tones = {part.tone for kind in PICTURES for part in picture_parts(kind)}

    assert tones == TONES.keys()
    assert {colour for tone in TONES.values() for colour in (tone.fill, tone.line) if colour} <= set(by_day.values())
    assert all(re.search(rf"^\.p-{tone}\b", screen, re.MULTILINE) for tone in tones)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_a_picture_is_on_every_event_and_economic_situation_and_over_nothing_else(language: str) -> None:
    words = Words(language, MANIFEST)
    for card in PICTURED:
        drawn = MasterBuilderDrawings().front(card, CATALOG, words)
        frame = framed(drawn)
        assert frame.x >= SAFE
        assert frame.x + frame.width <= LABEL_LEFT - 2, "away from the label"
        assert frame.y >= LABEL_TOP
        assert frame.y + frame.height <= CARD_HEIGHT - SAFE
        for shape in drawn.shapes:
            if isinstance(shape, TextLine) and shape.x < LABEL_LEFT:
                assert shape.y <= frame.y or shape.y - 0.75 * shape.size >= frame.y + frame.height
            if isinstance(shape, Prose):
                assert shape.y + shape.height <= frame.y


@pytest.mark.parametrize("kind", ["A", "T", "F", "MC"])
def test_every_worker_has_the_builder_of_the_screens_between_band_and_quirks(kind: str) -> None:
    # given the drawing on screens
    screen = (SCREEN.parents[4] / "templates" / "games" / "master_builder" / "display" / "hire.html").read_text()
    words = Words("fr", MANIFEST)

    for card in (card for card, worker in CATALOG["workers"].items() if worker["type"] == kind):
        drawn = MasterBuilderDrawings().front(card, CATALOG, words)
        points = [point for shape in drawn.shapes if isinstance(shape, Polygon) for point in shape.points]

        # then the same hat stands on paper, beside the wage and above the quirks
        builder = draw_builder(kind, 0, 0, 120, "#000000")
        assert all(f'd="{hat}"' in screen for hat in HATS[kind])
        assert len([shape for shape in drawn.shapes if isinstance(shape, Polygon)]) >= len(builder)
        wage = next(shape for shape in drawn.shapes if isinstance(shape, TextLine) and "$" in shape.words)
        people = [(x, y) for x, y in points if y < FIRST_QUIRK_MM]
        assert people
        assert min(x for x, _ in people) >= wage.x + wage.room
        assert min(y for _, y in people) >= BAND_MM
        assert max(x for x, _ in people) <= CARD_WIDTH - SAFE


BAND_MM, FIRST_QUIRK_MM = 24, 45.5
"""Where the band of a worker's card ends, and where the quirks begin."""


def test_a_printed_card_has_ink_in_its_picture_and_its_label_is_read(tmp_path: Path) -> None:
    """Given a sheet of nine such cards; then all nine codes are read from it."""
    cards = PICTURED[:5] + PICTURED[-4:]
    setting = PrintSettings(turn="none")
    write_print_and_play(MANIFEST, DECK, tmp_path / "cards.pdf", language="de", setting=setting, only=cards)
    (sheet,) = scanned(tmp_path / "cards.pdf", DOTS)

    grid = fit_grid("a4", CARD_WIDTH, CARD_HEIGHT)
    assert len(read_codes(sheet)) == grid.places == len(cards)
    for place, card in enumerate(cards):
        frame = framed(MasterBuilderDrawings().front(card, CATALOG, Words("de", MANIFEST)))
        left, top = grid.place(place)
        x, y = left + frame.x, top + frame.y
        inside = sheet[round(y * A_MM) : round((y + frame.height) * A_MM), round(x * A_MM) :][
            :, : round(frame.width * A_MM)
        ]
        assert (inside < 235).mean() > 0.3, "the hills"
        assert len(np.unique(inside // 16)) >= 5, "and what stands on them"
        gap = sheet[round(y * A_MM) :, round((left + LABEL_LEFT - 1.8) * A_MM) :][
            : round(LABEL_SIDE * A_MM), : round(1.6 * A_MM)
        ]
        assert gap.min() > 235, "nothing between picture and label"


def test_every_contract_of_the_deck_has_an_outline_of_its_own() -> None:
    # given the buildings on the cards, without the workers marked on them
    buildings = {
        card: building({**contract, "sections": {}}, 0, 0, CARD_WIDTH)
        for card, contract in CATALOG["contracts"].items()
    }

    # then no two are alike, and all have room below the band with the name
    assert len(set(buildings.values())) == len(buildings)
    for shapes in buildings.values():
        points = [point for shape in shapes if isinstance(shape, Polygon) for point in shape.points]
        assert min(y for _, y in points) > -ROOM_ABOVE
