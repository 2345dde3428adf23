"""How a device comes to trust the secure pages (HTTPS); open to everybody, for it is asked before anybody logs in."""

from flask import Blueprint, Response, current_app, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.http.auth import services
from companion.web.http.problems import Problem
from companion.web.pages.language import page_values, remember_language

blueprint = Blueprint("trust", __name__, url_prefix="/trust")

DEVICES = ("apple", "android", "windows", "mac", "firefox")
_TOLD_BY = (("iPhone", "apple"), ("iPad", "apple"), ("Android", "android"), ("Windows", "windows"), ("Mac OS", "mac"))
"""What a browser says of its device, and which of the ways is meant for it."""


@blueprint.get("")
def trust() -> AnyResponse:
    """Tell how to trust this app's authority, the caller's own kind of device first."""
    _, values = page_values()
    secure = secure_address()
    agent = request.headers.get("User-Agent", "")
    mine = next((device for name, device in _TOLD_BY if name in agent), "firefox")
    certificates = services().certificates
    page = render_template(
        "trust.html",
        **values,
        secure=secure,
        is_secure=request.is_secure,
        to_install=certificates is not None and certificates.authority is not None,
        fingerprint="" if certificates is None else certificates.fingerprint,
        devices=sorted(DEVICES, key=lambda device: device != mine),
        mine=mine,
    )
    return remember_language(make_response(page))


@blueprint.get("/companion.crt")
def certificate() -> Response:
    """Give the certificate that devices have to trust (X.509, DER)."""
    certificates = services().certificates
    authority = None if certificates is None else certificates.authority
    if authority is None:
        raise Problem("not_found", "This companion has no certificate authority of its own.")
    answer = Response(authority, mimetype="application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = 'attachment; filename="companion.crt"'
    return answer


def secure_address() -> str:
    """Give the secure page's address at the machine that was asked; empty where there is none."""
    port = int(current_app.extensions.get("companion.secure_port", 0))
    if not port:
        return ""
    host, colon, last = request.host.rpartition(":")
    return f"https://{host if colon and last.isdecimal() else request.host}:{port}/"
