"""How an evening of any game ends on its pages: story, picture, report, another game."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web.server.server import Server
from tests.extent import in_check
from tests.layout.measures import MEASURES, THUMB
from tests.opened import installed_games
from tests.web.conftest import PIN
from tests.web_pages.bot_tables import GAMES, LONG, begin, play, tables_of
from tests.web_pages.test_story import OUTSIDE


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of the two games."""
    return tables_of({name: installed_games().manifest(name) for name in GAMES})


Ended = Callable[[str], Table]


@pytest.fixture(scope="module")
def ended(tables: Tables) -> Ended:
    """Play a whole game of four with long names, once."""
    by_name: dict[str, Table] = {}

    def whole(name: str) -> Table:
        if name not in by_name:
            by_name[name] = play(tables, name)
        return by_name[name]

    return whole


def events(table: Table, kind: str) -> list[dict[str, Any]]:
    return [event for entry in table.journal("banker") for event in entry["events"] if event["event"] == kind]


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).replace("\N{SOFT HYPHEN}", "")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_game_that_is_over_has_a_picture_whole_in_itself(
    banker: FlaskClient, ended: Ended, name: str, language: str
) -> None:
    answer = banker.get(f"/tables/{ended(name).id}/story.svg?lang={language}")

    picture = ET.fromstring(answer.text)  # noqa: S314 - it is our own
    ids = {element.get("id") for element in picture.iter()}
    used = {element.get("href", "")[1:] for element in picture.iter("{http://www.w3.org/2000/svg}use")}
    assert used <= ids
    assert answer.text.count('class="voice"') > len(LONG)


@pytest.mark.browser
@pytest.mark.parametrize("name", in_check(GAMES, "men_at_work"))
@pytest.mark.parametrize("language", in_check(["en", "de", "fr"], "de"))
def test_every_word_of_the_picture_has_room(
    browser: Browser, banker: FlaskClient, ended: Ended, name: str, language: str
) -> None:
    page = browser.new_page()
    page.set_content(banker.get(f"/tables/{ended(name).id}/story.svg?lang={language}").text)
    assert page.evaluate(OUTSIDE) == []
    page.close()


@pytest.mark.parametrize("name", GAMES)
def test_the_report_reckons_source_by_source_and_tells_the_turning_points(
    banker: FlaskClient, ended: Ended, name: str
) -> None:
    table = ended(name)
    overview = table.overview
    assert overview is not None

    page = banker.get(f"/tables/{table.id}/report").text

    rows = re.findall(r"<tr>(.*?)</tr>", page.split("<tbody>")[1].split("</tbody>")[0], re.DOTALL)
    assert len(rows) == len(LONG)
    for row, place in zip(map(words_of, rows), overview.standings, strict=True):
        assert overview.names[place.player] in row
        assert re.findall(r"\d+", row) == [
            str(number) for number in (place.rank, *(amount for _, amount in place.figures))
        ]
    assert "The turning points" in page
    assert "Rules at this table" in page


def test_the_dearest_deed_and_the_highest_rent_are_told_with_their_amounts(banker: FlaskClient, ended: Ended) -> None:
    table = ended("monopoly_builder")
    sales = [*events(table, "DeedBought"), *events(table, "DeedSold")]
    dearest = max(sale["price"] for sale in sales)
    rents = [claim["amount"] for claim in events(table, "RentClaimed")]

    report_text = words_of(banker.get(f"/tables/{table.id}/report").text)

    assert re.search(rf"pays {dearest}\sM for .*?, the top price of the evening", report_text)
    assert re.search(rf"claims {max(rents)}\sM from .*?, the highest rent of the evening", report_text)


def test_the_boss_and_the_number_of_accidents_are_told(banker: FlaskClient, ended: Ended) -> None:
    table = ended("men_at_work")
    (_,) = events(table, "BossTurned")

    report_text = words_of(banker.get(f"/tables/{table.id}/report").text)

    assert "turns up the boss: from now on height wins awards" in report_text
    assert f"{len(events(table, 'AccidentHappened'))} accidents" in report_text


def test_the_report_writes_money_with_its_sign_and_points_without(banker: FlaskClient, ended: Ended) -> None:
    table = ended("monopoly_builder")
    assert table.overview is not None

    report = banker.get(f"/tables/{table.id}/report?lang=en").text
    cells = re.findall(r'<td data-label="[^"]*">\s*(?:<b>)?\s*([^<]*?)\s*<', report)

    sources = [dict(place.figures) for place in table.overview.standings]
    assert {f"{figures['cash']:,}\N{NO-BREAK SPACE}M" for figures in sources} <= set(cells)
    assert {str(figures["points"]) for figures in sources} <= set(cells)


def test_points_over_the_evening_end_with_those_of_the_standings(banker: FlaskClient, ended: Ended) -> None:
    table = ended("monopoly_builder")
    assert table.overview is not None

    page = banker.get(f"/tables/{table.id}").text

    chart = re.search(r'<figure class="worth-chart".*?</figure>', page, re.DOTALL)
    assert chart is not None
    assert "Points over the evening" in chart[0]
    last = re.findall(r'<text class="end"[^>]*>\s*(\d+)', chart[0])
    assert sorted(map(int, last)) == sorted(place.figures[0][1] for place in table.overview.standings)


@pytest.mark.parametrize("name", GAMES)
def test_story_and_report_are_reached_from_every_screen_and_the_banker_plays_again(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], ended: Ended, name: str
) -> None:
    table = ended(name)
    player = next(iter(table.names()))
    story, report = f'href="/tables/{table.id}/story"', f'href="/tables/{table.id}/report"'
    phone, screen = as_caller(Caller("player", player, table.id)), as_caller(Caller("spectator", None, table.id))

    tablet = banker.get(f"/tables/{table.id}").text
    seat = phone.get(f"/tables/{table.id}/seats/{player}").text

    assert story in tablet
    assert report in tablet
    assert story in seat
    assert report in seat
    assert story in screen.get(f"/tables/{table.id}/display").text
    assert screen.get(f"/tables/{table.id}/story").status_code == 200
    assert "Play again" not in seat
    (again,) = re.findall(r'href="([^"]+)">Play again', tablet)
    assert LONG[0] in banker.get(again.replace("&amp;", "&")).text


@pytest.mark.parametrize("name", GAMES)
def test_columns_rise_last_place_first_on_tablet_and_big_screen(banker: FlaskClient, ended: Ended, name: str) -> None:
    table = ended(name)
    assert table.overview is not None
    ranks = {place.player: place.rank for place in table.overview.standings}
    order = sorted(set(ranks.values()), reverse=True)
    step_of = {player: order.index(rank) for player, rank in ranks.items()}

    def steps(page: str) -> list[int]:
        return [int(step) for step in re.findall(r'<figure class="rises after-(\d)">', banker.get(page).text)]

    assert steps(f"/tables/{table.id}/display") == [step_of[player] for player in table.names()]
    assert sorted(steps(f"/tables/{table.id}")) == sorted(step_of.values())


@pytest.mark.parametrize("name", GAMES)
def test_a_phone_shows_the_standings_source_by_source_and_each_seat_its_place(
    as_caller: Callable[[Caller], FlaskClient], ended: Ended, name: str
) -> None:
    table = ended(name)
    assert table.overview is not None
    player = next(iter(table.names()))

    page = as_caller(Caller("player", player, table.id)).get(f"/tables/{table.id}/seats/{player}").text

    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page.split("plain-standings")[1].split("</table>")[0], re.DOTALL)[1:]
    figures = [re.findall(r"\d+", words_of(row)) for row in rows]
    assert figures == [
        [str(number) for number in (place.rank, *(amount for _, amount in place.figures))]
        for place in table.overview.standings
    ]
    places = re.findall(r'<p class="status">\s*(.*?)\s*</p>', page)
    assert "1st" in places


@pytest.mark.parametrize("name", GAMES)
def test_what_is_taken_back_is_no_part_of_the_story(banker: FlaskClient, tables: Tables, name: str) -> None:
    # given a game that is over
    table = play(tables, name)

    # when its last act is taken back
    table.submit(Request({"do": "undo"}, "banker", "tap"))

    # then there is no story yet, and nothing to play again
    assert banker.get(f"/tables/{table.id}/story").status_code == 302
    assert banker.get(f"/tables/{table.id}/story.svg").status_code == 404
    assert "Play again" not in banker.get(f"/tables/{table.id}").text


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """A small phone that may look at any table."""
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 360, "height": 740}, reduced_motion="reduce"
    )
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    yield context.new_page()
    context.close()


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("name", in_check(GAMES, "monopoly_builder"))
def test_report_and_story_fit_a_small_phone(phone: Page, ended: Ended, name: str) -> None:
    for page in ("report", "story"):
        phone.goto(f"/tables/{ended(name).id}/{page}?lang=de")
        phone.evaluate("document.fonts.ready")
        assert phone.evaluate(MEASURES, {"target": THUMB, "letters": 0}) == []


@pytest.mark.nightly
@pytest.mark.browser
def test_points_now_fit_a_small_phone(phone: Page, services: Services, tables: Tables) -> None:
    # given a player's phone on which somebody wished to see the points
    bots = begin(tables, "monopoly_builder")
    for _ in range(30):
        bots.play_on()
    player = next(iter(bots.table.names()))
    phone.context.clear_cookies()
    phone.goto(f"/join/{services.logins.join_token(Caller('player', player, bots.table.id))}")
    phone.goto(f"/tables/{bots.table.id}/seats/{player}?lang=de")
    phone.evaluate("document.documentElement.dataset.worth = 'on'")

    # then every figure of everybody stands there with what it is, and nothing lies on anything else
    expect(phone.locator(".worth-now .holdings").last).to_be_visible()
    phone.evaluate("document.fonts.ready")
    assert phone.evaluate(MEASURES, {"target": THUMB, "letters": 0}) == []
