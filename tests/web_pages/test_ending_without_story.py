"""The end of a game that supplies its rules, words and cards alone: its story is the house's."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from companion.service.table.table import Table
from tests.opened import installed_games
from tests.web_pages.bot_tables import LONG, play, tables_of

NAME = "men_at_work"


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of a game without stage, story and drawings."""
    manifest = replace(installed_games().manifest(NAME), stage=None, story=None, drawings=None)
    return tables_of({NAME: manifest})


@pytest.fixture(scope="module")
def ended(tables: Tables) -> Table:
    """A whole game of four."""
    return play(tables, NAME)


def test_its_picture_is_a_podium_with_everybody_on_it(banker: FlaskClient, ended: Table) -> None:
    picture = ET.fromstring(banker.get(f"/tables/{ended.id}/story.svg").text)  # noqa: S314 - it is our own
    steps = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text") if text.get("font-size") == "34"]
    assert ended.overview is not None
    assert sorted(step or "" for step in steps if (step or "").isdigit()) == sorted(
        str(place.rank) for place in ended.overview.standings
    )


def test_its_pages_lead_to_story_and_report_too(banker: FlaskClient, ended: Table) -> None:
    tablet = banker.get(f"/tables/{ended.id}").text
    assert f"/tables/{ended.id}/story" in tablet
    assert "Play again" in tablet
    report = banker.get(f"/tables/{ended.id}/report").text
    assert all(name in report for name in LONG)
    assert "The turning points" not in report
