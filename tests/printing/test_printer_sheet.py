"""A printer's error is found from a photograph of its sheet; printed with it undone, all lies where it should."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest

from calibration.papers import PAPERS
from calibration.printer_sheet import PrinterOffset, PrinterSheetError, measure_printed_sheet
from companion.printing.calibration_sheets import write_printer_sheet
from companion.printing.document import invert

DOTS_A_MM = 10.0
WORDS = {"front": ["Front"], "back": ["Back"]}
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@cache
def pages(paper: str, folder: Path) -> list[np.ndarray]:
    path = folder / f"{paper}.pdf"
    write_printer_sheet(path, paper, WORDS)
    document = pdfium.PdfDocument(path)
    shown = [np.asarray(page.render(scale=DOTS_A_MM * 25.4 / 72).to_pil().convert("L")) for page in document]
    document.close()
    return shown


def misprinted(page: np.ndarray, paper: str, error: PrinterOffset) -> np.ndarray:
    """The sheet as a printer with this error leaves it."""
    size = tuple(round(side * DOTS_A_MM) for side in PAPERS[paper])
    moved = np.array([[error.across, 0, error.right * DOTS_A_MM], [0, error.along, error.down * DOTS_A_MM]])
    return np.asarray(cv2.warpAffine(page, moved, size, flags=cv2.INTER_AREA, borderValue=255.0), np.uint8)


def photographed(sheet: np.ndarray, seed: int, ground: float = 70.0) -> np.ndarray:
    """The sheet on a table as a telephone of 12 megapixels sees it: askew, bent by its lens, in uneven light."""
    random = np.random.default_rng(seed)
    wide, tall = 3000, 4000
    height, width = sheet.shape
    share = 0.86 * min(wide / width, tall / height)
    middle = np.array([wide / 2, tall / 2])
    corners = np.array([(x - 0.5, y - 0.5) for x, y in CORNERS]) * (width * share, height * share) + middle
    corners += random.uniform(-60, 60, (4, 2))
    onto = cv2.getPerspectiveTransform(
        np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32), corners.astype(np.float32)
    )
    table = np.clip(random.normal(ground, 7, (tall // 4, wide // 4)), 0, 255).astype(np.float32)
    shown = cv2.resize(table, (wide, tall))
    cover = cv2.warpPerspective(np.ones_like(sheet, np.float32), onto, (wide, tall))
    shown = (
        shown * (1 - cover)
        + cv2.warpPerspective(sheet.astype(np.float32), onto, (wide, tall), flags=cv2.INTER_AREA) * cover
    )
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    radius = ((x - wide / 2) ** 2 + (y - tall / 2) ** 2) / (tall / 2) ** 2
    bend = 1 + random.uniform(-0.012, 0.012) * radius
    bent = cv2.remap(shown, (x - wide / 2) * bend + wide / 2, (y - tall / 2) * bend + tall / 2, cv2.INTER_LINEAR)
    light = 0.9 - 0.25 * (x / wide) * random.uniform(0.3, 1)
    noisy = cv2.GaussianBlur(bent * light, (0, 0), 1.3) + random.normal(0, 3, bent.shape)
    _, jpeg = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE), np.uint8)


@pytest.mark.parametrize(
    ("error", "seed"),
    [
        pytest.param(PrinterOffset("a4", "front", 0.0, 0.0, 1.0, 1.0), 1, marks=pytest.mark.nightly),
        (PrinterOffset("a4", "front", 1.4, -0.8, 0.985, 0.993), 2),
        pytest.param(PrinterOffset("a4", "back", -2.1, 1.7, 1.004, 1.006), 3, marks=pytest.mark.nightly),
        pytest.param(PrinterOffset("letter", "front", 0.6, 2.4, 0.97, 0.97), 4, marks=pytest.mark.nightly),
        pytest.param(PrinterOffset("letter", "back", -0.5, -1.2, 1.01, 0.998), 5, marks=pytest.mark.nightly),
    ],
)
def test_a_printers_error_is_found_to_a_third_of_a_millimetre_everywhere(
    tmp_path_factory: pytest.TempPathFactory, error: PrinterOffset, seed: int
) -> None:
    # given a sheet that a printer has misprinted, on a table under a lamp
    page = pages(error.paper, tmp_path_factory.getbasetemp())[error.side == "back"]

    # when it is photographed
    result = measure_printed_sheet(photographed(misprinted(page, error.paper, error), seed))

    # then its paper and side are known, and where each corner was printed
    assert (result.paper, result.side) == (error.paper, error.side)
    width, height = PAPERS[error.paper]
    off = [
        (
            (result.across - error.across) * x * width + result.right - error.right,
            (result.along - error.along) * y * height + result.down - error.down,
        )
        for x, y in CORNERS
    ]
    assert float(np.abs(off).max()) < 0.3

    # and what is printed with the error undone lies within that of where it should
    right = invert(result)
    for x, y in CORNERS:
        there = error.across * (right.across * x * width + right.right) + error.right
        assert abs(there - x * width) < 0.3
        there = error.along * (right.along * y * height + right.down) + error.down
        assert abs(there - y * height) < 0.3


def test_a_sheet_on_a_light_table_is_refused_with_what_to_do(tmp_path_factory: pytest.TempPathFactory) -> None:
    page = pages("a4", tmp_path_factory.getbasetemp())[0]

    with pytest.raises(PrinterSheetError, match="something dark"):
        measure_printed_sheet(photographed(page, 6, ground=250.0))


def test_a_sheet_that_is_not_whole_or_not_there_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    whole = photographed(pages("a4", tmp_path_factory.getbasetemp())[0], 7)

    with pytest.raises(PrinterSheetError, match="foot edge"):
        measure_printed_sheet(np.ascontiguousarray(whole[:3000]))
    with pytest.raises(PrinterSheetError, match="whole sheet"):
        measure_printed_sheet(np.full((300, 200), 90, np.uint8))
