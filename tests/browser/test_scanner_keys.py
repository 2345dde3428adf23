"""Hand scanners as keyboards: other layouts, what comes round the text, other ends, keys without names."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.browser.conftest import Installation
from tests.browser.test_first_hires import signed_in, started
from tests.pages import loaded

pytestmark = pytest.mark.browser

FRENCH = {"M": "?", "B": "B", "W": "Z", "Q": "A", "1": "&", "0": "à", "7": "è", "8": "_", "9": "ç", "]": "$"}
A_KEY_S = 0.01
CODES = {"]": "BracketRight", "Enter": "Enter", "Tab": "Tab"}


def keystrokes(text: str, layout: dict[str, str] | None = None, end: str = "Enter") -> Iterator[dict[str, Any]]:
    """Yield what the browser is told of each key that an American scanner presses on a device with a layout."""
    for letter in text:
        code = CODES.get(letter) or (f"Digit{letter}" if letter.isdigit() else f"Key{letter}")
        yield {"key": (layout or {}).get(letter, letter), "code": code, "windowsVirtualKeyCode": ord(letter)}
    yield {"key": end, "code": end, "windowsVirtualKeyCode": 9 if end == "Tab" else 13}


def unidentified(text: str, *, with_code: bool) -> Iterator[dict[str, Any]]:
    """Yield the keys as Android names them where it does not know the keyboard."""
    for stroke in keystrokes(text):
        named = stroke["key"] == "Enter"
        yield {**stroke, "key": "Enter" if named else "Unidentified", "code": stroke["code"] if with_code else ""}


def type_keys(page: Page, session: CDPSession, strokes: Iterator[dict[str, Any]]) -> Any:
    """Press real keys in the browser and return what the table answers to the scan."""
    begun = time.time()
    with page.expect_response("**/scans") as answer:
        for number, stroke in enumerate(strokes):  # as quick as a scanner, however busy this machine is
            timed = {**stroke, "timestamp": begun + number * A_KEY_S}
            session.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **timed})
            session.send("Input.dispatchKeyEvent", {"type": "keyUp", **timed})
    return answer.value.json()


def scan(page: Page, text: str) -> None:
    """Press the keys of a scanner in a page, and wait until the table has answered."""
    type_keys(page, page.context.new_cdp_session(page), keystrokes(text))


def test_a_scanner_is_understood_whatever_keyboard_the_device_takes_it_for(
    context: BrowserContext, installation: Installation
) -> None:
    # given a tablet with a button in focus
    tablet = signed_in(context, installation)
    started(tablet)
    tablet.get_by_role("button", name="More").focus()
    loaded(tablet, "camera/scan.js")
    session = context.new_cdp_session(tablet)

    # then a label is read through each of these
    for strokes in (
        keystrokes("MB1W07"),
        keystrokes("MB1W07", FRENCH),
        keystrokes("]Q1MB1W07", FRENCH),
        keystrokes("MB1W07", end="Tab"),
        unidentified("MB1W07", with_code=True),
        unidentified("MB1W07", with_code=False),
    ):
        assert type_keys(tablet, session, strokes)["card"] == "W07"
    # and no end of a code taps the button, nor moves away from it
    expect(tablet.get_by_role("dialog")).not_to_be_visible()
    expect(tablet.get_by_role("button", name="More")).to_be_focused()


@pytest.mark.nightly
def test_a_second_end_of_a_code_taps_no_button_either(context: BrowserContext, installation: Installation) -> None:
    tablet = signed_in(context, installation)
    started(tablet)
    tablet.get_by_role("button", name="More").focus()
    loaded(tablet, "camera/scan.js")
    session = context.new_cdp_session(tablet)

    type_keys(tablet, session, iter([*keystrokes("MB1W07"), *keystrokes("", end="Enter")]))

    expect(tablet.get_by_role("dialog")).not_to_be_visible()
