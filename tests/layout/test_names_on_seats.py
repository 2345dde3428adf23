"""Names on the seats of the big screen stay on their cards, whole where they have room, for two to six players."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page

from companion.game_api.manifest import COLOURS, Manifest, Seats
from companion.service.access.logins import Caller
from companion.service.access.screens import LobbySeat
from companion.web import create_app
from companion.web.server.server import Server
from tests.every_game import services_over
from tests.extent import in_check
from tests.games.acorns import acorns, with_rules
from tests.layout.conftest import ARTIFACTS
from tests.layout.test_boards import served
from tests.sample_boards import seat_four, tables_for
from tests.web.conftest import PIN
from tests.web.shared_app import serve

__all__ = ["acorns"]  # fixture

pytestmark = pytest.mark.browser

NAMES = {
    8: ("Benjamin", "Wilhelma", "Leonhard", "Marianne", "Theodora", "Cornelia"),
    11: ("Bartholomew", "Maximiliane", "Christopher", "Evangelinea", "Konstantina", "Wilhelminea"),
    13: ("Bartholomeaus", "Maximilianahm", "Christopherus", "Evangelineada", "Konstantinowa", "Friederikeann"),
    17: (
        "Bartholomaeustein",
        "Maximilianowitsch",
        "Christopherushaus",
        "Evangelinenthaler",
        "Konstantinopolski",
        "Friederikeannegre",
    ),
    35: (
        "Donaudampfschifffahrtsgesellschafts",
        "Rechtsschutzversicherungsgesellscha",
        "Hottentottenstottertrottelmutterbeu",
        "Mississippidampferkapitaenswitwenre",
        "Grundstuecksverkehrsgenehmigungszus",
        "Kraftfahrzeughaftpflichtversicherun",
    ),
    0: ("Anne-Sophie von Hohenfels", "Bartholomew", "Jo", "Maximilian Friedrich August", "Wolfgang-Amadeus", "Al"),
}
"""By their letters; none: names of several words beside short ones."""
SEATS = (2, 4, 5, 6)
CASES = [(seats, letters) for seats in SEATS for letters in NAMES]
DAILY = [(4, 13), (5, 11), (6, 11), (6, 13), (6, 17), (6, 0)]
OVER = """(names) => [...document.querySelectorAll(names)].flatMap((name) => {
  const card = name.closest("section, li").getBoundingClientRect();
  const letters = document.createRange();
  letters.selectNodeContents(name);
  const at = letters.getBoundingClientRect();
  return at.right > card.right - 8 || at.bottom > card.bottom || at.top < card.top ? [name.textContent] : [];
})"""
BROKEN = """(names) => [...document.querySelectorAll(names)].flatMap((name) => {
  const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
  const words = [...text.data.matchAll(/[^\\s-]+/g)];
  return words.filter((word) => {
    const letters = document.createRange();
    letters.setStart(text, word.index);
    letters.setEnd(text, word.index + word[0].length);
    return new Set([...letters.getClientRects()].map((line) => Math.round(line.top))).size > 1;
  }).map((word) => word[0]);
})"""
"""Words that stand on two lines."""
SIZES = "(names) => [...new Set([...document.querySelectorAll(names)].map((name) => getComputedStyle(name).fontSize))]"


@pytest.fixture(scope="module")
def of_six(acorns: Manifest) -> Manifest:
    """The sample game, for up to six players."""
    seats = Seats(COLOURS, 2, 6)
    return replace(with_rules(acorns, seats=seats), seats=seats)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("case", in_check(CASES, *DAILY), ids=str)
def test_names_of_a_row_stay_on_their_cards_and_are_whole(
    screen: Page, of_six: Manifest, case: tuple[int, int]
) -> None:
    # given a table of so many players with names of so many letters
    seats, letters = case
    services, table = seat_four(of_six, NAMES[letters][:seats])
    with served(services, table) as house:
        link = services.guests.link(Caller("spectator", None, table.id))
        screen.context.request.get(f"http://127.0.0.1:{house.port}/join/{services.logins.join_token(link)}")
        screen.goto(f"http://127.0.0.1:{house.port}/tables/{table.id}/display")
        faulty = faults(screen, ".seat .name", letters)

    # then no name leaves its card, and no word that has room is divided
    assert faulty == []


@pytest.mark.parametrize("case", in_check(CASES, *DAILY), ids=str)
def test_names_that_are_typed_stay_whole_on_the_screen_of_the_lobby(
    screen: Page, of_six: Manifest, case: tuple[int, int]
) -> None:
    # given so many names, typed before the game
    seats, letters = case
    services = services_over(tables_for(replace(of_six, seats=Seats(COLOURS, 2, seats))))
    typed = zip(COLOURS, NAMES[letters][:seats], strict=False)
    services.lobby.seat(of_six.name, tuple(LobbySeat(colour, name) for colour, name in typed))
    with contextmanager(serve)(Server(create_app(services), "127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.port}"
        screen.context.request.post(f"{address}/login", form={"pin": PIN, "next": "/"})
        screen.goto(f"{address}/screen")
        faulty, shown = faults(screen, ".lobby-seats b", letters), screen.locator(".lobby-seats b").count()

    # then each has its card
    assert faulty == []
    assert shown == seats


def faults(page: Page, names: str, letters: int) -> list[str]:
    """Return what is wrong with the names of a row; a word of more letters than a line has is divided anyhow."""
    page.evaluate("document.fonts.ready.then(() => true)")
    faulty = [f"{name} leaves its card" for name in page.evaluate(OVER, names)]
    if letters < 18:
        faulty += [f"{word} is broken" for word in page.evaluate(BROKEN, names)]
    if len(page.evaluate(SIZES, names)) > 1:
        faulty.append("sizes differ")
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTIFACTS / f"names-{letters}-{page.locator(names).count()}{names.split(maxsplit=1)[0]}.png")
    return faulty
