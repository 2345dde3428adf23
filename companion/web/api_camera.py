"""Which table the camera looks at; and cards laid on the simulated one, where there is no camera."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.service.demonstration import Furniture
from companion.web.auth import open_table, services, the_banker
from companion.web.problems import Problem
from companion.web.strict_json import json_object

ACTS: Mapping[str, tuple[type, ...]] = {
    "lay": (str,),
    "take_away": (str,),
    "mat": (str, type(None)),
    "board": (bool,),
}
"""What may be done with the simulated table, and what each act names: a card, a mat or none, yes or no."""

blueprint = Blueprint("camera", __name__)


@blueprint.post("/tables/<table_id>/camera")
def look_here(table_id: str) -> Response:
    """Let the camera look at this table from now on."""
    table = open_table(table_id)
    the_banker()
    services().scanner.attach(table)
    return jsonify({"sight": services().scanner.sight(table_id)})


@blueprint.post("/tables/<table_id>/simulated")
def lay(table_id: str) -> Response:
    """Take ``{"lay": "W07"}`` or ``{"take_away": "W07"}`` for the table under the simulated camera."""
    open_table(table_id)
    return _furnished()


@blueprint.post("/camera/simulated")
def furnish() -> Response:
    """Do the same while there is no table."""
    return _furnished()


def _furnished() -> Response:
    the_banker()
    furniture = services().furniture
    if furniture is None:
        raise Problem(404, "not_found", "The camera is a real one: lay the card on the table.")
    given = json_object()
    act, what = next(iter(given.items()), ("", None))
    if len(given) != 1 or act not in ACTS or not isinstance(what, ACTS[act]):
        raise Problem(
            400, "malformed", 'Send {"lay": "W07"}, {"take_away": "W07"}, {"mat": "table"} or {"board": true}.'
        )
    try:
        _carry_out(furniture, act, what)
    except ValueError:
        raise Problem(422, "malformed", "There is no such card in the box, or no such mat.") from None
    return jsonify({act: what})


def _carry_out(furniture: Furniture, act: str, what: Any) -> None:
    """Put something on the simulated table or take it away; ``ValueError`` where there is no such thing."""
    if act == "lay":
        furniture.lay_on_tray(what)
    elif act == "take_away":
        furniture.take_away(what)
    elif act == "mat":
        furniture.lay_mat(what)
    else:
        furniture.hold_board(held=what)
