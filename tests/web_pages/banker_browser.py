"""The banker's own browser in tests of pages: one for all tests of a module, a new page for each."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from companion.web.http.language import LANGUAGE_COOKIE
from companion.web.server.server import Server
from tests.waiting import PATIENCE_MS
from tests.web.conftest import PIN

TABLET: ViewportSize = {"width": 1280, "height": 800}


@contextmanager
def banker_device(
    browser: Browser, server: Server, viewport: ViewportSize = TABLET, *, has_touch: bool = False
) -> Iterator[BrowserContext]:
    """A device on which the banker has logged in, in English, with nothing fetched yet."""
    made = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport=viewport, locale="en-GB", has_touch=has_touch
    )
    made.set_default_timeout(PATIENCE_MS)
    made.request.post("/login", form={"pin": PIN, "next": "/"})
    yield made
    made.close()


@pytest.fixture(scope="module")
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The banker's browser.  Tests share what it has fetched, and name the language that they want."""
    with banker_device(browser, server) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A new page.  What its code raises, or its policy forbids, fails the test."""
    faults: list[str] = []
    made = context.new_page()
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
    yield made
    made.close()
    context.clear_cookies(name=LANGUAGE_COOKIE)
    assert faults == []
