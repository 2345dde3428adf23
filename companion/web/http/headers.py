"""Headers that every answer carries."""

from flask import Flask, request
from werkzeug.wrappers import Response

from companion.web.http.figures import figures

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
)


def register_headers(app: Flask) -> None:
    """Tell browsers what these pages never do, and keep what is seen at a table out of caches."""
    app.after_request(_add)


def _add(answer: Response) -> Response:
    headers = answer.headers
    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    # Not "no-referrer": with it browsers send "Origin: null" with forms, which looks like another site.
    headers["Referrer-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    if request.endpoint != "static":
        headers.setdefault("Cache-Control", "no-store")
    figures().count("answers", status=f"{answer.status_code // 100}xx")
    return answer
