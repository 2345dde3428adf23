"""The automation dial of a table: how much the camera does by itself, and with which kinds of cards."""

from typing import Any

from flask import Blueprint, Response, jsonify

from companion.game_api.manifest import Edition
from companion.service.camera.proposals import DIALS, Setting, kinds
from companion.web.http.auth import open_table, services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("dial", __name__)


@blueprint.get("/tables/<table_id>/dial")
def dial(table_id: str) -> Response:
    """Say how it is set."""
    table = open_table(table_id)
    return jsonify(_as_json(table.edition, services().asking.setting(table)))


@blueprint.post("/tables/<table_id>/dial")
@once
def turn(table_id: str) -> Response:
    """Take ``{"dial": "ledger" | "suggest" | "automatic"}``, and maybe the ``"kind"`` of card that alone is meant."""
    table = open_table(table_id)
    the_banker()
    given = json_object()
    wish = next((one for one in DIALS if one == given.get("dial")), None)
    known = kinds(table.edition)
    kind = next((one for one in known if one == given.get("kind")), None)
    if wish is None or (kind is None and "kind" in given) or set(given) - {"dial", "kind"}:
        detail = 'Send {"dial": "ledger"}, "suggest" or "automatic", if need be with "kind": one of '
        raise Problem(400, "malformed", f"{detail}{', '.join(known)}; and nothing else.")
    return jsonify(_as_json(table.edition, services().asking.turn_dial(table, wish, kind)))


def _as_json(edition: Edition, setting: Setting) -> dict[str, Any]:
    return {"dial": setting.dial, "kinds": {kind: setting.of(kind) for kind in kinds(edition)}}
