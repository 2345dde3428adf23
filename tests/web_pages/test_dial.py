"""The automation dial in the menu and over HTTP."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.engine.game import Placement
from companion.service.access.logins import Caller
from companion.service.camera.proposals import CardSource
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests.web.conftest import PIN
from tests.web.fake_scanner import PICTURE, FakeScanner
from tests.web_pages.conftest import At


def test_the_banker_turns_it_and_everybody_may_know(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], moment: At
) -> None:
    table, _ = moment("first_hire")
    dial, guest = f"/api/v1/tables/{table}/dial", as_caller(Caller("spectator", None, table))
    kinds = dict.fromkeys(("worker", "contract", "event", "economy", "command"), "suggest")
    assert banker.get(dial).json == {"dial": "suggest", "kinds": kinds}

    kinds = {**dict.fromkeys(kinds, "automatic"), "command": "suggest"}
    assert banker.post(dial, json={"dial": "automatic"}).json == {"dial": "automatic", "kinds": kinds}
    turned = {"dial": "automatic", "kinds": {**kinds, "event": "ledger"}}
    assert banker.post(dial, json={"dial": "ledger", "kind": "event"}).json == turned

    assert guest.get(dial).json == turned
    assert guest.post(dial, json={"dial": "ledger"}).status_code == 403
    menu = banker.get(f"/tables/{table}/live", query_string={"part": "menu"})
    assert menu.status_code == 200


WILD: list[dict[str, object]] = [{"dial": "loud"}, {}, {"dial": "ledger", "more": 1}, {"dial": 1}, {"dial": []}]
WILD += [{"kind": "worker"}, {"dial": "ledger", "kind": "joker"}, {"dial": "ledger", "kind": None}]


@pytest.mark.parametrize("wish", WILD)
def test_a_wild_wish_is_told(banker: FlaskClient, seen: At, wish: dict[str, object]) -> None:
    table, _ = seen("first_hire")
    assert banker.post(f"/api/v1/tables/{table}/dial", json=wish).status_code == 400


@pytest.mark.nightly
@pytest.mark.browser
def test_a_tap_in_the_menu_turns_it(
    browser: Browser, server: Server, moment: At, scanner: FakeScanner, tables: Tables
) -> None:
    table, _ = moment("first_hire")
    scanner.attached_to = table
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", locale="en-GB")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Ask each card")).to_have_attribute("aria-pressed", "true")

    page.get_by_role("button", name="Automatic clear").click()

    expect(page.get_by_role("button", name="Automatic clear")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Ask each card")).to_have_attribute("aria-pressed", "false")

    # when one kind is turned for itself
    page.get_by_text("By kind of card").click()
    events = page.get_by_role("group", name="Events")
    expect(events.get_by_role("button", name="Automatic")).to_have_attribute("aria-pressed", "true")
    events.get_by_role("button", name="Ignore cards").click()

    # then it stands apart, the list stays open, and what the table does otherwise is as before
    expect(events.get_by_role("button", name="Ignore cards")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("1 differs")).to_be_visible()
    expect(page.get_by_role("button", name="Automatic clear")).to_have_attribute("aria-pressed", "true")
    setting = scanner.proposals.settings(tables.get(table))
    assert (setting.level, setting.level_by_kind) == ("automatic", {"event": "ledger"})
    context.close()


def test_the_card_undo_asks_in_words_what_it_would_take_back(
    banker: FlaskClient, moment: At, scanner: FakeScanner, tables: Tables
) -> None:
    # given a worker who was hired, and the card UNDO under the camera
    table, shown = moment("first_hire")
    hire = {"do": "hire_worker", "player": shown["position"]["waiting_for"][0], "worker": "W07"}
    tables.get(table).submit(Request(hire, "banker", "test"))
    scanner.proposals.on_placement(
        tables.get(table), Placement("place", "MB1X04", "X04", "tray", 1.0), PICTURE, CardSource("camera")
    )

    # then every language says what would be taken back
    for language, asks, yes in (
        ("en", "Undo ", "Yes, undo"),
        ("fr", "Annuler\u202f: ", "Oui, annuler"),
        ("de", "Rückgängig: ", "Ja, zurücknehmen"),
    ):
        page = banker.get(f"/tables/{table}/live", query_string={"part": "proposal", "lang": language}).text
        assert asks in page
        assert "W07" in page
        assert yes in page

    # and the answer does it, with what the camera saw beside the entry
    number = (banker.get(f"/api/v1/tables/{table}/proposals").json or {})["proposals"][-1]["id"]
    answer = banker.post(f"/api/v1/tables/{table}/proposals/{number}", json={"answer": "yes"}).json or {}
    assert answer["entry"]["command"] == {"do": "undo"}
    assert banker.get(f"/api/v1/tables/{table}/entries/{answer['entry']['seq']}/picture").data == PICTURE
