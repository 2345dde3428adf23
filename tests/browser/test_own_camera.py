"""A tablet's own camera, hand scanners and command cards, in a real Chromium with a fake video."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from companion.adapters.pictures import encode_jpeg
from companion.bootstrap.cameras import connect_camera
from companion.service.table.table import Request
from companion.simulator.camera import SimulatedCamera
from tests.browser.conftest import QUIET, Installation
from tests.browser.test_first_hires import signed_in, started
from tests.browser.test_scanner_keys import scan
from tests.chromium import CHROMIUM
from tests.fakes import readable_tables
from tests.pages import loaded
from tests.service.house_tables import house_table, play_until
from tests.waiting import PATIENCE_MS

pytestmark = pytest.mark.browser


def film_of(card: str, path: Path) -> Path:
    """Write what the simulated camera sees of a card as MJPEG: JPEGs, one after the other."""
    source, simulated_table = connect_camera("sim:5")
    assert isinstance(source, SimulatedCamera)
    assert simulated_table is not None
    simulated_table.lay_on_tray(card)
    frames = []
    for _ in range(4):
        frame = source.grab()
        assert frame is not None
        frames.append(encode_jpeg(frame.image))
    path.write_bytes(b"".join(frames))
    return path


@pytest.fixture
def filming(browser_type: BrowserType, tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser whose camera films a simulated table on which W07 lies."""
    film = film_of("W07", tmp_path / "film.mjpeg")
    fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    browser = browser_type.launch(
        executable_path=CHROMIUM, args=[*QUIET, *fake, f"--use-file-for-fake-video-capture={film}"]
    )
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", permissions=["camera"])
    context.set_default_timeout(PATIENCE_MS)
    yield context
    browser.close()


@pytest.mark.nightly
def test_a_card_held_before_the_tablets_own_camera_is_asked_about_in_its_sheet_and_hired(
    filming: BrowserContext, installation: Installation, tmp_path: Path
) -> None:
    # given a tablet at a table whose camera sees nothing
    tablet = signed_in(filming, installation)
    started(tablet)

    # when the sheet of its own camera is opened, before which a card lies
    tablet.get_by_role("button", name="More").click()
    tablet.locator("[data-sheet=device]").click()

    # then the card is seen, marked, and asked about in the sheet
    sheet = tablet.get_by_role("dialog")
    expect(sheet.locator("#device-seen")).to_contain_text("W07")
    expect(sheet.locator(".proposal h2")).to_contain_text("W07 for")
    expect(sheet.locator("#device-seen")).to_contain_text("Answer the question")
    tablet.screenshot(path=tmp_path / "own_camera.png")
    sheet.get_by_role("button", name="Yes, hire").click()
    expect(tablet.locator("#entries")).to_contain_text("Ada hires")
    entry = readable_tables(installation.services.tables)[0].entries[-1]
    assert (entry.source, entry.command["worker"]) == ("camera", "W07")

    # and with the sheet the camera is closed
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).not_to_be_visible()


@pytest.mark.nightly
def test_a_browser_without_a_camera_says_so(context: BrowserContext, installation: Installation) -> None:
    tablet = signed_in(context, installation)
    started(tablet)
    tablet.get_by_role("button", name="More").click()
    tablet.locator("[data-sheet=device]").click()

    state = tablet.locator("#device-state")
    expect(state).to_have_class("refusal")
    expect(state).to_contain_text("camera")


@pytest.mark.nightly
def test_a_hand_scanner_is_heard_on_tablet_and_display_and_its_enter_taps_no_button(
    context: BrowserContext, installation: Installation
) -> None:
    # given a tablet with a button in focus, and a display
    tablet = signed_in(context, installation)
    address = started(tablet)
    table = readable_tables(installation.services.tables)[0]
    tablet.get_by_role("button", name="More").focus()
    loaded(tablet, "camera/scan.js")

    # when a scanner types
    scan(tablet, "MB1W07")

    # then it is asked, without a picture, and the button was not meant
    expect(tablet.locator("#proposal-title")).to_contain_text("W07 for")
    expect(tablet.locator(".proposal")).to_contain_text("The scanner asks")
    expect(tablet.get_by_role("dialog")).not_to_be_visible()

    # and the card YES, scanned at the big screen, answers
    display = context.new_page()
    display.goto(f"{address}/display")
    expect(display.locator("#live")).to_contain_text("Ada")
    loaded(display, "camera/scan.js")
    scan(display, "MB1X01")
    expect(tablet.locator("#entries")).to_contain_text("Ada hires")
    assert table.entries[-1].source == "scanner"


@pytest.mark.nightly
def test_somebody_types_a_cards_number_slowly_and_by_hand(context: BrowserContext, installation: Installation) -> None:
    tablet = signed_in(context, installation)
    started(tablet)
    table = readable_tables(installation.services.tables)[0]

    loaded(tablet, "camera/scan.js")

    # slow keys outside of a field are no scanner
    tablet.keyboard.type("W07", delay=150)
    tablet.keyboard.press("Enter")
    assert installation.services.proposals.pending(table.id) == []

    typed_by_hand(tablet, "W7")
    expect(tablet.locator("#proposal-title")).to_contain_text("W07 for")
    expect(tablet.get_by_role("dialog")).not_to_be_visible()


def typed_by_hand(tablet: Page, number: str) -> None:
    tablet.get_by_role("button", name="More").click()
    tablet.get_by_label("Card number").fill(number)
    tablet.keyboard.press("Enter")


@pytest.mark.nightly
def test_the_card_suggest_opens_the_best_plan_on_the_tablet(
    context: BrowserContext, installation: Installation
) -> None:
    # given a table at which buildings are planned
    tablet = signed_in(context, installation)
    table, piles = house_table(2)
    started_table = installation.services.tables.start(Request(table.entries[0].command, "banker", "tap"))
    play_until(started_table, piles, "build")
    tablet.goto(f"{installation.address}/tables/{started_table.id}")
    loaded(tablet, "camera/scan.js", "table/suggest.js")

    # when SUGGEST is scanned
    scan(tablet, "MB1X05")

    # then the plan of whom the table waits for comes up, made, with its reasons; and only once
    sheet = tablet.get_by_role("dialog")
    expect(sheet.locator("#plan")).to_be_visible()
    expect(sheet.locator(".reasons, .section.planned").first).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    installation.simulated_table.lay_on_tray("W07")
    expect(sheet).not_to_be_visible()
