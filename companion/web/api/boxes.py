"""Boxes whose cards are taught one by one, on any device, and stored as catalogs.  For the banker."""

from collections.abc import Mapping
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify

from companion.service.teaching.boxes import Boxes, TaughtBox, Unfinished, UnknownBox, Unteachable
from companion.web.http.auth import require_banker, services
from companion.web.http.endpoint import (
    INSIDE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    JsonObject,
    described,
    described_only,
    endpoint,
)
from companion.web.http.problems import Problem, require
from companion.web.http.request import read_json_object

blueprint = Blueprint("boxes", __name__, url_prefix="/boxes")

BoxId = Annotated[str, "The id of the box."]
CardId = Annotated[str, "The id of the card."]


class BoxFaultJson(ClosedShape):
    """Fault of a box, with its place."""

    place: str
    detail: str


class BoxBriefJson(ClosedShape):
    """A box in the list of boxes."""

    id: str
    game: str
    name: str
    catalog: Annotated[str | None, described("The name of the catalog that it was kept as last.")]
    taught: int
    of: int


class BoxJson(BoxBriefJson, title="Box"):
    """A box as far as it was taught."""

    cards: Annotated[JsonObject, described("What is printed on each card that was taught, field by field.")]
    next: Annotated[str | None, described("The first card that was not taught yet.")]
    faults: Annotated[
        list[BoxFaultJson],
        described("What does not add up in what was taught, with its place; not that cards are missing."),
    ]


class BoxesJson(ClosedShape):
    """The boxes that are being taught."""

    boxes: list[BoxBriefJson]


class BeginBox(ClosedShape):
    """The game of a new box, and what the box is called."""

    game: str
    name: Annotated[str, described_only(maxLength=40)]


class BoxNameJson(ClosedShape, title="BoxName"):
    """The name that a box has from now on."""

    name: Annotated[str, described_only(maxLength=40)]


BOX_NAME = Body[BoxNameJson](BoxNameJson, 'Send {"name": "Our box"}.')
BEGIN_BOX = Body[BeginBox](BeginBox, 'Send {"game": "master_builder", "name": "My box"}.')


def require_boxes() -> Boxes:
    """Return the boxes to the banker.  Raise ``Problem``."""
    require_banker()
    return require(services().boxes, "Nothing can be taught here: nothing is kept.")


def unknown_box_problem() -> Problem:
    """Return the problem that there is no such box, or no such card in it."""
    return Problem("not_found", "No such box, or no such card in it.")


@blueprint.get("")
@endpoint("The boxes that are being taught; for the banker.", answers=Answer("Boxes.", BoxesJson), problems=INSIDE)
def list_boxes() -> Response:
    """Return the boxes that are being taught."""
    boxes = require_boxes()
    return jsonify({"boxes": [_box_brief_json(boxes, box) for box in boxes.all()]})


@blueprint.post("")
@endpoint(
    "Begin to teach a box of a game; for the banker.",
    answers=Answer("Begun.", BoxJson, 201),
    problems=(*INSIDE, *SENDING, "unteachable"),
    body=BEGIN_BOX,
    counts_once=True,
)
def begin_box() -> tuple[Response, int]:
    """Begin a box of a game."""
    boxes, given = require_boxes(), BEGIN_BOX.read()
    try:
        box = boxes.begin(given.game, given.name)
    except Unteachable as error:
        raise _unteachable_problem(error) from None
    return jsonify(box_json(boxes, box)), 201


@blueprint.get("/<box_id>")
@endpoint("A box as far as it was taught.", answers=Answer("The box.", BoxJson), problems=INSIDE)
def show_box(box_id: BoxId) -> Response:
    """Return a box with everything that is known of it."""
    boxes = require_boxes()
    return jsonify(box_json(boxes, find_box(boxes, box_id)))


@blueprint.put("/<box_id>/name")
@endpoint(
    "Call a box something else, with a number where another box is called so; catalogs made of it keep their name.",
    answers=Answer("The box.", BoxJson),
    problems=(*INSIDE, *SENDING, "unteachable", "not_stored"),
    body=BOX_NAME,
)
def rename_box(box_id: BoxId) -> Response:
    """Rename a box."""
    boxes, given = require_boxes(), BOX_NAME.read()
    try:
        return jsonify(box_json(boxes, boxes.rename(box_id, given.name)))
    except UnknownBox:
        raise unknown_box_problem() from None
    except Unteachable as error:
        raise _unteachable_problem(error) from None


@blueprint.delete("/<box_id>")
@endpoint(
    "Forget a box; catalogs made of it stay.",
    answers=Answer("Forgotten.", None, 204),
    problems=(*INSIDE, "cross_site"),
)
def forget_box(box_id: BoxId) -> tuple[str, int]:
    """Forget a box; catalogs made of it stay."""
    try:
        require_boxes().remove(box_id)
    except UnknownBox:
        raise unknown_box_problem() from None
    faces = services().faces
    if faces is not None:
        faces.forget_box(box_id)
    return "", 204


@blueprint.put("/<box_id>/cards/<card>")
@endpoint(
    "Say what is printed on a card: the fields that the game asks for, all of them; kept before the answer.",
    answers=Answer("The box.", BoxJson),
    problems=(*INSIDE, *SENDING, "unteachable", "not_stored"),
    body=JsonObject,
)
def teach_card(box_id: BoxId, card: CardId) -> Response:
    """Store what is printed on a card, field by field; the same again changes nothing."""
    boxes, given = require_boxes(), read_json_object()
    try:
        return jsonify(box_json(boxes, boxes.teach(box_id, card, given)))
    except UnknownBox:
        raise unknown_box_problem() from None
    except Unteachable as error:
        raise _unteachable_problem(error) from None


@blueprint.delete("/<box_id>/cards/<card>")
@endpoint(
    "Forget what is printed on a card.",
    answers=Answer("The box.", BoxJson),
    problems=(*INSIDE, "cross_site"),
)
def unteach_card(box_id: BoxId, card: CardId) -> Response:
    """Forget what is printed on a card."""
    boxes = require_boxes()
    try:
        return jsonify(box_json(boxes, boxes.unteach(box_id, card)))
    except UnknownBox:
        raise unknown_box_problem() from None


@blueprint.post("/<box_id>/catalog")
@endpoint(
    "Keep a box as a catalog that games can be begun with; one that was kept before is never changed.",
    answers=Answer("The box, with the catalog's name.", BoxJson),
    problems=(*INSIDE, *SENDING, "unfinished", "not_stored"),
    counts_once=True,
)
def finish_box(box_id: BoxId) -> Response:
    """Store a box as a catalog; 422 with every fault and its place where it does not add up."""
    boxes = require_boxes()
    try:
        return jsonify(box_json(boxes, boxes.finish(box_id)))
    except UnknownBox:
        raise unknown_box_problem() from None
    except Unfinished as error:
        faults = [{"place": place, "detail": words} for place, words in error.faults]
        raise Problem("unfinished", "The box does not add up yet.", faults=faults) from None


def find_box(boxes: Boxes, box_id: str) -> TaughtBox:
    """Return a box.  Raise ``Problem``."""
    try:
        return boxes.get(box_id)
    except UnknownBox:
        raise unknown_box_problem() from None


def box_json(boxes: Boxes, box: TaughtBox) -> Mapping[str, Any]:
    """Return the JSON of a box: its cards, which one is next, and what does not add up yet."""
    ids = [card for table in boxes.teaches(box).cards.values() for card in table]
    left = [card for card in ids if card not in box.cards]
    faults = [{"place": place, "detail": words} for place, words in boxes.so_far(box)]
    return {**_box_brief_json(boxes, box), "cards": box.cards, "next": next(iter(left), None), "faults": faults}


def _box_brief_json(boxes: Boxes, box: TaughtBox) -> dict[str, Any]:
    of = sum(len(table) for table in boxes.teaches(box).cards.values())
    about = {"id": box.id, "game": box.game, "name": box.name, "catalog": box.catalog}
    return {**about, "taught": len(box.cards), "of": of}


def _unteachable_problem(error: Unteachable) -> Problem:
    return Problem("unteachable", f"{error} is missing, or not something that can stand there.", field=str(error))
