"""Suggest and the bidding sentence in a real browser."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from tests.pages import run_axe
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_the_bidding_sentence_follows_the_stepper(page: Page, tables: Tables, moment: At) -> None:
    # given a bidder whose next wages bear no more than some bid
    table, shown = moment("auction")
    at: dict[str, Any] = shown["position"]
    player, contract = at["waiting_for"][0], at["auction"]["contract"]
    bid = tables.get(table).advice.forecast("banker", player, contract)["bid"]
    page.goto(f"/tables/{table}")
    said = page.locator("#pad .forecast")

    # when they go all in
    page.get_by_role("button", name="All in").click()

    # then the sentence says what will be missing, and when
    room = next(limit for limit in bid["rounds"] if limit["most"] < bid["most"])
    missing = f"${bid['most'] - room['most']:,}"
    expect(said).to_have_class(re.compile("short"))
    expect(said).to_contain_text(f"At ${bid['most']:,}")
    expect(said).to_contain_text(missing)

    # and one thousand less at a time it becomes less
    page.get_by_role("button", name="Less").click()
    expect(said).to_contain_text(f"${bid['most'] - room['most'] - 1_000:,}")


@pytest.mark.nightly
def test_a_suggestion_stands_beside_the_own_plan_until_it_is_taken_over(page: Page, tables: Tables, moment: At) -> None:
    # given somebody who has something to build, and has laid out a section
    table, shown = moment("build")
    player = next(
        offer["player"]
        for offer in shown["offers"]
        if offer["do"] == "plan" and tables.get(table).advice.suggestion("banker", offer["player"])["command"]["work"]
    )
    best = tables.get(table).advice.suggestion("banker", player)["command"]["work"]
    count = sum(len(sections) for sections in best.values())
    page.goto(f"/tables/{table}")
    page.locator(f"[data-sheet=plan][data-player={player}]").click()
    page.locator("[data-worker]").first.click()
    page.locator("[data-place]:not([disabled])").last.click()
    expect(page.locator(".card.busy")).to_have_count(1)
    own = page.locator(".section small:not(.ghost)").all_inner_texts()

    # when they ask for a suggestion, then it stands beside it and overwrites nothing
    page.get_by_role("button", name="Suggest").click()
    expect(page.locator(".reasons")).to_contain_text("The best plan")
    expect(page.locator(".section .ghost").first).to_be_visible()
    assert page.locator(".section small:not(.ghost)").all_inner_texts() == own

    # when they take it over, then it is theirs, can be cleared, asked for again, and locked
    page.get_by_role("button", name="Use this plan").click()
    expect(page.locator(".section.planned")).to_have_count(count)
    expect(page.locator(".section .ghost")).to_have_count(0)
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator(".section.planned")).to_have_count(0)
    page.get_by_role("button", name="Suggest").click()
    page.get_by_role("button", name="Use this plan").click()
    expect(page.locator(".section.planned")).to_have_count(count)
    page.get_by_role("button", name="Lock the plan").click()

    expect(page.locator("#sheet")).not_to_be_visible()
    assert tables.get(table).show(player)["position"]["plan"] == best


@pytest.mark.nightly
def test_a_tap_on_what_lies_ahead_opens_its_lines(page: Page, moment: At) -> None:
    # given a bidder who goes all in
    table, shown = moment("auction")
    contract = shown["position"]["auction"]["contract"]
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="All in").click()

    # when the sentence about their money is tapped
    page.locator("#pad .forecast").click()

    # then the lines are those of that bid
    expect(page.locator("#sheet-title")).to_contain_text("Ahead for")
    expect(page.locator(".over-head .second")).to_contain_text("is bought for")
    expect(page.locator(".ahead-lines li").first).to_contain_text("Pays for")
    assert contract
    assert run_axe(page).violations_count == 0

    # and where there are panels of four, the sum that is missing in one of them opens those of its player
    later, _ = moment("later_hire")
    page.goto(f"/tables/{later}")
    badges = page.locator(".ahead-badge")
    expect(badges.first).to_be_visible()
    for badge in badges.all():
        badge.click()
        expect(page.locator("#sheet-title")).to_contain_text("Ahead for")
        page.locator("[data-close]").first.click()
