"""A game from elsewhere: made from the page that tells how, installed, found, played and taken away again."""

import json
import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from playwright.sync_api import Browser, Page, expect

from tests.elsewhere.house import PIN, Banker, served
from tests.elsewhere.new_game import Environment
from tests.waiting import PATIENCE_MS

pytestmark = pytest.mark.slow

REST: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("pass", "blue", {}),
    ("pass", "red", {}),
    ("put_up", "red", {"nut": "N04"}),
    ("pass", "red", {}),
    ("pass", "blue", {}),
    ("put_up", "blue", {"nut": "N01"}),
    ("pass", "blue", {}),
    ("pass", "red", {}),
    ("sell", "red", {"nuts": ["N02"]}),
    ("sell", "blue", {"nuts": []}),
)
"""How the evening goes on after a sale for 1 and a nut that is put up."""
ENTRIES, RICHEST = 15, 11 + 12 * 5


def test_the_game_is_found_and_named(environment: Environment, tmp_path: Path) -> None:
    said = environment.companion("doctor", "--data", tmp_path)

    assert re.search(r"ok\s+games: .*Nut Market", said)
    assert re.search(r"ok\s+catalog house of Nut Market: House nuts", said)


def test_its_labels_are_printed_and_can_be_read(environment: Environment, tmp_path: Path) -> None:
    environment.companion("labels", tmp_path / "nuts.pdf", "--game", "nut_market", "--data", tmp_path)

    page = pypdfium2.PdfDocument(tmp_path / "nuts.pdf")[0].render(scale=4).to_numpy()
    assert {barcode.text for barcode in zxingcpp.read_barcodes(page)} == {f"NM1N0{number}" for number in range(1, 5)}


def test_its_cards_are_printed_although_it_draws_none(environment: Environment, tmp_path: Path) -> None:
    environment.companion("cards", tmp_path / "nuts.pdf", "--game", "nut_market", "--lang", "de", "--data", tmp_path)

    fronts, backs = (page.render(scale=4).to_numpy() for page in pypdfium2.PdfDocument(tmp_path / "nuts.pdf"))
    assert {barcode.text for barcode in zxingcpp.read_barcodes(fronts)} == {f"NM1N0{number}" for number in range(1, 5)}
    assert not zxingcpp.read_barcodes(backs)


def test_a_game_is_played_through_from_a_play_file(environment: Environment, tmp_path: Path) -> None:
    players = [{"id": "red", "name": "Bartholomew"}, {"id": "blue"}]
    commands = [
        {"do": "start_game", "game": "nut_market", "first": "red", "players": players},
        {"do": "put_up", "player": "red", "nut": "N02"},
        {"do": "bid", "player": "red", "amount": 5},
        {"do": "pass", "player": "blue"},
    ]
    (tmp_path / "game.jsonl").write_text("\n".join(map(json.dumps, commands)), encoding="utf-8")

    said = environment.companion("play", tmp_path / "game.jsonl", "--data", tmp_path)

    *answers, summary = map(json.loads, said.splitlines())
    assert [event["event"] for event in answers[-1]["events"]] == ["BidderPassed", "LotSold"]
    assert {player: state["grams"] for player, state in summary["position"]["players"].items()} == {
        "red": 12,
        "blue": 0,
    }


def test_random_bots_play_it_although_it_brings_none(environment: Environment, tmp_path: Path) -> None:
    game = ("--game", "nut_market", "--data", tmp_path)
    figures = environment.figures("tournament", *game, "--games", "20", "--players", "2")
    demo = environment.figures("demo", *game, "--headless", "--players", "2")

    assert figures["refusals"] == 0
    assert demo["position"]["stall"] == [], "cards were laid, and nuts put up"


@pytest.mark.nightly
@pytest.mark.browser
def test_it_is_played_by_taps_and_by_its_cards_and_its_saved_game_outlasts_it(
    environment: Environment, wheel: Path, tmp_path: Path, browser: Browser
) -> None:
    with served(environment, tmp_path / "data") as address:
        context = browser.new_context(base_url=address, locale="de-DE", viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        started_in_the_lobby(page)
        banker = Banker(address)
        put_up_and_sold_by_taps(page)
        assert_money_is_covered_but_for_whoever_holds_a_badge(page)
        refused_in_its_own_words(page, banker)
        put_up_by_a_card(page, banker)
        table = page.url.rsplit("/", 1)[-1]
        assert_the_phone_shows_first_what_may_be_done(page)
        put_right_by_its_own_form(page)
        told_in_the_lobby(page, "Versteigerung")
        played_to_its_end(page, banker, table)
        told_in_the_lobby(page, "Bartholomew gewinnt")
        context.close()

    # when the game is taken away, then its table is there, and says what it waits for
    environment.uninstall("nut-market")
    try:
        with served(environment, tmp_path / "data") as address:
            listing = Banker(address).get("/tables")
            assert listing["tables"] == []
            (kept,) = listing["unplayable"]
            assert (kept["id"], kept["game"], kept["version"]) == (table, "nut_market", ENTRIES)
            assert_the_lobby_tells_of_it(browser, address)
    finally:
        environment.install(wheel)

    # when it is back, then so is the table
    with served(environment, tmp_path / "data") as address:
        shown = Banker(address).get(f"/tables/{table}")
        assert shown["version"] == ENTRIES
        assert shown["position"]["players"]["red"]["cash"] == RICHEST


def signed_in(page: Page) -> None:
    """Log in with the PIN."""
    page.goto("/login")
    page.locator("input[name=pin]").fill(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "/login" not in address)


def started_in_the_lobby(page: Page) -> None:
    """Sign in, choose the game, and start it with two players."""
    signed_in(page)
    page.locator("button[name=leave]").click()
    page.get_by_role("link", name="Nut Market").click()
    page.locator(".seat-name").nth(0).fill("Bartholomew")
    page.locator(".seat-name").nth(1).fill("Ada")
    while page.locator("[data-act=remove]").count() > 2:
        page.locator("[data-act=remove]").last.click()
    page.locator("[name=first]").first.check()
    page.locator("#new-game button[type=submit], #new-game .filled").last.click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("#sentence")).to_contain_text("Bartholomew")


def put_up_and_sold_by_taps(page: Page) -> None:
    """Choose a nut in the form that was drawn of the offer; bid for it, and pass."""
    form = page.get_by_role("form", name="Aufrufen")
    form.get_by_label("Walnut").check()
    form.get_by_role("button", name="Aufrufen").click()
    expect(page.locator("#state")).to_have_attribute("data-version", "2")
    page.get_by_role("form", name="Bieten").get_by_role("button", name="Bieten").click()
    expect(page.locator("#state")).to_have_attribute("data-version", "3")
    page.get_by_role("button", name="Passen").click()

    expect(page.locator("#state")).to_have_attribute("data-version", "4")
    expect(page.locator("#panel-red")).to_contain_text("Walnut")
    expect(page.locator("#entries")).to_contain_text("Bartholomew bekommt Walnut für 1")
    expect(page.locator("#sentence")).to_contain_text("Ada")


def assert_money_is_covered_but_for_whoever_holds_a_badge(page: Page) -> None:
    """The tablet lies in the middle: it shows a player's money as long as they hold their badge."""
    purse = page.locator("#panel-red .purse")
    expect(purse).to_contain_text("verdeckt")
    page.locator("[data-peek=red]").hover()
    page.mouse.down()
    expect(purse).to_contain_text("11")
    page.mouse.up()
    expect(purse).to_contain_text("verdeckt")


def put_up_by_a_card(page: Page, banker: Banker) -> None:
    """Lay a card under the camera, and say yes to what it asks."""
    banker.post("/camera/simulated", {"lay": "N03"})

    expect(page.locator("#proposal")).to_contain_text("Chestnut")
    page.locator("#proposal .filled").first.click()
    expect(page.locator("#state")).to_have_attribute("data-version", "5")


def assert_the_phone_shows_first_what_may_be_done(page: Page) -> None:
    """Where all stands in one column, nobody scrolls past everybody's figures to act."""
    wide = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    form, panel = page.get_by_role("form", name="Bieten").bounding_box(), page.locator("#panel-red").bounding_box()
    assert form is not None
    assert panel is not None
    assert form["y"] + form["height"] <= panel["y"]
    assert wide is not None
    page.set_viewport_size(wide)


def put_right_by_its_own_form(page: Page) -> None:
    """Correct an entry of the journal to another nut: the form is drawn from the command's field types.

    It tells what the tablet covers, so somebody has to be the banker first.
    """
    page.get_by_role("banner").get_by_role("button", name="Mehr").click()
    page.locator('form[action$="/banker"] button').click()
    expect(page.locator("[data-figure=red-cash]")).to_contain_text("11")
    page.get_by_role("banner").get_by_role("button", name="Mehr").click()
    page.get_by_role("button", name="Journal").click()
    page.locator('.amends [data-sheet=amend][data-seq="2"]').click()
    form = page.locator("form[data-preview-form]").first
    form.get_by_label("Nuss").select_option(label="N04 Brazil nut")
    expect(page.locator(".amend")).to_contain_text("Bartholomew bekommt Brazil nut")
    page.locator("#sheet [data-close]").first.click()
    expect(page.locator("#state")).to_have_attribute("data-version", "5")


def refused_in_its_own_words(page: Page, banker: Banker) -> None:
    """Ask for what is not there; a sentence of the game says so, in the language that was asked for."""
    table = page.url.rsplit("/", 1)[-1]
    sold = {"do": "put_up", "player": "blue", "nut": "N02"}
    assert refusal(banker, f"/tables/{table}/commands?lang=de", sold) == "Walnut ist nicht am Stand."
    no_players = {"do": "start_game", "game": "nut_market", "first": "red", "players": []}
    assert refusal(banker, "/tables?lang=de", no_players) == "Das Spiel ist für 2 bis 4."


def refusal(banker: Banker, path: str, command: dict[str, Any]) -> str:
    """Return the sentence with which a command is refused."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        banker.post(path, command, **{"If-Match": "4"})
    with refused.value as answer:
        assert answer.code == 422
        return str(json.load(answer)["detail"])


def told_in_the_lobby(page: Page, text: str) -> None:
    """Look at the list of games in the lobby."""
    page.goto("/")
    expect(page.locator(".kept-game")).to_contain_text(text)
    expect(page.locator(".kept-game")).to_contain_text("Nut Market")


def played_to_its_end(page: Page, banker: Banker, table: str) -> None:
    """Play on until the market closes; the standings say who has won, by the game's own figures."""
    for version, (do, player, fields) in enumerate(REST, 5):
        command = {"do": do, "player": player, **fields}
        banker.post(f"/tables/{table}/commands", command, **{"If-Match": str(version)})
    page.goto(f"/tables/{table}")
    expect(page.locator("#sentence")).to_contain_text("Bartholomew")
    expect(page.locator(".plain-standings tbody tr").first).to_contain_text(str(RICHEST))


def assert_the_lobby_tells_of_it(browser: Browser, address: str) -> None:
    page = browser.new_page(base_url=address, locale="en-GB")
    signed_in(page)
    kept = page.locator("#unplayable")
    kept.locator("summary").click()
    expect(kept).to_contain_text("nut_market")
    expect(kept).to_contain_text(f"{ENTRIES} entries")
    page.close()
