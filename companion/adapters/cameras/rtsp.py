"""An IP camera that speaks RTSP, through OpenCV's FFmpeg.  Untested on hardware."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import cv2
import numpy as np

from companion.adapters.cameras.http import without_login
from companion.adapters.cameras.stream import STUCK_S, Coming, StreamCamera
from companion.service.sight.camera import CameraError


def rtsp_camera(address: str, *, stuck_s: float = STUCK_S, first_wait_s: float = 0.5) -> StreamCamera:
    """Look through the camera at an ``rtsp`` address, in which a name and a password may stand.

    Raises:
        CameraError: when this is no address.

    """
    name = without_login(address)
    if not urlsplit(address).hostname:
        raise CameraError(f"camera {name!r}: this is no address; say rtsp://HOST[:PORT]/PATH")
    patience_ms = round(stuck_s * 1000)
    asked = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience_ms]

    @contextmanager
    def pictures() -> Iterator[Iterator[Coming]]:
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, asked)
        try:
            if not capture.isOpened():
                raise CameraError(f"camera {name}: does not answer, or sends nothing that can be read")
            yield _read(capture)
        finally:
            capture.release()

    return StreamCamera(name, pictures, first_wait_s=first_wait_s)


def _read(capture: cv2.VideoCapture) -> Iterator[Coming]:
    while True:
        there, image = capture.read()
        if not there or image is None:
            return  # after the read timeout as well: it is told that pictures have stopped
        yield np.asarray(image, np.uint8)
