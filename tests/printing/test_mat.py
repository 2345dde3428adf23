"""The printed mat: rasterised and found again."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest

from calibration.fiducials import Board, detect_board, find_markers
from calibration.mat import MatTracker, read_mats
from calibration.papers import MAT_PAPERS
from companion.game_api.drawing import Drawing, Extra
from companion.printing.calibration_sheets import write_board
from companion.printing.cards import PrintSettings
from companion.printing.document import new_canvas
from companion.printing.mat import draw_poster, fit_tiling, write_mat
from companion.resources import packaged_path
from tests.printing.sheets_seen import scanned

MATS = read_mats(packaged_path("games", "master_builder", "cards", "mats"))
ON_ONE_SHEET = [
    ("master_builder", "a2", "a2"),
    ("master_builder", "a3", "a3"),
    ("men_at_work", "site", "a4"),
    ("monopoly_builder", "deeds", "a3"),
]
SCAN_A_MM = 300 / 25.4
WHITE_MM = 5.0
"""At each edge of a paper, on printers that do not print up to it."""
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


@pytest.mark.parametrize(("game", "name", "paper"), ON_ONE_SHEET)
def test_a_mat_on_one_sheet_has_its_bar_beyond_what_printers_leave_white(
    tmp_path: Path, game: str, name: str, paper: str
) -> None:
    """The bar is 100 mm long and touches neither zones nor markers."""
    mat = read_mats(packaged_path("games", game, "cards", "mats"))[name]
    assert write_mat(mat, tmp_path / "mat.pdf", paper, {}) == 1

    (sheet,) = scanned(tmp_path / "mat.pdf")
    dark = sheet < 250
    outline, strip = round(0.4 * SCAN_A_MM), round(WHITE_MM * SCAN_A_MM)
    assert dark[outline:-outline, outline:-outline].sum() == dark[strip:-strip, strip:-strip].sum()
    _, _, parts, _ = cv2.connectedComponentsWithStats(dark.astype(np.uint8))
    foot = [part for part in parts[1:] if part[cv2.CC_STAT_TOP] > sheet.shape[0] - 7.5 * SCAN_A_MM]
    widest = max(foot, key=lambda part: part[cv2.CC_STAT_WIDTH])
    assert widest[cv2.CC_STAT_WIDTH] / SCAN_A_MM == pytest.approx(100, abs=0.4)
    assert widest[cv2.CC_STAT_HEIGHT] / SCAN_A_MM == pytest.approx(2, abs=0.3)


def test_marks_and_numbers_of_tiles_are_where_printers_print(tmp_path: Path) -> None:
    # given the tiles of a mat and of a poster
    write_mat(MATS["a2"], tmp_path / "mat.pdf", "a4", {})
    canvas = new_canvas(tmp_path / "poster.pdf", "Poster")
    draw_poster(canvas, Extra("Poster", (Drawing(380, 380, ()),)), PrintSettings(turn="none"))
    canvas.save()

    # then the marks beside each picture touch neither it nor the strip that printers leave white
    for name, edge in (("mat", 10), ("poster", 8)):
        for sheet in scanned(tmp_path / f"{name}.pdf"):
            dark = sheet < 200
            strip, picture = round(WHITE_MM * SCAN_A_MM), round((edge - 0.2) * SCAN_A_MM)
            middle = dark[strip:-strip, strip:-strip]
            assert dark.sum() == middle.sum()
            ring = dark.copy()
            ring[picture:-picture, picture:-picture] = False
            _, _, parts, _ = cv2.connectedComponentsWithStats(ring.astype(np.uint8))
            longest = np.maximum(parts[1:, cv2.CC_STAT_WIDTH], parts[1:, cv2.CC_STAT_HEIGHT]) / SCAN_A_MM
            assert np.count_nonzero(np.abs(longest - (edge - 5.6)) < 0.3) >= 8


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
