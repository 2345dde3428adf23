"""The automation dial in the menu and over HTTP."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.service.logins import Caller
from companion.web.server import Server
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.conftest import At


def test_the_banker_turns_it_and_everybody_may_know(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], moment: At
) -> None:
    table, _ = moment("first_hire")
    dial, guest = f"/api/v1/tables/{table}/dial", as_caller(Caller("spectator", None, table))
    assert banker.get(dial).json == {"dial": "suggest"}

    assert banker.post(dial, json={"dial": "automatic"}).json == {"dial": "automatic"}

    assert guest.get(dial).json == {"dial": "automatic"}
    assert guest.post(dial, json={"dial": "ledger"}).status_code == 403
    menu = banker.get(f"/tables/{table}/live", query_string={"part": "menu"})
    assert menu.status_code == 200


@pytest.mark.parametrize("wish", [{"dial": "loud"}, {}, {"dial": "ledger", "more": 1}, {"dial": 1}, {"dial": []}])
def test_a_wild_wish_is_told(banker: FlaskClient, seen: At, wish: dict[str, object]) -> None:
    table, _ = seen("first_hire")
    assert banker.post(f"/api/v1/tables/{table}/dial", json=wish).status_code == 400


@pytest.mark.browser
def test_a_tap_in_the_menu_turns_it(browser: Browser, server: Server, moment: At, scanner: FakeScanner) -> None:
    table, _ = moment("first_hire")
    scanner.attached_to = table
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", locale="en-GB")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Ask each card")).to_have_attribute("aria-pressed", "true")

    page.get_by_role("button", name="By itself").click()

    expect(page.get_by_role("button", name="By itself")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Ask each card")).to_have_attribute("aria-pressed", "false")
    context.close()
