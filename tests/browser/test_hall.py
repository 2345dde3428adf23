"""A tablet in a hall: its stream comes from the gateway, which tells versions, and it asks the app for all else."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.cli.halls import running_hall
from tests.pages import follows
from tests.waiting import until

TICKS = "JSON.parse(document.getElementById('page').sight || '{}').ticks === 1"


@pytest.mark.nightly
@pytest.mark.browser
def test_a_tablet_in_a_hall_shows_what_others_do_and_what_is_no_entry(
    browser: Browser, database: str, tmp_path: Path
) -> None:
    # given a tablet that follows a table by the gateway
    with running_hall(tmp_path / "data", database) as hall:
        table = hall.begin_table()
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{hall.serving.port}", viewport={"width": 1280, "height": 800}
        )
        context.request.post("/login", form={"pin": hall.serving.pin, "next": "/"})
        page = context.new_page()
        page.goto(f"/tables/{table}")
        follows(page)
        until(lambda: hall.measure("gateway", "streams") == 1)

        # when a step of the preparation is ticked elsewhere, then the tablet learns it
        path = f"/api/v1/tables/{table}/preparation"
        step = hall.serving.ask(path)["steps"][0]["step"]
        hall.serving.ask(path, {"step": step, "done": True})
        until(lambda: page.evaluate(TICKS), lambda: page.evaluate("document.getElementById('page').sight"))

        # and when a command is given, it shows the table after it
        hall.give(table, 1, "given")
        expect(page.locator("#state")).to_have_attribute("data-version", "2")
        assert hall.measure("gateway", "streams") == 1
        context.close()
