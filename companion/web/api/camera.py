"""Which table the camera looks at; and cards laid on the simulated one, where there is no camera."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.service.demonstration import Furniture
from companion.web.http.auth import open_table, services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.language import words_of
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object
from companion.web.pages.zones_drawn import zones_in_picture

_SENT = (
    'Send {"lay": "W07"} (and "zone", or "bare": true), {"take_away": "W07"}, {"mat": "table"}, {"board": true} or '
    '{"bump": true}.'
)

LONGEST_TEXT = 40
"""Of a code that is no card so much is told."""

blueprint = Blueprint("camera", __name__)


@blueprint.post("/tables/<table_id>/camera")
@once
def look_here(table_id: str) -> Response:
    """Let the camera look at this table from now on."""
    table = open_table(table_id)
    the_banker()
    services().scanner.attach(table)
    return jsonify({"sight": services().scanner.sight(table_id)})


@blueprint.get("/tables/<table_id>/camera")
def view(table_id: str) -> Response:
    """Say what the camera sees at this table now: cards, other codes, labels that are not read, zones."""
    table = open_table(table_id)
    the_banker()
    viewing, words, catalog = services().view, words_of(table.edition.manifest), table.catalog_json()
    found = None if viewing is None else viewing.look(table_id)
    if found is None:
        return jsonify({"picture": None, "cards": [], "strangers": [], "unread": [], "zones": []})
    cards = [
        {
            **card,
            "title": words.card(card["card"], catalog),
            "place": card["zone"] and words.say_in("zone", card["zone"]),
        }
        for card in found.cards
    ]
    strangers = [
        {"text": one.text[:LONGEST_TEXT], "corners": [[round(x, 1), round(y, 1)] for x, y in one.corners]}
        for one in found.strangers
    ]
    unread = [
        {
            "why": one.why,
            "title": words.say_in("unread", one.why),
            "advice": words.say_in("unread advice", one.why),
            "corners": [[round(x, 1), round(y, 1)] for x, y in one.corners],
        }
        for one in found.unread
    ]
    zones = [] if found.mat is None else zones_in_picture(words, found.mat)
    picture = {"number": found.number, "width": found.width, "height": found.height}
    return jsonify({"picture": picture, "cards": cards, "strangers": strangers, "unread": unread, "zones": zones})


@blueprint.post("/tables/<table_id>/simulated")
@once
def lay(table_id: str) -> Response:
    """Take ``{"lay": "W07"}`` (and its ``zone``, or ``"bare": true``), ``{"take_away": "W07"}`` or ``{"bump": true}``.

    That is: for the table under the simulated camera.
    """
    open_table(table_id)
    return _furnished()


@blueprint.post("/camera/simulated")
@once
def furnish() -> Response:
    """Do the same while there is no table."""
    return _furnished()


def _furnished() -> Response:
    the_banker()
    furniture = services().furniture
    if furniture is None:
        raise Problem(404, "not_found", "The camera is a real one: lay the card on the table.")
    given = json_object()
    try:
        _carry_out(furniture, given)
    except ValueError:
        raise Problem(422, "malformed", "There is no such card in the box, or no such mat or zone.") from None
    return jsonify(given)


def _carry_out(furniture: Furniture, given: Mapping[str, Any]) -> None:
    """Put something on the simulated table or take it away; ``ValueError`` where there is no such thing."""
    match given:
        case {"lay": str() as card, **others} if not others:
            furniture.lay_on_tray(card)
        case {"lay": str() as card, "bare": True, **others} if not others:
            furniture.lay_bare(card)
        case {"lay": str() as card, "zone": str() as zone, **others} if not others:
            furniture.lay_in(card, zone)
        case {"take_away": str() as card, **others} if not others:
            furniture.take_away(card)
        case {"mat": str() | None as name, **others} if not others:
            furniture.lay_mat(name)
        case {"board": bool() as held, **others} if not others:
            furniture.hold_board(held=held)
        case {"bump": True, **others} if not others:
            furniture.bump()
        case _:
            raise Problem(400, "malformed", _SENT)
