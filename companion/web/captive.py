"""Phones on a hotspot without internet: each is shown the way here once, and then left in peace (RFC 8908, RFC 8910).

A phone that joins a network asks for a page of its maker's, whose content it knows.  On the hotspot every name leads to
this machine: the first such question is answered with the way to the page below; once a phone has seen that page, as
its maker would.  Else it would leave the network again, or cover the game with its own window.
"""

import threading
from collections import OrderedDict

from flask import Blueprint, Flask, Response, current_app, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import LOCAL_ADDRESS, host_name, plain_address
from companion.web.pages.language import page_values

blueprint = Blueprint("captive", __name__, url_prefix="/captive")

MOST_PHONES = 500
EXPECTED: dict[str, tuple[int, str]] = {
    "/hotspot-detect.html": (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    "/library/test/success.html": (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    "/generate_204": (204, ""),
    "/gen_204": (204, ""),
    "/connecttest.txt": (200, "Microsoft Connect Test"),
    "/ncsi.txt": (200, "Microsoft NCSI"),
    "/success.txt": (200, "success\n"),
    "/canonical.html": (200, '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org"/>'),
}
"""What phones and computers ask for, and what they know to come where the internet is."""


class Phones:
    """The addresses of those who have seen the page."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, None] = OrderedDict()

    def saw(self, address: str) -> None:
        """Remember one."""
        with self._lock:
            self._seen[address] = None
            self._seen.move_to_end(address)
            if len(self._seen) > MOST_PHONES:
                self._seen.popitem(last=False)

    def has_seen(self, address: str) -> bool:
        """Return whether one has been here."""
        with self._lock:
            return address in self._seen


def register_captive(app: Flask) -> None:
    """Show phones the way.  Comes before the check of hosts: they ask for other names than ours."""
    app.extensions["companion.phones"] = Phones()
    app.register_blueprint(blueprint)
    app.before_request(_for_somebody_else)


def _for_somebody_else() -> AnyResponse | None:
    """Answer what was meant for the internet; nothing of this app's is told or done, whoever asks."""
    host = host_name(request.headers.get("Host", "")) or ""
    if host in {_here(), "localhost"} or host.endswith(".local") or request.method not in {"GET", "HEAD"}:
        return None
    expected = EXPECTED.get(request.path)
    if expected is None:
        return None
    if _phones().has_seen(request.remote_addr or ""):
        status, body = expected
        return Response(body, status=status, mimetype="text/html" if body.startswith("<") else "text/plain")
    return redirect(f"{_home()}captive", 302)


@blueprint.get("")
def page() -> AnyResponse:
    """Return where one is, and how to go on in the phone's own browser."""
    _phones().saw(request.remote_addr or "")
    _, values = page_values()
    return make_response(render_template("captive.html", **values, home=_home()))


@blueprint.get("/api")
def api() -> Response:
    """Answer as a captive portal's API does: where the page is, and whether this phone has to look at it."""
    captive = not _phones().has_seen(request.remote_addr or "")
    told = current_app.json.dumps({"captive": captive, "user-portal-url": f"{_home()}captive"})
    answer = Response(told, mimetype="application/captive+json")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _here() -> str:
    return plain_address(request.environ.get(LOCAL_ADDRESS, "")) or "localhost"


def _home() -> str:
    here, port = _here(), request.environ.get("SERVER_PORT", "80")
    shown = f"[{here}]" if ":" in here else here
    return f"http://{shown}/" if port == "80" else f"http://{shown}:{port}/"


def _phones() -> Phones:
    found: Phones = current_app.extensions["companion.phones"]
    return found
