"""The table against the books: where what lies on the mat contradicts the position."""

from flask import Blueprint, Response, jsonify

from companion.web.http.auth import open_table, services, the_banker

blueprint = Blueprint("differences", __name__)


@blueprint.get("/tables/<table_id>/differences")
def differences(table_id: str) -> Response:
    """Say what has differed for a while; nothing without a mat, and nothing is ever done about it."""
    table = open_table(table_id)
    the_banker()
    sight = services().scanner.sight(table_id)
    seen = {key: sight[key] for key in ("mat", "differences", "resumed")}
    return jsonify({"version": table.version, **seen})
