"""Reading: what a picture sent by anybody holds."""

import threading

from flask import Blueprint, Response, jsonify, request

from companion.web.http.auth import services
from companion.web.http.figures import figures
from companion.web.http.problems import Problem
from companion.web.http.strict_json import picture_bytes

AT_ONCE = 2
PATIENCE_SECONDS = 10.0

blueprint = Blueprint("reading", __name__)
_places = threading.BoundedSemaphore(AT_ONCE)


@blueprint.post("/read")
def read() -> Response:
    """Answer the bytes of a picture with what ``companion read`` says of it; ``?name=`` names it."""
    name = request.args.get("name", "picture")
    body = picture_bytes()
    # A large picture takes a core for seconds: the game goes first.
    if not _places.acquire(timeout=PATIENCE_SECONDS):
        figures().count("pictures", outcome="busy")
        raise Problem(503, "busy", "Other pictures are being read; try again.", headers={"Retry-After": "5"})
    try:
        said = services().read_picture(name, body)
    finally:
        _places.release()
    if "error" in said:
        figures().count("pictures", outcome="unreadable")
        raise Problem(422, "unreadable", str(said["error"]), **said)
    figures().count("pictures", outcome="read")
    return jsonify(said)
