"""Everybody has one place on a screen for the whole evening, whoever begins a round."""

import re

from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from tests.guide.stage import game_of_bots
from tests.web_pages.parts import part


def test_panels_stay_where_they_are_when_the_mallet_goes_on(banker: FlaskClient, tables: Tables) -> None:
    # given a game, and its panels in the first round
    game = game_of_bots(tables, 3, 7)
    game.until(lambda at: at["phase"] == "hire" and at["round"] == 1)
    first = at_places(part(banker, game.table.id, "tablet"))
    starts = game.position["start_player"]
    assert first == game.position["seats"]

    # when another one begins the next round, then nobody has changed their place
    game.until(lambda at: at["phase"] == "hire" and at["round"] == 2)
    assert game.position["start_player"] != starts
    assert at_places(part(banker, game.table.id, "tablet")) == first


def at_places(page: str) -> list[str]:
    return re.findall(r'id="panel-(\w+)"', page)
