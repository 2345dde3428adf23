"""The readers that are compared: each takes the frames of one scene and returns the texts that it sees."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import cv2
import numpy as np

from benchmarks.scenes import DECK
from companion.qr.reader import read_qr_codes
from companion.qr.sighting import GreyPicture, Sighting
from companion.qr.zbar import decode_with_zbar
from companion.qr.zxing import decode_with_zxing
from companion.vision.read import read_codes
from companion.vision.tracking.reader import average_frames

Reader: TypeAlias = Callable[[Sequence[GreyPicture]], set[str]]


def of_each(read: Callable[[GreyPicture], Sequence[Sighting]]) -> Reader:
    """Return the reader that reads each frame by itself."""
    return lambda frames: {seen.text for frame in frames for seen in read(frame)}


def doubled(grey: GreyPicture) -> tuple[Sighting, ...]:
    """Read with zxing-cpp at twice the size."""
    return decode_with_zxing(np.asarray(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8))


def opencv_reader(detector: cv2.QRCodeDetector | cv2.QRCodeDetectorAruco) -> Reader:
    """Return one of OpenCV's readers."""

    def read(frames: Sequence[GreyPicture]) -> set[str]:
        texts: set[str] = set()
        for frame in frames:
            try:
                texts.update(text for text in detector.detectAndDecodeMulti(frame)[1] if text)
            except (UnicodeDecodeError, cv2.error):
                continue  # it stumbles over texts that are not UTF-8 and over rare modes
        return texts

    return read


def with_deck(frames: Sequence[GreyPicture]) -> set[str]:
    """Read as the scanner does: each frame, and the mean of them."""
    texts = {seen.text for frame in frames for seen in read_codes(frame, "frame", DECK)}
    if len(frames) > 1:
        texts |= {seen.text for seen in read_codes(average_frames(frames[-1], frames[:-1]), "frame", DECK)}
    return texts


QUICK: dict[str, Reader] = {
    "zxing-cpp": of_each(decode_with_zxing),
    "zxing-cpp x2": of_each(doubled),
    "ours, any text": of_each(read_qr_codes),
    "ours, deck": with_deck,
}
ALL: dict[str, Reader] = {
    "zxing-cpp": QUICK["zxing-cpp"],
    "zxing-cpp x2": QUICK["zxing-cpp x2"],
    "pyzbar": of_each(decode_with_zbar),
    "cv2": opencv_reader(cv2.QRCodeDetector()),
    "cv2 aruco": opencv_reader(cv2.QRCodeDetectorAruco()),
    "ours, any text": QUICK["ours, any text"],
    "ours, deck": with_deck,
}
