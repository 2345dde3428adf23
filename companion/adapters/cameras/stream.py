"""Cameras that send pictures by themselves, and their addresses: read in a thread, the newest at hand."""

import http.client
import ipaddress
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote, unquote

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.files import monotonic_ms
from companion.adapters.cameras.http_auth import CredentialsHandler
from companion.adapters.pictures import PictureError, decode_picture
from companion.service.camera.camera import CameraError, Frame

# Addresses of cameras, in which a name and a password may be written as people write them.

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://", re.ASCII)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+(?:%[^\]/?#@]*)?\]|[^\s:/?#@\[\]]+)(?::([0-9]{1,5}))?(?=[/?#]|$)", re.ASCII)
_MAX_PORT = 65_535


@dataclass(frozen=True, slots=True)
class CameraAddress:
    """An address without credentials, and the credentials that were written in it (``None``: none)."""

    plain: str
    host: str
    user: str | None = None
    password: str = ""

    def with_credentials(self) -> str:
        """Return the address with the credentials encoded as RFC 3986 wants them."""
        if self.user is None:
            return self.plain
        scheme, _, rest = self.plain.partition("://")
        return f"{scheme}://{quote(self.user, safe='')}:{quote(self.password, safe='')}@{rest}"


def split_address(address: str) -> CameraAddress | None:
    """Return the parts of an address, or ``None`` where it names no host.

    A password may contain ``@ # / ? : %`` as they are, or encoded (``%40``).  Which ``@`` ends it is ambiguous then:
    an ``@`` followed by an IP address, ``localhost`` or a name in ``.local`` wins, then by a name with a dot, then by
    any name; among equals the reading of RFC 3986 wins, and without that the last.
    """
    scheme = _SCHEME.match(address)
    if scheme is None:
        return None
    rest = address[scheme.end() :]
    standard = rest.rfind("@", 0, _authority_end(rest))
    ends = [-1, *(at for at, letter in enumerate(rest) if letter == "@")]
    readings = [(_certainty(rest[at + 1 :]), at == standard, at) for at in ends]
    certainty, _, at = max(readings, key=lambda reading: _rank(*reading))
    host = _HOST.match(rest[at + 1 :])
    if not certainty or host is None:
        return None
    plain = scheme[0] + rest[at + 1 :]
    if at < 0:
        return CameraAddress(plain, host[1])
    user, _, password = rest[:at].partition(":")
    return CameraAddress(plain, host[1], unquote(user), unquote(password))


def strip_credentials(address: str) -> str:
    """Return an address without its name and password, also where it is no valid address."""
    parts = split_address(address)
    if parts is not None:
        return parts.plain
    scheme = _SCHEME.match(address)
    return (scheme[0] if scheme else "") + address[scheme.end() if scheme else 0 :].rpartition("@")[2]


def _authority_end(rest: str) -> int:
    return next((at for at, letter in enumerate(rest) if letter in "/?#"), len(rest))


def _rank(certainty: int, standard: bool, at: int) -> tuple[int, bool, int]:  # noqa: FBT001 - a part of a reading
    """Return by what one reading is preferred; two bare names: a password with ``@`` is likelier than such a path."""
    return certainty, standard and (certainty > 1 or at < 0), at


def _certainty(text: str) -> int:
    """Return how certainly a text begins with a host: 3 an IP address or local name, 2 with a dot, 1 any name, 0 no."""
    match = _HOST.match(text)
    if match is None or (match[2] is not None and not 0 < int(match[2]) <= _MAX_PORT):
        return 0
    host = match[1].casefold()
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        if host.startswith("["):
            return 0
        return 3 if host == "localhost" or host.endswith(".local") else 1 + ("." in host)
    return 3


# Cameras that send pictures by themselves: read in a thread, so that ``grab`` always has the newest one. IP
# cameras over HTTP (MJPEG, or one JPEG a request) and over RTSP; ``rpicam`` builds on the same class.

# JPEGs one after the other in a stream of bytes, with or without anything between them.

MAX_PICTURE_BYTES = 20_000_000
"""Bytes of one picture; longer data is no picture."""

_START = b"\xff\xd8\xff"
_END, _SCAN = 0xD9, 0xDA
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_MARKER = 4
"""Bytes of a segment's marker and length."""


class NotJpegStream(Exception):  # noqa: N818 - the caller, who knows the source, raises the error
    """The bytes contain no JPEGs."""


def split_jpegs(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield every complete JPEG in a stream of bytes.

    Anything between two pictures is skipped, and so are thumbnails inside a picture.

    Raises:
        NotJpegStream: when more than ``MAX_PICTURE_BYTES`` contain no complete picture.

    """
    buffer, scan = bytearray(), JpegScan()
    for chunk in chunks:
        buffer += chunk
        while True:
            start = buffer.find(_START)
            if start < 0:
                if len(buffer) > MAX_PICTURE_BYTES:
                    raise NotJpegStream
                del buffer[: max(0, len(buffer) - len(_START) + 1)]
                break
            if start:
                del buffer[:start]
            end = scan.find_end(buffer)
            if end is None:
                if len(buffer) > MAX_PICTURE_BYTES:
                    raise NotJpegStream
                break
            yield bytes(buffer[:end])
            del buffer[:end]
            scan = JpegScan()


class JpegScan:
    """Finds the end of one JPEG in a buffer that grows: nothing is searched twice."""

    def __init__(self) -> None:
        """Begin behind the first two bytes."""
        self._at = 2
        self._in_scan = False

    def find_end(self, buffer: bytearray) -> int | None:
        """Return where the JPEG at the start ends; ``None``: not yet."""
        while self._at + _MARKER <= len(buffer):
            if self._in_scan:
                if not self._leave_scan(buffer):
                    return None
                continue
            if buffer[self._at] != 0xFF:  # noqa: PLR2004 - every segment begins with this byte
                return self._at  # damaged; the decoder will reject what came so far
            kind = buffer[self._at + 1]
            if kind == 0xFF:  # noqa: PLR2004 - a fill byte
                self._at += 1
            elif kind == _END:
                return self._at + 2
            elif kind in _ALONE:
                self._at += 2
            else:
                self._at += 2 + int.from_bytes(buffer[self._at + 2 : self._at + 4], "big")
                self._in_scan = kind == _SCAN
        self._in_scan = self._in_scan and not self._leave_scan(buffer)
        is_end = not self._in_scan and buffer[self._at : self._at + 2] == bytes((0xFF, _END))  # the last two bytes
        return self._at + 2 if is_end else None

    def _leave_scan(self, buffer: bytearray) -> bool:
        """Move to the marker after entropy-coded data, where ``FF`` precedes ``00`` or a restart marker.

        Return whether it is there; else move to where the search goes on.
        """
        while True:
            offset = buffer.find(0xFF, self._at)
            self._at = max(self._at, len(buffer)) if offset < 0 else offset
            if self._at + 1 >= len(buffer):
                return False
            if buffer[self._at + 1] != 0 and buffer[self._at + 1] not in _ALONE:
                self._in_scan = False
                return True
            self._at += 2


RawPicture: TypeAlias = "bytes | npt.NDArray[np.uint8]"
"""The bytes of a JPEG, or a picture: uint8, height x width x 3 (blue, green, red)."""

OpenStream: TypeAlias = "Callable[[], AbstractContextManager[Iterator[RawPicture]]]"
"""Opens a source and yields its pictures as they arrive.

Both may raise ``CameraError``, and must when no picture arrives for ``STALL_TIMEOUT_S``; the pictures may also end.
"""

STALL_TIMEOUT_S = 5.0
"""Without a picture for so long, a source counts as lost."""
MIN_RETRY_S, MAX_RETRY_S = 0.5, 8.0
"""Between two attempts to open a source; doubled each time until a picture arrives."""
_JOIN_S = 2.0


class StreamCamera:
    """The newest picture of a source that sends them by itself.

    The thread starts at the first ``grab`` and ends with ``close``.  A source that fails, stalls or sends something
    else is reopened, less often each time; meanwhile ``grab`` raises ``CameraError`` with the reason.
    """

    def __init__(
        self, name: str, open_stream: OpenStream, *, min_retry_s: float = MIN_RETRY_S, pause_s: float = 0.0
    ) -> None:
        """Store the source; ``pause_s``: seconds between two openings of a source that ends after every picture."""
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
        self._arrived_ms = 0

    @property
    def name(self) -> str:
        """Return the source in the form that ``--camera`` takes."""
        return self._name

    def grab(self) -> Frame | None:
        """Return the newest picture, or ``None`` without a new one; raise ``CameraError`` while the source is lost."""
        if self._thread is None:
            self._closing.clear()
            self._arrived_ms = monotonic_ms()
            self._thread = threading.Thread(target=self._run, name=f"camera {self._name}", daemon=True)
            self._thread.start()
        with self._lock:
            newest, self._newest, problem = self._newest, None, self._problem
            silent = (monotonic_ms() - self._arrived_ms) / 1000
        if newest is None:
            if problem is None and silent > 2 * STALL_TIMEOUT_S:  # bytes arrive, but never a picture
                problem = f"camera {self._name}: no picture for {silent:.0f} s"
            if problem is not None:
                raise CameraError(problem)
            return None
        raw, at_ms = newest
        try:
            image = decode_picture(raw) if isinstance(raw, bytes) else raw
        except PictureError as fault:
            raise CameraError(f"camera {self._name}: sends pictures that cannot be read ({fault})") from fault
        frame = Frame(image, at_ms, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Close the source and end the thread."""
        self._closing.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(_JOIN_S)

    def _run(self) -> None:
        wait = self._first_wait_s
        while not self._closing.is_set():
            started = time.monotonic()
            received = self._follow()
            if received and self._problem is None:
                wait = self._first_wait_s
                self._closing.wait(max(0.0, self._pause_s - (time.monotonic() - started)))
                continue
            wait = self._first_wait_s if received else min(wait * 2, MAX_RETRY_S)
            self._closing.wait(wait)

    def _follow(self) -> bool:
        """Read the source until it ends or fails; return whether a picture arrived."""
        received = False
        problem: str | None = f"camera {self._name}: has stopped sending pictures"
        try:
            with self._open_stream() as pictures:
                for picture in pictures:
                    received = True
                    with self._lock:
                        self._arrived_ms = monotonic_ms()
                        self._newest, self._problem = (picture, self._arrived_ms), None
                    if self._closing.is_set():
                        return True
            if received and self._pause_s:
                problem = None  # a source of single pictures
        except CameraError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - a driver may raise anything; it is reported, and tried again
            problem = f"camera {self._name}: {type(error).__name__}: {error}"
        with self._lock:
            self._problem = problem
        return received


_CHUNK = 65_536
_RECOGNISED_WITHIN = 4096
"""Bytes within which a JPEG must begin where a camera does not say that it sends a stream."""
SNAPSHOT_S = 0.15
"""Seconds between two requests to a camera that answers each with one picture."""


def open_http_camera(
    address: str, *, stall_timeout_s: float = STALL_TIMEOUT_S, min_retry_s: float = 0.5
) -> StreamCamera:
    """Open the camera at an ``http`` or ``https`` address.

    The address may hold a name and a password (``http://name:password@host/``), which appear in no message.

    Raises:
        CameraError: when the address is invalid.

    """
    parts = split_address(address)
    if parts is None:
        raise CameraError(f"camera {strip_credentials(address)!r}: this is no address; say http://HOST[:PORT]/PATH")
    name = parts.plain
    opener = _opener(parts)

    @contextmanager
    def pictures() -> Iterator[Iterator[RawPicture]]:
        try:
            with opener(stall_timeout_s) as answer:
                yield split_jpegs(_recognised_chunks(answer, name))
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


def _opener(address: CameraAddress) -> Callable[[float], http.client.HTTPResponse]:
    handlers = [] if address.user is None else [CredentialsHandler(address.plain, address.user, address.password)]
    opener = urllib.request.build_opener(*handlers)

    def opened(timeout: float) -> http.client.HTTPResponse:
        answer: http.client.HTTPResponse = opener.open(address.plain, timeout=timeout)
        return answer

    return opened


def _recognised_chunks(answer: http.client.HTTPResponse, name: str) -> Iterator[bytes]:
    """Yield what a camera sends.

    Cameras call a JPEG ``image/jpg``, ``image/pjpeg``, text, or nothing at all: of what is called neither a stream nor
    unknown bytes, the first bytes decide.

    Raises:
        CameraError: when they belong to something else.

    """
    kind = answer.headers.get_content_type() if "Content-Type" in answer.headers else ""
    first = b""
    if not kind.startswith(("multipart/", "video/")):
        while len(first) < _RECOGNISED_WITHIN and _START not in first and (chunk := answer.read1(_CHUNK)):
            first += chunk
        if _START not in first:
            sent = kind or ("something else" if first else "nothing")
            raise CameraError(f"camera {name}: sends {sent}, no JPEG pictures: is this its stream?")
        yield first
    while chunk := answer.read1(_CHUNK):
        yield chunk


def open_rtsp_camera(
    address: str, *, stall_timeout_s: float = STALL_TIMEOUT_S, min_retry_s: float = 0.5
) -> StreamCamera:
    """Open the camera at an ``rtsp`` address, through OpenCV's FFmpeg (untested on hardware).

    The address may hold a name and a password, which appear in no message.

    Raises:
        CameraError: when the address is invalid.

    """
    parts = split_address(address)
    if parts is None:
        raise CameraError(f"camera {strip_credentials(address)!r}: this is no address; say rtsp://HOST[:PORT]/PATH")
    name, encoded = parts.plain, parts.with_credentials()
    timeout_ms = round(stall_timeout_s * 1000)
    options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, timeout_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, timeout_ms]

    @contextmanager
    def pictures() -> Iterator[Iterator[RawPicture]]:
        capture = cv2.VideoCapture(encoded, cv2.CAP_FFMPEG, options)
        try:
            if not capture.isOpened():
                raise CameraError(f"camera {name}: does not answer, or sends nothing that can be read")
            yield _read(capture)
        finally:
            capture.release()

    return StreamCamera(name, pictures, min_retry_s=min_retry_s)


def _read(capture: cv2.VideoCapture) -> Iterator[RawPicture]:
    while True:
        succeeded, image = capture.read()
        if not succeeded or image is None:
            return  # also after the read timeout; the caller reports that pictures have stopped
        yield np.asarray(image, np.uint8)
