"""Tables rendered elsewhere, in three dimensions: pictures that nothing here was trained or fitted on."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.reading.readers import QUICK
from benchmarks.reading.tables import Row
from benchmarks.scenes import CARDS
from calibration.lens import make_radial_lens
from companion.adapters.pictures import decode_picture
from companion.qr.sighting import GreyPicture
from companion.vision.read import to_grey

TABLES = Path(__file__).parents[3] / "shared" / "tables"
LENSES = (0.08, 0.15, 0.2)
"""Barrel distortions that are put on tables that are rendered with little or none."""
OWN = frozenset(f"MB1{card}" for card in CARDS)


def rendered() -> Iterator[Row]:
    """Return what each reader makes of them, one frame and three; no rows when they are not here."""
    if not (TABLES / "truth.json").exists():
        return
    tables: list[dict[str, Any]] = json.loads((TABLES / "truth.json").read_text(encoding="utf-8"))
    for level in dict.fromkeys(table["level"] for table in tables):
        yield from _rows(
            "rendered", level, [(table, table["files"][:1]) for table in tables if table["level"] == level]
        )
    bursts = [(table, sorted(f"burst/{path.name}" for path in _burst(table["name"]))) for table in tables]
    yield from _rows("rendered, three frames", "hard", [(table, files) for table, files in bursts if files])
    for share in LENSES:
        for level in ("mild", "medium"):
            shot = [(table, table["files"][:1]) for table in tables if table["level"] == level]
            yield from _rows(f"rendered, lens of {share:.0%}", level, shot, share)


def _burst(name: str) -> list[Path]:
    return list((TABLES / "burst").glob(f"{name}_*"))


def _rows(suite: str, case: str, shot: Sequence[tuple[dict[str, Any], list[str]]], share: float = 0.0) -> Iterator[Row]:
    frames = [(table, [bent(grey_in(file), share) for file in files]) for table, files in shot]
    for name, reader in QUICK.items():
        there = read = wrong = 0
        reader(frames[0][1])  # what is made once is made
        start = time.process_time()
        for table, seen in frames:
            texts = reader(seen)
            cards = {f"MB1{card['card']}" for card in table["cards"]}
            laid = cards | {f"MB1{card['card']}" for card in table["decoys"] if card["card"]}
            there, read, wrong = there + len(cards), read + len(texts & cards), wrong + len((texts & OWN) - laid)
        ms = (time.process_time() - start) * 1000 / len(frames)
        yield Row(suite, case, name, there, round(100 * read / there, 1), wrong, round(ms, 1))


def bent(grey: GreyPicture, share: float) -> GreyPicture:
    """Return a picture as a wide lens shows it, that draws its corners in by that share."""
    height, width = grey.shape
    if not share:
        return grey
    lens = make_radial_lens(-share * width**2 / (width**2 + height**2) * 4, width, height)
    y, x = np.indices(grey.shape, np.float64)
    there = lens.undistort(np.column_stack((x.ravel(), y.ravel()))).reshape(height, width, 2).astype(np.float32)
    return np.asarray(cv2.remap(grey, there[..., 0], there[..., 1], cv2.INTER_CUBIC), np.uint8)


def grey_in(file: str) -> GreyPicture:
    """Return one of the pictures."""
    return to_grey(decode_picture((TABLES / file).read_bytes()))
