"""The lobby in a real browser: seats round the table, games kept, binned, brought back and opened from a file."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, expect

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.words import Words
from tests.pages import run_axe
from tests.web.conftest import HIRE, START
from tests.web_pages.conftest import At


def name_players(page: Page, names: Sequence[str] = ("Ada", "Ben", "Cleo")) -> None:
    page.goto("/?lang=en")
    for place, name in enumerate(names):
        page.locator(".seat-name").nth(place).fill(name)


def order(page: Page) -> list[str]:
    names = page.locator(".seat-name").evaluate_all("fields => fields.map(field => field.value)")
    round_the_table = page.locator(".round-name").all_inner_texts()
    assert names == round_the_table
    return list(round_the_table)


@pytest.mark.browser
def test_usual_names_are_whole_round_the_table(page: Page) -> None:
    # given names of up to eleven letters
    name_players(page, ("Bartholomew", "Anne-Sophie", "Maximiliane"))

    # then none of them is cut, on a tablet or a phone, and nothing is pushed off the page
    for width, height in ((1280, 800), (390, 844), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
        assert page.locator(".round-name").evaluate_all(cut) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_starts_can_be_read_of_every_seat_on_a_phone(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto("/?lang=en")
    expect(page.locator(".seat-first span").nth(1)).to_be_visible()

    results = run_axe(page, options={"runOnly": ["color-contrast"]})
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.browser
def test_players_change_places_by_tap_by_keyboard_and_by_dragging(page: Page) -> None:
    name_players(page)
    seat = page.locator(".round-seat")
    assert order(page) == ["Ada", "Ben", "Cleo"]

    seat.nth(0).click()
    expect(seat.nth(0)).to_have_attribute("aria-pressed", "true")
    seat.nth(2).click()
    assert order(page) == ["Cleo", "Ben", "Ada"]
    expect(page.locator("#round-names")).to_have_text("Clockwise: Cleo, Ben, Ada")

    seat.nth(0).focus()
    page.keyboard.press("ArrowLeft")
    assert order(page) == ["Ada", "Ben", "Cleo"], "round the table the last seat is beside the first"
    expect(seat.nth(2)).to_be_focused()

    seat.nth(1).drag_to(seat.nth(2))
    assert order(page) == ["Ada", "Cleo", "Ben"]
    expect(seat.nth(1)).to_have_attribute("aria-pressed", "false")


@pytest.mark.browser
def test_a_badge_shows_what_people_see_as_one_letter(page: Page) -> None:
    # given names that begin with a flag, a family of four, and a letter with two accents
    names = ("🇫🇷 Léa", "👩\u200d👩\u200d👧\u200d👦", "e\u0301\u0323va")

    name_players(page, names)

    badges = page.locator("#players .badge text").all_text_contents()
    assert badges[:3] == ["🇫🇷", "👩\u200d👩\u200d👧\u200d👦", "E\u0301\u0323"]

    # and where two begin alike the second letter is a whole one too
    name_players(page, ("🇫🇷🇩🇪", "🇫🇷🇮🇹", "Cleo"))
    badges = page.locator("#players .badge text").all_text_contents()
    assert badges[:3] == ["🇫🇷🇩🇪", "🇫🇷🇮🇹", "C"]


@pytest.mark.browser
def test_a_game_begins_as_people_sit_with_notes_where_they_like_them(
    page: Page, tables: Tables, services: Services
) -> None:
    name_players(page)
    page.locator(".round-seat").nth(0).click()
    page.locator(".round-seat").nth(1).click()
    page.locator("[name=money][value=notes]").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url(re.compile(r"/tables/\w+$"), wait_until="commit")

    table = page.url.rsplit("/", 1)[-1]
    position = tables.get(table).position_json("banker") or {}
    assert [position["players"][seat]["name"] for seat in position["seats"]] == ["Ben", "Ada", "Cleo"]
    assert table in services.preferences.chosen.notes
    expect(page.locator(".notes-line")).to_contain_text("take 4")

    # and a device may wish otherwise
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Notes on the table").click()
    page.get_by_role("button", name="Stop announcing notes").click()
    expect(page.locator(".notes-line")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.browser
def test_a_game_goes_into_the_bin_after_one_question_and_comes_back(page: Page, tables: Tables) -> None:
    # given a game in the lobby
    table = tables.start(
        Request({**START, "players": [{"id": "blue", "name": "Zoe"}, {"id": "red", "name": "Yve"}]}, "banker", "tap")
    )
    page.goto("/?lang=en")
    delete = page.get_by_role("button", name="Delete the game of Zoe and Yve")

    # when somebody taps delete and thinks again, then nothing has happened
    delete.click()
    expect(page.get_by_role("dialog")).to_contain_text("as it is after entry 1: Round 1")
    page.get_by_role("button", name="Keep it").click()
    assert tables.get(table.id) is table

    # when it is meant, then the game lies in the bin, and comes back from there
    delete.click()
    page.get_by_role("button", name="Into the bin").click()
    expect(delete).to_have_count(0)
    assert [about["id"] for about in tables.all(binned=True)] == [table.id]
    page.locator("summary").filter(has_text="Bin").click()
    results = run_axe(page)
    assert results.violations_count == 0, results.generate_report()
    page.get_by_role("button", name="Restore").click()
    expect(delete).to_be_visible()
    assert tables.get(table.id) is table


@pytest.mark.browser
def test_why_a_game_cannot_go_into_the_bin_is_said_in_words(page: Page, tables: Tables) -> None:
    # given a game, and a companion that refuses to put it away
    tables.start(
        Request({**START, "players": [{"id": "blue", "name": "Una"}, {"id": "red", "name": "Vic"}]}, "banker", "tap")
    )
    page.goto("/?lang=en")
    page.route("**/bin", lambda route: route.fulfill(status=403, json={"detail": "Only the organiser may do this."}))

    page.get_by_role("button", name="Delete the game of Una and Vic").click()
    page.get_by_role("button", name="Into the bin").click()

    expect(page.locator("#problem")).to_have_text("Only the organiser may do this.")


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/", "/tables"])
def test_a_tap_before_the_scripts_have_come_waits_for_them(page: Page, path: str) -> None:
    # given a page of games whose script is long on its way
    routes = list[Route]()
    page.route("**/kept_games.js*", lambda route: routes.append(route))  # noqa: PLW0108
    page.goto(f"{path}?lang=en", wait_until="commit")

    # when somebody wishes to delete a game meanwhile, and the script comes
    page.get_by_role("button", name="Delete the game of").first.click()
    asked = page.get_by_role("button", name="Into the bin")
    expect(asked).to_be_hidden()
    routes[0].continue_()

    # then it is asked for
    expect(asked).to_be_visible()


@pytest.mark.nightly
@pytest.mark.browser
def test_a_game_is_found_deleted_and_restored_on_the_page_of_all_games(page: Page, tables: Tables) -> None:
    # given a game of two whose names hardly fit, among more than the lobby shows
    long = ("Bartholomew-Maximilian Hohenzollern", "Anne-Sophie de la Rochefoucauld-Zoë")
    players = [{"id": seat, "name": name} for seat, name in zip(("blue", "red"), long, strict=True)]
    table = tables.start(Request({**START, "players": players}, "banker", "tap"))
    for _ in range(13):
        tables.start(Request(START, "banker", "tap"))

    # when somebody looks for it by a name, in small letters and without the dots
    page.goto("/?lang=en")
    page.get_by_role("link", name="Find a game").click()
    page.get_by_role("searchbox", name="Find a game").fill("zoe anne")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".kept-game")).to_have_count(1)
    for width, height in ((1280, 800), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert run_axe(page).violations_count == 0

    # and deletes it, then the search finds nothing, and it is restored from the bin
    page.get_by_role("button", name="Delete the game of").click()
    page.get_by_role("button", name="Into the bin").click()
    expect(page.get_by_text("No game matches “zoe anne”")).to_be_visible()
    assert tables.lies_in_bin(table.id)
    page.get_by_role("link", name="Bin", exact=True).click()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("button", name="Restore")).to_have_count(0)
    assert tables.get(table.id) is table


@pytest.mark.browser
def test_a_saved_game_is_opened_from_its_file_and_a_wrong_line_is_named(
    page: Page, tables: Tables, tmp_path: Path
) -> None:
    good, wrong = tmp_path / "good.jsonl", tmp_path / "wrong.jsonl"
    good.write_text("\n".join(json.dumps(line) for line in (START, HIRE)))
    wrong.write_text("\n".join(json.dumps(line) for line in (START, HIRE, {**HIRE, "player": "yellow"})))
    before = len(tables.all())
    page.goto("/?lang=en")

    page.locator("#play-file").set_input_files(wrong)
    expect(page.locator("#problem")).to_have_text(re.compile("^Line 3 of the file: .*Ada"))
    assert len(tables.all()) == before

    page.locator("#play-file").set_input_files(good)
    expect(page.locator("#panel-blue .chip")).to_have_count(1)
    assert len(tables.all()) == before + 1


@pytest.mark.browser
def test_the_table_is_set_by_ticking_before_the_first_act(page: Page, tables: Tables) -> None:
    table = tables.start(Request(START, "banker", "tap"))
    page.goto(f"/tables/{table.id}?lang=en")
    expect(page.locator("#preparation")).to_contain_text("0 of 9")
    page.get_by_role("button", name="What to lay out").click()
    contracts = page.get_by_role("dialog").get_by_role("button", name="Contracts")
    expect(contracts).to_contain_text("put 4 back into the box unseen")
    for step in ("Sections", "Workers"):
        page.get_by_role("dialog").get_by_role("button", name=step).click()  # quickly, one after the other
    contracts.click()
    expect(contracts).to_have_attribute("aria-pressed", "true")
    assert run_axe(page).violations_count == 0
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator("#preparation")).to_contain_text("3 of 9")

    # it never blocks the game, and is gone with the first act
    table.submit(Request(HIRE, "banker", "tap"))
    expect(page.locator("#preparation")).to_have_count(0)
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("button", name="Setting the table")).to_be_visible()


def test_games_are_called_what_they_are(banker: FlaskClient, services: Services, tables: Tables, seen: At) -> None:
    bots, _ = seen("first_hire")
    finished, shown = seen("end")
    object.__setattr__(services, "played_by_bots", bots)
    html = banker.get("/?lang=en").text
    best = max(shown["position"]["standings"], key=lambda line: line["worth"])["worth"]
    assert "Bots are playing" in html
    assert "Watch this game" in html
    assert Words("en").money(best) in html
    assert f'href="/tables/{finished}/report"' in html
    assert f"/tables/{finished}/journal?format=jsonl" in html
    tables._changes_before = services.tables._journal.last_change()
    object.__setattr__(services, "played_by_bots", None)
    assert "Interrupted" in banker.get("/?lang=en").text


def test_a_guest_of_a_game_that_was_put_away_is_told_so(
    as_caller: Callable[[Caller], FlaskClient], tables: Tables
) -> None:
    table = tables.start(Request(START, "banker", "tap"))
    guest = as_caller(Caller("player", "blue", table.id))
    tables.put_in_bin(table.id)
    answer = guest.get(f"/tables/{table.id}/seats/blue", follow_redirects=True)
    assert (answer.status_code, "This game is in the bin" in answer.text) == (410, True)
