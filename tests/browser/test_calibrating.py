"""The camera looked after on its page, in a real Chromium: checked in words, then the mat found and kept."""

from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.conftest import Installation
from tests.browser.test_first_hires import signed_in
from tests.extent import by_night
from tests.pages import run_axe
from tests.waiting import until

pytestmark = pytest.mark.browser

LONGEST_WAIT_MS = 15_000
"""Milliseconds until what failed is asked for again, at most."""


@pytest.mark.nightly
def test_a_card_is_shown_and_the_table_kept(context: BrowserContext, installation: Installation) -> None:
    # given the page of the camera
    page = signed_in(context, installation)
    page.goto(f"{installation.address}/calibrate")
    expect(page.get_by_text("The light is good.")).to_be_visible()
    expect(page.get_by_text("Show me a card")).to_be_visible()

    # when a card is laid
    page.get_by_role("button", name="Lay a card").click()

    # then it is named, with its picture and a tick
    expect(page.locator(".check-card")).to_contain_text("Read: Master craftsman W02")
    expect(page.locator(".check-card .tick")).to_be_visible()
    expect(page.locator(".check-card img")).to_be_visible()

    # and taken off the simulated table again, though its name stays
    expect(page.locator(".check-marks .outlined")).to_have_count(0)
    assert installation.simulated_table.cards == ()
    expect(page.locator(".check-card")).to_contain_text("Read: Master craftsman W02")

    # and when a mat is laid, its zones are drawn over the picture and the table can be kept
    page.get_by_role("link", name="Table and mat").click()
    page.get_by_role("button", name="Lay a mat there").click()
    expect(page.locator("#table .zone")).to_have_count(9)
    expect(page.locator("#table .seen")).to_contain_text("4 of 4 corner markers")
    page.get_by_role("button", name="Save this table").click()
    expect(page.locator("#table .kept")).to_contain_text("Saved: Off by")
    calibration = installation.services.calibrating
    assert calibration is not None
    profile = calibration.known_profile().profile
    assert profile is not None
    assert profile.mat is not None

    # and the board, held there, is seen with its corners
    page.get_by_role("link", name="Lens").click()
    page.get_by_role("button", name="Hold the board there").click()
    expect(page.locator("#lens .corner").first).to_be_visible()
    expect(page.locator("#lens .missing")).to_contain_text("more pictures")


def test_squares_of_an_impossible_side_are_refused_and_not_replaced(
    context: BrowserContext, installation: Installation
) -> None:
    # given the page of the lens
    page = signed_in(context, installation)
    page.goto(f"{installation.address}/calibrate#lens")
    side = page.locator(".square input")
    expect(side).to_have_value("36")

    # when somebody writes centimetres, or nothing, then the field says so, and nothing begins anew
    begun: list[str] = []
    page.on("request", lambda sent: begun.extend([sent.post_data or ""] * sent.url.endswith("/calibration/lens")))
    for wrong in ("3.6", ""):
        side.fill(wrong)
        side.blur()
        expect(page.locator(".square input:invalid")).to_be_visible()
    assert begun == []

    # and when they write millimetres, then it does
    with page.expect_request("**/calibration/lens") as sent:
        side.fill("35.95")
        side.blur()
    assert sent.value.post_data_json == {"square_mm": 35.95}


def test_a_lens_that_was_found_anew_can_be_saved_though_it_is_off_by_the_same_figures(
    context: BrowserContext, installation: Installation
) -> None:
    # given a lens that was found from twelve views, and saved
    page = signed_in(context, installation)
    views = [12]

    def answer_with_fit(route: Route) -> None:
        answer = route.fetch()
        fit = {"error_px": 0.21, "error_mm": 0.11, "words": "Off by 0.21 pixels."}
        route.fulfill(response=answer, json={**answer.json(), "fit": fit, "views": views[0]})

    page.route("**/calibration/lens/look", answer_with_fit)
    page.route("**/calibration/lens/keep", lambda route: route.fulfill(json={}))
    page.goto(f"{installation.address}/calibrate#lens")
    save = page.locator("#lens [data-keep]")
    save.click()
    expect(save).to_be_disabled()

    # when another view gives the same figures, then it can be saved too
    views[0] = 13
    expect(save).to_be_enabled()
    page.unroute_all(behavior="wait")


@pytest.mark.parametrize("path", ["", "#table"])
def test_a_camera_page_whose_pictures_hang_says_that_it_may_be_old(
    context: BrowserContext, installation: Installation, path: str
) -> None:
    # given a page that shows what the camera sees
    page = signed_in(context, installation)
    page.clock.install()
    page.goto(f"{installation.address}/calibrate{path}")
    expect(page.locator(".step:not([hidden]) .check-picture")).to_be_visible()
    lost = page.locator("#lost")
    expect(lost).to_be_hidden()

    # when no picture comes any more
    page.route("**/live.jpg*", lambda _: None)

    # then it says so
    def seconds_pass() -> bool:
        page.clock.run_for(3_000)
        return lost.is_visible()

    until(seconds_pass)
    expect(lost).to_contain_text("This page may be out of date")

    # and no longer once they come again, which takes a busy server its time, whatever the page's clock says
    page.unroute("**/live.jpg*")
    page.clock.run_for(LONGEST_WAIT_MS)
    expect(lost).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", *by_night("dark")])
def test_the_page_is_fit_for_everybody_in_each_language_and_on_a_phone(
    context: BrowserContext, installation: Installation, theme: Literal["light", "dark"]
) -> None:
    page = signed_in(context, installation)
    page.emulate_media(color_scheme=theme)
    installation.simulated_table.lay_mat("table")
    for width, language, step in ((1280, "en", "table"), (390, "de", "lens"), (1024, "fr", "check")):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{installation.address}/calibrate?lang={language}#{step}")
        expect(page.locator(".step:visible .check-picture")).to_be_visible()
        if step == "table":  # its button fades in with the first picture of the mat
            expect(page.locator(".step:visible [data-keep]")).to_be_enabled()

        results = run_axe(page)

        assert results.violations_count == 0, results.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
