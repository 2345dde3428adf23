"""Cards that were turned up on the big screen: what an economic situation brings, and what an event does to whom."""

import re

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from companion.games.master_builder.drawings.pictures import economy_picture, event_picture, picture_parts
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.table.registry import Tables
from tests.opened import CARDS
from tests.web_pages.conftest import At
from tests.web_pages.parts import part
from tests.web_pages.test_browser_stage import act
from tests.web_pages.whole_games import Moment, table_at

LAID = Moment("laid", 4, lambda at: at["round"] > 1 and "open_auction" in at["expects"])


def test_an_economic_situation_is_a_card_with_its_contracts_until_somebody_chooses(
    banker: FlaskClient, tables: Tables, house: Catalog
) -> None:
    # given a round whose contracts have just been laid out
    table, shown = table_at(tables, LAID)
    display = shown["position"]["display"]
    events = [event for entry in tables.get(table).journal("banker") for event in entry["events"]]
    turned = [event for event in events if event["event"] == "EconomyTurned"][-1]

    # then the big screen says how many there are, and names each of them and what stays
    page = part(banker, table, "display")
    assert f"<b>{turned['reveal_due']}</b><span>new contract" in page
    assert page.count('class="picture"') == 1
    titles = {card.id: card.name for card in house.contracts}
    assert [card for card in display if escape(titles[card]) not in page] == []

    # and its picture is that of the printed card, by whose three players it is drawn
    reveal = CARDS.as_json(house)["economy"][turned["card"]]["reveal"]
    drawn = re.search(r'<svg class="picture".*?</svg>', page, re.DOTALL)
    assert drawn is not None
    assert re.findall(r' d="([^"]*)"', drawn[0]) == [part_.outline for part_ in picture_parts(f"work-{reveal[1]}")]

    # when somebody chooses, then the street or the auction stands there
    act(tables, table, "open_auction")
    assert 'class="situation"' not in part(banker, table, "display")


def test_an_event_stands_on_the_seats_of_all_players(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("build")
    page = part(banker, table, "display")
    strikes = re.findall(r'class="strike sheet (\w+)"', page)
    assert len(strikes) == len(shown["position"]["players"])
    assert len(re.findall(r'class="seat sheet \w+ \w* hit"', page)) == strikes.count("hit")


def test_a_situation_has_one_picture_whoever_plays() -> None:
    assert economy_picture((1, 2, 3)) == "work-2"


def test_every_event_has_a_picture_of_the_kind_of_its_effect(house: Catalog) -> None:
    pictures = {card: event_picture(event["effects"]) for card, event in CARDS.as_json(house)["events"].items()}
    assert pictures["E02"] == "fog"
    assert pictures["E15"] == "raze"
    assert len(set(pictures.values())) >= 8


@pytest.mark.parametrize(
    ("effect", "picture"),
    [
        ({"do": "unavailable", "type": ["A"]}, "away"),
        ({"do": "dismiss", "count": 1}, "dismiss"),
        ({"do": "wage_change", "amount": 1_000}, "dearer"),
        ({"do": "wage_change", "amount": -1_000}, "cheaper"),
        ({"do": "pay", "amount": 1_000}, "pay"),
        ({"do": "receive", "amount": 1_000}, "receive"),
        ({"do": "manual"}, "manual"),
    ],
)
def test_a_card_of_ones_own_has_a_picture_too(effect: dict[str, object], picture: str) -> None:
    assert event_picture([effect]) == picture
