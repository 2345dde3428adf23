"""An IP camera that sends JPEGs over HTTP: as a stream (MJPEG), or one picture a request."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

from companion.adapters.cameras.jpegs import NoPictures, jpegs
from companion.adapters.cameras.stream import STUCK_S, Coming, StreamCamera
from companion.service.sight.camera import CameraError

_CHUNK = 65_536
SNAPSHOT_S = 0.15
"""Between two requests to a camera that answers each with one picture."""


def http_camera(address: str, *, stuck_s: float = STUCK_S, first_wait_s: float = 0.5) -> StreamCamera:
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
        raise CameraError(f"camera {without_login(address)!r}: this is no address; say http://HOST[:PORT]/PATH")
    name = without_login(address)
    opener = _opener(address)

    @contextmanager
    def pictures() -> Iterator[Iterator[Coming]]:
        try:
            with opener(stuck_s) as answer:
                kind = answer.headers.get_content_type()
                if not kind.startswith(("multipart/", "image/jpeg", "application/octet-stream", "video/")):
                    raise CameraError(f"camera {name}: sends {kind}, no JPEG pictures: is this its stream?")
                yield jpegs(_chunks(answer))
        except NoPictures as fault:
            raise CameraError(f"camera {name}: sends no JPEG pictures") from fault
        except TimeoutError as fault:
            raise CameraError(f"camera {name}: no picture for {stuck_s:g} s") from fault
        except urllib.error.HTTPError as fault:
            fault.close()
            mend = ": put name and password into the address" if fault.code == http.client.UNAUTHORIZED else ""
            raise CameraError(f"camera {name}: answers {fault.code} {fault.reason}{mend}") from fault
        except urllib.error.URLError as fault:
            why = fault.reason
            because = f"no answer for {stuck_s:g} s" if isinstance(why, TimeoutError) else getattr(why, "strerror", why)
            raise CameraError(f"camera {name}: cannot be reached ({because})") from fault
        except (OSError, http.client.HTTPException) as fault:
            raise CameraError(f"camera {name}: the connection broke ({fault})") from fault

    return StreamCamera(name, pictures, first_wait_s=first_wait_s, pause_s=SNAPSHOT_S)


def without_login(address: str) -> str:
    """Give an address without the name and password in it."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _opener(address: str) -> Callable[[float], http.client.HTTPResponse]:
    parts = urlsplit(address)
    plain = without_login(address)
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
