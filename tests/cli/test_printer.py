"""The printer sheet from the command line: written, measured from a photograph, undone when labels are printed."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner

from calibration.printer_sheet import PrinterOffset
from companion.cli import group
from tests.extent import in_check
from tests.printing.test_printer_sheet import misprinted, pages, photographed

SOME = ("--game", "master_builder", "--only", "W01,W02")
ERROR = PrinterOffset("a4", "front", 1.2, -0.7, 0.99, 1.004)


def companion(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(group, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    """Store the sheet's front as a printer with an error prints it; return its path."""
    cv2.imwrite(str(tmp_path / "front.jpg"), photographed(misprinted(pages("a4", tmp_path)[0], "a4", ERROR), 11))
    return tmp_path / "front.jpg"


def test_a_sheet_is_written_with_both_sides(tmp_path: Path) -> None:
    code, _, said = companion("printer", tmp_path / "sheet.pdf", "--lang", "de", "--data", tmp_path)

    assert code == 0
    assert "photograph each side" in said
    assert len(pdfium.PdfDocument(tmp_path / "sheet.pdf")) == 2


def test_what_a_photograph_says_is_undone_in_what_is_printed_from_then_on(tmp_path: Path, photograph: Path) -> None:
    # given labels as they are
    data = tmp_path / "data"
    companion("labels", tmp_path / "before.pdf", *SOME, "--data", data)

    # when the printer is measured
    code, said, noted = companion("printer", "--photo", photograph, "--data", data)
    companion("labels", tmp_path / "after.pdf", *SOME, "--data", data)

    # then it says by how much it is out, and labels are moved by the contrary
    assert code == 0
    assert said.startswith("front: +1.")
    assert noted == "kept; the back is not known yet\n"
    before, after = (ruler(tmp_path / f"{name}.pdf") for name in ("before", "after"))
    x, y = after
    assert abs(ERROR.across * x + ERROR.right - before[0]) < 0.3
    assert abs(ERROR.along * y + ERROR.down - before[1]) < 0.3

    # and as they were once that is forgotten
    companion("printer", "--forget", "--data", data)
    companion("labels", tmp_path / "again.pdf", *SOME, "--data", data)
    assert (tmp_path / "again.pdf").read_bytes() == (tmp_path / "before.pdf").read_bytes()


def ruler(path: Path) -> tuple[float, float]:
    """Where the first dark place of a page's first sticker lies, mm from its upper left corner."""
    page = np.asarray(pdfium.PdfDocument(path)[0].render(scale=300 / 72).to_pil().convert("L"))
    part = page[: page.shape[0] // 4, page.shape[1] // 12 : page.shape[1] // 4] < 100
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    return (float(columns[0]) + page.shape[1] // 12) * 25.4 / 300, float(rows[0]) * 25.4 / 300


@pytest.mark.nightly
def test_what_is_typed_counts_before_what_was_measured(tmp_path: Path, photograph: Path) -> None:
    data = tmp_path / "data"
    companion("labels", tmp_path / "before.pdf", *SOME, "--shift", "1,1", "--data", data)
    companion("printer", "--photo", photograph, "--data", data)
    companion("labels", tmp_path / "after.pdf", *SOME, "--shift", "1,1", "--data", data)

    assert (tmp_path / "after.pdf").read_bytes() == (tmp_path / "before.pdf").read_bytes()


def test_a_photograph_that_does_not_tell_is_refused_in_one_line(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "cat.png"), np.full((600, 400), 120, np.uint8))
    (tmp_path / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\nno")

    for name, why in (("cat.png", "no printer sheet is to be seen"), ("torn.png", "torn.png: ")):
        code, said, noted = companion("printer", "--photo", tmp_path / name, "--data", tmp_path / "data")
        assert (code, said) == (1, "")
        assert why in noted
        assert noted.count("\n") == 1
    assert not (tmp_path / "data" / "printer.toml").exists()


def test_without_anything_to_do_it_says_what_there_is(tmp_path: Path) -> None:
    code, _, said = companion("printer", "--data", tmp_path)

    assert code == 2
    assert "--photo" in said


TORN = ("right = 3", "[front]\npaper = 'a4'\nright = 'x'\n", "[front]\npaper = 'a9'\n", "\xff no toml =")


@pytest.mark.parametrize("text", in_check(TORN, TORN[1], TORN[-1]))
def test_a_file_that_somebody_has_torn_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "printer.toml").write_text(text, encoding="latin-1")

    assert companion("labels", tmp_path / "out.pdf", "--game", "master_builder", "--data", tmp_path)[0] == 0
