"""Labels on simulated tables that stay unread, cut out, each with what is the matter with it.

    python -m benchmarks.reading.unread PICTURE [TABLES]

Writes a picture of the crops, as many as fit, and prints how often each cause is told, both of the labels' true places:
what is told of places that were found stands in ``docs/reading.md`` too.
"""

import argparse
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.scenes import DECK, shoot
from companion.qr.sighting import GreyPicture
from companion.simulator.optics import ALL
from companion.vision.label.legibility import UnreadReason, explain_unread
from companion.vision.read import read_codes

SIDE, SCALE = 60, 3
"""Pixels of the picture that are cut out, and how much larger they are shown."""
CAPTION = 22
COLUMNS, ROWS = 6, 4
Quad = npt.NDArray[np.float64]


def unread(tables: int) -> Iterator[tuple[GreyPicture, Quad, UnreadReason]]:
    """Return pictures of tables in hard light with all nuisances, and each label in them that is not read."""
    for seed in range(tables):
        shot = shoot("hard", 7_000 + seed, nuisances=ALL)
        grey = shot.frames[0]
        read = {seen.text for seen in read_codes(grey, "frame", DECK)}
        for text, quad in shot.labels.items():
            if text not in read:
                a, b, c, d = ((float(x), float(y)) for x, y in quad)
                yield grey, quad, explain_unread(grey, (a, b, c, d))


def crop(grey: GreyPicture, quad: Quad, why: str) -> GreyPicture:
    """Return what lies there, its contrast stretched, with a caption."""
    x, y = (int(of) for of in quad.mean(axis=0))
    room = cv2.copyMakeBorder(grey, *(SIDE,) * 4, cv2.BORDER_CONSTANT, value=(0,))
    part = room[y + SIDE // 2 : y + SIDE // 2 + SIDE, x + SIDE // 2 : x + SIDE // 2 + SIDE].astype(np.float32)
    low, high = np.percentile(part, (1, 99))
    shown = np.clip((part - low) / max(float(high - low), 1) * 255, 0, 255).astype(np.uint8)
    large = cv2.resize(shown, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_CUBIC)
    tile = np.full((SIDE * SCALE + CAPTION, SIDE * SCALE), 255, np.uint8)
    tile[:-CAPTION] = large
    caption = f"{why}, {np.linalg.norm(quad[1] - quad[0]):.0f} px"
    cv2.putText(tile, caption, (4, SIDE * SCALE + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 0, 1, cv2.LINE_AA)
    return tile


def main() -> None:
    """Look, write and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture")
    parser.add_argument("tables", nargs="?", type=int, default=12)
    wish = parser.parse_args()
    labels = list(unread(wish.tables))
    by_cause: dict[UnreadReason, list[GreyPicture]] = {}
    for grey, quad, why in labels:
        by_cause.setdefault(why, []).append(crop(grey, quad, why))
    longest = max((len(own) for own in by_cause.values()), default=0)
    in_turn = [own[number] for number in range(longest) for own in by_cause.values() if number < len(own)]
    tiles = in_turn[: COLUMNS * ROWS]
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % COLUMNS)
    rows = [np.hstack(tiles[start : start + COLUMNS]) for start in range(0, len(tiles), COLUMNS)]
    cv2.imwrite(wish.picture, np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 80])
    print(dict(Counter(why for _, _, why in labels).most_common()), flush=True)


if __name__ == "__main__":
    main()
