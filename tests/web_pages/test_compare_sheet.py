"""The books beside the table: everybody's money counted, and the cards on the mat."""

from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests.pages import run_axe
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.conftest import At


def compared(client: FlaskClient, table: str) -> str:
    answer = client.get(f"/tables/{table}/live", query_string={"part": "compare", "lang": "en"})
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


def give(tables: Tables, table: str, **command: Any) -> None:
    tables.get(table).submit(Request(command, "banker", "test"))


def test_a_count_holds_until_the_books_say_something_else(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given three players whose money was counted: right, too much, too little
    table, shown = moment("first_hire")
    players = list(shown["position"]["players"])
    assert compared(banker, table).count("not counted since it changed") == 3
    for player, counted in zip(players, (40_000, 41_000, 38_000), strict=True):
        give(tables, table, do="count_cash", player=player, amount=counted)

    # then each is told
    html = compared(banker, table)
    assert ": the table matches" in html
    assert ": $1,000 more on the table" in html
    assert ": $2,000 less on the table" in html
    assert tables.get(table).show("banker")["position"]["players"][players[1]]["cash"] == 40_000

    # and each difference has a button that puts the books right by it
    assert html.count('"do":"correct_money"') == 2
    assert f'{{"from":"{players[2]}","to":"bank","do":"correct_money","amount":2000' in html

    # when money moves, that player's count is out of date; when a count is taken back, it is gone
    move = {"from": "bank", "to": players[0], "amount": 1_000, "reason": "as the story needs"}
    give(tables, table, do="correct_money", **move)
    assert compared(banker, table).count("not counted since it changed") == 1
    for _ in range(2):
        give(tables, table, do="undo")
    html = compared(banker, table)
    assert ": the table matches" in html
    assert "less on the table" not in html


def test_cards_on_the_mat_are_compared_where_one_is_in_view(
    banker: FlaskClient, moment: At, scanner: FakeScanner
) -> None:
    table, _ = moment("first_hire")
    assert "No mat is in view: cards are not compared." in compared(banker, table)
    scanner.attached_to = table
    scanner.differences = [{"difference": "elsewhere", "card": "W07", "zone": "yellow", "books": "blue"}]

    html = compared(banker, table)

    scanner.differences = []
    assert "W07: on the table Ben, in the books Ada" in html


@pytest.mark.nightly
@pytest.mark.browser
def test_everybody_counts_on_one_sheet(browser: Browser, server: Server, tables: Tables, moment: At) -> None:
    table, _ = moment("later_hire")
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1024, "height": 600})
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Compare with the table").click()

    # when blue counts two thousand more, and then red what is booked
    blue, red = page.locator("#counted-blue"), page.locator("#counted-red")
    blue.get_by_role("button", name="2,000 more", exact=True).click()
    red.get_by_role("button", name="We hold").click()
    expect(red.get_by_text("the table matches")).to_be_visible()
    blue.get_by_role("button", name="We hold").click()

    # then what blue had set was not lost meanwhile, and the sheet stays
    expect(blue.get_by_text("$2,000 more on the table")).to_be_visible()
    assert [entry.events[0]["difference"] for entry in tables.get(table).entries[-2:]] == [0, 2_000]
    assert run_axe(page).violations_count == 0
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    context.close()
