"""Labels as pictures."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.adapters.pictures import decode_picture
from companion.printing.sheets import LabelSpec, write_label_pictures
from companion.qr.zbar import decode_with_zbar, zbar_is_available
from companion.vision.label.label import LabelLayout
from companion.vision.read import read_codes, to_grey

SPECS = [LabelSpec(f"{kind}{number:02}", f"MB1{kind}{number:02}") for kind in "CWEY" for number in range(1, 6)]


def test_every_label_is_read_back_where_the_index_says(tmp_path: Path) -> None:
    write_label_pictures(SPECS, tmp_path / "new" / "labels")

    index = json.loads((tmp_path / "new" / "labels" / "index.json").read_text())
    assert [(entry["card"], entry["text"], entry["file"]) for entry in index] == [
        (spec.card, spec.text, f"{spec.card}.png") for spec in SPECS
    ]
    for entry in index:
        label = to_grey(decode_picture((tmp_path / "new" / "labels" / entry["file"]).read_bytes()))
        scale = label.shape[1] / entry["width_mm"]
        x, y, side = (measure * scale for measure in entry["symbol_mm"])
        (seen,) = read_codes(label)
        assert seen.text == entry["text"]
        corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
        assert np.abs(np.array(seen.corners) - corners).max() < 0.1 * scale
        assert label.shape[0] / entry["height_mm"] == scale
        assert entry["width_mm"] == entry["height_mm"] == 25.0


@pytest.mark.skipif(not zbar_is_available(), reason="libzbar is not installed")
def test_another_reader_reads_them_too(tmp_path: Path) -> None:
    write_label_pictures(SPECS, tmp_path)

    for spec in SPECS:
        label = to_grey(decode_picture((tmp_path / f"{spec.card}.png").read_bytes()))
        small = np.asarray(cv2.resize(label, (200, 200), interpolation=cv2.INTER_AREA), np.uint8)
        assert [seen.text for seen in decode_with_zbar(small)] == [spec.text]


def test_another_size_is_written_as_asked(tmp_path: Path) -> None:
    write_label_pictures(SPECS[:1], tmp_path, LabelLayout(side_mm=40.0))

    (entry,) = json.loads((tmp_path / "index.json").read_text())
    assert entry["width_mm"] == 40.0
    assert entry["symbol_mm"][2] > 30


def test_a_card_asked_for_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="twice"):
        write_label_pictures([SPECS[0], SPECS[0]], tmp_path)
