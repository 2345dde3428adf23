"""Addresses whose names are settled and whose work comes later; they are not in the description yet."""

from flask import Blueprint, Response

from companion.web.auth import open_table
from companion.web.problems import Problem

blueprint = Blueprint("later", __name__)


@blueprint.post("/tables/<table_id>/frames")
def frames(table_id: str) -> Response:
    """Take pictures from the camera of a phone or tablet."""
    open_table(table_id)
    raise Problem(501, "comes_later", "Pictures from a tablet's own camera come with a later version.")
