"""USB cameras, through OpenCV."""

import sys
import time
from pathlib import Path

import cv2
import numpy as np

from companion.service.camera.camera import CameraAbsentError, CameraError, Frame

_WIDTH = 1920
_HEIGHT = 1080


class UsbCamera:
    """The USB camera with the system's number ``index``, at 1920 x 1080 where it supports that."""

    def __init__(self, index: int = 0, *, lazy: bool = False) -> None:
        """Open the camera; a ``lazy`` one at the first ``grab``, and again at each until it is there.

        Raises:
            CameraAbsentError: when there is none, or another program uses it.

        """
        self._index = index
        self._number = 0
        self._capture: cv2.VideoCapture | None = None if lazy else _open(index)

    @property
    def name(self) -> str:
        """Return ``usb:INDEX``."""
        return f"usb:{self._index}"

    def grab(self) -> Frame | None:
        """Wait for the next picture and return it; reopen the camera after it was unplugged."""
        if self._capture is None:
            self._capture = _open(self._index)
        succeeded, image = self._capture.read()
        if not succeeded or image is None:
            self.close()
            raise CameraError(f"{self.name} has stopped giving pictures: is it still plugged in?")
        frame = Frame(np.asarray(image, np.uint8), time.monotonic_ns() // 1_000_000, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Release the camera."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def _open(index: int) -> cv2.VideoCapture:
    if sys.platform == "linux" and not Path(f"/dev/video{index}").exists():
        raise CameraAbsentError(f"no camera at usb:{index}: plug one in, or try another number or --camera sim")
    capture = cv2.VideoCapture(index)
    if not capture.isOpened():
        capture.release()
        raise CameraAbsentError(f"the camera usb:{index} does not open: another program may hold it")
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the newest picture, not one from a queue
    return capture
