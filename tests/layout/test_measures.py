"""The measures of layout name each kind of fault where it is planted, and nothing on a page that is well."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.layout.evenings import SURVEY_SCRIPT
from tests.layout.measures import MEASURES, THUMB

pytestmark = pytest.mark.browser

WELL = """<section class=card style="padding:16px"><h2>Bartholomew</h2>
<p>Wages are paid at the end of the round</p><button style="padding:16px">Pay the wages</button></section>"""
PAGE = """<!doctype html><html lang=en><title>Page</title>
<style>
  body { margin: 0; background: #fff; font: 16px/1.5 sans-serif; width: 100% }
  .card { background: #eee; border-radius: 12px; margin: 20px; padding: 20px }
</style>
<body>BODY</body>"""
LONG = "Donaudampfschifffahrtsgesellschafts"

PLANTED_WORDS = {
    "small letters": "<p style='font-size:9px'>Too small to be read</p>",
    "broken word": f"<p style='width:200px; overflow-wrap:anywhere'>{LONG[:30]}</p>",
    "cut words": f"<p style='width:90px; overflow:hidden; white-space:nowrap'>{LONG}</p>",
    "off the screen": "<p style='position:absolute; left:-40px; top:300px'>Half of it is away</p>",
    "spilled words": f"<p style='width:90px; height:30px; background:#ccc; white-space:nowrap'>{LONG}</p>",
    "spilled lines": "<p style='width:90px; height:20px; background:#ccc'>Three lines in a box of one</p>",
    "words at the edge": "<p style='background:#ccc; border-radius:8px; width:200px; height:80px'>At the edge</p>",
    "words on words": "<p style='margin:0'>First words</p><p style='margin:-20px 0 0'>Other words</p>",
    "covered words": "<p style='margin:0'>Covered</p><div style='margin-top:-24px; height:24px; background:#ccc; "
    "position:relative'></div>",
    "the page scrolls sideways": "<div style='width:3000px; height:10px'></div>",
    "scrolls sideways": "<div style='width:100px; overflow-x:auto'><div style='width:200px; height:10px'></div></div>",
}
PLANTED_TARGETS = {
    "small target": "<button style='padding:0; height:20px; width:20px'>x</button>",
    "cut target": "<div style='height:30px; overflow:hidden'>"
    "<button style='height:60px; width:90px'>Pay</button></div>",
    "target under another": "<button style='height:60px; width:90px'>Pay</button>"
    "<div style='height:60px; width:90px; margin-top:-60px; position:relative'></div>",
}
SEAT = "<article class=seat style='width:WIDTHpx'><h2 style='font-size:SIZEpx; margin:TOPpx 0 0'>Anne</h2></article>"


def seats(**second: int) -> str:
    """Return a row of two seats, of which the second differs."""
    drawn = []
    for size in ({}, second):
        values = {"width": 200, "size": 20, "top": 0, **size}
        seat = SEAT
        for name, value in values.items():
            seat = seat.replace(name.upper(), str(value))
        drawn.append(seat)
    return f"<div class=seats style='display:flex; align-items:start'>{''.join(drawn)}</div>"


PLANTED_IN_GAMES = {
    "twice": "<i id=same></i><i id=same></i>",
    "differs in width": seats(width=230),
    "differs in type": seats(size=22),
    "differs in line": seats(top=12),
    "empty panel": "<section style='width:300px; height:90px; background:#ccc'></section>",
    "longer than the screen": "<style>body { overflow: hidden; height: 100vh }</style>"
    "<span style='position:absolute; top:3000px; clip-path:inset(50%)'>Heard, not seen</span>",
    "below the fold": "<p class=now-line style='position:absolute; top:5000px'>Anne bids</p>",
}


@pytest.fixture(scope="module")
def empty_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto("about:blank")
    yield page
    page.close()


def measure(page: Page, body: str) -> tuple[list[str], list[str]]:
    """Return what the measures of one look and those of evenings find on a page with this body."""
    page.set_content(PAGE.replace("BODY", body))
    return page.evaluate(MEASURES, {"target": THUMB, "letters": 12}), page.evaluate(SURVEY_SCRIPT)


def test_a_page_that_is_well_has_no_fault(empty_page: Page) -> None:
    assert measure(empty_page, WELL + seats()) == ([], [])


@pytest.mark.parametrize("fault", [*PLANTED_WORDS, *PLANTED_TARGETS])
def test_a_planted_fault_is_named(empty_page: Page, fault: str) -> None:
    planted = (PLANTED_WORDS | PLANTED_TARGETS)[fault]
    faults, _ = measure(empty_page, WELL + planted)
    assert [name for name in faults if name.startswith(fault)]


@pytest.mark.parametrize("fault", PLANTED_IN_GAMES)
def test_a_fault_that_only_evenings_look_for_is_named(empty_page: Page, fault: str) -> None:
    _, faults = measure(empty_page, WELL + PLANTED_IN_GAMES[fault])
    assert [name.split(":")[0] for name in faults] == [fault]


def test_a_name_is_broken_at_its_hyphens_and_not_inside_a_word(empty_page: Page) -> None:
    # given two names in a narrow column: one with a hyphen where it breaks, one without
    column = "<p style='width:120px; overflow-wrap:anywhere'>{}</p>"
    assert measure(empty_page, column.format("Maximiliane-Sophie")) == ([], [])
    (fault,) = measure(empty_page, column.format("Maximilianesophie"))[0]
    assert fault.startswith("broken word")

    # and so it is with soft hyphens
    assert measure(empty_page, column.format("Maximiliane&shy;sophie")) == ([], [])
    (fault,) = measure(empty_page, column.format("Maxi&shy;milianesophiewilhelmine"))[0]
    assert fault.startswith("broken word")


def test_what_lies_under_an_open_sheet_is_not_looked_at(empty_page: Page) -> None:
    # given a fault on the page, and a sheet over it
    body = PLANTED_WORDS["small letters"] + "<dialog><p style='padding:16px'>A sheet</p></dialog>"
    empty_page.set_content(PAGE.replace("BODY", body))
    wanted = {"target": THUMB, "letters": 12}
    assert empty_page.evaluate(MEASURES, wanted) != []

    # when the sheet is opened, then the page below is left alone
    empty_page.evaluate("document.querySelector('dialog').showModal()")
    assert empty_page.evaluate(MEASURES, wanted) == []
