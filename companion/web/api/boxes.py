"""Owners' boxes, taught card by card: begun, gone on with on any device, kept as catalogs.  For the banker alone."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.service.teaching.boxes import Box, Boxes, Unfinished, UnknownBox, Unteachable
from companion.web.http.auth import services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("boxes", __name__, url_prefix="/boxes")


def boxes() -> Boxes:
    """Give the boxes to the banker.  ``Problem``."""
    the_banker()
    found = services().boxes
    if found is None:
        raise Problem(404, "not_found", "Nothing can be taught here: nothing is kept.")
    return found


def unknown() -> Problem:
    """Say that there is no such box, or no such card in it."""
    return Problem(404, "not_found", "No such box, or no such card in it.")


@blueprint.get("")
def all_boxes() -> Response:
    """List the boxes that are being taught."""
    found = boxes()
    return jsonify({"boxes": [_brief(found, box) for box in found.all()]})


@blueprint.post("")
@once
def begin() -> tuple[Response, int]:
    """Take ``{"game": NAME, "name": WORDS}``."""
    found, given = boxes(), json_object()
    game, name = given.get("game"), given.get("name")
    if set(given) != {"game", "name"} or not isinstance(game, str) or not isinstance(name, str):
        raise Problem(400, "malformed", 'Send {"game": "master_builder", "name": "My box"}.')
    try:
        box = found.begin(game, name)
    except Unteachable as error:
        raise _unfit(error) from None
    return jsonify(whole(found, box)), 201


@blueprint.get("/<box_id>")
def one(box_id: str) -> Response:
    """Give a box with everything that is known of it."""
    found = boxes()
    return jsonify(whole(found, known(found, box_id)))


@blueprint.delete("/<box_id>")
def remove(box_id: str) -> tuple[str, int]:
    """Forget a box; catalogs made of it stay."""
    try:
        boxes().remove(box_id)
    except UnknownBox:
        raise unknown() from None
    faces = services().faces
    if faces is not None:
        faces.forget_box(box_id)
    return "", 204


@blueprint.put("/<box_id>/cards/<card>")
def teach(box_id: str, card: str) -> Response:
    """Take what is printed on a card, field by field; the same again changes nothing."""
    found, given = boxes(), json_object()
    try:
        return jsonify(whole(found, found.teach(box_id, card, given)))
    except UnknownBox:
        raise unknown() from None
    except Unteachable as error:
        raise _unfit(error) from None


@blueprint.delete("/<box_id>/cards/<card>")
def unteach(box_id: str, card: str) -> Response:
    """Forget what is printed on a card."""
    found = boxes()
    try:
        return jsonify(whole(found, found.unteach(box_id, card)))
    except UnknownBox:
        raise unknown() from None


@blueprint.post("/<box_id>/catalog")
@once
def finish(box_id: str) -> Response:
    """Keep a box as a catalog; 422 with every fault and its place where it does not add up."""
    found = boxes()
    try:
        return jsonify(whole(found, found.finish(box_id)))
    except UnknownBox:
        raise unknown() from None
    except Unfinished as error:
        faults = [{"place": place, "detail": words} for place, words in error.faults]
        raise Problem(422, "unfinished", "The box does not add up yet.", faults=faults) from None


def known(found: Boxes, box_id: str) -> Box:
    """Find a box.  ``Problem``."""
    try:
        return found.get(box_id)
    except UnknownBox:
        raise unknown() from None


def whole(found: Boxes, box: Box) -> Mapping[str, Any]:
    """Write a box: its cards, which one is next, and what does not add up yet."""
    ids = [card for table in found.teaches(box).cards.values() for card in table]
    left = [card for card in ids if card not in box.cards]
    faults = [{"place": place, "detail": words} for place, words in found.so_far(box)]
    return {**_brief(found, box), "cards": box.cards, "next": next(iter(left), None), "faults": faults}


def _brief(found: Boxes, box: Box) -> dict[str, Any]:
    of = sum(len(table) for table in found.teaches(box).cards.values())
    about = {"id": box.id, "game": box.game, "name": box.name, "catalog": box.catalog}
    return {**about, "taught": len(box.cards), "of": of}


def _unfit(error: Unteachable) -> Problem:
    return Problem(422, "unteachable", f"{error} is missing, or not something that can stand there.", field=str(error))
