"""An entry of any game is put right by the form that booked it, filled with what it says."""

import json
import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from companion.service.table.table import Table
from tests.opened import installed_games
from tests.web_pages.bot_tables import GAMES, begin, tables_of


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of the games that the house draws."""
    return tables_of({name: installed_games().manifest(name) for name in GAMES})


def table_with(tables: Tables, game: str, kind: str) -> tuple[Table, Mapping[str, Any]]:
    """Let bots play until a command of this kind was booked; return the table and the entry."""
    bots = begin(tables, game)
    while bots.table.entries[-1].command["do"] != kind:
        assert bots.play_on()
    return bots.table, bots.table.journal("banker")[-1]


def sheet(banker: FlaskClient, table: Table, seq: int, **asked: str) -> str:
    answer = banker.get(f"/tables/{table.id}/live", query_string={"part": "amend", "seq": str(seq), **asked})
    assert answer.status_code == 200
    return unescape(answer.text)


def live_form(shown: str) -> str:
    """Return the form whose effects follow each choice."""
    (form,) = re.findall(r"<form[^>]*data-preview-form=\"live\".*?</form>", shown, re.DOTALL)
    return str(form)


def test_a_throw_is_put_right_by_its_dice(banker: FlaskClient, tables: Tables) -> None:
    # given a throw of Monopoly Builder
    table, entry = table_with(tables, "monopoly_builder", "roll")
    dice = entry["command"]["dice"]

    # then its sheet has both dice as they fell, and the same form does not stand there once more
    shown = sheet(banker, table, entry["seq"], lang="en")
    form = live_form(shown)
    chosen = re.findall(r'value="(\d)"\s+data-die="dice"\s+checked', form)
    assert [int(face) for face in chosen] == list(dice)
    assert shown.count('data-die="dice"') == form.count('data-die="dice"')

    # when another throw is looked at, then the dice and what follows are those of that throw, and nothing is booked
    other = {**entry["command"], "dice": [1, 2] if list(dice) != [1, 2] else [3, 2]}
    looked_at = sheet(banker, table, entry["seq"], instead=json.dumps(other), lang="en")
    chosen = re.findall(r'value="(\d)"\s+data-die="dice"\s+checked', live_form(looked_at))
    assert [int(face) for face in chosen] == other["dice"]
    assert "What changes" in looked_at
    assert table.journal("banker")[-1]["seq"] == entry["seq"]


@pytest.mark.parametrize(("lang", "follows"), [("en", "What changes"), ("fr", "Ce qui change"), ("de", "Was sich")])
def test_pieces_that_fell_are_put_right_by_their_numbers(
    banker: FlaskClient, tables: Tables, lang: str, follows: str
) -> None:
    # given pieces of Men at Work that were put back
    table, entry = table_with(tables, "men_at_work", "fallen")
    other = {"workers": 1, "beams": 1}
    assert entry["command"]["pieces"] != other

    # then the form has the numbers that are looked at, and what follows is shown in the language of the tablet
    shown = sheet(banker, table, entry["seq"], instead=json.dumps({**entry["command"], "pieces": other}), lang=lang)
    numbers = re.findall(r'name="pieces"\s+value="(\d+)"\s+data-of="(\w+)"', live_form(shown))
    assert {kind: int(number) for number, kind in numbers if int(number)} == other
    assert follows in shown
