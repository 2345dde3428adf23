"""A captive portal for phones on a hotspot without internet (RFC 8908, RFC 8910).

A phone that joins a network requests a page of its vendor whose content it knows (a probe).  On the hotspot all names
resolve to this machine.  Probes are redirected to the page below until a phone has seen that, and then answered as the
vendor would: otherwise the phone would leave the network, or cover the game with its own window.
"""

import threading
from collections import OrderedDict

from flask import Blueprint, Flask, Response, current_app, make_response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import LOCAL_ADDRESS, host_name, plain_address
from companion.web.pages.language import page_frame

blueprint = Blueprint("captive", __name__, url_prefix="/captive")

MOST_PHONES = 500
PROBES: dict[str, tuple[int, str]] = {
    "/hotspot-detect.html": (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    "/library/test/success.html": (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    "/generate_204": (204, ""),
    "/gen_204": (204, ""),
    "/connecttest.txt": (200, "Microsoft Connect Test"),
    "/ncsi.txt": (200, "Microsoft NCSI"),
    "/success.txt": (200, "success\n"),
    "/canonical.html": (200, '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org"/>'),
}
"""Paths of probes, with the status and body that vendors answer with."""


class Phones:
    """The addresses of phones that have seen the page."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, None] = OrderedDict()

    def saw(self, address: str) -> None:
        """Store an address."""
        with self._lock:
            self._seen[address] = None
            self._seen.move_to_end(address)
            if len(self._seen) > MOST_PHONES:
                self._seen.popitem(last=False)

    def has_seen(self, address: str) -> bool:
        """Return whether the page was seen at an address."""
        with self._lock:
            return address in self._seen


def register_captive(app: Flask) -> None:
    """Register the portal.  It has to come before the check of host names: probes ask for other names."""
    app.extensions["companion.phones"] = Phones()
    app.register_blueprint(blueprint)
    app.before_request(_answer_probe)


def _answer_probe() -> AnyResponse | None:
    """Return the answer to a probe; nothing of this app is shown or done."""
    host = host_name(request.headers.get("Host", "")) or ""
    if host in {_own_address(), "localhost"} or host.endswith(".local") or request.method not in {"GET", "HEAD"}:
        return None
    expected = PROBES.get(request.path)
    if expected is None:
        return None
    if _phones().has_seen(request.remote_addr or ""):
        status, body = expected
        return Response(body, status=status, mimetype="text/html" if body.startswith("<") else "text/plain")
    return redirect(f"{_home_url()}captive", 302)


@blueprint.get("")
def show_page() -> AnyResponse:
    """Return the page that tells where this is, and how to continue in the phone's own browser."""
    _phones().saw(request.remote_addr or "")
    frame = page_frame()
    return make_response(frame.render("captive.html", home=_home_url()))


@blueprint.get("/api")
def show_api() -> Response:
    """Return the state of the captive portal: where its page is, and whether this phone has to look at it."""
    captive = not _phones().has_seen(request.remote_addr or "")
    state = current_app.json.dumps({"captive": captive, "user-portal-url": f"{_home_url()}captive"})
    answer = Response(state, mimetype="application/captive+json")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _own_address() -> str:
    return plain_address(request.environ.get(LOCAL_ADDRESS, "")) or "localhost"


def _home_url() -> str:
    address, port = _own_address(), request.environ.get("SERVER_PORT", "80")
    shown = f"[{address}]" if ":" in address else address
    return f"http://{shown}/" if port == "80" else f"http://{shown}:{port}/"


def _phones() -> Phones:
    phones: Phones = current_app.extensions["companion.phones"]
    return phones
