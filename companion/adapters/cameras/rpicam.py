"""The ribbon-cable camera of a Raspberry Pi, through the program that the system brings for it."""

import os
import select
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.adapters.cameras.stream import STUCK_S, Coming, NoPictures, StreamCamera, jpegs
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


def rpicam_program() -> str | None:
    """Give the path of the program, or None when it is not installed."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def rpicam_camera(
    spec: str,
    program: Sequence[str] | None = None,
    *,
    patient: bool = False,
    stuck_s: float = STUCK_S,
    first_wait_s: float = 0.5,
) -> StreamCamera:
    """Look through the Pi's camera; ``program``: what is run instead, with arguments of its own.

    Raises:
        CameraAbsentError: when the program is not installed; from a ``patient`` one when it is asked for pictures.

    """
    if program is None and not patient:
        _command(spec)

    @contextmanager
    def pictures() -> Iterator[Iterator[Coming]]:
        command = _command(spec) if program is None else tuple(program)
        try:
            running = subprocess.Popen(  # noqa: S603 - our own arguments, no shell
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as fault:
            raise CameraError(f"camera {spec}: {command[0]} cannot be run ({fault.strerror})") from fault
        try:
            yield _pictures(spec, running, stuck_s)
        except NoPictures as fault:
            raise CameraError(f"camera {spec}: {command[0]} sends no JPEG pictures") from fault
        finally:
            _end(running)

    return StreamCamera(spec, pictures, first_wait_s=first_wait_s)


def _command(spec: str) -> tuple[str, ...]:
    found = rpicam_program()
    if found is None:
        raise CameraAbsentError(f"camera {spec!r}: rpicam-vid is not here; apt-get install rpicam-apps, or use usb")
    return (found, *ARGUMENTS)


def _pictures(spec: str, running: subprocess.Popen[bytes], stuck_s: float) -> Iterator[bytes]:
    yield from jpegs(_chunks(spec, running, stuck_s))


def _chunks(spec: str, running: subprocess.Popen[bytes], stuck_s: float) -> Iterator[bytes]:
    """Give what the program writes; what it complains of is read along, lest it wait for somebody to."""
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
