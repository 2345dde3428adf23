"""Photographs of printed sheets, held card by card against what was printed: on the command line and over the web."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from companion import bootstrap
from companion.adapters.pictures import encode_jpeg
from companion.bootstrap.printing import check_sheet, create_label_specs, list_stocks, write_print_and_play
from companion.cli import group
from companion.printing.cards import PrintSettings
from companion.printing.sheets import write_label_sheets
from companion.printing.stocks import find_stock
from companion.service.printer import CheckedSheet, NoSheet, identify_sheet
from companion.vision.label.label import STANDARD_LABEL
from tests.opened import installed_games
from tests.printing.test_printer_sheet import DOTS_A_MM, photographed
from tests.web.test_printer import banker

__all__ = ["banker"]
MANIFEST = installed_games().manifest("master_builder")
DECK = bootstrap.load_bundled_catalog(MANIFEST)


def printed_page(path: Path, page: int) -> np.ndarray:
    document = pdfium.PdfDocument(path)
    shown = np.asarray(document[page].render(scale=DOTS_A_MM * 25.4 / 72).to_pil().convert("L"))
    document.close()
    return shown


@cache
def sheets(kind: str, folder: Path) -> Path:
    """Everything that is printed of the House deck: cards to cut, or stickers of a stock."""
    path = folder / f"{kind}.pdf"
    if kind == "cards":
        write_print_and_play(MANIFEST, DECK, path, language="en", setting=PrintSettings(turn="none"))
    else:
        write_label_sheets(create_label_specs(MANIFEST, DECK), path, "a4", kind)
    return path


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp()


def blotted(sheet: np.ndarray, left: float, top: float, size: float = 12.0) -> np.ndarray:
    """The sheet with a blot of ink, millimetres from its upper left corner."""
    spoilt = sheet.copy()
    middle = (round(left * DOTS_A_MM), round(top * DOTS_A_MM))
    cv2.circle(spoilt, middle, round(size * DOTS_A_MM), 20, -1)
    return spoilt


@pytest.mark.parametrize(
    ("kind", "page", "sheet", "labels"),
    [pytest.param("cards", 2, 3, 9, marks=pytest.mark.nightly), ("plain", 1, 2, 25)],
)
def test_a_sheet_on_which_all_can_be_read_is_told_as_whole(
    folder: Path, tmp_path: Path, kind: str, page: int, sheet: int, labels: int
) -> None:
    cv2.imwrite(str(tmp_path / "photo.jpg"), photographed(printed_page(sheets(kind, folder), page), 20))

    done = CliRunner().invoke(group, ["read", "--deck", "master_builder", "--sheet", kind, str(tmp_path / "photo.jpg")])

    result = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (result["sheet"], len(result["cards"]), result["missing"], result["strange"]) == (sheet, labels, [], [])
    assert "all there" in done.stderr


@pytest.mark.nightly
def test_a_card_whose_label_was_lost_in_print_is_named(folder: Path, tmp_path: Path, banker: FlaskClient) -> None:
    # given the third sheet of cards, with ink on the label of its first card
    page = printed_page(sheets("cards", folder), 2)
    photograph = photographed(blotted(page, 10.5 + 47, 16.5 + 72), 21)

    # when it is checked by the program and by a phone
    cv2.imwrite(str(tmp_path / "photo.jpg"), photograph)
    options = ["read", "--deck", "master_builder", "--sheet", "cards", str(tmp_path / "photo.jpg")]
    done = subprocess.run([sys.executable, "-m", "companion", *options], capture_output=True, text=True, check=False)
    answer = banker.post("/api/v1/printer/check?game=master_builder&kind=cards&paper=a4", data=encode_jpeg(photograph))

    # then both name that card and no other
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert result["missing"] == [result["cards"][0]]
    assert answer.json is not None
    assert answer.json["missing"] == result["missing"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("game=chess", 400),
        ("game=master_builder&kind=nonsense", 400),
        ("game=master_builder&paper=a9", 400),
        ("game=master_builder&catalog=../x", 400),
        ("game=master_builder&bleed=9", 400),
        ("game=master_builder&bleed=wide", 400),
        ("game=master_builder&kind=plain&start=0", 400),
        ("game=master_builder&only=X99", 400),
        ("game=master_builder", 422),
    ],
)
def test_what_is_no_sheet_of_ours_is_refused(banker: FlaskClient, query: str, status: int) -> None:
    answer = banker.post(f"/api/v1/printer/check?{query}", data=encode_jpeg(np.full((900, 700, 3), 200, np.uint8)))

    assert answer.status_code == status


def test_the_sheet_is_told_by_most_of_its_labels_and_a_stranger_on_it_is_named() -> None:
    printed = [(f"W{number:02}", f"MB1W{number:02}") for number in range(1, 8)]

    result = identify_sheet(printed, 3, {"MB1W04", "MB1W06", "MB1W01"})

    assert result == CheckedSheet(2, 3, ("W04", "W05", "W06"), ("W05",), ("MB1W01",))
    with pytest.raises(NoSheet):
        identify_sheet(printed, 3, set())


def test_a_sheet_that_was_begun_before_holds_fewer_labels() -> None:
    printed = [(f"W{number:02}", f"MB1W{number:02}") for number in range(1, 8)]
    texts = [text for _, text in printed]

    assert identify_sheet(printed, 3, set(texts[:1]), used=2) == CheckedSheet(1, 3, ("W01",), (), ())
    assert identify_sheet(printed, 3, set(texts[1:3]), used=2).missing == ("W04",)
    assert identify_sheet(printed, 3, set(texts[4:]), used=2) == CheckedSheet(3, 3, ("W05", "W06", "W07"), (), ())


def men_at_work_labels() -> list[tuple[str, str]]:
    """Labels of a game in which many backs are equal: fewer texts than labels."""
    manifest = installed_games().manifest("men_at_work")
    specs = create_label_specs(manifest, bootstrap.load_bundled_catalog(manifest))
    return [(spec.file_name, spec.text) for spec in specs]


@pytest.mark.parametrize("stock", list_stocks())
def test_each_sheet_of_labels_that_cards_share_is_told_as_itself_and_whole(stock: str) -> None:
    printed = men_at_work_labels()
    paper = "letter" if stock.startswith("letter") else "a4"
    places = find_stock(stock, paper, STANDARD_LABEL.side_mm).places
    sheets = [printed[first : first + places] for first in range(0, len(printed), places)]
    assert len({text for _, text in printed}) < len(printed)

    for number, sheet in enumerate(sheets, start=1):
        result = identify_sheet(printed, places, [text for _, text in sheet])

        assert result == CheckedSheet(number, len(sheets), tuple(name for name, _ in sheet), (), ())


def test_a_lost_label_is_missed_though_another_of_the_same_text_is_there() -> None:
    # given a sheet with two equal backs
    printed = [("I03", "MW1I03"), ("I03-back", "MW1HOP"), ("I06", "MW1I06"), ("I06-back", "MW1HOP"), ("I07", "MW1I07")]

    # when one of them, both, or one too many is read
    half = identify_sheet(printed, 4, ["MW1I03", "MW1HOP", "MW1I06"])
    none = identify_sheet(printed, 4, ["MW1I03", "MW1I06"])
    three = identify_sheet(printed, 4, ["MW1I03", "MW1I06", *["MW1HOP"] * 3])

    # then it is one of the two that is missing, both are, or one belongs elsewhere
    assert (half.missing, half.strange) == (("I03-back/I06-back",), ())
    assert none.missing == ("I03-back", "I06-back")
    assert (three.missing, three.strange) == ((), ("MW1HOP",))


def test_equal_labels_in_a_photograph_are_each_read(tmp_path: Path) -> None:
    # given the labels of three cards, two of which have the same back, and a blot on one of these backs
    manifest = installed_games().manifest("men_at_work")
    deck = bootstrap.load_bundled_catalog(manifest)
    only = ("I03", "I06", "I07")
    write_label_sheets(create_label_specs(manifest, deck, only), tmp_path / "backs.pdf", "a4", "a4-24")
    page = printed_page(tmp_path / "backs.pdf", 0)

    # when the sheet is checked with and without that blot
    whole = check_sheet(manifest, deck, "a4-24", "a4", photographed(page, 24), only=only)
    spoilt = check_sheet(manifest, deck, "a4-24", "a4", photographed(blotted(page, 105, 17), 24), only=only)

    # then only the spoilt one lacks a label
    assert (whole.cards, whole.missing) == (("I03", "I03-back", "I06", "I06-back", "I07", "I07-back"), ())
    assert spoilt.missing == ("I03-back/I06-back",)


@pytest.mark.parametrize(
    ("kind", "options"), [("plain", {"start": 7}), ("a4-24", {"start": 20, "only": ("W03", "W07", "C01", "C02")})]
)
def test_a_sheet_printed_in_another_way_is_whole_where_the_check_is_told_so(
    tmp_path: Path, banker: FlaskClient, kind: str, options: dict[str, Any]
) -> None:
    # given the first sheet of labels, printed from another place on and for some cards alone
    only, start = options.get("only", ()), options["start"]
    write_label_sheets(create_label_specs(MANIFEST, DECK, only), tmp_path / "some.pdf", "a4", kind, start=start)
    photograph = photographed(printed_page(tmp_path / "some.pdf", 0), 22)
    cv2.imwrite(str(tmp_path / "photo.jpg"), photograph)

    # when it is checked with the same options by the program and by a phone
    said = ["--start", str(start), *(["--only", ",".join(only)] if only else [])]
    options_said = ["read", "--deck", "master_builder", "--sheet", kind, *said, str(tmp_path / "photo.jpg")]
    done = CliRunner().invoke(group, options_said)
    query = f"game=master_builder&kind={kind}&start={start}&only={','.join(only)}&bleed="
    answer = banker.post(f"/api/v1/printer/check?{query}", data=encode_jpeg(photograph))

    # then all of it can be read
    result = json.loads(done.stdout)
    assert (done.exit_code, result["missing"], result["strange"]) == (0, [], [])
    assert answer.json == {key: value for key, value in result.items() if key != "image"}


@pytest.mark.nightly
def test_cards_with_a_bleed_are_fewer_a_sheet(tmp_path: Path) -> None:
    # given the second sheet of cards whose colours run over their edges
    setting = PrintSettings(turn="none", bleed=4.0)
    write_print_and_play(MANIFEST, DECK, tmp_path / "deck.pdf", language="en", setting=setting)
    photograph = photographed(printed_page(tmp_path / "deck.pdf", 1), 23)

    # when it is checked with and without that
    with_bleed = check_sheet(MANIFEST, DECK, "cards", "a4", photograph, bleed=4.0)
    without = check_sheet(MANIFEST, DECK, "cards", "a4", photograph)

    # then it is whole, and only without not
    assert (with_bleed.sheet, with_bleed.missing, with_bleed.strange) == (2, (), ())
    assert without.missing


@pytest.mark.parametrize("options", [["--sheet", "cards"], ["--deck", "master_builder", "--sheet", "no such stock"]])
def test_what_cannot_be_checked_is_one_line(tmp_path: Path, options: list[str]) -> None:
    cv2.imwrite(str(tmp_path / "photo.png"), np.full((400, 300), 200, np.uint8))

    done = CliRunner().invoke(group, ["read", *options, str(tmp_path / "photo.png")])

    assert done.exit_code in {1, 2}
    assert "Error: " in done.stderr
    assert not done.stdout
