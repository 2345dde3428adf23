"""Rows of cards, tracks and boards as data: what is laid where, which commands are offered, and what is wrong."""

from types import SimpleNamespace
from typing import Any

import pytest

from companion.game_api.boards import (
    CardRow,
    Cell,
    Chip,
    ChipRow,
    GameBoard,
    Marker,
    Surface,
    TableCard,
    Track,
    fits_offer,
    open_cards,
    piece_letters,
    surface_faults,
)
from companion.game_api.cards import CardKind, fields_of_card, worded_card
from companion.words import Words

PLAYERS = ("red", "blue")
PLACE = {
    "do": "place",
    "player": "red",
    "urgency": "due",
    "fields": {
        "cell": {"kind": "one_of", "values": ["A1", "B2"]},
        "amount": {"kind": "amount", "least": 5, "most": 20, "step": 5},
    },
}


def test_a_figure_is_a_card_if_its_kind_and_the_catalog_say_so() -> None:
    # given a catalog whose table of leaves has a key that a figure may have, too
    catalog: Any = {"teas": {"T01": {"name": "Old Road"}, "T02": {"name": "Moth"}}, "leaves": {"black": {"price": 2}}}
    scene: Any = SimpleNamespace(catalog=catalog, words=Words("en"))
    figures = {"lot": "T02", "row": ["T02", "T01"], "leaf": "black", "bid": 3, "hands": [], "mixed": ["T01", "red"]}

    rows = open_cards(scene, {**figures, "lost": "T99"}, (CardKind("tea", "T[0-9]{2}", "teas"),))

    assert {name: [card.name for card in row.cards] for name, row in rows.items()} == {
        "lot": ["Moth"],
        "row": ["Moth", "Old Road"],
    }
    assert open_cards(scene, figures, ()) == {}


def test_a_board_is_laid_row_by_row_with_holes_where_no_cell_is() -> None:
    board = GameBoard("Field", 2, 2, (Cell(2, 1), Cell(1, 2)))

    assert [cell and cell.name for cell in board.laid()] == [None, "B1", "A2", None]


def test_a_space_of_a_track_has_its_number_its_name_and_the_markers_on_it() -> None:
    track = Track("Points", 3, {"red": 2, "blue": 2}, cells=(Cell(2, says="Market", label="$5"),))

    space = track.laid()[1]
    assert (space.name, space.label) == ("2, Market, $5", "$5")
    assert space.pieces == (Marker("red"), Marker("blue"))
    assert [cell.label for cell in track.laid()] == ["1", "$5", "3"]


@pytest.mark.parametrize("size", [(0, 3), (17, 3), (3, 17)])
def test_a_board_that_no_screen_has_room_for_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a board has 1 to 16 columns"):
        GameBoard("Field", *size, ())


def test_a_track_that_no_screen_has_room_for_is_refused() -> None:
    with pytest.raises(ValueError, match="a track has 1 to 150 spaces: 1 to 200"):
        Track("Points", 200)


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        ({"do": "place", "cell": "A1"}, True),
        ({"do": "place", "cell": "A1", "amount": 15, "player": "red"}, True),
        ({"do": "place", "cell": "C3"}, False),
        ({"do": "place", "field": "A1"}, False),
        ({"do": "move", "cell": "A1"}, False),
        ({"do": "place", "cell": "A1", "player": "blue"}, False),
        ({"do": "place", "amount": 12}, False),
        ({"do": "place", "amount": 25}, False),
    ],
)
def test_a_command_is_offered_as_far_as_it_goes(command: dict[str, object], *, fits: bool) -> None:
    assert fits_offer(command, PLACE) is fits


def test_letters_tell_kinds_of_pieces_apart_in_every_language() -> None:
    rows = (ChipRow("Reserve", ((Chip("Stein"), 1), (Chip("Schaf"), 2), (Chip("Holz"), 3))),)

    assert piece_letters(rows) == {"Stein": "St", "Schaf": "Sc", "Holz": "H"}


@pytest.mark.parametrize(
    ("surface", "fault"),
    [
        (GameBoard("Field", 2, 2, (Cell(1, 1), Cell(1, 1))), "the board 'Field' has the cell of column 1, row 1 twice"),
        (GameBoard("Field", 2, 2, (Cell(3, 1),)), "the board 'Field' has a cell outside: column 3, row 1"),
        (GameBoard("Field", 2, 2, (Cell(1, pieces=(Marker("grey"),)),)), "a marker is of 'grey', who does not play"),
        (Track("Way", 4, {"red": 5}), "the track 'Way' has no space 5, on which the marker of 'red' stands"),
        (Track("Way", 4, {"grey": 3}), "a marker is of 'grey', who does not play"),
        (Track("Way", 4, cells=(Cell(9),)), "the track 'Way' has a cell outside: column 9, row 1"),
        (
            CardRow("Market", (TableCard("Ox", pieces=(Chip("Stone"), Chip("Stool"))),)),
            "'Stone' and 'Stool' look alike: give them other names or outlines",
        ),
    ],
)
def test_what_is_wrong_with_a_surface_is_said(surface: Surface, fault: str) -> None:
    assert list(surface_faults((surface,), PLAYERS)) == [fault]


def test_nothing_is_wrong_with_pieces_that_differ_by_letters_or_outline() -> None:
    pieces = (Chip("Stone"), Chip("Stool", "square"), Chip("Grain"), Marker("red"), Marker("red", "Tower"))

    assert list(surface_faults((GameBoard("Field", 1, 1, (Cell(1, pieces=pieces),)),), PLAYERS)) == []


def test_a_card_is_worded_from_what_its_catalog_holds() -> None:
    catalog = {"name": "House", "cards": {"A01": {"id": "A01", "name": "Ox", "points": 3, "wild": True, "text": "Hm."}}}

    worded = worded_card("A01", fields_of_card(catalog, "A01"), Words("de"))

    assert (worded.name, worded.text) == ("Ox", "Hm.")
    assert [figure for _, figure in worded.facts] == ["3", "ja"]
