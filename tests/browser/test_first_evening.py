"""From the README alone: one command, an address, and at most six taps to a running table."""

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.conftest import PIN, Installation

pytestmark = pytest.mark.browser


class Finger:
    """Counts what is tapped."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, there: Locator) -> None:
        there.click()
        self.taps += 1


def test_a_table_is_running_after_six_taps_with_every_question_answered(
    context: BrowserContext, installation: Installation
) -> None:
    # given a fresh installation, and a tablet at the address that it prints
    installation.services.preferences.choose(welcomed=False)
    page, finger = context.new_page(), Finger()
    page.goto(installation.address)
    page.get_by_label("PIN").fill(PIN)

    # when somebody answers what is asked, and starts
    finger.tap(page.get_by_role("button", name="Log in"))
    finger.tap(page.get_by_role("button", name="English"))
    expect(page.locator(".check-picture")).to_be_visible()
    finger.tap(page.get_by_role("button", name="Continue"))
    finger.tap(page.get_by_role("button", name="House deck"))
    finger.tap(page.get_by_role("button", name="In one place under the camera"))
    finger.tap(page.get_by_role("button", name="Start the game"))

    # then a table runs and says what it waits for
    page.wait_for_url(re.compile(r"/tables/\w+$"))
    expect(page.locator("#sentence")).to_contain_text("hire a worker")
    assert finger.taps <= 6

    # and nobody is asked again, until the lobby is asked for it
    page.goto(installation.address)
    expect(page.get_by_role("heading", name="A new game")).to_be_visible()
    page.get_by_role("link", name="First steps").click()
    expect(page.get_by_role("heading", name="Welcome")).to_be_visible()


@pytest.mark.nightly
def test_who_skips_the_questions_needs_three(context: BrowserContext, installation: Installation) -> None:
    installation.services.preferences.choose(welcomed=False)
    page, finger = context.new_page(), Finger()
    page.goto(installation.address)
    page.get_by_label("PIN").fill(PIN)
    finger.tap(page.get_by_role("button", name="Log in"))
    finger.tap(page.get_by_role("button", name="Straight to the lobby"))
    finger.tap(page.get_by_role("button", name="Start the game"))
    page.wait_for_url(re.compile(r"/tables/\w+$"))
    assert finger.taps == 3
