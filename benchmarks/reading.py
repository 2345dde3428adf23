"""How much of a table and of real photographs is read, beside zxing-cpp and pyzbar alone, in one run.

    python -m benchmarks.reading [FRAMES]

Tables: 24 labels of 25 mm at any angle at 1.85 pixels a millimetre, in three severities.  Photographs: those in the
shared folder beside the checkout, when it is there.  Figures of one machine compare with each other only.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import zxingcpp

from companion.adapters.cameras.optics import SEVERITIES
from companion.adapters.cameras.sim import SimulatedCamera
from companion.adapters.cameras.simulated_table import SimulatedTable
from companion.adapters.pictures import decode_picture
from companion.vision.read import grey_of, read_codes
from companion.vision.second_reader import second_opinion
from companion.vision.sighting import Grey

PHOTOS = Path(__file__).parents[2] / "shared" / "photos"
LABELS = {f"W{number:02}": f"MB1W{number:02}" for number in range(1, 25)}


def first_reader(grey: Grey) -> list[str]:
    """Read with zxing-cpp alone."""
    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    return [code.text for code in zxingcpp.read_barcodes(grey, formats=formats, text_mode=zxingcpp.TextMode.Plain)]


READERS: dict[str, Callable[[Grey], list[str]]] = {
    "zxing-cpp": first_reader,
    "pyzbar": lambda grey: [seen.text for seen in second_opinion(grey)],
    "ours, frame": lambda grey: [seen.text for seen in read_codes(grey, "frame")],
    "ours, picture": lambda grey: [seen.text for seen in read_codes(grey)],
}


def scene(severity: str, seed: int) -> Grey:
    """Return a table full of labels at any angle."""
    table = SimulatedTable(seed, LABELS)
    random = np.random.default_rng(seed)
    for number, card in enumerate(LABELS):
        table.lay(card, 123 + 113 * (number % 8), 152 + 140 * (number // 8), random.uniform(0, 360))
    frame = SimulatedCamera(table, SEVERITIES[severity], frame_ms=1).grab()
    if frame is None:
        raise RuntimeError("the simulated camera always has a picture")
    return grey_of(frame.image)


def tell(what: str, pictures: list[tuple[Grey, set[str]]]) -> None:
    """Print what each reader makes of pictures whose texts are known."""
    there = sum(len(texts) for _, texts in pictures)
    for name, reader in READERS.items():
        read = false = 0
        times = []
        for grey, texts in pictures:
            start = time.perf_counter()
            found = set(reader(grey))
            times.append((time.perf_counter() - start) * 1000)
            read += len(found & texts)
            false += len(found - texts)
        share = 100 * read / there if there else 0.0
        print(f"{what:14} {name:14} {share:5.1f} %  other texts {false:3}  {np.mean(times):6.1f} ms a picture")


def photographs() -> list[tuple[Grey, set[str]]]:
    """Return the photographs with their texts, as far as they are here."""
    pictures = []
    for photo in sorted(PHOTOS.glob("zxing*/*/*")):
        if photo.suffix != ".txt":
            told = photo.with_suffix(".txt")
            data = told.read_bytes() if told.exists() else None
            pictures.append(
                (grey_of(decode_picture(photo.read_bytes())), {text_of(data)} if data is not None else set())
            )
    return pictures


def text_of(data: bytes) -> str:
    """Return a text in whichever of two encodings it is."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def main() -> None:
    """Run everything."""
    cv2.setNumThreads(1)
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    for severity in SEVERITIES:
        tell(severity, [(scene(severity, seed), set(LABELS.values())) for seed in range(frames)])
    shots = photographs()
    if shots:
        tell("photographs", shots)
    else:
        print(f"no photographs: {PHOTOS} is not there")


if __name__ == "__main__":
    main()
