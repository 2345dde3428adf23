"""House rules in a real browser: chosen in the lobby, played by tap."""

import pytest
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.pages import at_rest, run_axe
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser


def test_rules_chosen_in_the_lobby_are_those_of_the_game(page: Page, tables: Tables) -> None:
    # given the sheet of rules, first turned to the summary's, then one switch back
    page.goto("/")
    expect(page.locator("#rules-line")).to_have_text("As printed")
    page.get_by_role("button", name="Change the rules").click()
    expect(page.locator("#house-rules")).to_be_visible()
    at_rest(page)
    assert run_axe(page).violations_count == 0
    page.get_by_role("button", name="Summary rules").click()
    expect(page.locator("#rules-line")).to_have_text("2 house rules")
    page.get_by_label("As soon as the contract deck is empty").check()

    # when a variant is added, and the game is started
    page.get_by_label("Choosing workers").check()
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#rules-line")).to_have_text("1 house rule, Choosing workers")
    page.get_by_role("button", name="Start the game").click()

    # then the position has both, and the menu tells them
    expect(page.get_by_role("button", name="Look through a pile")).to_be_visible()
    position = tables.get(page.url.rsplit("/", 1)[-1]).show("banker")["position"]
    assert position["rules"] == {"hire_fire": "until_all_pass"}
    assert position["variants"] == ["choosing_workers"]
    page.get_by_role("button", name="More").click()
    expect(page.locator(".rules-here dt")).to_have_text(["Hiring and firing", "Choosing workers"])


@pytest.mark.nightly
def test_a_worker_is_lent_by_tap_to_somebody_else_for_what_he_can_pay(page: Page, tables: Tables, moment: At) -> None:
    # given a worker of one player, chosen in the sheet
    table, shown = moment("lending")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "hire_out")
    worker = offer["fields"]["worker"]["values"][0]
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="Lend a worker").click()
    expect(page.get_by_role("button", name="Lend for")).to_be_disabled()
    page.locator(f"input[name=worker][value={worker}]").check()
    expect(page.locator(f"input[name=borrower][value={offer['owner']}]")).to_be_disabled()

    # when the borrower is named and the price set
    page.locator(f"input[name=borrower][value={offer['borrower']}]").check()
    page.locator("#sheet [data-add='2000']").click()
    page.get_by_role("button", name="Lend for $2,000").click()

    # then they are lent
    expect(page.locator("#sheet")).not_to_be_visible()
    lent = {"worker": worker, "owner": offer["owner"], "borrower": offer["borrower"]}
    assert tables.get(table).show("banker")["position"]["lent"] == [lent]


def test_the_price_of_a_worker_stays_as_it_was_set_while_others_book(page: Page, tables: Tables, moment: At) -> None:
    # given a worker about to be lent for some price
    table, shown = moment("lending")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "hire_out")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="Lend a worker").click()
    page.locator(f"input[name=worker][value={offer['fields']['worker']['values'][0]}]").check()
    page.locator(f"input[name=borrower][value={offer['borrower']}]").check()
    page.locator("#sheet [data-add='2000']").click()

    # when something else is booked meanwhile
    rename = {"do": "rename_player", "player": offer["borrower"], "name": "Eve"}
    tables.get(table).submit(Request(rename, "banker", "test"))
    expect(page.locator("#sheet").get_by_text("Eve").first).to_be_visible()

    # then that price still stands there, and can be lent for
    expect(page.locator("#sheet output")).to_have_text("$2,000")
    expect(page.get_by_role("button", name="Lend for $2,000")).to_be_enabled()


@pytest.mark.nightly
def test_just_enough_workers_are_dismissed(page: Page, tables: Tables, moment: At) -> None:
    # given a player whose wages passed the limit
    table, shown = moment("dismissal")
    ways = next(offer for offer in shown["offers"] if offer["do"] == "choose_workers")["fields"]["workers"]["values"]
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="Choose workers").click()
    enough = page.get_by_role("button", name="Choose these")
    expect(enough).to_be_disabled()

    # when one of the sets that will do is ticked
    for worker in ways[0]:
        page.locator(f"input[name=workers][value={worker}]").check()
    expect(enough).to_be_enabled()
    enough.click()

    # then those have gone
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    assert tables.get(table).journal("banker")[-1]["command"]["workers"] == ways[0]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["look", "lending", "may_borrow", "anytime", "dismissal"])
def test_what_house_rules_bring_fits_every_screen(page: Page, seen: At, name: str) -> None:
    page.goto(f"/tables/{seen(name)[0]}?lang=de")
    for width, height in ((1280, 800), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})

        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
