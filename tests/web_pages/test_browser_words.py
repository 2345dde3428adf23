"""Words and symbols in a real browser: found from every screen, readable for everybody."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.web.server.server import Server
from companion.words import LANGUAGES
from tests.waiting import PATIENCE_MS
from tests.web.conftest import PIN
from tests.web_pages.conftest import At
from tests.web_pages.fit import require_accessible, require_fit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1280, "height": 800}, locale="en-GB"
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_and_symbols_fit_every_screen_and_eye(page: Page, language: str) -> None:
    page.goto(f"/words?lang={language}")
    require_fit(page, ((1280, 800), (1024, 600), (390, 844), (320, 568)))
    require_accessible(page)


@pytest.mark.nightly
def test_the_menu_leads_to_the_words_and_they_lead_back(page: Page, seen: At) -> None:
    # given the tablet of a game
    table, _ = seen("first_hire")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.request.post("/login", form={"pin": PIN, "next": "/"})
    page.goto(f"/tables/{table}?lang=en")

    # when its menu is asked for words, then another language
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Words and symbols").click()
    expect(page.get_by_text("Trowel", exact=True)).to_be_visible()
    page.get_by_role("link", name="DE").click()
    expect(page.get_by_text("Lohnleiste", exact=True)).to_be_visible()

    # then the way back is the table's, and the rules are one tap away
    back = page.get_by_role("link", name="Zurück zum Tisch")
    expect(back).to_have_attribute("href", f"/tables/{table}")
    page.get_by_role("link", name="Mehr in den Regeln: Die Lohnleiste").click()
    expect(page).to_have_url(f"{page.url.split('/rules')[0]}/rules?table={table}#wage_track")
