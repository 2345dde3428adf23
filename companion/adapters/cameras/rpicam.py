"""The ribbon-cable camera of a Raspberry Pi, through the program that the system brings for it."""

import os
import select
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.adapters.cameras.stream import STALL_TIMEOUT_S, NotJpegStream, RawPicture, StreamCamera, split_jpegs
from companion.service.camera.camera import CameraAbsentError, CameraError

PROGRAMS = ("rpicam-vid", "libcamera-vid")
"""What the program is called now, and was called on older systems."""
ARGUMENTS = (
    *("--timeout", "0", "--nopreview", "--codec", "mjpeg", "--width", "1920", "--height", "1080"),
    *("--framerate", "15", "--quality", "90", "--flush", "--output", "-"),
)
_CHUNK = 262_144
_LAST_WORDS = 400
_PATIENCE_S = 2.0


def find_rpicam() -> str | None:
    """Return the path of the program, or None when it is not installed."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def open_rpicam(
    spec: str,
    program: Sequence[str] | None = None,
    *,
    lazy: bool = False,
    stall_timeout_s: float = STALL_TIMEOUT_S,
    min_retry_s: float = 0.5,
) -> StreamCamera:
    """Look through the Pi's camera; ``program``: what is run instead, with arguments of its own.

    Raises:
        CameraAbsentError: when the program is not installed; from a ``patient`` one when it is asked for pictures.

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
            raise CameraError(f"camera {spec}: {command[0]} cannot be run ({fault.strerror})") from fault
        try:
            yield _pictures(spec, running, stall_timeout_s)
        except NotJpegStream as fault:
            raise CameraError(f"camera {spec}: {command[0]} sends no JPEG pictures") from fault
        finally:
            _end(running)

    return StreamCamera(spec, pictures, min_retry_s=min_retry_s)


def _command(spec: str) -> tuple[str, ...]:
    found = find_rpicam()
    if found is None:
        raise CameraAbsentError(f"camera {spec!r}: rpicam-vid is not here; apt-get install rpicam-apps, or use usb")
    return (found, *ARGUMENTS)


def _pictures(spec: str, running: subprocess.Popen[bytes], stuck_s: float) -> Iterator[bytes]:
    yield from split_jpegs(_chunks(spec, running, stuck_s))


def _chunks(spec: str, running: subprocess.Popen[bytes], stuck_s: float) -> Iterator[bytes]:
    """Return what the program writes; what it complains of is read along, lest it wait for somebody to."""
    if running.stdout is None or running.stderr is None:
        raise CameraError(f"camera {spec}: its program has no output")
    out, err = running.stdout.fileno(), running.stderr.fileno()
    complaints = b""
    listening = [out, err]
    while True:
        ready, _, _ = select.select(listening, [], [], stuck_s)
        if not ready:
            raise CameraError(f"camera {spec}: no picture for {stuck_s:g} s")
        if err in ready:
            said = os.read(err, _CHUNK)
            complaints = (complaints + said)[-_LAST_WORDS:]
            if not said:
                listening = [out]
        if out in ready:
            chunk = os.read(out, _CHUNK)
            if not chunk:
                complaints = (complaints + (running.stderr.read() if err in listening else b""))[-_LAST_WORDS:]
                lines = complaints.decode("utf-8", "replace").strip().splitlines()
                raise CameraError(f"camera {spec}: its program has ended" + (f": {lines[-1]}" if lines else ""))
            yield chunk


def _end(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
    for pipe in (running.stdout, running.stderr):
        if pipe is not None:
            pipe.close()
