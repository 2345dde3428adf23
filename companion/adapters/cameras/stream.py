"""An IP camera that sends JPEGs over HTTP: as a stream (MJPEG), or one picture a request."""

import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.files import monotonic_ms
from companion.adapters.pictures import PictureError, decode_picture
from companion.service.camera.camera import CameraError, Frame

# --- jpegs
# JPEGs one after the other in a stream of bytes, with or without anything between them.

MAX_PICTURE_BYTES = 20_000_000
"""Bytes of one picture; what is longer is none."""

_START = b"\xff\xd8\xff"
_END, _SCAN = 0xD9, 0xDA
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_MARKER = 4
"""Bytes of a marker and the length that follows it."""


class NotJpegStream(Exception):  # noqa: N818 - told by whoever knows the source
    """The bytes are no stream of JPEGs."""


def split_jpegs(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Return every whole JPEG in the stream.

    The headers that a server puts between two pictures are passed over, and so are small pictures inside a large one.

    Raises:
        NoPictures: when more bytes than a picture has come without one.

    """
    held = bytearray()
    reached = 0
    for chunk in chunks:
        held += chunk
        while True:
            start = held.find(_START)
            if start < 0:
                if len(held) > MAX_PICTURE_BYTES:
                    raise NotJpegStream
                del held[: max(0, len(held) - len(_START) + 1)]
                reached = 0
                break
            if start:
                del held[:start]
                reached = 0
            end, reached = _end(held, reached)
            if end is None:
                if len(held) > MAX_PICTURE_BYTES:
                    raise NotJpegStream
                break
            yield bytes(held[:end])
            del held[:end]
            reached = 0


def _end(held: bytearray, reached: int) -> tuple[int | None, int]:
    """Return where the JPEG at the start ends, if it does, and up to where it was understood."""
    at = reached or 2
    while at + _MARKER <= len(held):
        if held[at] != 0xFF:  # noqa: PLR2004 - every segment begins with this byte
            return at, at  # torn: what came so far is no whole picture, and no reader will take it for one
        kind = held[at + 1]
        if kind == 0xFF:  # noqa: PLR2004 - a fill byte
            at += 1
        elif kind == _END:
            return at + 2, at
        elif kind in _ALONE:
            at += 2
        else:
            after = at + 2 + int.from_bytes(held[at + 2 : at + 4], "big")
            if kind == _SCAN:
                found = _after_scan(held, after)
                if found is None:
                    return None, at
                after = found
            at = after
    if at + 2 <= len(held) and held[at] == 0xFF and held[at + 1] == _END:  # noqa: PLR2004 - the last two bytes
        return at + 2, at
    return None, at if at <= len(held) else reached


def _after_scan(held: bytearray, at: int) -> int | None:
    """Return where the next marker is after coded data, in which ``FF`` is followed by ``00`` or a restart."""
    while True:
        at = held.find(0xFF, at)
        if at < 0 or at + 1 >= len(held):
            return None
        if held[at + 1] != 0 and held[at + 1] not in _ALONE:
            return at
        at += 2


# --- stream
# A camera that sends pictures by itself: read in a thread of its own, so that nobody waits for the newest one.

RawPicture: TypeAlias = "bytes | npt.NDArray[np.uint8]"
"""The bytes of a JPEG, or a picture: uint8, height x width x 3 (blue, green, red)."""

OpenStream: TypeAlias = "Callable[[], AbstractContextManager[Iterator[RawPicture]]]"
"""Opens a source and gives its pictures as they come.

Both may raise ``CameraError``, and must when no picture comes for ``STUCK_S``; the pictures may also end.
"""

STALL_TIMEOUT_S = 5.0
"""Seconds without a picture after which a source counts as stuck."""
MIN_RETRY_S, MAX_RETRY_S = 0.5, 8.0
"""Between two tries to open a source: doubled each time, until a picture has come."""
_JOIN_S = 2.0


class StreamCamera:
    """The newest picture of a source that sends them by itself.

    The thread starts when a frame is asked for first, and ends with ``close``.  A source that vanishes, is stuck or
    sends something else is opened again and again, less often each time; meanwhile ``grab`` says what is wrong.
    """

    def __init__(
        self, name: str, open_stream: OpenStream, *, min_retry_s: float = MIN_RETRY_S, pause_s: float = 0.0
    ) -> None:
        """Take the source; ``pause_s``: seconds between two openings of a source that ends after every picture."""
        self._name = name
        self._open_stream = open_stream
        self._first_wait_s = min_retry_s
        self._pause_s = pause_s
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._newest: tuple[RawPicture, int] | None = None
        self._problem: str | None = None
        self._number = 0
        self._came_ms = 0

    @property
    def name(self) -> str:
        """Return the source in the form that ``--camera`` takes."""
        return self._name

    def grab(self) -> Frame | None:
        """Return the newest picture, or None when none came since the last call; ``CameraError`` while it is lost."""
        if self._thread is None:
            self._closing.clear()
            self._came_ms = monotonic_ms()
            self._thread = threading.Thread(target=self._run, name=f"camera {self._name}", daemon=True)
            self._thread.start()
        with self._lock:
            newest, self._newest, problem = self._newest, None, self._problem
            silent = (monotonic_ms() - self._came_ms) / 1000
        if newest is None:
            if problem is None and silent > 2 * STALL_TIMEOUT_S:  # something comes, and never a picture
                problem = f"camera {self._name}: no picture for {silent:.0f} s"
            if problem is not None:
                raise CameraError(problem)
            return None
        coming, at_ms = newest
        try:
            image = decode_picture(coming) if isinstance(coming, bytes) else coming
        except PictureError as fault:
            raise CameraError(f"camera {self._name}: sends pictures that cannot be read ({fault})") from fault
        frame = Frame(image, at_ms, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Let go of the source and end the thread."""
        self._closing.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(_JOIN_S)

    def _run(self) -> None:
        wait = self._first_wait_s
        while not self._closing.is_set():
            begun = time.monotonic()
            came = self._follow()
            if came and self._problem is None:
                wait = self._first_wait_s
                self._closing.wait(max(0.0, self._pause_s - (time.monotonic() - begun)))
                continue
            wait = self._first_wait_s if came else min(wait * 2, MAX_RETRY_S)
            self._closing.wait(wait)

    def _follow(self) -> bool:
        """Follow the source until it ends or fails; say whether a picture came."""
        came = False
        problem: str | None = f"camera {self._name}: has stopped sending pictures"
        try:
            with self._open_stream() as pictures:
                for picture in pictures:
                    came = True
                    with self._lock:
                        self._came_ms = monotonic_ms()
                        self._newest, self._problem = (picture, self._came_ms), None
                    if self._closing.is_set():
                        return True
            if came and self._pause_s:
                problem = None  # a source of single pictures
        except CameraError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a driver throws is told, and tried again
            problem = f"camera {self._name}: {type(error).__name__}: {error}"
        with self._lock:
            self._problem = problem
        return came


_CHUNK = 65_536
SNAPSHOT_S = 0.15
"""Between two requests to a camera that answers each with one picture."""


def open_http_camera(
    address: str, *, stall_timeout_s: float = STALL_TIMEOUT_S, min_retry_s: float = 0.5
) -> StreamCamera:
    """Look through the camera at an ``http`` or ``https`` address.

    A name and a password may stand in the address (``http://name:password@host/``); they are told to nobody.

    Raises:
        CameraError: when this is no address.

    """
    parts = urlsplit(address)
    try:
        wrong = not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong:
        raise CameraError(f"camera {strip_credentials(address)!r}: this is no address; say http://HOST[:PORT]/PATH")
    name = strip_credentials(address)
    opener = _opener(address)

    @contextmanager
    def pictures() -> Iterator[Iterator[RawPicture]]:
        try:
            with opener(stall_timeout_s) as answer:
                kind = answer.headers.get_content_type()
                if not kind.startswith(("multipart/", "image/jpeg", "application/octet-stream", "video/")):
                    raise CameraError(f"camera {name}: sends {kind}, no JPEG pictures: is this its stream?")
                yield split_jpegs(_chunks(answer))
        except NotJpegStream as fault:
            raise CameraError(f"camera {name}: sends no JPEG pictures") from fault
        except TimeoutError as fault:
            raise CameraError(f"camera {name}: no picture for {stall_timeout_s:g} s") from fault
        except urllib.error.HTTPError as fault:
            fault.close()
            mend = ": put name and password into the address" if fault.code == http.client.UNAUTHORIZED else ""
            raise CameraError(f"camera {name}: answers {fault.code} {fault.reason}{mend}") from fault
        except urllib.error.URLError as fault:
            why = fault.reason
            because = (
                f"no answer for {stall_timeout_s:g} s"
                if isinstance(why, TimeoutError)
                else getattr(why, "strerror", why)
            )
            raise CameraError(f"camera {name}: cannot be reached ({because})") from fault
        except (OSError, http.client.HTTPException) as fault:
            raise CameraError(f"camera {name}: the connection broke ({fault})") from fault

    return StreamCamera(name, pictures, min_retry_s=min_retry_s, pause_s=SNAPSHOT_S)


def strip_credentials(address: str) -> str:
    """Return an address without the name and password in it."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _opener(address: str) -> Callable[[float], http.client.HTTPResponse]:
    parts = urlsplit(address)
    plain = strip_credentials(address)
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        passwords.add_password(None, plain, parts.username, parts.password or "")
    known = urllib.request.build_opener(
        urllib.request.HTTPBasicAuthHandler(passwords), urllib.request.HTTPDigestAuthHandler(passwords)
    )

    def opened(timeout: float) -> http.client.HTTPResponse:
        answer: http.client.HTTPResponse = known.open(plain, timeout=timeout)
        return answer

    return opened


def _chunks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while chunk := answer.read1(_CHUNK):
        yield chunk


# --- rtsp
# An IP camera that speaks RTSP, through OpenCV's FFmpeg. Untested on hardware.


def open_rtsp_camera(
    address: str, *, stall_timeout_s: float = STALL_TIMEOUT_S, min_retry_s: float = 0.5
) -> StreamCamera:
    """Look through the camera at an ``rtsp`` address, in which a name and a password may stand.

    Raises:
        CameraError: when this is no address.

    """
    name = strip_credentials(address)
    if not urlsplit(address).hostname:
        raise CameraError(f"camera {name!r}: this is no address; say rtsp://HOST[:PORT]/PATH")
    patience_ms = round(stall_timeout_s * 1000)
    asked = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience_ms]

    @contextmanager
    def pictures() -> Iterator[Iterator[RawPicture]]:
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, asked)
        try:
            if not capture.isOpened():
                raise CameraError(f"camera {name}: does not answer, or sends nothing that can be read")
            yield _read(capture)
        finally:
            capture.release()

    return StreamCamera(name, pictures, min_retry_s=min_retry_s)


def _read(capture: cv2.VideoCapture) -> Iterator[RawPicture]:
    while True:
        there, image = capture.read()
        if not there or image is None:
            return  # after the read timeout as well: it is told that pictures have stopped
        yield np.asarray(image, np.uint8)
