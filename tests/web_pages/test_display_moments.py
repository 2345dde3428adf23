"""Moments that the big screen shows: the move, the sale, the round that was settled, the town."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.master_builder.rules.building import section_names
from companion.games.master_builder.rules.catalog import ContractKind
from companion.service.table.registry import Tables
from tests.guide.stage import game_of_bots
from tests.web_pages.conftest import At
from tests.web_pages.test_outlook import give, part

Json = dict[str, Any]


def at(tables: Tables, table: str) -> Json:
    position: Json = tables.get(table).show("banker")["position"]
    return position


def markers(page: str) -> dict[str, float]:
    """Where each player's marker stands on the wage track, in its drawing."""
    pairs = re.findall(r'id="mark-(\w+)"[^>]*? x="([\d.]+)"', page)
    return {player: float(x) for player, x in pairs}


def test_a_hire_moves_the_marker_and_stays_until_the_next(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given a round in which nobody has hired yet
    table, _ = moment("first_hire")
    before = part(banker, table, "display")
    assert "hires" not in before

    # when somebody hires
    (player,) = at(tables, table)["waiting_for"]
    offer = next(offer for offer in tables.get(table).show("banker")["offers"] if offer["do"] == "hire_worker")
    worker = offer["fields"]["worker"]["values"][0]
    give(tables, table, do="hire_worker", player=player, worker=worker)

    # then his card is large, his marker has gone by its wage, and the others stand where they stood
    after = part(banker, table, "display")
    wage = at(tables, table)["players"][player]["wages"] // 1000
    assert re.search(rf"hires [A-Z][\w ]+ {worker}", after)
    assert f'<p class="huge">{wage}</p>' in after
    assert "was 0, limit 30" in after
    assert 'class="by"' in after
    assert markers(after)[player] == markers(before)[player] + 60 * wage
    assert {seat: x for seat, x in markers(after).items() if seat != player} == {
        seat: x for seat, x in markers(before).items() if seat != player
    }

    # when it is taken back, then nothing of it is left
    give(tables, table, do="undo")
    assert "hires" not in part(banker, table, "display")
    assert markers(part(banker, table, "display")) == markers(before)


def test_markers_on_one_stone_stand_on_each_other(banker: FlaskClient, moment: At) -> None:
    table, _ = moment("first_hire")
    page = part(banker, table, "display")
    heights = re.findall(r'id="mark-\w+"[^>]*? x="[\d.]+" y="([\d.]+)"', page)
    assert len(heights) == len(set(heights)) == len(markers(page))
    assert len(set(markers(page).values())) == 1


def test_a_sale_stands_on_every_screen_until_somebody_acts(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given an auction with two bids
    table, _ = moment("auction")
    leader = at(tables, table)["auction"]["leader"]
    first = at(tables, table)["auction"]["bid"]
    (second,) = at(tables, table)["waiting_for"]
    give(tables, table, do="bid", player=second, amount=first + 1000)
    page = part(banker, table, "display")

    # then both stand on the ladder, the highest at its top
    ladder = re.search(r'<ol class="ladder".*?</ol>', page, re.DOTALL)
    assert ladder is not None
    assert re.findall(r"\$[\d,]+", ladder[0])[:2] == [f"${first + 1000:,}", f"${first:,}"]
    assert ">Sold<" not in page

    # when all others leave it
    while at(tables, table)["auction"] is not None:
        give(tables, table, do="pass", player=at(tables, table)["waiting_for"][0])

    # then tablet and display say to whom it went and for how much
    name = at(tables, table)["players"][second]["name"]
    for screen in ("display", "tablet"):
        page = part(banker, table, screen)
        assert ">Sold<" in page, screen
        assert re.search(rf"{name}</b>.*?\${first + 1000:,}", page, re.DOTALL), screen
    assert leader != second

    # when somebody goes on, then it is over; when that is taken back, it is there again
    give(tables, table, do="pass", player=at(tables, table)["waiting_for"][0])
    assert ">Sold<" not in part(banker, table, "display")
    give(tables, table, do="undo")
    assert ">Sold<" in part(banker, table, "display")


def test_the_town_holds_every_finished_building_with_its_owner_and_survives_a_restart(
    banker: FlaskClient, tables: Tables
) -> None:
    # given a game at whose end buildings are finished
    game = game_of_bots(tables, 4, 9, {})
    end = game.until(lambda position: bool(position["finished"]))
    owners = {card: player for player, state in end["players"].items() for card in state["completed"]}
    assert owners

    # then each stands in the town once, under the badge of its owner, in the report
    page = banker.get(f"/tables/{game.table.id}/report").text
    houses = re.findall(r'id="[\w-]*-(?:front|back)-(C\d+)".*?badge (\w+)', page, re.DOTALL)
    assert dict(houses) == owners
    assert len(houses) == len(owners)

    # and on the big screen each player's money is a house on their seat, with a roof for the winner alone
    screen = part(banker, game.table.id, "display").split('id="unfolding"')[0]
    worths = [int(worth.replace(",", "")) for worth in re.findall(r'class="cash">\$([\d,]+)<', screen)]
    assert sorted(worths) == sorted(line["worth"] for line in end["standings"])
    assert screen.count('class="money-roof"') == 1


def test_before_anything_is_finished_there_is_no_town(banker: FlaskClient, moment: At) -> None:
    table, _ = moment("economy")
    assert 'class="town' not in part(banker, table, "display")


OUTLINES = 12
GABLES_OR_TOWERS = 3


@pytest.mark.parametrize("kind", ["house", "city_wall"])
def test_a_building_rises_in_its_own_outline_section_by_section(app: Flask, kind: ContractKind) -> None:
    # given the drawing of the big screen, and the sections of a building in an order in which they may stand
    rising = app.jinja_env.get_template("games/master_builder/display/rising.html").module.rising  # type: ignore[attr-defined]
    sections = section_names(kind)

    def drawn(number: int, count: int) -> str:
        states = {section: "built" if place < count else "open" for place, section in enumerate(sections)}
        picture = str(rising({"kind": kind, "number": number}, states, "large"))
        return re.sub(r'class="building[^"]*"', "", picture)

    # when it is built by each number that a card may have
    whole = {drawn(number, len(sections)) for number in range(1, OUTLINES + 1)}
    begun = {drawn(number, 2) for number in range(1, OUTLINES + 1)}

    # then houses have twelve outlines, walls three, of which the first sections show which kind it will be
    assert len(whole) == (OUTLINES if kind == "house" else GABLES_OR_TOWERS)
    assert 1 < len(begun) <= GABLES_OR_TOWERS
    for count in range(len(sections) + 1):
        picture = drawn(1, count)
        assert picture.count('"part built"') == count
        assert picture.count('"part open"') == len(sections) - count
