"""Catalogs as files on their page: one is saved, taken in, copied, compared; a faulty one says where."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import TABLET, serving
from tests.browser.screens import PHONE, Troubles
from tests.browser.taught_by_hand import device
from tests.pages import run_axe

pytestmark = pytest.mark.browser
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.nightly
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_a_friends_catalog_is_taken_in_and_held_beside_the_games_own(
    browser: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    troubles = Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, size, troubles, "en-GB") as page,
    ):
        # given the game's own catalog, saved as a file, and one wage changed in it
        page.goto(f"{running.address}/catalogs")
        with page.expect_download() as saved:
            page.locator("a[href='/api/v1/catalogs/master_builder/house.toml']").click()
        text = Path(saved.value.path()).read_text(encoding="utf-8")
        at = text.index("wage = ", text.index("W07"))
        end = text.index("\n", at)
        faulty, sound = tmp_path / "Faulty.toml", tmp_path / "From a friend.toml"
        faulty.write_text(f"{text[:at]}wage = 'much'{text[end:]}", encoding="utf-8")
        sound.write_text(f"{text[:at]}wage = 4000{text[end:]}", encoding="utf-8")

        # when one with a fault is taken in, the page says where
        taking = page.locator("form[data-take-in]")
        taking.locator("input[type=file]").set_input_files(faulty)
        expect(taking.locator("input[name=name]")).to_have_value("faulty")
        taking.locator("button").press("Enter")
        expect(taking.locator(".wrong li")).to_contain_text("W07")
        assert not running.services.shared_catalogs or len(running.services.shared_catalogs.all()) == 3

        # and when one is in the letters of an old editor, the page says so instead of losing them
        latin = tmp_path / "Latin.toml"
        latin.write_bytes(text.replace('name = "', 'name = "Zoë ', 1).encode("latin-1", "replace"))
        taking.locator("input[type=file]").set_input_files(latin)
        taking.locator("button").press("Enter")
        expect(taking.locator(".wrong li")).to_contain_text("not UTF-8: save the file as UTF-8")

        # and when the sound one is, it is there, and differs by that wage
        taking.locator("input[name=name]").fill("")
        taking.locator("input[type=file]").set_input_files(sound)
        expect(taking.locator("input[name=name]")).to_have_value("from-a-friend")
        taking.locator("button").press("Enter")
        mine = page.locator("[data-catalog='master_builder/from-a-friend']")
        mine.locator("summary").press("Enter")
        mine.locator("form[data-compare] button").press("Enter")
        expect(mine.locator(".differences-found tr")).to_have_count(2)
        expect(mine.locator(".differences-found")).to_contain_text("4000")

        # and a copy of it can be made
        mine.locator("form[data-copy] button").press("Enter")
        expect(page.locator("[data-catalog='master_builder/from-a-friend-2']")).to_be_visible()
        assert run_axe(page).response["violations"] == []
        assert page.evaluate(SIDEWAYS) <= 0
        page.screenshot(path=str(tmp_path / "page.png"), full_page=True)
    # the refusal is told on the page; the browser notes every answer of 422, too
    assert [trouble for trouble in troubles.seen if "422" not in trouble] == []
