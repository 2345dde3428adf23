"""Values of the fields of a card that is taught."""

from typing import Any

import pytest

from companion.game_api.teaching import Acts, Asked, Cells, Line, Number, Pairs, Pick, Row, Series, Teams, fits, wrong

TYPE = Pick("type", ("A", "T"), "type")
QUIRKS = Pick("quirks", ("S", "D", "W"), "quirk", 1, 2)
WAGE = Number("wage", 99, 1_000)
LESS = Number("amount", 9, 1_000, -9)
NAME = Line("name", 8)
REVEAL = Row("reveal", ("2", "3"), 4)
TEAMS = Teams("sections", ("wall", "roof"), "section", ("A", "T"), "type", 2)
RING = Series("ring", ("go", "deed"), "space", 3)
PLAN = Cells("rows", 2, 3)
APART = Pairs("apart", "rows", 2)
ACTS = Acts("effects", {"manual": (), "pay": (WAGE, QUIRKS)}, "effect", 2, frozenset({"quirks"}))


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (TYPE, "A"),
        (QUIRKS, ["D", "S"]),
        (WAGE, 0),
        (WAGE, 99_000),
        (LESS, -9_000),
        (NAME, "Wałęsa"),
        (REVEAL, [0, 4]),
        (TEAMS, {"wall": ["A", "A"], "roof": ["T"]}),
        (RING, ["go", "deed", "deed"]),
        (PLAN, ["X.X"]),
        (PLAN, ["..", ".X"]),
        (APART, []),
        (APART, [["A1", "B10"]]),
        (ACTS, [{"do": "manual"}]),
        (ACTS, [{"do": "pay", "wage": 2_000}, {"do": "pay", "wage": 1_000, "quirks": ["S"]}]),
    ],
)
def test_what_a_card_can_say_fits(asked: Asked, value: Any) -> None:
    assert fits(asked, value)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (TYPE, "MC"),
        (TYPE, ["A"]),
        (TYPE, None),
        (QUIRKS, []),
        (QUIRKS, ["S", "S"]),
        (QUIRKS, ["S", "D", "W"]),
        (QUIRKS, "SD"),
        (WAGE, 1_500),
        (WAGE, 100_000),
        (WAGE, -1_000),
        (WAGE, True),
        (WAGE, 1_000.0),
        (WAGE, "1000"),
        (NAME, "   "),
        (NAME, "much too long"),
        (NAME, "a\nb"),
        (NAME, 7),
        (REVEAL, [1]),
        (REVEAL, [1, 5]),
        (REVEAL, [True, 1]),
        (TEAMS, {"wall": ["A"]}),
        (TEAMS, {"wall": ["A"], "roof": []}),
        (TEAMS, {"wall": ["A"], "roof": ["A", "A", "A"]}),
        (TEAMS, {"wall": ["A"], "roof": ["X"]}),
        (TEAMS, ["A"]),
        (RING, []),
        (RING, ["go", "jail"]),
        (RING, ["go"] * 4),
        (RING, "go"),
        (RING, [["go"]]),
        (PLAN, []),
        (PLAN, ["X", "XX"]),
        (PLAN, ["XXXX"]),
        (PLAN, ["X"] * 3),
        (PLAN, [""]),
        (PLAN, ["x"]),
        (PLAN, [7]),
        (PLAN, "XX"),
        (APART, [["A1"]]),
        (APART, [["A1", "A2", "A3"]]),
        (APART, [["A1", "A0"]]),
        (APART, [["A1", 2]]),
        (APART, [["A1", "A2"]] * 3),
        (APART, {}),
        (ACTS, []),
        (ACTS, [{"do": "fly"}]),
        (ACTS, [{"do": "pay"}]),
        (ACTS, [{"do": "pay", "wage": 1_000, "more": 1}]),
        (ACTS, [{"do": "manual"}] * 3),
        (ACTS, ["manual"]),
        (ACTS, [{"do": ["manual"]}]),
    ],
)
def test_anything_else_does_not(asked: Asked, value: Any) -> None:
    assert not fits(asked, value)


def test_the_first_field_that_is_wrong_is_named() -> None:
    asked = (TYPE, WAGE)
    assert wrong(asked, {"type": "A", "wage": 1_000}) is None
    assert wrong(asked, {"type": "A"}) == "wage"
    assert wrong(asked, {"type": "A", "wage": 1}) == "wage"
    assert wrong(asked, {"type": "A", "wage": 1_000, "price": 1}) == "price"
