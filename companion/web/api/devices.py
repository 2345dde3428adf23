"""What the devices at a table send: frames of a phone's or tablet's own camera, and what a hand scanner typed."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.engine.errors import Refused
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.table.table import Table
from companion.web.api.commands import as_problem
from companion.web.api.proposals import may_answer
from companion.web.http.auth import open_table, services
from companion.web.http.idempotency import once, request_key
from companion.web.http.language import refusal
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object, picture_bytes
from companion.web.http.upload_limiter import gate
from companion.web.sight import proposals_seen, with_address

LONGEST_NAME = 40
LONGEST_SCAN = 200
PLAIN = frozenset({"", "image/jpeg", "image/png", "application/octet-stream", "application/x-www-form-urlencoded"})
"""What a picture may be sent as.  The last is what ``curl --data-binary`` says of anything."""

blueprint = Blueprint("devices", __name__)


@blueprint.post("/tables/<table_id>/frames")
def frames(table_id: str) -> Response:
    """Take a JPEG or PNG from the camera of a phone or tablet; ``?device=`` tells several of one caller apart.

    Answers what is in it, what each card means now to the caller, and what he is asked.
    """
    table = open_table(table_id)
    viewer = may_answer().viewer
    device = request.args.get("device", "")
    if len(device) > LONGEST_NAME or not device.isprintable():
        raise Problem(400, "malformed", f"The name of a device has at most {LONGEST_NAME} characters.")
    if request.mimetype not in PLAIN:
        raise Problem(415, "foreign_format", "Send the bytes of a JPEG or a PNG.")
    seen = _looked(table, viewer, device)
    tags = [{**tag, "refusal": _worded(tag["refusal"], table)} for tag in seen["tags"]]
    return jsonify({**seen, "tags": tags, "proposals": proposals_seen(services().asking, table_id, viewer)})


@blueprint.post("/tables/<table_id>/scans")
@once
def scans(table_id: str) -> Response:
    """Take ``{"text": "MB1W07"}`` from a hand scanner, or a card's number that somebody typed."""
    table = open_table(table_id)
    viewer = may_answer().viewer
    given = json_object()
    text = given.get("text")
    if len(given) != 1 or not isinstance(text, str) or not 0 < len(text) <= LONGEST_SCAN:
        raise Problem(400, "malformed", 'Send {"text": "MB1W07"}, and nothing else.')
    try:
        done = services().devices.scan(table, viewer, text, request_key(viewer))
    except Refused as refused:
        figures().count("refusals", rule=refused.rule)
        raise as_problem(refused, table) from None
    asked = done["proposal"]
    return jsonify({**done, "proposal": None if asked is None else with_address(asked, table_id)})


def _looked(table: Table, viewer: str, device: str) -> dict[str, Any]:
    try:
        with gate().passed(retry_after=1):
            seen = services().devices.look(table, viewer, device, picture_bytes())
    except ForeignPicture as fault:
        figures().count("pictures", outcome="unreadable")
        raise Problem(415, "foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        figures().count("pictures", outcome="unreadable")
        name = device or "frame"
        raise Problem(422, "unreadable", f"{fault}.", image=name, error=str(fault)) from None
    figures().count("pictures", outcome="read")
    return seen


def _worded(refused: Refused | None, table: Table) -> dict[str, Any] | None:
    if refused is None:
        return None
    said = refusal(refused, table.names(), table.catalog_json(), table.edition.manifest)
    return {"rule": refused.rule, "detail": said}
