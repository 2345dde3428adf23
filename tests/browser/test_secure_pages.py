"""Over HTTPS pages work as over HTTP, and may do what browsers allow secure pages alone."""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import TABLET, Installation
from tests.browser.test_first_hires import signed_in, started

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_a_game_is_started_over_https_and_a_plain_display_follows_it(
    browser: Browser, installation: Installation
) -> None:
    # given a tablet on the secure page; whether it trusts the certificate is for its system to say
    there = browser.new_context(viewport=TABLET, ignore_https_errors=True, locale="en-GB")  # type: ignore[arg-type]
    tablet = signed_in(there, replace(installation, address=installation.secure))
    assert tablet.evaluate("isSecureContext")
    address = started(tablet)
    assert address.startswith(installation.secure)

    # and a display on the plain one, which came in by the code that the tablet shows
    display = there.new_page()
    code = tablet.request.get(f"{installation.secure}/api/v1/tables").json()["tables"][0]["id"]
    invited = tablet.request.post(
        f"{installation.secure}/api/v1/tables/{code}/invitations", data={"spectator": True}
    ).json()
    assert invited["address"].startswith(installation.address)
    display.goto(invited["address"])

    # when a worker is hired at the tablet
    tablet.get_by_role("button", name="Hire", exact=True).click()
    tablet.locator("[data-command*='\"W20\"']").click()

    # then both tell it
    expect(tablet.locator("#entries")).to_contain_text("Ada hires")
    expect(display.locator("body")).to_contain_text("Ada")
    there.close()


@pytest.mark.nightly
def test_a_device_that_has_used_the_secure_page_logs_in_on_the_plain_one(
    browser: Browser, installation: Installation
) -> None:
    # browsers let no plain page replace a cookie of a secure one; both pages of one machine share their cookies
    there = browser.new_context(viewport=TABLET, ignore_https_errors=True, locale="en-GB")  # type: ignore[arg-type]
    signed_in(there, replace(installation, address=installation.secure)).close()

    page = signed_in(there, installation)

    page.goto(f"{installation.address}/rules")
    page.goto(installation.address)
    expect(page.get_by_role("heading", name="A new game")).to_be_visible()
    there.close()
