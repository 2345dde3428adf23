"""The welcome: asked once, each step skippable, in three languages, on every screen."""

import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests import extent
from tests.pages import run_axe
from tests.web.conftest import PIN, START
from tests.web.fake_scanner import FakeScanner

STEPS = ("language", "camera", "deck", "laying")


@pytest.fixture(autouse=True)
def fresh(services: Services) -> None:
    services.preferences.choose(welcomed=False, deck="house", layout="tray")


def led_to(client: FlaskClient, path: str = "/") -> str:
    return client.get(path).headers.get("Location", "")


def answer(client: FlaskClient, step: str, choice: str = "", **more: str) -> str:
    response = client.post("/welcome", data={"step": step, "choice": choice, **more})
    assert response.status_code == 303
    return response.headers["Location"]


def test_the_first_evening_begins_with_four_questions_and_ends_in_the_lobby(
    banker: FlaskClient, services: Services
) -> None:
    assert led_to(banker) == "/welcome"

    assert answer(banker, "language", "de") == "/welcome?step=camera"
    assert "Kann die Kamera eine Karte lesen?" in banker.get("/welcome?step=camera").text
    assert answer(banker, "camera") == "/welcome?step=deck"
    assert answer(banker, "deck", "house") == "/welcome?step=laying"
    assert answer(banker, "laying", "mat") == "/"

    assert banker.get("/").status_code == 200
    chosen = services.preferences.chosen
    assert (chosen.welcomed, chosen.deck, chosen.layout) == (True, "house", "mat")


@pytest.mark.parametrize("step", STEPS)
def test_every_step_can_be_skipped_and_all_of_them_left(banker: FlaskClient, services: Services, step: str) -> None:
    before = services.preferences.chosen
    answer(banker, step)
    assert (services.preferences.chosen.deck, services.preferences.chosen.layout) == (before.deck, before.layout)

    assert answer(banker, step, leave="1") == "/"
    assert services.preferences.chosen.welcomed
    assert banker.get(f"/welcome?step={step}").status_code == 200, "and it can be asked again"


def test_wild_choices_are_passed_over(banker: FlaskClient, services: Services) -> None:
    for step, choice in (("deck", "nobody's"), ("laying", "thrown"), ("language", "tlh"), ("hat", "tall")):
        answer(banker, step, choice)
    assert (services.preferences.chosen.deck, services.preferences.chosen.layout) == ("house", "tray")
    assert 'value="language"' in banker.get("/welcome?step=hat").text


def test_without_a_camera_cards_are_tapped_and_that_is_said(banker: FlaskClient, scanner: FakeScanner) -> None:
    scanner.attached_to = None
    assert "There is no camera: you tap every card." in banker.get("/welcome?step=camera").text
    page_text = banker.get("/welcome?step=laying").text
    assert "There is no camera: you tap every card." in page_text
    assert re.findall(r'value="(\w+)" aria-current="true"', page_text) == ["tap"]


OWN = {"game": "master_builder", "invented": False, "cards": {"workers": {}}}


def test_a_box_of_ones_own_is_offered_only_where_it_is_known(banker: FlaskClient, tables: Tables) -> None:
    assert "Own the game? Enter your cards once" in banker.get("/welcome?step=deck").text

    before, attic = tables.catalogs, {**OWN, "name": "attic", "title": "Grandmother's box"}
    tables.catalogs = lambda: [*before(), attic]
    html = banker.get("/welcome?step=deck").text
    assert "Grandmother&#39;s box" in html
    assert "Own the game?" not in html
    answer(banker, "deck", "attic", leave="1")
    assert 'value="attic" checked' in banker.get("/").text, "the lobby begins with what was chosen"
    tables.catalogs = before


def test_guests_are_not_asked(as_caller: Callable[[Caller], FlaskClient]) -> None:
    guest = as_caller(Caller("spectator", table="t1"))
    assert led_to(guest, "/welcome") == "/"
    assert guest.post("/welcome", data={"leave": "1"}).status_code == 403


def test_who_has_games_already_was_here_before(banker: FlaskClient, tables: Tables) -> None:
    table = tables.start(Request(START, "banker", "tap"))
    assert banker.get("/").status_code == 200
    tables.put_in_bin(table.id)
    assert banker.get("/").status_code == 200


@pytest.mark.nightly
@pytest.mark.browser
def test_no_step_stands_in_the_way_of_anybody(browser: Browser, server: Server, scanner: FakeScanner) -> None:
    scanner.attached_to = None
    walks = (("de", "dark", (1024, 600)), ("en", "light", (1280, 800)), ("fr", "light", (390, 844)))
    for language, scheme, (width, height) in extent.of_all(walks[:1], walks):
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{server.port}",
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        context.request.post("/login", form={"pin": PIN, "next": "/"})
        page = context.new_page()
        for step in STEPS:
            page.goto(f"/welcome?step={step}&lang={language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (step, language)
            results = run_axe(page)
            assert results.violations_count == 0, results.generate_report()
        context.close()
