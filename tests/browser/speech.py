"""Pages that speak: what they say is stored in the page."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.browser.conftest import PIN, TABLET, Installation
from tests.browser.screens import Troubles

HEARD = """
window.heard = [];
speechSynthesis.speak = (words) => heard.push({ text: words.text, at: Date.now() });
"""


@contextmanager
def speaking_tablet(running: Installation, browser: Browser) -> Iterator[Page]:
    """The banker's tablet, which speaks; ``heard`` holds what it said."""
    troubles = Troubles()
    context = browser.new_context(viewport=TABLET, base_url=running.address, locale="en-GB")  # type: ignore[arg-type]
    troubles.watch("tablet", context)
    context.add_init_script(HEARD)
    context.request.post("/api/v1/logins", data={"pin": PIN})
    context.add_cookies([{"name": "speech", "value": "1", "url": running.address}])
    yield context.new_page()
    assert troubles.seen == []
    context.close()


def spoken_after(page: Page, count: int) -> str:
    """The first sentence that is spoken after so many."""
    page.wait_for_function("(count) => heard.length > count", arg=count)
    return str(page.evaluate("(count) => heard[count].text", count))


def heard(page: Page) -> int:
    return int(page.evaluate("heard.length"))
