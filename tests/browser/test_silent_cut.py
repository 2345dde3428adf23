"""The network goes without a word: the stream stays open and carries nothing, and nobody is left with an old table."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from companion.service.table.table import Request
from tests.browser.cable import laid
from tests.browser.conftest import PIN, serving
from tests.opened import start_command
from tests.pages import follows

WITHIN_MS = 20_000


@pytest.mark.nightly
@pytest.mark.browser
def test_a_network_that_is_cut_without_a_word_is_told_within_twenty_seconds(browser: Browser, tmp_path: Path) -> None:
    # given a tablet that follows a table over a cable
    with serving(tmp_path / "data", "none") as installation:
        table = installation.services.tables.start(Request(start_command(3, 1), "banker", "tap"))
        with laid(urlsplit(installation.address).port or 0) as cable:
            context = browser.new_context(base_url=f"http://127.0.0.1:{cable.port}")
            page = context.new_page()
            context.request.post("/login", form={"pin": PIN, "next": "/"})
            page.goto(f"/tables/{table.id}")
            expect(page.locator("#sentence")).to_be_visible()
            follows(page)
            expect(page.locator("#banner")).to_be_hidden()

            # when it is pulled
            cable.pull()

            # then the banner says so
            expect(page.locator("#banner")).to_be_visible(timeout=WITHIN_MS)
            context.close()
