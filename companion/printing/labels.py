"""Single labels as pictures, for whoever lays out sheets himself."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.vision.label.label import STANDARD_LABEL, LabelLayout, draw_label

PIXELS_A_MM = 24.0
"""About 600 dots an inch."""


@dataclass(frozen=True, slots=True)
class LabelSpec:
    """A label to print: its card and side, what its code says, and what people read on it (else the card)."""

    card: str
    text: str
    words: str = ""
    side: str = "front"

    @property
    def read(self) -> str:
        """Return what people read on it."""
        return self.words or self.card

    @property
    def called(self) -> str:
        """Return what its picture is called: ``I07``, and for a back ``I07-back``."""
        return self.card if self.side == "front" else f"{self.card}-{self.side}"


def write_label_pictures(cards: Sequence[LabelSpec], folder: Path, layout: LabelLayout = STANDARD_LABEL) -> None:
    """Write a picture for each label and ``index.json``, which says where in the pictures the symbols lie.

    They are called ``<card>.png``, and ``<card>-back.png`` for the back of a card.  The folder is made if it is not
    there; files of the same names are replaced.

    Raises:
        ValueError: when a text fits no label or a card is there twice.
        OSError: when the folder cannot be written to.

    """
    names = [spec.called for spec in cards]
    if len(set(names)) < len(names):
        raise ValueError("a card is there twice: one label picture a side")
    folder.mkdir(parents=True, exist_ok=True)
    left, top, side = (round(measure, 4) for measure in layout.symbol_mm)
    index = []
    for spec in cards:
        picture = draw_label(spec.text, spec.read, PIXELS_A_MM, layout)
        _, data = cv2.imencode(".png", picture)
        file = f"{spec.called}.png"
        (folder / file).write_bytes(data.tobytes())
        index.append(
            {
                "card": spec.card,
                "text": spec.text,
                "side": spec.side,
                "file": file,
                "width_mm": layout.side_mm,
                "height_mm": layout.side_mm,
                "symbol_mm": [left, top, side],
            }
        )
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
