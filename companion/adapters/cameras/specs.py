"""Open the camera that a value of ``--camera`` describes."""

import re
from collections.abc import Callable
from pathlib import Path

from companion.adapters.cameras.files import FolderCamera, VideoFileCamera
from companion.adapters.cameras.rpicam import open_rpicam
from companion.adapters.cameras.stream import open_http_camera, open_rtsp_camera
from companion.adapters.cameras.usb import UsbCamera
from companion.adapters.system import os_error_reason
from companion.service.camera.camera import Camera, CameraError, Frame
from companion.simulator.camera import SimulatedCamera
from companion.simulator.optics import EVERYDAY
from companion.simulator.table import SimulatedTable

_NUMBERED = re.compile(r"(sim|usb)(?::(.*))?", re.DOTALL)
_MAX_USB_INDEX = 63
_MAX_SEED = 2**63 - 1
_RIBBON = ("pi", "rpicam")
_DEVICES = "/dev/"


class NullCamera:
    """A camera that never has a picture, for tables where people only tap."""

    name = "none"

    def grab(self) -> Frame | None:
        """Return ``None``."""
        return None

    def close(self) -> None:
        """Do nothing."""


def open_camera(spec: str, simulated_table: Callable[[int], SimulatedTable], *, lazy: bool = False) -> Camera:
    """Open a camera.

    Args:
        spec: ``sim[:SEED[:MAT]]``, ``usb[:INDEX]``, a device such as ``/dev/v4l/by-id/...``, ``pi``, a video file, a
            folder of pictures, an ``http`` or ``rtsp`` address, or ``none``.  A camera at an address is opened when
            the first frame is requested.
        simulated_table: returns the table for ``sim``, given its seed.
        lazy: open USB and ribbon cameras when the first frame is requested, too.

    Raises:
        CameraError: when ``spec`` is invalid, or the camera does not open; ``CameraAbsentError`` where a later attempt
            may succeed.

    """
    if spec == "none":
        return NullCamera()
    numbered = _NUMBERED.fullmatch(spec)
    if numbered is not None and numbered[1] == "sim":
        return _simulated(spec, numbered[2], simulated_table)
    if numbered is not None or spec.startswith(_DEVICES):
        return _usb(spec, None if numbered is None else numbered[2], lazy=lazy)
    if spec in _RIBBON:
        return open_rpicam(spec, lazy=lazy)
    if spec.startswith(("http://", "https://")):
        return open_http_camera(spec)
    if spec.startswith(("rtsp://", "rtsps://")):
        return open_rtsp_camera(spec)
    return _open_files(spec)


def _open_files(spec: str) -> Camera:
    """Return a video or a folder of pictures as a camera; raise ``CameraError``."""
    path = Path(spec)
    try:
        if spec and path.is_dir():
            return FolderCamera(path)
        if path.is_file():
            return VideoFileCamera(path)
    except (OSError, ValueError) as fault:
        reason = os_error_reason(fault) if isinstance(fault, OSError) else fault
        raise CameraError(f"camera {spec!r}: {reason}") from fault
    raise CameraError(
        f"camera {spec!r}: say sim[:SEED[:MAT]], usb[:INDEX], a device in /dev, pi, a video file, "
        "a folder of pictures, an http or rtsp address, or none"
    )


def _usb(spec: str, which: str | None, *, lazy: bool) -> UsbCamera:
    """Return the USB camera with a number or at a path."""
    path = spec if which is None else which
    if path.startswith(_DEVICES):
        return UsbCamera(path=Path(path), lazy=lazy)
    return UsbCamera(None if which is None else _number(spec, which), lazy=lazy)


def _simulated(spec: str, which: str | None, simulated_table: Callable[[int], SimulatedTable]) -> SimulatedCamera:
    """Return the simulated camera over a table by its seed, on a mat where one is named."""
    seed, has_mat, mat = (None, "", "") if which is None else which.partition(":")
    table = simulated_table(_number(spec, seed))
    if has_mat:
        try:
            table.lay_mat(mat)
        except ValueError as fault:
            raise CameraError(f"camera {spec!r}: {fault}") from fault
    return SimulatedCamera(table, nuisances=EVERYDAY)


def _number(spec: str, digits: str | None) -> int:
    """Return the number after the colon, 0 without one; raise ``CameraError``."""
    if digits is None:
        return 0
    most = _MAX_SEED if spec.startswith("sim") else _MAX_USB_INDEX
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(most)) or int(digits) > most:
        raise CameraError(f"camera {spec!r}: what follows the colon is a whole number from 0 to {most}")
    return int(digits)
