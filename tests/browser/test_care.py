"""Backups and what works here, on a page: one made by a tap, everything looked at, a report without secrets."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PIN, TABLET, serving
from tests.browser.screens import PHONE, Troubles
from tests.browser.taught_by_hand import device
from tests.cli.running import START
from tests.cli.running import serving as real_program
from tests.pages import run_axe

SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.nightly
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_a_backup_is_made_by_a_tap_and_everything_looked_at(
    browser: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    troubles = Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, size, troubles, "de-DE") as page,
    ):
        # when somebody makes a backup and has everything looked at
        page.locator("a[href='/backups']").click()
        page.locator("form[data-backup] button").press("Enter")
        expect(page.locator("a[download][href*='/backups/companion-']")).to_be_visible()
        page.locator("a[href='/backups?look#check-up']").press("Enter")

        # then it is there, and what works is said
        expect(page.locator(".findings .well").first).to_be_visible()
        expect(page.locator(".findings")).to_contain_text("the newest is of today")
        assert run_axe(page).response["violations"] == []
        assert page.evaluate(SIDEWAYS) <= 0

        # and a report holds no secrets
        with page.expect_download() as saved:
            page.locator("a[href='/api/v1/doctor/report']").click()
        report = zipfile.ZipFile(io.BytesIO(Path(saved.value.path()).read_bytes()))
        text = "".join(report.read(name).decode() for name in report.namelist())
        assert {check["name"] for check in json.loads(report.read("doctor.json"))} > {"journal", "clock", "backups"}
        assert PIN not in text
        assert running.services.logins.banker_join_token() not in text
    assert troubles.seen == []


@pytest.mark.nightly
def test_the_banker_goes_back_to_a_backup_on_the_page(browser: Browser, tmp_path: Path) -> None:
    # given a program that serves, a backup, and a game that was begun after it
    with real_program(tmp_path / "data", "--camera", "none") as running:
        running.log_in()
        running.ask("/api/v1/backups", {})
        running.ask("/api/v1/tables", START)
        context = browser.new_context(viewport=TABLET, base_url=f"http://127.0.0.1:{running.port}")  # type: ignore[arg-type]
        context.request.post("/api/v1/logins", data={"pin": running.pin})
        page = context.new_page()
        assert running.ask("/api/v1/tables")["tables"]

        # when somebody goes back to it there
        page.goto("/backups")
        page.locator(".go-back summary").press("Enter")
        page.locator("[data-restore]").press("Enter")

        # then the lobby comes by itself, and the game is not there any more
        page.wait_for_url(lambda address: address.endswith("/") or "/welcome" in address)
        assert running.ask("/api/v1/tables")["tables"] == []
        context.close()
