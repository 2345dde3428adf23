"""Cards that let phones in are read back from paper."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
import zxingcpp

from companion.bootstrap.printing import print_join_cards
from companion.printing.sheets import write_join_cards

ADDRESS = "http://192.168.178.123:8000/join/WyJiYW5rZXIiLG51bGwsbnVsbCwwLCJkczNjcFFfTSJd.3kgWUQ4WM8wlr1DsNks5GthDKUI"
SHORT = "companion.local/BCDF"


def page(pdf: bytes, dpi: int = 150) -> np.ndarray:
    with pypdfium2.PdfDocument(pdf) as document:
        assert len(document) == 1
        return np.asarray(document[0].render(scale=dpi / 72).to_numpy())


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_each_of_four_cards_on_a_sheet_leads_to_the_address(language: str) -> None:
    result = page(print_join_cards(ADDRESS, SHORT, language))

    height, width = result.shape[:2]
    for top in (0, height // 2):
        for left in (0, width // 2):
            quarter = np.ascontiguousarray(result[top : top + height // 2, left : left + width // 2])
            (code,) = zxingcpp.read_barcodes(cv2.cvtColor(quarter, cv2.COLOR_BGR2GRAY))
            assert code.text == ADDRESS


def test_words_and_the_address_to_type_are_on_it_and_no_secret_beside_the_code(tmp_path: Path) -> None:
    write_join_cards(
        ADDRESS, ("Or type this address:", SHORT), "Join the game", ["Point the phone at it."], tmp_path / "cards.pdf"
    )

    with pypdfium2.PdfDocument(tmp_path / "cards.pdf") as document:
        text = document[0].get_textpage().get_text_range()
    assert text.count("Join the game") == 4
    assert text.count(f"Or type this address:\r\n{SHORT}") == 4
    assert "WyJi" not in text
