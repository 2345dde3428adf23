"""Label sheets: printed, scanned and read back."""

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest

from calibration.papers import PAPERS
from companion.printing.document import Correction, MissingLettersError
from companion.printing.sheets import PIXELS_A_MM, LabelSpec, write_label_pictures, write_label_sheets
from companion.printing.stocks import STOCK_NAMES, find_stock
from companion.vision.label.label import STANDARD_LABEL, LabelLayout
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


def test_words_of_a_label_picture_are_right_beyond_ascii(tmp_path: Path) -> None:
    # given labels that differ in letters which OpenCV's own typeface may lack
    specs = [
        LabelSpec(f"Y{number}", f"MB1Y{number}", words)
        for number, words in enumerate(["RUCKGANGIG", "RÜCKGÄNGIG", "RÜCKGÄNGÎG", "ŁÓDŹ ČTYŘI"])
    ]

    # when their pictures are written
    write_label_pictures(specs, tmp_path)
    pictures = [cv2.imread(str(tmp_path / f"{spec.card}.png"), cv2.IMREAD_GRAYSCALE) for spec in specs]

    # then each is read, and each has words of its own, about as large as those in ASCII
    strips = []
    for spec, picture in zip(specs, pictures, strict=True):
        assert picture is not None
        assert [sighting.text for sighting in read_codes(np.pad(picture, 80, constant_values=255))] == [spec.text]
        strips.append(picture[-round(STANDARD_LABEL.words_mm * PIXELS_A_MM) :].astype(float))
    assert all(np.abs(first - second).sum() > 255 * 20 for first, second in combinations(strips, 2))
    ink = [(strip > 127).sum() for strip in strips]
    assert max(ink) < 3 * min(ink)


def test_long_words_of_a_label_picture_are_set_smaller(tmp_path: Path) -> None:
    write_label_pictures([LabelSpec("Y1", "MB1Y1", "RÜCKGÄNGIG " * 5)], tmp_path)

    picture = cv2.imread(str(tmp_path / "Y1.png"), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert [sighting.text for sighting in read_codes(np.pad(picture, 80, constant_values=255))] == ["MB1Y1"]


def test_a_label_picture_with_letters_that_no_typeface_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingLettersError, match="cannot be printed"):
        write_label_pictures([LabelSpec("Y1", "MB1Y1", "東京")], tmp_path)
