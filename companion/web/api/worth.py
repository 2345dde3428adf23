"""What everybody was worth after each round."""

from flask import Blueprint, Response, jsonify

from companion.service.table.worth import as_json, worth_over_rounds
from companion.web.http.auth import current_caller, open_table

blueprint = Blueprint("worth", __name__)


@blueprint.get("/tables/<table_id>/worth")
def worth(table_id: str) -> Response:
    """Give the worth of each player at the start (round 0) and after each round; hidden money is left out."""
    return jsonify(as_json(worth_over_rounds(open_table(table_id), current_caller().viewer)))
