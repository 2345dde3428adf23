"""The page on which a game already begun is entered."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.pages import run_axe
from tests.web_pages.banker_browser import banker_device


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The banker's browser, in English, on that page."""
    with banker_device(browser, server) as made:
        yield made.new_page()


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Join a game in progress"),
        ("fr", "Rejoindre une partie déjà commencée"),
        ("de", "In eine laufende Partie einsteigen"),
    ],
)
def test_the_page_is_there_in_every_language_and_the_lobby_leads_to_it(
    banker: FlaskClient, language: str, title: str
) -> None:
    assert title in banker.get(f"/take-over?lang={language}").text
    assert 'href="/take-over"' in banker.get(f"/?lang={language}").text


def test_guests_are_led_away(as_caller: Callable[[Caller], FlaskClient]) -> None:
    assert as_caller(Caller("spectator", table="t1")).get("/take-over").status_code == 302


@pytest.mark.browser
def test_what_lies_on_the_table_is_entered_faults_are_told_and_the_game_goes_on(page: Page, tables: Tables) -> None:
    # given a game entered with a worker at two players
    page.goto("/take-over")
    red, blue = page.locator("[data-player=red]"), page.locator("[data-player=blue]")
    red.locator("[data-name]").fill("Ada")
    red.locator("[data-cash]").fill("21000")
    red.locator("[data-workers]").fill("7 12 31")
    blue.locator("[data-workers]").fill("w7, 40")
    blue.locator("[data-small]").fill("1")
    blue.get_by_role("button", name="One seat up").click()
    page.locator("[data-contract=C08] select").select_option("red")
    page.locator("[data-contract=C08] [data-section=wall-1]").check()
    page.locator("[data-contract=C08] [data-section=gable-1]").check()
    page.locator("[data-contract=C03] select").select_option("blue")
    page.locator("[data-contract=C03] [data-paid]").check()
    page.locator("[data-contract=C05] select").select_option("premium")
    expect(page.locator("#bank")).to_have_text("The bank holds $629,000")
    expect(page.locator("#deck-left")).to_have_text("5 in the deck")
    blue.locator("[data-pick-workers]").click()
    expect(page.locator("#crew-wages")).to_contain_text("2 chosen, wages")
    page.locator("#crew [data-crew-close]").last.click()
    assert run_axe(page).violations_count == 0
    go_on = page.get_by_role("button", name="Continue from here")
    go_on.click()
    expect(page.locator("#faults li")).to_have_text(["W07 is in two places: Blue and Ada."])

    # when that is put right
    blue.locator("[data-workers]").fill("40")
    go_on.click()

    # then the game goes on
    expect(page.get_by_role("button", name="Hire").first).to_be_visible()
    position = tables.get(page.url.rsplit("/", 1)[-1]).show("banker")["position"]
    assert position["seats"] == ["blue", "red"]
    assert position["players"]["red"]["contracts"] == {"C08": ["gable-1", "wall-1"]}
    assert position["players"]["blue"]["completed"] == ["C03"]
    assert (position["bank"], position["display"]) == (629_000, {"C05": 5_000})


def drafted(banker: FlaskClient, **changed: Any) -> Any:
    player = {"name": "Ada", "cash": 21_000, "workers": ["W07"]}
    position: dict[str, Any] = {
        "game": "master_builder",
        "catalog": "house",
        "round": 2,
        "phase": "hire",
        "start_player": "",
        "players": {"red": player, "blue": {"name": "Ben", "cash": 30_000}},
        "display": {"C05": 5_000},
        **changed,
    }
    return banker.post("/take-over/draft?lang=en", json={"do": "take_over", "position": position})


def test_what_is_left_of_money_and_cards_is_said_by_the_rules(banker: FlaskClient) -> None:
    said = drafted(banker).get_json()

    assert said["bank"] == {"says": "The bank holds $639,000", "bad": False}
    assert said["deck"] == {"says": "7 in the deck", "bad": False}, "four stay in the box with two players"
    assert said["crews"]["red"].startswith("1 chosen, wages ")
    assert said["crews"]["blue"] == "0 chosen, wages 0 of 30"
    more = {"name": "Ada", "cash": 700_000}
    assert drafted(banker, players={"red": more}).get_json()["bank"] == {
        "says": "$10,000 more than there is in the box",
        "bad": True,
    }


def test_of_what_is_no_position_nothing_is_said(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    assert drafted(banker, catalog="of nobody").get_json() == {}
    assert drafted(banker, round="two").get_json() == {}
    assert banker.post("/take-over/draft", json={"do": "undo"}).get_json() == {}
    assert banker.post("/take-over/draft", data=b"{").get_json() == {}
    assert drafted(as_caller(Caller("spectator", table="t1"))).status_code == 403


@pytest.mark.browser
def test_the_page_fits_every_screen(page: Page) -> None:
    for width, height in ((1280, 800), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/take-over?lang=de")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
