"""The seats of the big screen: who comes next, how many turns are used, and sums that add up while wages are due."""

import re

import pytest
from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from tests.guide.stage import game_of_bots
from tests.web_pages.conftest import At
from tests.web_pages.parts import part

THEN = re.compile(r'<p class="then">.*?<span class="name">([^<]+)</span>', re.DOTALL)
CELL = re.compile(r"<dd>(.*?)</dd>", re.DOTALL)


def dollars(cell: str) -> int:
    amount = re.search(r"\$([\d,]+)", cell)
    return int(amount[1].replace(",", "")) if amount else 0


@pytest.mark.slow
def test_whoever_is_named_next_comes_next(banker: FlaskClient, tables: Tables) -> None:
    # given a game of bots
    game, right = game_of_bots(tables, 4, 7), 0

    # when they play two rounds
    while game.position["round"] < 3:
        before, named = game.position, THEN.search(part(banker, game.table.id, "display"))
        assert game.play_on()
        after = game.position
        goes_on = before["phase"] == after["phase"] and bool(before["auction"]) == bool(after["auction"])

        # then the one who was named comes, unless the phase or the auction is over, or the same one goes on
        if named and goes_on and after["waiting_for"] != before["waiting_for"]:
            assert [after["players"][player]["name"] for player in after["waiting_for"]] == [named[1]]
            right += 1
    assert right > 20


def test_wages_that_are_still_due_are_no_part_of_the_sum(banker: FlaskClient, seen: At) -> None:
    # given a round in which somebody has to borrow before the wages are paid
    table, shown = seen("loan")
    page = part(banker, table, "display")

    # then what they had is what they have, and the wages are called due
    (player,) = shown["position"]["waiting_for"]
    columns = re.findall(r'<dl class="sheet column".*?</dl>', page, re.DOTALL)
    column = columns[list(shown["position"]["seats"]).index(player)]
    before, income, lent, _ = map(dollars, CELL.findall(column))
    assert before + income + lent == shown["position"]["players"][player]["cash"]
    assert "Wages due" in column


def test_a_sheet_of_workers_shares_no_id_with_the_panels_below_it(banker: FlaskClient, seen: At) -> None:
    # given a tablet whose page shows everybody's panel
    table, shown = seen("build")
    page = banker.get(f"/tables/{table}/live?part=tablet").text

    # when the sheet of somebody's workers and houses lies over it
    for player in shown["position"]["players"]:
        sheet = banker.get(f"/tables/{table}/live?part=yard&player={player}").text

        # then nothing is there twice, and the sheet's own have names
        both = [re.findall(r'\sid="([^"]*)"', markup) for markup in (page, sheet)]
        assert f"sheet-panel-{player}" in both[1]
        assert f"panel-{player}" in both[0]
        assert set(both[0]) & set(both[1]) == set()


def test_ids_of_a_sheet_are_quoted_as_ids(banker: FlaskClient, seen: At) -> None:
    # given sheets whose ids are told apart from those of the page below
    table, shown = seen("build")
    player = next(iter(shown["position"]["players"]))

    for name in ("journal", f"yard&player={player}"):
        # when one is drawn, then no quotation mark is part of an id
        sheet = banker.get(f"/tables/{table}/live?part={name}").text
        assert 'id="sheet-' in sheet
        assert "id=&" not in sheet
