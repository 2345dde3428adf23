"""Pages without a stream ask for news every few seconds: without an answer they say that they may be old."""

import pytest
from playwright.sync_api import Page, expect

from companion.service.services import Services
from tests.waiting import until
from tests.web_pages.banker_browser import context, page
from tests.web_pages.conftest import At

__all__ = ["context", "page"]
EVENT = {
    "name": "Winter meeting",
    "when": "",
    "game": "master_builder",
    "catalog": "house",
    "rules": {},
    "variants": [],
    "tables": [{"name": "1", "players": ["Ada", "Ben"]}],
}


def show(page: Page, name: str, services: Services, moment: At) -> None:
    """Open the page of a name, in an app without games but for those that it needs."""
    if name == "lobby":
        page.goto("/tv")
    elif name == "names":
        table, _ = moment("first_hire")
        page.context.clear_cookies()
        page.goto(f"/join/{services.logins.open_invitation_token(services.guests.invitation_epoch, table)}")
    else:
        page.goto(f"/events/{page.request.post('/api/v1/events', data=EVENT).json()['id']}")
        if name == "hall":
            page.get_by_role("link", name="Hall display").click()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["lobby", "event", "hall", "names"])
def test_a_page_whose_questions_stay_unanswered_says_that_it_may_be_old(
    page: Page, services: Services, moment: At, name: str
) -> None:
    # given a page that asks for news, and a network on which no answer comes any more
    page.clock.install()
    show(page, name, services, moment)
    lost = page.locator("#lost")
    expect(lost).to_be_hidden()
    page.route("**/*part=*", lambda route: route.abort())

    def asked_again() -> bool:
        page.clock.run_for(5_000)
        return lost.is_visible()

    # when it has asked more than once, then it says that it may be old
    until(asked_again)
    expect(lost).to_contain_text("This page may be out of date")
    top = lost.bounding_box()
    assert top
    assert top["y"] == 0

    # and when answers come again, it no longer does, as soon as a busy server has given one
    page.unroute("**/*part=*")
    page.clock.run_for(15_000)
    expect(lost).to_be_hidden()
