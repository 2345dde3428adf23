"""A game that says nothing of teaching: what its own catalog holds of each card is asked for."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.game_api.default_teaching import PlainTeaching, plain_teaching
from companion.game_api.teaching import Line, Number, Pick, Row, wrong

NUTS = """
game = "nut_market"
name = "House nuts"
invented = true

[[nut]]
id = "N01"
title = "Hazelnut"
price = 3
grows_in = ["wood"]
season = [1, 2, 3]

[[nut]]
id = "N02"
title = "Walnut"
price = 6
grows_in = ["garden", "wood"]
season = [0, 2, 5]

[[bag]]
id = "B1"
holds = 12
"""


def cards(folder: Path, text: str) -> Any:
    (folder / "house.toml").write_text(text, encoding="utf-8")
    return SimpleNamespace(bundled={"house": folder / "house.toml"})


@pytest.fixture
def nuts(tmp_path: Path) -> PlainTeaching:
    teaching = plain_teaching(cards(tmp_path, NUTS))
    assert teaching is not None
    return teaching


def test_each_value_in_the_catalog_is_a_field_of_its_kind(nuts: PlainTeaching) -> None:
    assert nuts.cards == {"nut": ["N01", "N02"], "bag": ["B1"]}
    assert nuts.fields("B1") == (Number("holds", 999_999),)
    title, price, grows_in, season = nuts.fields("N02")
    assert isinstance(title, Line)
    assert isinstance(price, Number)
    assert isinstance(grows_in, Pick)
    assert grows_in.values == ("garden", "wood")
    assert isinstance(season, Row)
    assert len(season.labels) == 3


def test_the_values_of_a_card_are_proposed_for_the_next_one_but_for_its_words(nuts: PlainTeaching) -> None:
    taught_cards = {"N01": {"title": "Pine nut", "price": 4, "grows_in": ["wood"], "season": [1, 1, 1]}}

    assert nuts.usual("N02", taught_cards) == {"price": 4, "grows_in": ["wood"], "season": [1, 1, 1]}
    assert nuts.usual("B1", taught_cards) == {}


def test_a_box_is_written_as_the_game_writes_its_own(nuts: PlainTeaching) -> None:
    values = {"title": "Pine nut", "price": 4, "grows_in": ["wood"], "season": [1, 1, 1]}
    assert wrong(nuts.fields("N01"), values) is None

    tables = nuts.tables("My nuts", {"N01": values, "B1": {"holds": 7}})

    assert tables == {
        "game": "nut_market",
        "name": "My nuts",
        "invented": False,
        "nut": [{"id": "N01", **values}],
        "bag": [{"id": "B1", "holds": 7}],
    }


@pytest.mark.parametrize(
    "text",
    [
        'game = "x"\n',
        "[[nut]]\nid = 3\n",
        '[[nut]]\nid = "N01"\nroasted = true\n',
        '[[nut]]\nid = "N01"\nshell = { hard = 1 }\n',
        '[rules]\npurse = 3\n[[nut]]\nid = "N01"\n',
        '[[nut]]\nid = "N01"\ngrams = 1.5\n',
    ],
)
def test_a_catalog_that_is_no_plain_list_of_cards_is_not_taught(tmp_path: Path, text: str) -> None:
    assert plain_teaching(cards(tmp_path, text)) is None


def test_a_game_without_a_catalog_is_not_taught() -> None:
    assert plain_teaching(SimpleNamespace(bundled={})) is None
