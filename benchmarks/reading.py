"""How much of a table and of real photographs is read, beside zxing-cpp and pyzbar alone, in one run.

    python -m benchmarks.reading [FRAMES]

Tables: 24 labels of 25 mm and two foreign codes at any angle at 1.85 pixels a millimetre, in three severities;
a label counts when its middle is in view.  Times are of the processor; start with OPENBLAS_NUM_THREADS=1.
Photographs: those in the shared folder beside the checkout, when it is there.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import zxingcpp

from benchmarks.scenes import DECK, shoot
from companion.adapters.cameras.optics import SEVERITIES
from companion.adapters.pictures import decode_picture
from companion.vision.read import grey_of, read_codes
from companion.vision.second_reader import second_opinion
from companion.vision.sighting import Grey

PHOTOS = Path(__file__).parents[2] / "shared" / "photos"


def first_reader(grey: Grey) -> list[str]:
    """Read with zxing-cpp alone."""
    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    return [code.text for code in zxingcpp.read_barcodes(grey, formats=formats, text_mode=zxingcpp.TextMode.Plain)]


def first_reader_doubled(grey: Grey) -> list[str]:
    """Read with zxing-cpp on the picture at twice its size."""
    return first_reader(np.asarray(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8))


def opencv_reader(detector: cv2.QRCodeDetector | cv2.QRCodeDetectorAruco) -> Callable[[Grey], list[str]]:
    """Return one of OpenCV's readers."""

    def read(grey: Grey) -> list[str]:
        try:
            return [text for text in detector.detectAndDecodeMulti(grey)[1] if text]
        except (UnicodeDecodeError, cv2.error):
            return []  # it stumbles over texts that are not UTF-8 and over rare modes

    return read


READERS: dict[str, Callable[[Grey], list[str]]] = {
    "zxing-cpp": first_reader,
    "zxing-cpp x2": first_reader_doubled,
    "pyzbar": lambda grey: [seen.text for seen in second_opinion(grey)],
    "cv2": opencv_reader(cv2.QRCodeDetector()),
    "cv2 aruco": opencv_reader(cv2.QRCodeDetectorAruco()),
    "ours, no deck": lambda grey: [seen.text for seen in read_codes(grey)],
}
WITH_DECK: dict[str, Callable[[Grey], list[str]]] = {
    "ours, deck": lambda grey: [seen.text for seen in read_codes(grey, "frame", DECK)],
}


def tell(what: str, pictures: list[tuple[Grey, set[str]]], readers: dict[str, Callable[[Grey], list[str]]]) -> None:
    """Print what each reader makes of pictures whose texts are known."""
    there = sum(len(texts) for _, texts in pictures)
    for name, reader in readers.items():
        read = false = 0
        times = []
        for grey, texts in pictures:
            start = time.process_time()
            found = set(reader(grey))
            times.append((time.process_time() - start) * 1000)
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
        shots = [shoot(severity, seed) for seed in range(frames)]
        tell(severity, [(shot.frames[0], set(shot.labels)) for shot in shots], READERS | WITH_DECK)
    photos = photographs()
    if photos:
        tell("photographs", photos, READERS)
    else:
        print(f"no photographs: {PHOTOS} is not there")


if __name__ == "__main__":
    main()
