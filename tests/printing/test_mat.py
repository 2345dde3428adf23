"""The printed mat: rasterised and found again."""

from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest

from calibration.fiducials import Board, detect_board, find_markers
from calibration.mat import MatTracker, read_mats
from calibration.papers import MAT_PAPERS
from companion.printing.calibration_sheets import write_board
from companion.printing.mat import fit_tiling, write_mat
from companion.resources import packaged_path

MATS = read_mats(packaged_path("games", "master_builder", "cards", "mats"))
DOTS_A_MM = 100 / 25.4


def printed(pdf: Path) -> list[np.ndarray]:
    """The sheets as a scanner of 100 dots an inch would see them."""
    document = pdfium.PdfDocument(pdf)
    sheets = [page.render(scale=100 / 72, grayscale=True).to_numpy().squeeze() for page in document]
    document.close()
    return [np.ascontiguousarray(sheet) for sheet in sheets]


@pytest.mark.parametrize(("name", "paper"), [("a2", "a2"), ("a3", "a3")])
def test_a_mat_on_one_sheet_is_found_with_its_zones(tmp_path: Path, name: str, paper: str) -> None:
    mat = MATS[name]

    assert write_mat(mat, tmp_path / "mat.pdf", paper, {"tray": "Scan tray"}) == 1

    (sheet,) = printed(tmp_path / "mat.pdf")
    assert sheet.shape == pytest.approx((mat.height_mm * DOTS_A_MM, mat.width_mm * DOTS_A_MM), abs=2)
    tracker = MatTracker(list(MATS.values()))
    result = tracker.observe(0, np.pad(sheet, 40, constant_values=90))
    assert result is not None
    assert (result.mat, result.markers) == (mat, 4)
    assert result.error_mm < 0.15
    for zone in mat.zones.zones:
        x, y = np.array(zone.corners_mm).mean(axis=0) * DOTS_A_MM + 40
        assert tracker.zone_at_pixel(float(x), float(y)) == zone.name


@pytest.mark.parametrize(("name", "paper", "sheets"), [("a2", "a4", 8), ("table", "a4", 12), ("table", "a3", 6)])
def test_tiles_glued_together_are_the_whole_mat(tmp_path: Path, name: str, paper: str, sheets: int) -> None:
    mat = MATS[name]
    tiling = fit_tiling(mat, paper)

    assert write_mat(mat, tmp_path / "mat.pdf", paper, {}) == tiling.sheets
    assert tiling.sheets <= sheets

    pages = printed(tmp_path / "mat.pdf")
    height, width = (round(side * DOTS_A_MM) + 2 for side in (mat.height_mm, mat.width_mm))
    glued = np.full((height + 400, width + 400), 255, np.uint8)
    for number, page in enumerate(pages):
        row, column = divmod(number, tiling.columns)
        edge = round(tiling.edge * DOTS_A_MM)
        inner = page[edge:-edge, edge:-edge]
        top, left = round(row * tiling.step_y * DOTS_A_MM), round(column * tiling.step_x * DOTS_A_MM)
        part = glued[top : top + inner.shape[0], left : left + inner.shape[1]]
        part[:] = inner[: part.shape[0], : part.shape[1]]
    result = MatTracker([mat]).observe(0, np.pad(glued[:height, :width], 40, constant_values=90))
    assert result is not None
    assert result.markers == 4
    assert result.error_mm < 0.4
    assert result.pixels_a_mm == pytest.approx(DOTS_A_MM, rel=0.003)


def test_an_unknown_paper_names_those_known() -> None:
    with pytest.raises(ValueError, match="a4, a3, a2, letter"):
        fit_tiling(MATS["a2"], "b5")
    assert set(MAT_PAPERS) == {"a4", "a3", "a2", "letter"}


def test_the_board_is_printed_in_its_true_size(tmp_path: Path) -> None:
    board = Board()
    write_board(board, tmp_path / "board.pdf", "Measure one.")

    (sheet,) = printed(tmp_path / "board.pdf")
    view = detect_board(sheet, board)

    assert view is not None
    assert len(view.on_board) == board.corners
    reach = np.ptp(view.in_picture, axis=0) / DOTS_A_MM
    assert reach == pytest.approx(np.ptp(view.on_board, axis=0), rel=0.003)
    assert max(find_markers(sheet)) < 64, "none of the mats' markers is on the board"


def test_a_board_larger_than_the_paper_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        write_board(Board(9, 7), tmp_path / "board.pdf", "")
