"""The ribbon-cable camera of a Raspberry Pi, through the system's ``rpicam-vid``."""

import os
import select
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.adapters.cameras.stream import STALL_TIMEOUT_S, NotJpegStream, RawPicture, StreamCamera, split_jpegs
from companion.adapters.system import os_error_reason
from companion.service.camera.camera import CameraAbsentError, CameraError

PROGRAMS = ("rpicam-vid", "libcamera-vid")
"""The program's name, and its name on older systems."""
ARGUMENTS = (
    *("--timeout", "0", "--nopreview", "--codec", "mjpeg", "--width", "1920", "--height", "1080"),
    *("--framerate", "15", "--quality", "90", "--flush", "--output", "-"),
)
_CHUNK = 262_144
_ERROR_OUTPUT_BYTES = 400
_TERMINATE_TIMEOUT_S = 2.0


def find_rpicam() -> str | None:
    """Return the program's path, or ``None`` where it is not installed."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def open_rpicam(
    spec: str,
    program: Sequence[str] | None = None,
    *,
    lazy: bool = False,
    stall_timeout_s: float = STALL_TIMEOUT_S,
    min_retry_s: float = 0.5,
) -> StreamCamera:
    """Open the Pi's camera.

    Args:
        spec: the value of ``--camera``, for messages.
        program: a command to run instead of ``rpicam-vid``.
        lazy: report a missing program when the first frame is requested, and try again later.
        stall_timeout_s: seconds without a picture after which the camera counts as lost.
        min_retry_s: seconds until the first attempt to restart the program.

    Raises:
        CameraAbsentError: when the program is not installed, unless ``lazy``.

    """
    if program is None and not lazy:
        _command(spec)

    @contextmanager
    def pictures() -> Iterator[Iterator[RawPicture]]:
        command = _command(spec) if program is None else tuple(program)
        try:
            running = subprocess.Popen(  # noqa: S603 - our own arguments, no shell
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as fault:
            raise CameraError(f"camera {spec}: {command[0]} cannot be run ({os_error_reason(fault)})") from fault
        try:
            yield _pictures(spec, running, stall_timeout_s)
        except NotJpegStream as fault:
            raise CameraError(f"camera {spec}: {command[0]} sends no JPEG pictures") from fault
        finally:
            _end(running)

    return StreamCamera(spec, pictures, min_retry_s=min_retry_s)


def _command(spec: str) -> tuple[str, ...]:
    path = find_rpicam()
    if path is None:
        raise CameraAbsentError(f"camera {spec!r}: rpicam-vid is not here; apt-get install rpicam-apps, or use usb")
    return (path, *ARGUMENTS)


def _pictures(spec: str, running: subprocess.Popen[bytes], stall_timeout_s: float) -> Iterator[bytes]:
    yield from split_jpegs(_chunks(spec, running, stall_timeout_s))


def _chunks(spec: str, running: subprocess.Popen[bytes], stall_timeout_s: float) -> Iterator[bytes]:
    """Yield the program's output; its error output is read as well, or the program would block on a full pipe."""
    if running.stdout is None or running.stderr is None:
        raise CameraError(f"camera {spec}: its program has no output")
    out, err = running.stdout.fileno(), running.stderr.fileno()
    error_output = b""
    open_pipes = [out, err]
    while True:
        ready, _, _ = select.select(open_pipes, [], [], stall_timeout_s)
        if not ready:
            raise CameraError(f"camera {spec}: no picture for {stall_timeout_s:g} s")
        if err in ready:
            data = os.read(err, _CHUNK)
            error_output = (error_output + data)[-_ERROR_OUTPUT_BYTES:]
            if not data:
                open_pipes = [out]
        if out in ready:
            chunk = os.read(out, _CHUNK)
            if not chunk:
                error_output += running.stderr.read() if err in open_pipes else b""
                lines = error_output[-_ERROR_OUTPUT_BYTES:].decode("utf-8", "replace").strip().splitlines()
                raise CameraError(f"camera {spec}: its program has ended" + (f": {lines[-1]}" if lines else ""))
            yield chunk


def _end(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(_TERMINATE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
    for pipe in (running.stdout, running.stderr):
        if pipe is not None:
            pipe.close()
