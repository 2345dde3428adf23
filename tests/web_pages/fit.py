"""Fit of a page: to screens, thumbs and eyes."""

from collections.abc import Iterable
from typing import Literal

from playwright.sync_api import Page

from tests.pages import run_axe

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

CUT = """
[...document.querySelectorAll('button, a, h1, h2, h3, p, span, td, dd, b, figcaption')]
  .filter(one => one.offsetParent && !one.closest('.unseen') && getComputedStyle(one).clipPath === 'none')
  .filter(one => getComputedStyle(one).overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.textContent.trim())
"""
SMALL = """
[...document.querySelectorAll('button, a, summary')].filter(one => one.offsetParent)
  .map(one => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 47.5 || box.height < 47.5)
  .map(([text, box]) => [text, box.width, box.height])
"""


def require_fit(page: Page, sizes: Iterable[tuple[int, int]]) -> None:
    """Fail where a page on a screen of such a size scrolls sideways, cuts a word, or has a small target."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert page.evaluate(CUT) == [], width
        assert page.evaluate(SMALL) == [], width


def require_accessible(page: Page) -> None:
    """Fail where axe finds a fault, by day or by night."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        results = run_axe(page)
        assert results.violations_count == 0, (scheme, results.generate_report())
