"""Reading: what a picture sent by anybody holds."""

from flask import Blueprint, Response, jsonify, request

from companion.web.http.auth import services
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem
from companion.web.http.strict_json import picture_bytes
from companion.web.http.upload_limiter import gate

blueprint = Blueprint("reading", __name__)


@blueprint.post("/read")
def read() -> Response:
    """Answer the bytes of a picture with what ``companion read`` says of it; ``?name=`` names it."""
    name = request.args.get("name", "picture")
    with gate().passed(retry_after=5):
        said = services().read_picture(name, picture_bytes())
    if "error" in said:
        figures().count("pictures", outcome="unreadable")
        raise Problem(422, "unreadable", str(said["error"]), **said)
    figures().count("pictures", outcome="read")
    return jsonify(said)
