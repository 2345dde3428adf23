"""Sheets of labels, photographed on the page of one's own boxes."""

from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, expect

from companion import bootstrap
from companion.bootstrap.printing import create_label_specs
from companion.game_api.manifest import Manifest
from companion.printing.sheets import write_label_sheets
from tests.browser.conftest import TABLET, serving
from tests.browser.screens import Troubles
from tests.browser.taught_by_hand import device
from tests.opened import installed_games
from tests.printing.sheets_seen import scanned

pytestmark = pytest.mark.browser
ONLY = ("I01", "I07")


def deck_with_changed_backs(manifest: Manifest, path: Path) -> None:
    """The House deck, with the backs of two cards exchanged."""
    text = manifest.cards().bundled["house"].read_text(encoding="utf-8")
    first, second = (text.index('"', text.index("back = ", text.index(f'id = "{card}"'))) + 1 for card in ONLY)
    backs = text[first : first + 3], text[second : second + 3]
    assert backs[0] != backs[1]
    path.parent.mkdir(parents=True)
    path.write_text(
        text[:first] + backs[1] + text[first + 3 : second] + backs[0] + text[second + 3 :], encoding="utf-8"
    )


@pytest.mark.nightly
def test_a_sheet_of_ones_own_cards_is_checked_as_it_was_printed(browser: Browser, tmp_path: Path) -> None:
    # given a catalog of one's own, and two labels of it and their backs on stickers for Letter paper
    manifest = installed_games().manifest("men_at_work")
    mine = tmp_path / "data" / "catalogs" / "mine.toml"
    deck_with_changed_backs(manifest, mine)
    deck = bootstrap.choose_catalog(manifest, mine.parent, "mine")
    write_label_sheets(create_label_specs(manifest, deck, ONLY[:1]), tmp_path / "one.pdf", "letter", "letter-30")
    (sheet,) = scanned(tmp_path / "one.pdf", 150)
    cv2.imwrite(str(tmp_path / "one.png"), sheet)

    troubles = Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, troubles, "en-GB") as page,
    ):
        page.goto("/boxes")
        form = page.locator("[data-check-sheet]")

        # when it is checked as printed from that catalog
        form.locator("[name=kind]").select_option("letter-30")
        form.locator("[name=catalog]").select_option("men_at_work/mine")
        form.locator("summary").press("Enter")
        form.locator("[name=only]").fill("I01")
        form.locator("input[type=file]").set_input_files(tmp_path / "one.png")

        # then all of it can be read, on the paper of these stickers
        expect(form.locator("[data-told]")).to_have_text("Sheet 1 of 1: all 2 labels can be read.")
        expect(form.locator("[name=paper]")).to_be_disabled()
        expect(form.locator("[name=paper]")).to_have_value("letter")
        expect(form.locator("[data-strange]")).to_be_hidden()

        # and as one of the game's own deck it lacks a back and has a label too many
        form.locator("[name=catalog]").select_option("men_at_work/house")
        form.locator("input[type=file]").set_input_files(tmp_path / "one.png")
        expect(form.locator("[data-told]")).to_have_text("Sheet 1 of 1, not legible: I01 (Back side)")
        expect(form.locator("[data-strange]")).to_contain_text("that do not belong to this sheet")
    assert troubles.seen == []
