"""The measure of contrast in whole evenings: it sees what is new on a page, once it is shown."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.layout.evenings import CONTRAST

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang=en><title>Page</title>
<style>body { background: #fff; color: #111 } .pale { color: #bbb }</style>
<main><p>Words to be read</p></main>"""


def test_pale_words_are_named_as_soon_as_they_are_shown_and_once(browser: Browser) -> None:
    # given a page that is well
    page = browser.new_page()
    page.add_init_script(Axe().axe_script)
    page.goto("about:blank")
    page.set_content(PAGE)
    assert page.evaluate(CONTRAST) == []

    # when pale words come to it that are hidden, then nobody misses them
    page.evaluate("""document.body.insertAdjacentHTML("beforeend", "<div hidden><p class=pale>Too pale</p></div>")""")
    assert page.evaluate(CONTRAST) == []

    # when they are shown, then they are named
    page.evaluate("document.querySelector('[hidden]').hidden = false")
    assert page.evaluate(CONTRAST) == ['<p class="pale">Too pale</p>']

    # and words of a kind that has been looked at are not looked at again
    page.evaluate("""document.body.insertAdjacentHTML("beforeend", "<div><p class=pale>Other words</p></div>")""")
    assert page.evaluate(CONTRAST) == []
    page.close()


def test_words_that_are_scrolled_away_are_looked_at_once_they_are_in_sight(browser: Browser) -> None:
    # given pale words at the end of a box that scrolls
    page = browser.new_page()
    page.add_init_script(Axe().axe_script)
    page.goto("about:blank")
    words = "<p style='height:900px'>First words</p><p class=pale>Pale</p>"
    box = f"<div id=box style='height:100px; overflow:auto'>{words}</div>"
    page.set_content(PAGE.replace("<main>", f"<main>{box}"))
    assert page.evaluate(CONTRAST) == []

    # when they come into sight, then they are named
    page.evaluate("document.getElementById('box').scrollTop = 900")
    assert page.evaluate(CONTRAST) == ['<p class="pale">Pale</p>']
    page.close()
