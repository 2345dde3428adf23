"""Label sheets: printed, scanned and read back."""

from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest

from calibration.papers import PAPERS
from companion.printing.document import Correction
from companion.printing.sheets import LabelSpec, write_label_sheets
from companion.printing.stocks import STOCK_NAMES, find_stock
from companion.vision.label.label import LabelLayout
from companion.vision.read import read_codes

SPECS = [LabelSpec(f"W{number:02}", f"MB1W{number:02}") for number in range(1, 41)]
DOTS_A_MM = 300 / 25.4


def printed(pdf: Path) -> list[np.ndarray]:
    """The sheets as a scanner of 300 dots an inch would see them."""
    document = pdfium.PdfDocument(pdf)
    sheets = [page.render(scale=300 / 72, grayscale=True).to_numpy().squeeze() for page in document]
    document.close()
    return [np.ascontiguousarray(sheet) for sheet in sheets]


@pytest.mark.parametrize(
    ("paper", "stock", "sheets"),
    [
        ("a4", "a4-21", 2),
        ("letter", "plain", 1),
        pytest.param("a4", "plain", 1, marks=pytest.mark.nightly),
        pytest.param("letter", "letter-30", 2, marks=pytest.mark.nightly),
    ],
)
def test_every_label_on_the_sheets_is_read_back(tmp_path: Path, paper: str, stock: str, sheets: int) -> None:
    pdf = tmp_path / "labels.pdf"

    assert write_label_sheets(SPECS, pdf, paper, stock) == sheets

    pictures = printed(pdf)
    assert len(pictures) == sheets
    assert pictures[0].shape == pytest.approx([side * DOTS_A_MM for side in reversed(PAPERS[paper])], abs=2)
    seen = [sighting for picture in pictures for sighting in read_codes(picture)]
    assert sorted(sighting.text for sighting in seen) == [spec.text for spec in SPECS]
    side = LabelLayout().symbol_mm[2] * DOTS_A_MM
    assert all(abs(sighting.side - side) < 2.5 for sighting in seen)


def test_labels_lie_in_the_middle_of_their_stickers(tmp_path: Path) -> None:
    pdf = tmp_path / "labels.pdf"
    write_label_sheets(SPECS, pdf, "a4", "a4-21")
    stock = find_stock("a4-21", "a4", 25.0)
    x, y, side = LabelLayout().symbol_mm
    by_text = {seen.text: seen for picture in printed(pdf)[:1] for seen in read_codes(picture)}

    for number, spec in enumerate(SPECS[: stock.places]):
        left, top = stock.place(number)
        middle = (left + stock.width / 2, top + stock.height / 2 - 12.5 + y + side / 2)
        assert x + side / 2 == pytest.approx(12.5)
        assert by_text[spec.text].centre == pytest.approx([measure * DOTS_A_MM for measure in middle], abs=3)


def test_the_ruler_is_a_hundred_millimetres(tmp_path: Path) -> None:
    write_label_sheets([], tmp_path / "empty.pdf", "a4")

    (sheet,) = printed(tmp_path / "empty.pdf")
    strip = sheet[:, round(4.85 * DOTS_A_MM) : round(4.97 * DOTS_A_MM)] < 128
    ruler = np.flatnonzero(strip.any(axis=1))
    assert (ruler[-1] - ruler[0]) / DOTS_A_MM == pytest.approx(100, abs=0.4)


@pytest.mark.parametrize(
    "name", [name if name == "a4-65" else pytest.param(name, marks=pytest.mark.nightly) for name in STOCK_NAMES]
)
def test_every_stock_is_read_back_and_its_ruler_crosses_no_label(tmp_path: Path, name: str) -> None:
    paper = "letter" if name.startswith("letter") else "a4"
    pdf = tmp_path / "labels.pdf"

    write_label_sheets(SPECS, pdf, paper, name)

    seen = [sighting.text for picture in printed(pdf) for sighting in read_codes(picture)]
    assert sorted(seen) == [spec.text for spec in SPECS]


def test_a_sheet_that_was_begun_is_gone_on_with(tmp_path: Path) -> None:
    """Given a sheet of 21 of which nineteen are used; then two labels lie on it, and the rest on the next one."""
    pdf = tmp_path / "labels.pdf"

    assert write_label_sheets(SPECS[:5], pdf, "a4", "a4-21", start=20) == 2

    first, second = ([seen.text for seen in read_codes(picture)] for picture in printed(pdf))
    assert sorted(first) == [spec.text for spec in SPECS[:2]]
    assert sorted(second) == [spec.text for spec in SPECS[2:5]]


@pytest.mark.parametrize("start", [0, 22])
def test_a_place_that_a_sheet_has_not_is_refused(tmp_path: Path, start: int) -> None:
    with pytest.raises(ValueError, match="1 to 21"):
        write_label_sheets(SPECS, tmp_path / "labels.pdf", "a4", "a4-21", start=start)


def test_a_correction_moves_the_labels(tmp_path: Path) -> None:
    pdf = tmp_path / "labels.pdf"
    write_label_sheets(SPECS[:1], pdf)
    (before,) = read_codes(printed(pdf)[0])
    write_label_sheets(SPECS[:1], pdf, correction=Correction(2.0, -1.0))
    (after,) = read_codes(printed(pdf)[0])

    moved = (np.array(after.centre) - np.array(before.centre)) / DOTS_A_MM
    assert moved == pytest.approx([2.0, -1.0], abs=0.1)


def test_the_same_labels_make_the_same_file(tmp_path: Path) -> None:
    write_label_sheets(SPECS, tmp_path / "a.pdf")
    write_label_sheets(SPECS, tmp_path / "b.pdf")

    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


@pytest.mark.parametrize("name", STOCK_NAMES)
def test_no_place_of_a_stock_hangs_over_the_paper(name: str) -> None:
    paper = "letter" if name.startswith("letter") else "a4"
    stock = find_stock(name, paper, 25.0)
    width, height = PAPERS[paper]

    left, top = stock.place(stock.places - 1)
    assert left + stock.width <= width + 0.01
    assert top + stock.height <= height + 0.01
    assert stock.place(0) == (stock.left, stock.top)


@pytest.mark.parametrize(
    ("name", "paper", "side", "fault"),
    [
        ("plain", "a5", 25, "paper 'a5'"),
        ("shiny", "a4", 25, "stock 'shiny'"),
        ("a4-21", "letter", 25, "is a4 paper"),
        ("plain", "a4", 300, "do not fit"),
    ],
)
def test_what_cannot_be_printed_is_refused(name: str, paper: str, side: float, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        find_stock(name, paper, side)
