"""Recorded tables: a video file, and a folder of pictures."""

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.adapters.pictures import PictureError, decode_picture
from companion.service.camera.camera import CameraError, Frame

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".ppm", ".pgm"})

_SLOWEST_RATE = 0.1
_USUAL_RATE = 25.0
"""Frames a second of a video that does not say."""


def monotonic_ms() -> int:
    """Return the machine's monotonic time."""
    return time.monotonic_ns() // 1_000_000


class VideoFileCamera:
    """A video file, played once.

    ``paced``: frames come when they are due on ``clock`` and are skipped when nobody asked in time, as from a
    camera; otherwise every frame comes, as fast as it is asked for.  Time is the video's own, from 0.
    """

    def __init__(self, path: Path, *, paced: bool = True, clock: Callable[[], int] = monotonic_ms) -> None:
        """Open the file.

        Raises:
            CameraError: when it is no video that can be read.

        """
        self._path = path
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"{path}: not a video that can be read")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._frame_ms = 1000 / (rate if rate > _SLOWEST_RATE else _USUAL_RATE)
        self._paced = paced
        self._clock = clock
        self._started_ms: int | None = None
        self._number = 0
        self._ended = False

    @property
    def name(self) -> str:
        """Return the path."""
        return str(self._path)

    @property
    def ended(self) -> bool:
        """Return whether the last frame has been given out."""
        return self._ended

    def grab(self) -> Frame | None:
        """Return the frame that is due, or None between frames and after the last one."""
        if self._ended:
            return None
        if self._paced and not self._skip_to_due():
            return None
        there, image = self._capture.read()
        if not there or image is None:
            self.close()
            return None
        frame = Frame(np.asarray(image, np.uint8), round(self._number * self._frame_ms), self._number)
        self._number += 1
        return frame

    def _skip_to_due(self) -> bool:
        """Pass over frames whose time is gone; say whether the next one is due."""
        now = self._clock()
        if self._started_ms is None:
            self._started_ms = now
        due = int((now - self._started_ms) / self._frame_ms)
        while self._number < due and self._capture.grab():
            self._number += 1
        return due >= self._number

    def close(self) -> None:
        """Close the file."""
        self._ended = True
        self._capture.release()


class FolderCamera:
    """The pictures in a folder in the order of their names, each once, ``frame_ms`` apart."""

    def __init__(self, folder: Path, *, frame_ms: int = 200) -> None:
        """List the pictures.

        Raises:
            CameraError: when there are none.

        """
        self._folder = folder
        self._frame_ms = frame_ms
        try:
            self._pictures = sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES)
        except OSError as fault:
            raise CameraError(f"{folder}: {fault.strerror}") from fault
        if not self._pictures:
            raise CameraError(f"{folder}: no pictures in this folder ({' '.join(sorted(PICTURE_SUFFIXES))})")
        self._number = 0

    @property
    def name(self) -> str:
        """Return the path."""
        return str(self._folder)

    @property
    def ended(self) -> bool:
        """Return whether the last picture has been given out."""
        return self._number >= len(self._pictures)

    def grab(self) -> Frame | None:
        """Return the next picture, or None after the last one; one that is no picture is an error, and passed over."""
        if self.ended:
            return None
        file, number = self._pictures[self._number], self._number
        self._number += 1
        try:
            image = decode_picture(file.read_bytes())
        except (OSError, PictureError) as fault:
            raise CameraError(f"{file}: {fault}") from fault
        return Frame(image, number * self._frame_ms, number)

    def close(self) -> None:
        """Return out no more pictures."""
        self._number = len(self._pictures)
