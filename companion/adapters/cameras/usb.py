"""USB cameras, through OpenCV: found by number, by the links of ``/dev/v4l``, and again after they were unplugged."""

import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.service.camera.camera import CameraAbsentError, CameraError, Frame

_WIDTH = 1920
_HEIGHT = 1080
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
"""Without it most cameras send raw pictures, of which USB 2 carries five a second at this size."""

STALLED_S = 5
"""Time without a picture after which a camera counts as lost; OpenCV waits for ten seconds where it is told nothing."""

_DEVICES = Path("/dev")
_SYSTEM = Path("/sys/class/video4linux")
_DEVICE = re.compile(r"video([0-9]{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """A video device on USB; ``model``: vendor, product, serial number and interface."""

    number: int
    port: str
    model: tuple[str, ...]


def list_usb_devices() -> list[UsbDevice]:
    """Return the video devices on USB that give pictures, by their numbers."""
    return sorted(_usb_devices(), key=lambda device: device.number)


class UsbCamera:
    """A USB camera, asked for 1920 x 1080 in MJPG."""

    def __init__(self, index: int | None = None, path: Path | None = None, *, lazy: bool = False) -> None:
        """Open the camera; a ``lazy`` one at the first ``grab``, and again at each until it is there.

        Args:
            index: the system's number; ``None``: the first USB camera.
            path: the camera's device file or a link to it, instead of a number.
            lazy: open it when the first frame is requested.

        Raises:
            CameraAbsentError: when there is none, or another program uses it.

        """
        self._index = index
        self._path = path
        self._number = 0
        self._device: UsbDevice | None = None
        self._others: frozenset[str] = frozenset()
        self._capture: cv2.VideoCapture | None = None if lazy else self._open()

    @property
    def name(self) -> str:
        """Return ``usb:INDEX`` or the path: what was asked for, whatever number the camera has now."""
        return str(self._path) if self._path is not None else f"usb:{self._index or 0}"

    def grab(self) -> Frame | None:
        """Wait for the next picture and return it; reopen the camera after it was unplugged."""
        if self._capture is None:
            self._capture = self._open()
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

    def _open(self) -> cv2.VideoCapture:
        number = self._find_number()
        if sys.platform == "linux" and not (_DEVICES / f"video{number}").exists():
            mend = "plug it in" if self._path is not None else "plug one in, or try another number or --camera sim"
            raise CameraAbsentError(f"no camera at {self.name}: {mend}")
        capture = _capture(number)
        if not capture.isOpened():
            capture.release()
            raise CameraAbsentError(f"the camera {self.name} does not open: another program may hold it")
        # The format before the size: the size is looked for among those of the format.
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the newest picture, not one from a queue
        self._remember(number)
        return capture

    def _find_number(self) -> int:
        """Return the number that the camera has now; raise ``CameraAbsentError`` or ``CameraError``."""
        devices = list_usb_devices()
        if self._device is not None:
            # A twin that was there besides is not this camera.
            model, port = self._device.model, self._device.port
            same = [device for device in devices if device.model == model and device.port not in self._others]
            if same:
                return min(same, key=lambda device: (device.port != port, device.number)).number
        if self._path is not None:
            return _resolve(self._path)
        if self._index is not None:
            return self._index
        # Without a number it is the first one, and then that one: what is left was there besides all the time.
        free = [device for device in devices if self._device is None or device.port not in self._others]
        if self._device is not None and not free:
            raise CameraAbsentError(f"no camera at {self.name}: plug it in")
        return free[0].number if free else 0

    def _remember(self, number: int) -> None:
        """Store which camera it is, so that it is found again under another number."""
        devices = list_usb_devices()
        self._device = next((device for device in devices if device.number == number), self._device)
        self._others = frozenset(device.port for device in devices if device.number != number)


def _resolve(path: Path) -> int:
    """Return the number of the device to which a path leads."""
    if not path.exists():
        raise CameraAbsentError(f"no camera at {path}: plug it in, or look into /dev/v4l/by-id")
    device = _DEVICE.fullmatch(path.resolve().name)
    if device is None:
        raise CameraError(f"camera {str(path)!r}: this is no camera; look into /dev/v4l/by-id")
    return int(device[1])


def _capture(number: int) -> cv2.VideoCapture:
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(STALLED_S))  # read when the first device is opened
    return cv2.VideoCapture(number)


def _usb_devices() -> Iterator[UsbDevice]:
    """Yield the first stream of each USB camera; a second one gives no pictures but descriptions of them."""
    for entry in _SYSTEM.glob("video*"):
        number = _DEVICE.fullmatch(entry.name)
        try:
            interface = (entry / "device").resolve(strict=True)
            usb = interface.parent
            stream = _text(entry / "index")
            if number is None or not (usb / "idVendor").exists() or stream != "0":
                continue
            model = (
                *(_text(usb / part) for part in ("idVendor", "idProduct", "serial")),
                interface.name.rpartition(":")[2],
            )
        except OSError:
            continue  # pulled out at this moment
        yield UsbDevice(int(number[1]), interface.name, model)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip() if path.exists() else ""
