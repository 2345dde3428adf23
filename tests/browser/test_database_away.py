"""A database that is away for a while: pages say so, keep what was tapped and written, and store it once."""

import signal
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from companion.adapters.journal.postgres import PostgresJournal
from companion.bootstrap import load_games, open_tables
from companion.bootstrap.games import find_games
from companion.service.table.table import Request
from tests.browser.conftest import TABLET
from tests.cli.running import START, Serving, serving
from tests.pages import answered, follows
from tests.postgres import Cluster, running_cluster
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
WORDS = {
    "en": ("Not saved anywhere yet. Trying again…", "One moment, please"),
    "de": ("Noch nirgends gespeichert. Neuer Versuch …", "Einen Moment, bitte"),
    "fr": ("Pas encore enregistré. Nouvel essai…", "Un instant, s\u2019il te plaît"),
}
TRIES = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/commands')).length"
NOTE_TOASTS = """() => {
  const toast = document.getElementById("toast");
  window.toasts = [];
  new MutationObserver(() => window.toasts.push(toast.textContent)).observe(toast, {
    childList: true, characterData: true, subtree: true,
  });
}"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as running:
        yield running


@pytest.fixture(scope="module")
def running(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A process that was started over a database of many tables, of which it has folded the latest alone."""
    data = tmp_path_factory.mktemp("away") / "data"
    arguments = ("--camera", "none", "--database", cluster.address("postgres", "admin"))
    journal = PostgresJournal(cluster.address("postgres", "admin"), None)
    tables = open_tables(load_games(find_games(), None), journal)
    for _ in range(8):
        tables.start(Request(START, "banker", "tap"))
    journal.close()
    with serving(data, *arguments) as started:
        started.log_in()
        yield started


_numbers = count()


@pytest.fixture
def table(cluster: Cluster, running: Serving) -> str:
    """The id of a table that no other test has used; the database is there."""
    if cluster.process is None:
        cluster.start()
    until(lambda: len(running.ask("/api/v1/tables")["tables"]) == 8)
    return str(running.ask("/api/v1/tables")["tables"][next(_numbers)]["id"])


def entries(running: Serving, table: str) -> list[dict[str, Any]]:
    return list(running.ask(f"/api/v1/tables/{table}/journal")["entries"])


def opened(browser: Browser, running: Serving, **more: Any) -> BrowserContext:
    context = browser.new_context(base_url=f"http://127.0.0.1:{running.port}", **more)
    context.request.post("/login", form={"pin": running.pin, "next": "/"})
    return context


@pytest.mark.parametrize(("language", "viewport"), [("en", TABLET), ("de", PHONE), ("fr", TABLET)])
def test_what_is_tapped_while_the_database_is_away_is_stored_once_when_it_is_back(
    browser: Browser, cluster: Cluster, running: Serving, table: str, language: str, viewport: Any
) -> None:
    # given a tablet at a table, and a database that ends as by a crash
    context = opened(browser, running, viewport=viewport)
    page = context.new_page()
    keys: list[str] = []
    page.on("request", lambda request: keys.append(request.headers.get("idempotency-key", "")))
    page.goto(f"/tables/{table}?lang={language}")
    follows(page)
    page.locator("button[data-sheet=hire]").click()
    card = page.locator("#sheet button[data-command]:visible").first
    expect(card).to_be_visible()
    cluster.stop(signal.SIGQUIT)

    # when somebody taps, and taps again
    card.click()

    # then the page says that it is stored nowhere, keeps what it shows, and tries on
    line = page.locator(".unkept")
    expect(line).to_have_text(WORDS[language][0])
    expect(page.locator("#state")).to_have_attribute("data-version", "1")
    card.click()
    until(lambda: page.evaluate(TRIES) >= 3)

    # when the database is there again
    cluster.start()

    # then the tap is stored, once, and nothing is left to be told
    expect(page.locator("#state")).to_have_attribute("data-version", "2")
    answered(page)
    expect(line).to_be_hidden()
    expect(page.locator("#toast")).to_be_hidden()
    assert [entry["seq"] for entry in entries(running, table)] == [1, 2]
    assert len({key for key in keys if key}) == 1
    context.close()


def test_a_page_that_cannot_be_shown_says_so_and_comes_by_itself(
    browser: Browser, cluster: Cluster, running: Serving, table: str
) -> None:
    # given a table that is not in memory, and a database that is away
    context = opened(browser, running, viewport=TABLET)
    cluster.stop(signal.SIGQUIT)

    # when its page is opened
    page = context.new_page()
    answer = page.goto(f"/tables/{table}?lang=fr")

    # then it says so, in words and to programs
    assert answer is not None
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    expect(page.get_by_role("heading")).to_contain_text(WORDS["fr"][1])

    # and it comes when the database is there
    cluster.start()
    expect(page.locator("#state")).to_have_attribute("data-version", "1")
    context.close()


def test_after_two_minutes_what_was_tapped_is_refused_in_words_and_stored_nowhere(
    browser: Browser, cluster: Cluster, running: Serving, table: str
) -> None:
    # given a tap while the database is away
    context = opened(browser, running, viewport=TABLET)
    page = context.new_page()
    page.add_init_script("window.limit = AbortSignal.timeout.bind(AbortSignal)")
    page.clock.install()
    page.goto(f"/tables/{table}")
    page.evaluate("AbortSignal.timeout = limit")  # a leap of the clock breaks off no try that is being carried out
    follows(page)
    cluster.stop(signal.SIGQUIT)
    page.locator("button[data-sheet=hire]").click()
    page.locator("#sheet button[data-command]:visible").first.click()
    expect(page.locator(".unkept")).to_be_visible()

    # when two minutes pass (the stream, too, is silent for so long, so that other news may follow the refusal)
    page.evaluate(NOTE_TOASTS)
    page.clock.fast_forward(115_000)

    def is_refused() -> bool:
        page.clock.run_for(8_000)
        return "This was not saved" in page.evaluate("window.toasts.join()")

    until(is_refused, lambda: page.evaluate("window.toasts.join(' | ') + document.querySelector('#sheet').open"))

    # then it is refused, and was not stored
    expect(page.locator(".unkept")).to_be_hidden()
    expect(page.locator("#sheet")).to_be_visible()
    cluster.start()
    assert [entry["seq"] for entry in entries(running, table)] == [1]
    context.close()
