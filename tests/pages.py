"""Wait for a page by the state that shows that it is ready, never for a time."""

from typing import Any

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from companion.games.master_builder.ui.account import PLAN_SECONDS, STEP_SECONDS
from tests.waiting import until

AT_REST = """() =>
  [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet || !link.href)
  && document.getAnimations().every((each) =>
    each.playState !== "running" || each.effect.getTiming().iterations === Infinity)"""

SLOWLY = f"""(() => {{
  const after = window.setTimeout;
  const shown = [{PLAN_SECONDS}000, {STEP_SECONDS}000];
  window.setTimeout = (act, ms, ...more) => after(act, shown.includes(ms) ? 20_000 : ms, ...more);
}})()"""
"""Script that lets a show that opens by itself stay for twenty seconds, so that a busy machine sees it."""


def loaded(page: Page, *modules: str) -> None:
    """Wait until modules that come after the first paint listen."""
    for module in modules:
        page.evaluate("(address) => import(address).then(() => true)", f"/static/{module}")


def follows(page: Page) -> None:
    """Wait until a page of a table has its line to the server, and was told how the table stands."""
    until(lambda: page.evaluate("Boolean(document.getElementById('page').sight)"))


def flush_requests(page: Page) -> None:
    """Wait until a request that a page sends now is answered: whatever it wanted to send before is sent."""
    page.evaluate("fetch('/healthz', { cache: 'no-store' }).then(() => true)")


def answered(page: Page) -> None:
    """Wait until what was tapped is answered and shown; before that a second tap is none."""
    page.locator("body:not(.busy)").wait_for(state="attached")


def at_rest(page: Page) -> None:
    """Wait until a page is in its style and nothing moves or fades any more: what is half seen has little contrast."""
    until(lambda: page.evaluate(AT_REST))


def run_axe(page: Page, options: dict[str, Any] | None = None) -> AxeResults:
    """Return what axe finds on a page at rest."""
    at_rest(page)
    return Axe().run(page, options=options)


SETTLED = """document.fonts.status === "loaded" && !document.body.matches(".busy")
  && [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)
  && [...document.images].every((image) => image.complete)"""


def settled(page: Page) -> None:
    """Wait until a page looks as it will: typefaces, style sheets and pictures are there, and nothing moves."""
    until(lambda: page.evaluate(SETTLED))
    at_rest(page)
