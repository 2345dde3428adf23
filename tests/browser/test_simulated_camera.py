"""Cards laid under the simulated camera from the tablet: how the companion is tried out without a camera."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import Installation
from tests.browser.test_first_hires import signed_in, started

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_a_card_is_laid_from_the_camera_sheet_and_what_is_asked_is_accepted(
    context: BrowserContext, installation: Installation
) -> None:
    # given a table under the simulated camera, which says that it is simulated
    tablet = signed_in(context, installation)
    expect(tablet.get_by_text("nothing is filmed")).to_be_visible()
    started(tablet)

    # when its sheet is opened and a worker laid from it, by keyboard alone
    camera = tablet.get_by_role("button", name="The camera: Simulated")
    camera.focus()
    tablet.keyboard.press("Enter")
    sheet = tablet.get_by_role("dialog")
    expect(sheet.get_by_role("img", name="What the camera sees")).to_be_visible()
    sheet.locator("[data-lay=W07]").focus()
    tablet.keyboard.press("Enter")

    # then the sheet makes way for the question, and a yes hires them
    expect(tablet.locator("#proposal-title")).to_contain_text("W07 for")
    expect(sheet).not_to_be_visible()
    tablet.get_by_role("button", name="Yes, hire").click()
    expect(tablet.locator("#entries")).to_contain_text("Ada hires")

    # and they lie there until they are taken away
    camera.click()
    expect(sheet.locator("#lying-W07")).to_be_visible()
    expect(sheet.locator("[data-lay=W07]")).to_be_disabled()
    picture = sheet.get_by_role("img", name="What the camera sees")
    expect(picture).to_have_attribute("src", re.compile(r"\?number="))
    expect(sheet.locator(".check-marks .outlined")).to_have_count(1)
    expect(sheet.locator(".check-marks .card-name")).to_have_text("W07")

    # and when a mat is laid under them, its zones are drawn over the picture
    installation.simulated_table.lay_mat("table")
    expect(sheet.locator(".check-marks .zone")).to_have_count(9)
    expect(sheet.get_by_text("The mat is in view")).to_be_visible()
    sheet.get_by_role("button", name="Take W07 away").click()
    expect(sheet.locator("#lying li")).to_have_text("None yet.")
    assert installation.simulated_table.cards == ()


@pytest.mark.nightly
def test_the_camera_turns_to_this_table_at_a_tap(context: BrowserContext, installation: Installation) -> None:
    # given a second table, at which the camera looks since it was opened
    tablet = signed_in(context, installation)
    first = started(tablet)
    tablet.goto(installation.address)
    started(tablet)

    # when the banker of the first one lets it look there
    tablet.goto(first)
    tablet.get_by_role("button", name="The camera: At another table").click()
    tablet.get_by_role("button", name="Watch this table").click()

    # then its picture is shown there
    expect(tablet.get_by_role("img", name="What the camera sees")).to_be_visible()
    assert installation.services.scanner.attached_to == first.rsplit("/", 1)[-1]
