"""Cameras that play a video file or a folder of pictures."""

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.adapters.pictures import PictureError, decode_picture
from companion.adapters.system import os_error_reason
from companion.service.camera.camera import CameraError, Frame

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".ppm", ".pgm"})

_SLOWEST_RATE = 0.1
_USUAL_RATE = 25.0
"""Frames per second: the least that is believed, and that of a video that declares none."""


def monotonic_ms() -> int:
    """Return the machine's monotonic time in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class VideoFileCamera:
    """A video file, played once.  Frames bear the video's own time, from 0."""

    def __init__(self, path: Path, *, paced: bool = True, clock: Callable[[], int] = monotonic_ms) -> None:
        """Open the file.

        Args:
            path: the file.
            paced: return frames when they are due and skip those that nobody requested in time, as a camera does;
                otherwise return every frame at once.
            clock: returns milliseconds.

        Raises:
            CameraError: when it is no video that can be decoded.

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
        """Return whether the last frame has been returned."""
        return self._ended

    def grab(self) -> Frame | None:
        """Return the frame that is due, or None between frames and after the last one."""
        if self._ended:
            return None
        if self._paced and not self._skip_to_due():
            return None
        succeeded, image = self._capture.read()
        if not succeeded or image is None:
            self.close()
            return None
        frame = Frame(np.asarray(image, np.uint8), round(self._number * self._frame_ms), self._number)
        self._number += 1
        return frame

    def _skip_to_due(self) -> bool:
        """Skip frames that are overdue; return whether the next one is due."""
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
    """The pictures in a folder, each once, by name; their times are ``frame_ms`` apart."""

    def __init__(self, folder: Path, *, frame_ms: int = 200) -> None:
        """List the pictures of the folder.

        Raises:
            CameraError: when there are none.

        """
        self._folder = folder
        self._frame_ms = frame_ms
        try:
            self._pictures = sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES)
        except OSError as fault:
            raise CameraError(f"{folder}: {os_error_reason(fault)}") from fault
        if not self._pictures:
            raise CameraError(f"{folder}: no pictures in this folder ({' '.join(sorted(PICTURE_SUFFIXES))})")
        self._number = 0

    @property
    def name(self) -> str:
        """Return the path."""
        return str(self._folder)

    @property
    def ended(self) -> bool:
        """Return whether the last picture has been returned."""
        return self._number >= len(self._pictures)

    def grab(self) -> Frame | None:
        """Return the next picture, or ``None`` after the last; raise ``CameraError`` once for an unreadable file."""
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
        """End the source: no further picture is returned."""
        self._number = len(self._pictures)
