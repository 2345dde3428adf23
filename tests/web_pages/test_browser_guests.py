"""Phones in ten seconds: a code is scanned, a name is tapped, and everybody follows *Play again*."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.http.login_routes import redirect_logged_in
from companion.web.pages import join
from companion.web.server.server import Server
from tests.pages import run_axe
from tests.waiting import until
from tests.web_pages.conftest import At
from tests.web_pages.parts import give

Device = Callable[[int, int], Page]


@pytest.fixture
def device(browser: Browser, server: Server) -> Iterator[Device]:
    """Open devices that nobody has logged in."""
    contexts = []

    def opened(width: int, height: int) -> Page:
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{server.port}", viewport={"width": width, "height": height}, locale="en-GB"
        )
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.nightly
@pytest.mark.browser
def test_a_host_scans_the_code_of_a_table_and_goes_along_to_the_next_game(
    page: Page, tables: Tables, services: Services, moment: At, device: Device
) -> None:
    # given the organiser's page with the code for the host of a table
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}/host")
    assert run_axe(page).violations_count == 0

    # when somebody scans it with a tablet
    tablet = device(1280, 800)
    tablet.goto(scanned(page))

    # then it is the banker's of that table, without a way to others
    expect(tablet.locator("#page")).to_have_attribute("data-part", "tablet")
    tablet.locator("[data-sheet=menu]").first.click()
    expect(tablet.locator("#sheet .menu")).to_be_visible()
    expect(tablet.get_by_role("link", name="All games")).to_have_count(0)

    # and when the organiser begins the next game there, it goes along
    started = dict(tables.get(table).entries[0].command)
    following = tables.start(Request(started, "banker", "tap"))
    services.guests.go_on(table, following.id)
    tables.get(table).signal.bump()
    tablet.wait_for_url(f"**/tables/{following.id}")
    expect(tablet.locator("#page")).to_have_attribute("data-table", following.id)


def scanned(screen: Page) -> str:
    """The path of the code that can be read from a screen, wherever this machine thinks it is reached."""
    with Image.open(io.BytesIO(screen.screenshot())) as picture:
        (read,) = zxingcpp.read_barcodes(picture.convert("L"))
    return str(read.text[read.text.index("/join/") :])


@pytest.mark.nightly
@pytest.mark.browser
def test_a_phone_joins_from_the_big_screen_and_everybody_follows_play_again(
    page: Page, tables: Tables, moment: At, device: Device
) -> None:
    # given a big screen in the first round
    table, _ = moment("first_hire")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/tables/{table}/display")
    expect(page.locator(".code-shown")).to_be_visible()

    # when a phone scans the code, and a name is tapped
    phone = device(390, 844)
    phone.goto(scanned(page))
    assert run_axe(phone).violations_count == 0
    name = tables.get(table).names()["blue"]
    phone.get_by_role("button", name=name).click()

    # then it is that seat
    expect(phone.locator(".seat-head h2")).to_have_text(name)

    # when it is played again from the lobby, with the players, rules and variants of before
    tablet = page.context.new_page()
    tablet.goto(f"/?game=master_builder&again={table}")
    names = list(tables.get(table).entries[0].command["players"])
    shown = [field.input_value() for field in tablet.locator(".seat-name").all()]
    assert shown == [player["name"] for player in names]
    expect(tablet.locator("#come-along")).to_be_checked()
    tablet.get_by_role("button", name="Start the game").click()
    tablet.wait_for_url("**/tables/*")
    then = tablet.url.rsplit("/", 1)[1]
    assert then != table

    # then the phone and the big screen are there by themselves
    phone.wait_for_url(f"**/tables/{then}/seats/blue")
    page.wait_for_url(f"**/tables/{then}/display")
    expect(phone.locator(".seat-head h2")).to_have_text(name)

    # and when the phone is logged out on the tablet, then it alone is shown the door
    tablet.get_by_role("button", name="More").click()
    tablet.get_by_role("button", name="Phones at the table").click()
    tablet.get_by_role("button", name="Log out").click()
    phone.wait_for_url("**/login*")
    expect(page.locator(".display")).to_be_visible()


@pytest.mark.browser
@pytest.mark.nightly
def test_a_phone_on_its_way_to_the_next_table_is_not_shown_the_door_by_what_it_still_asks(
    page: Page, services: Services, moment: At, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a phone in a seat
    table, _ = moment("first_hire")
    phone = device(390, 844)
    phone.goto(f"/join/{services.logins.join_token(Caller('player', 'blue', table))}")
    phone.wait_for_url("**/seats/blue")
    refused: list[str] = []
    phone.on("response", lambda answer: refused.append(answer.url) if answer.status == 401 else None)

    # when it is moved to the next table, and the answer is slower than what it asks as the guest it was before
    def answer_late(*arguments: Any, **options: Any) -> Any:
        answer = redirect_logged_in(*arguments, **options)
        until(lambda: refused)
        return answer

    monkeypatch.setattr(join, "redirect_logged_in", answer_late)
    page.goto(f"/?game=master_builder&again={table}")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/tables/*")

    # then it is there all the same
    phone.wait_for_url(f"{page.url}/seats/blue")
    assert refused


@pytest.mark.browser
@pytest.mark.nightly
def test_a_phone_in_the_lobby_waits_for_the_names(page: Page, moment: At, tables: Tables, device: Device) -> None:
    # given a lobby after a game that is over, and a phone that scanned its code
    table, _ = moment("end")
    page.goto(f"/tables/{table}")
    page.goto("/")
    phone = device(390, 844)
    phone.goto(scanned(page))
    expect(phone.locator(".waits")).to_be_visible()

    # when a game begins, then its names appear by themselves
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/tables/*")
    expect(phone.locator("button.who-name").first).to_be_visible()

    # and a name that somebody takes meanwhile is told as taken
    then = page.url.rsplit("/", 1)[1]
    other = device(390, 844)
    other.goto(phone.url)
    other.locator("button.who-name").first.click()
    other.wait_for_url(f"**/tables/{then}/seats/*")
    expect(phone.locator(".who-name.taken")).to_have_count(1)
    give(tables, then, do="rename_player", player=other.url.rsplit("/", 1)[1], name="Wilhelmina-Katharina")
    expect(phone.locator(".who-name.taken")).to_contain_text("Wilhelmina-Katharina")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
@pytest.mark.nightly
def test_house_rules_and_variants_are_kept_for_the_next_game(page: Page, tables: Tables) -> None:
    # given a game under a house rule and a variant
    players = [{"id": "blue", "name": "Ada"}, {"id": "red", "name": "Ben"}]
    command = {"do": "start_game", "game": "master_builder", "catalog": "house", "first": "red", "players": players}
    chosen = {"rules": {"tie_break": "fewer_loans"}, "variants": ["loaning_workers"]}
    table = tables.start(Request({**command, **chosen}, "banker", "tap"))

    # when it is played again
    page.goto(f"/?game=master_builder&again={table.id}")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/tables/*")

    # then the rules are the same
    again = tables.get(page.url.rsplit("/", 1)[1]).entries[0].command
    kept = {key: again[key] for key in ("rules", "variants", "first", "players")}
    assert kept == {**chosen, "first": "red", "players": players}
