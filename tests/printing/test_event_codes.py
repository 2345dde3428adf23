"""The codes of the tables of an event are read back from paper."""

from dataclasses import replace

import numpy as np
import pypdfium2
import pytest
import zxingcpp

from companion.bootstrap.printing import print_event_codes
from companion.service.printer import TableCodes

LONG = "Bartholomew Maximilian Longbottom-S"
JOIN = "http://192.168.178.123:8000/join/WzEsIjEyYWIzNGNkNTZlZiJd.3kgWUQ4WM8wlr1DsNks5GthDK"
HOST = "http://192.168.178.123:8000/join/WyJob3N0IixudWxsLCIxMmFiMzRjZDU2ZWYiLDAsIiIsMSwwXQ.3kgWUQ4WM8wlr1DsNks5G"


def codes(number: int, *players: str) -> TableCodes:
    return TableCodes(
        f"Table {number}", players, f"{JOIN}{number:02}", f"companion.local/BCD{number}", f"{HOST}{number:02}"
    )


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_each_table_has_a_code_for_its_players_and_one_for_its_host_to_be_cut_off(language: str) -> None:
    # given more tables than fit on a sheet, some with six players of long names
    tables = [codes(number, *[LONG] * 6) for number in range(1, 6)]

    # when the sheets are printed and cut
    with pypdfium2.PdfDocument(print_event_codes("Winter meeting", tables, language)) as document:
        sheets = [np.asarray(sheet.render(scale=150 / 72, grayscale=True).to_numpy()).squeeze() for sheet in document]

    # then each strip leads to its own table: left of the cut as a player, right of it as the host
    assert len(sheets) == 2
    for place, table in enumerate(tables):
        sheet = sheets[place // 3]
        height, width = sheet.shape
        top, cut = round(place % 3 * height / 3), round(width * 155 / 210)
        strip = np.ascontiguousarray(sheet[top : top + height // 3])
        for part, address in ((strip[:, :cut], table.address), (strip[:, cut:], table.host)):
            assert [code.text for code in zxingcpp.read_barcodes(np.ascontiguousarray(part))] == [address]


def test_names_and_the_address_to_type_are_printed_and_a_letter_that_is_missing_keeps_nobody_out() -> None:
    # given names with letters that the typeface lacks, one of them throughout, and a table with such a name
    nameless = replace(codes(3, "Ada"), title="東京")
    written = print_event_codes("Réunion 冬", [codes(1, "Zoë", "李明"), codes(2, "Ben 👷🏽 Ten"), nameless], "en")

    with pypdfium2.PdfDocument(written) as document:
        text = document[0].get_textpage().get_text_range()
    for words in (
        "Réunion",
        "Table 1",
        "Zoë",
        "2. ______",
        "# 3",
        "Table 2",
        "Ben Ten",
        "companion.local/BCD1",
        "Scan and tap your name",
    ):
        assert words in text
    assert "?" not in text
    assert text.count("For the host of this table") == 3
    assert "join/" not in text
