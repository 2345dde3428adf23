"""A game begun without the app is entered on one page: what the form holds becomes a position that the rules accept."""

import json
import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.opened import installed_games
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.bot_tables import GAMES, tables_of


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Tables of the two games."""
    return tables_of({name: installed_games().manifest(name) for name in GAMES})


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The banker's browser, in English."""
    with banker_device(browser, server) as made:
        yield made.new_page()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_lobby_leads_to_the_page_and_every_field_has_a_name(banker: FlaskClient, name: str, language: str) -> None:
    assert f'href="/take-over?game={name}"' in banker.get(f"/?game={name}&lang={language}").text

    form = unescape(banker.get(f"/take-over?game={name}&lang={language}").text)

    titles = re.findall(r'<label class="field[^"]*">\s*<span>([^<]*)</span>', form)
    assert len(titles) > 10
    assert all(title.strip() and not re.search(r"[{}_]", title) for title in titles)
    for sets in re.findall(r'<option value="(\{.*?\})"', form):
        json.loads(sets)


@pytest.mark.browser
def test_a_building_site_is_entered_and_the_game_goes_on(page: Page, tables: Tables) -> None:
    # given two players, an expert among them, in the middle of a game
    page.goto("/take-over?game=men_at_work")
    first, second = page.locator("[data-player=blue]"), page.locator("[data-player=yellow]")
    first.locator("[data-name]").fill("Bartholomew")
    first.locator("select").select_option(label="Expert")
    first.locator("[data-path=certificates]").fill("1")
    second.locator("[data-name]").fill("Anne-Sophie")
    second.locator("[data-path=awards]").fill("1")
    page.locator("[data-path=turn]").fill("9")
    page.locator("[data-path=discard]").fill("3 i11")
    page.locator("[data-start=yellow] input").check()

    # when an award is won without the boss, then the rules say so, and nothing began
    page.get_by_role("button", name="Continue from here").click()
    expect(page.locator("#faults li")).to_have_count(1)
    assert "award" in page.locator("#faults").inner_text().lower()

    # when the boss is on duty
    page.locator("select", has=page.locator("option", has_text="Boss on duty")).select_option(label="Boss on duty")
    page.get_by_role("button", name="Continue from here").click()
    page.wait_for_url("**/tables/t*")

    # then the table goes on from there
    position = tables.get(page.url.rsplit("/", 1)[1]).position_json("banker")
    assert position is not None
    assert (position["active"], position["turn"], position["discard"]) == ("yellow", 9, ["I03", "I11"])
    assert position["players"]["blue"]["certificates"] == 1
    assert position["players"]["blue"]["level"] == "expert"
    assert position["players"]["yellow"]["awards"] == 1


@pytest.mark.browser
def test_a_badge_shows_whole_letters_and_tells_two_players_apart(page: Page) -> None:
    # given two players whose names begin alike
    page.goto("/take-over?game=men_at_work")
    playing = page.locator("[data-player]:not(.away)")
    for at, name in enumerate(("Ben", "Bo")):
        playing.nth(at).locator("[data-name]").fill(name)
    expect(playing.locator(".badge text")).to_have_text(["Be", "Bo"])

    # and a name that begins with a picture
    playing.nth(0).locator("[data-name]").fill("\N{FOX FACE} Ada")
    expect(playing.locator(".badge text")).to_have_text(["\N{FOX FACE}", "B"])


@pytest.mark.browser
def test_what_is_shown_of_a_site_counts_where_a_part_of_it_is_entered(page: Page, tables: Tables) -> None:
    # given a form that shows what stands there at the start
    page.goto("/take-over?game=men_at_work")
    expect(page.locator("[data-path='site.purple']")).to_have_attribute("placeholder", "1")

    # when one piece alone is entered
    page.locator("[data-path='site.orange']").fill("3")
    page.get_by_role("button", name="Continue from here").click()
    page.wait_for_url("**/tables/t*")

    # then the others stand there as the form shows them
    position = tables.get(page.url.rsplit("/", 1)[1]).position_json("banker")
    assert position is not None
    assert {piece: count for piece, count in position["site"].items() if count} == {
        "orange": 3,
        "purple": 1,
        "black": 1,
        "white": 1,
        "workers": 1,
        "supports": 3,
    }


@pytest.mark.browser
def test_a_skyscraper_is_entered_with_the_floor_of_the_box(page: Page, tables: Tables) -> None:
    # given a page that asks nothing of the floor
    page.goto("/take-over?game=men_at_work")
    bricks = page.locator("[data-path='floor.bricks']")
    expect(bricks).to_be_hidden()
    expect(page.locator("[data-path='site.supports']:visible")).to_have_attribute("placeholder", "3")

    # when the variant is chosen
    page.locator("#change-rules").click()
    page.locator("input[data-variant=skyscraper]").check()
    page.locator("#house-rules .over-foot [data-rules-close]").click()

    # then the floor is asked for, and the box begins without supports
    expect(page.locator("[data-path='site.supports']:visible")).to_have_attribute("placeholder", "0")
    bricks.fill("2")
    page.get_by_role("button", name="Continue from here").click()
    page.wait_for_url("**/tables/t*")

    # then what was entered lies there
    position = tables.get(page.url.rsplit("/", 1)[1]).position_json("banker")
    assert position is not None
    assert (position["variants"], position["floor"]["bricks"]) == (["skyscraper"], 2)
    assert position["site"]["supports"] == 0


@pytest.mark.browser
def test_a_town_is_entered_with_deeds_chips_and_buildings(page: Page, tables: Tables) -> None:
    # given two players with deeds, chips and a building
    page.goto("/take-over?game=monopoly_builder")
    red, purple = page.locator("[data-player=red]"), page.locator("[data-player=purple]")
    red.locator("[data-name]").fill("Bartholomew")
    red.locator("[data-path=cash]").fill("455")
    red.locator("[data-path='chips.green']").fill("2")
    purple.locator("[data-name]").fill("Anne-Sophie")
    deeds = page.locator(".begun-group").nth(1).locator("select")
    deeds.nth(0).select_option(label="Bartholomew")
    deeds.nth(1).select_option(label="Anne-Sophie, mortgaged")
    page.locator(".begun-group").nth(3).locator("select").first.select_option(label="Bartholomew, height 2")
    page.locator(".begun-group").nth(4).locator("select").nth(7).select_option(label="2 red")

    # when the game goes on
    page.get_by_role("button", name="Continue from here").click()
    page.wait_for_url("**/tables/t*")

    # then all of it stands there
    position = tables.get(page.url.rsplit("/", 1)[1]).position_json("banker")
    assert position is not None
    own, other = position["players"]["red"], position["players"]["purple"]
    assert (own["name"], own["cash"], own["chips"]["green"], len(own["deeds"])) == ("Bartholomew", 455, 2, 1)
    assert (len(other["deeds"]), other["mortgaged"]) == (1, other["deeds"])
    assert list(position["board"].values()) == [{"owner": "red", "height": 2}]
    assert position["spaces"] == {"7": {"red": 2}}


@pytest.mark.browser
def test_where_deeds_were_shuffled_the_page_asks_which_lies_where(page: Page, tables: Tables) -> None:
    # given a page that asks nothing of it while deeds lie beside their spaces
    page.goto("/take-over?game=monopoly_builder")
    turned_up = page.locator("section", has=page.get_by_role("heading", name="Deeds turned up"))
    expect(turned_up).to_be_hidden()

    # when the table shuffles them
    page.locator("#change-rules").click()
    page.locator("input[data-rule=deeds][value=shuffled]").check()
    page.locator("#house-rules .over-foot [data-rules-close]").click()

    # then it asks, and names spaces by their numbers
    expect(turned_up).to_be_visible()
    places = page.locator("[data-player=red] select:visible option")
    assert "1" in places.all_text_contents()

    # when a deed lies on a space and is somebody's
    turned_up.locator("select").nth(2).select_option(label="Canal Row")
    page.locator("label", has_text=re.compile("^\\s*Canal Row")).locator("select").select_option(index=1)
    page.get_by_role("button", name="Continue from here").click()
    page.wait_for_url("**/tables/t*")

    # then the game goes on so
    position = tables.get(page.url.rsplit("/", 1)[1]).position_json("banker")
    assert position is not None
    lies = {space: deed for space, deed in position["sites"].items() if deed}
    assert list(lies.values()) == position["players"]["red"]["deeds"] == ["D03"]
    assert list(position["sites"]).index(next(iter(lies))) == 2
