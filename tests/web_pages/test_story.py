"""The evening afterwards: turning points out of the journal, the result in numbers, one picture to send."""

import io
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.pages.ending import fit_text, lines, width
from tests.extent import in_check
from tests.guide.stage import Game, game_of_bots
from tests.pages import SLOWLY
from tests.web_pages.conftest import At
from tests.web_pages.parts import give, part

LONG = ("Bartholomew", "Anne-Sophie", "Maximilian", "Wilhelmina-Katharina MMMM")
SIDE = 1200
OUTSIDE = """() => {
  const frame = document.querySelector("svg.story").getBoundingClientRect();
  return [...document.querySelectorAll("svg.story text")]
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, at]) => at.width)
    .filter(([, at]) => at.left < frame.left + 8 || at.right > frame.right - 8 || at.bottom > frame.bottom)
    .map(([text]) => text);
}"""


@pytest.fixture(scope="module")
def ended(tables: Tables) -> Game:
    """A whole game of four, whose players have long names."""
    game = game_of_bots(tables, 4, 3)
    names = dict(zip(game.position["players"], LONG, strict=False))
    for player, name in names.items():
        give(tables, game.table.id, do="rename_player", player=player, name=name)
    while game.play_on():
        pass
    return game


def booked(game: Game, event: str) -> list[dict[str, Any]]:
    return [record for entry in game.table.journal("banker") for record in entry["events"] if record["event"] == event]


def drawn(banker: FlaskClient, game: Game, asked: str = "") -> str:
    answer = banker.get(f"/tables/{game.table.id}/story.svg{asked}")
    assert answer.status_code == 200
    assert answer.mimetype == "image/svg+xml"
    return answer.text


def test_the_dearest_contract_is_told_with_its_price_and_buyer(banker: FlaskClient, ended: Game) -> None:
    # given what was paid for contracts
    dearest = max(booked(ended, "ContractSold"), key=lambda sale: sale["paid"])

    # then the report, the reckoning and no other contract tell it so
    names = {player: str(seen["name"]) for player, seen in ended.position["players"].items()}
    for path in (f"/tables/{ended.table.id}/report", f"/tables/{ended.table.id}"):
        sentences = re.findall(
            r">\s*([^<>]*?) pays \$([\d,]+) for [^<>]*, the top price of the evening", banker.get(path).text
        )
        assert sentences == [(names[dearest["player"]], f"{dearest['paid']:,}")]


def test_the_result_is_told_in_numbers(banker: FlaskClient, ended: Game) -> None:
    first, second, *_ = ended.position["standings"]
    built = sum(len(seen["completed"]) for seen in ended.position["players"].values())
    page = part(banker, ended.table.id, "display")
    assert f"by ${first['worth'] - second['worth']:,}" in page
    assert f"{ended.position['round']} rounds · {built} buildings" in page


def test_the_big_screen_tells_the_last_three_turning_points_and_the_report_all(
    banker: FlaskClient, ended: Game
) -> None:
    # given an evening with more turning points
    all_turns = re.findall(
        r"<li>",
        banker.get(f"/tables/{ended.table.id}/report").text.split('class="turning-points"')[1].split("</ol>")[0],
    )
    assert len(all_turns) > 3

    # then the big screen does not keep people for all of them
    assert part(banker, ended.table.id, "display").count('class="unfolds dry"') == 3


def report_of_last_event(banker: FlaskClient, tables: Tables, crew: list[str], card: str) -> str:
    """Return the report of a game in whose last round an event comes up; blue has a crew."""
    players = {"blue": {"name": "Ada", "cash": 90_000, "workers": crew}, "yellow": {"name": "Ben", "cash": 90_000}}
    about = {"game": "master_builder", "round": 6, "phase": "events", "start_player": "blue"}
    command = {"do": "take_over", "position": {**about, "players": players}}
    table = tables.start(Request(command, "banker", "tap"))
    give(tables, table.id, do="turn_event", card=card)
    return banker.get(f"/tables/{table.id}/report").text


def test_what_an_event_brought_is_taken_off_what_it_took(banker: FlaskClient, tables: Tables) -> None:
    # given a supper that brings 4,000 and takes 1,000 for each worker
    crew = ["W30", "W31", "W32", "W33", "W34"]

    # then it is no blow to whoever gained by it, and took 1,000 for five workers
    assert "s supper" not in report_of_last_event(banker, tables, crew[:3], "E13")
    assert "s supper: Ada pays $1,000." in report_of_last_event(banker, tables, crew, "E13")


def test_what_is_taken_back_is_no_part_of_the_story(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given a game that has just ended
    table, _ = moment("end")
    assert "A picture to share" in part(banker, table, "tablet")

    # when its last act is taken back, then the evening has no story yet
    give(tables, table, do="undo")
    assert "A picture to share" not in part(banker, table, "tablet")
    assert banker.get(f"/tables/{table}/story.svg").status_code == 404
    assert banker.get(f"/tables/{table}/story").status_code == 302


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_picture_is_whole_in_itself(banker: FlaskClient, ended: Game, language: str) -> None:
    picture = ET.fromstring(drawn(banker, ended, f"?lang={language}"))  # noqa: S314 - it is our own
    assert (picture.get("width"), picture.get("height")) == (str(SIDE), str(SIDE))
    ids = {element.get("id") for element in picture.iter()}
    used = {element.get("href", "")[1:] for element in picture.iter("{http://www.w3.org/2000/svg}use")}
    assert used <= ids
    assert "--paper" in ET.tostring(picture, "unicode")


@pytest.mark.browser
@pytest.mark.parametrize("language", in_check(["en", "de", "fr"], "de"))
def test_every_word_of_the_picture_has_room(browser: Browser, banker: FlaskClient, ended: Game, language: str) -> None:
    page = browser.new_page()
    page.set_content(drawn(banker, ended, f"?lang={language}"))
    assert page.evaluate(OUTSIDE) == []
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("theme", in_check(["day", "night"], "day"))
def test_the_picture_is_kept_as_png(page: Page, ended: Game, theme: str) -> None:
    page.goto(f"/tables/{ended.table.id}/story?look={theme}")

    with page.expect_download() as got:
        page.get_by_role("button", name="Share or save the picture").click()

    assert got.value.suggested_filename.endswith(".png")
    with Image.open(io.BytesIO(got.value.path().read_bytes())) as picture:
        assert (picture.format, picture.size) == ("PNG", (SIDE, SIDE))
        shades = picture.convert("RGB").getcolors(1 << 24) or []
        sky = max(shades, key=lambda shade: shade[0])[1]
        assert len(shades) > 100
        assert sky == ((243, 236, 223) if theme == "day" else (24, 20, 17))


@pytest.fixture
def last_act(tables: Tables, moment: At) -> tuple[str, dict[str, Any]]:
    """A table one act before its end, and that act."""
    table, _ = moment("end")
    act = tables.get(table).journal("banker")[-1]["command"]
    give(tables, table, do="undo")
    return table, act


@pytest.mark.browser
def test_the_big_screen_uncovers_the_places_at_the_end_and_a_tap_ends_it(
    page: Page, tables: Tables, last_act: tuple[str, dict[str, Any]]
) -> None:
    # given a big screen that saw the evening
    table, act = last_act
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(SLOWLY)
    page.goto(f"/tables/{table}/display")

    # when the game ends, then the first two stand under cloths, and nothing says yet who has won
    give(tables, table, **act)
    expect(page.locator("#stage .cloth")).to_have_count(2)
    stage, foot = page.locator("#stage").bounding_box(), page.locator("#live .stage-foot .now-line").bounding_box()
    assert stage is not None
    assert foot is not None
    assert stage["y"] + stage["height"] >= foot["y"] + foot["height"]

    # when somebody taps, then the result stands there
    page.locator("#stage").click()
    expect(page.locator("#stage")).to_have_count(0)
    expect(page.locator(".final")).to_be_visible()

    # and a screen that comes later shows the result at once
    page.reload()
    expect(page.locator(".final")).to_be_visible()
    expect(page.locator("#stage")).to_have_count(0)


def tap_on_screen(page: Page, button: Locator) -> None:
    """Tap a button of the big screen, which has none until a pointer moves."""
    page.mouse.move(200, 200)
    page.mouse.move(240, 220)
    button.click()


@pytest.mark.browser
@pytest.mark.nightly
def test_headlines_and_story_are_off_by_a_tap(page: Page, moment: At) -> None:
    # given a big screen with a round that was settled, and its headline
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}/display")
    headline = page.locator(".settled .dry")
    expect(headline).to_be_visible()

    # when somebody taps them away, then they are gone on this screen, also after the next change and a reload
    switch = page.get_by_role("button", name="Headlines and story")
    tap_on_screen(page, switch)
    expect(headline).to_be_hidden()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(headline).to_be_hidden()

    # and another tap brings them back
    tap_on_screen(page, switch)
    expect(headline).to_be_visible()


def test_lettering_keeps_within_its_room() -> None:
    text, size = fit_text("M" * 60, 30, 500)
    assert text.endswith("…")
    assert width(text, size) <= 500
    broken, small = lines("Bartholomew pays $40,000 for Royal Bastion: the dearest of all", 30, 500)
    assert len(broken) == 2
    assert all(width(line, small) <= 500 for line in broken)
    assert lines("short", 30, 500) == (("short",), 30)


@pytest.mark.parametrize(("language", "wins"), [("en", "wins"), ("fr", "gagne"), ("de", "gewinnt")])
def test_the_picture_is_told_to_those_who_do_not_see_it(
    banker: FlaskClient, ended: Game, language: str, wins: str
) -> None:
    # given the picture of an evening, and the page that offers it
    picture = drawn(banker, ended, f"?lang={language}")
    page = banker.get(f"/tables/{ended.table.id}/story?lang={language}").text

    # then the page says in words who won and in how many rounds
    alt, title = (
        re.findall(pattern, text)[0] for pattern, text in ((r'alt="([^"]*)"', page), ("<title>(.*)<", picture))
    )
    assert wins in title
    assert alt.startswith(f"{title} · ")

    # and what everybody ended with, and the turning points, each in a line
    story_text = page[page.index('class="unseen"') :]
    assert [name in story_text for name in LONG] == [True] * len(LONG)
    assert story_text.count("<li>") > len(LONG)
