"""Boxes whose cards are taught one by one, with pictures, on any device, and stored as catalogs.  For the organiser."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify

from companion.service.camera.preview import CardPlace, NoCard, card_in
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.teaching.boxes import (
    LONGEST_NAME,
    MOST_BOXES,
    Boxes,
    TaughtBox,
    Unfinished,
    UnknownBox,
    Unteachable,
)
from companion.service.teaching.card_art import CardArtPictures
from companion.web.http.auth import services
from companion.web.http.capacity import upload_limiter
from companion.web.http.endpoint import (
    INSIDE,
    JPEG,
    PICTURE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    JsonObject,
    described,
    described_only,
    endpoint,
    read_json_object,
    read_picture_bytes,
)
from companion.web.http.language import language
from companion.web.http.problems import Problem, require
from companion.words import Words

# Boxes whose cards are taught one by one, on any device, and stored as catalogs. For the organiser.

blueprint = Blueprint("boxes", __name__)

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
    """Return the boxes to the organiser.  Raise ``Problem``."""
    return require(services().boxes, "Nothing can be taught here: nothing is kept.")


def unknown_box_problem() -> Problem:
    """Return the problem that there is no such box, or no such card in it."""
    return Problem("not_found", "No such box, or no such card in it.")


@blueprint.get("/boxes")
@endpoint("The boxes that are being taught; for the organiser.", answers=Answer("Boxes.", BoxesJson), problems=INSIDE)
def list_boxes() -> Response:
    """Return the boxes that are being taught."""
    boxes = require_boxes()
    return jsonify({"boxes": [_box_brief_json(boxes, box) for box in boxes.all()]})


@blueprint.post("/boxes")
@endpoint(
    "Begin to teach a box of a game; for the organiser.",
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


@blueprint.get("/boxes/<box_id>")
@endpoint("A box as far as it was taught.", answers=Answer("The box.", BoxJson), problems=INSIDE)
def show_box(box_id: BoxId) -> Response:
    """Return a box with everything that is known of it."""
    boxes = require_boxes()
    return jsonify(box_json(boxes, find_box(boxes, box_id)))


@blueprint.put("/boxes/<box_id>/name")
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


@blueprint.delete("/boxes/<box_id>")
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


@blueprint.put("/boxes/<box_id>/cards/<card>")
@endpoint(
    "Say what is printed on a card: the fields that the game asks for, all of them; kept before the answer.",
    answers=Answer("The box.", BoxJson),
    problems=(*INSIDE, *SENDING, "refused", "unteachable", "not_stored"),
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


@blueprint.delete("/boxes/<box_id>/cards/<card>")
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


@blueprint.post("/boxes/<box_id>/catalog")
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
    words = Words(language())
    sentence = words.say("{field} is missing, or not something that can stand there.", field=str(error))
    if str(error) == "boxes":
        sentence = words.say("There are {count} boxes already, and no more fit. Delete one first.", count=MOST_BOXES)
    if str(error) == "name":
        sentence = words.say("A box needs a name of at most {most} letters that can be read.", most=LONGEST_NAME)
    return Problem("unteachable", sentence, field=str(error))


# Pictures of the cards of a box that is being taught: taken by the camera or sent by a phone.

SENTENCES = {
    "no_picture": "No picture from the camera right now.",
    "place_unknown": "First say how the place looks when no card lies there.",
    "nothing_there": "There is no card.",
    "moving": "Something moves there.",
    "unclear": "No card can be made out: lay it alone on something plain, and let it fill the picture.",
}


class PlaceJson(ClosedShape):
    """State of the card place: whether its empty picture is stored."""

    known: bool


class TakePicture(ClosedShape):
    """Request concerning the picture of a card."""

    do: Literal["take", "take_new", "turn"]


class CardPictureJson(ClosedShape):
    """Outcome of the request."""

    card: str
    taken: bool
    alike: Annotated[list[str], described("Cards that look the same: a label on one tells them apart.")]


TAKE_PICTURE = Body[TakePicture](TakePicture, 'Send {"do": "take"}, {"do": "take_new"} or {"do": "turn"}.')


@blueprint.post("/camera/place")
@endpoint(
    "Say that no card lies under the camera: what comes to lie there from now on is one.",
    answers=Answer("It is known now.", PlaceJson),
    problems=(*INSIDE, *SENDING, "no_card"),
    counts_once=True,
)
def clear_card_place() -> Response:
    """Store how the place looks without a card: what comes to lie there from now on is one."""
    with _problems_of_pictures():
        _require_place().is_empty_now()
    return jsonify({"known": True})


@blueprint.get("/boxes/<box_id>/cards/<card>/picture")
@endpoint(
    "The picture of a card, as it was taken while the box was taught.",
    answers=Answer("The picture.", JPEG),
    problems=INSIDE,
)
def show_card_picture(box_id: BoxId, card: CardId) -> Response:
    """Return the picture of a card as JPEG."""
    require_boxes()
    with _problems_of_pictures():
        jpeg = _require_faces().picture(box_id, card)
    if jpeg is None:
        raise Problem("not_found", "There is no picture of this card.")
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.put("/boxes/<box_id>/cards/<card>/picture")
@endpoint(
    "Keep a JPEG or PNG of at most 16 million pixels that shows one card alone on something plain.",
    answers=Answer("Kept.", CardPictureJson),
    problems=(*INSIDE, *SENDING, "no_card", "foreign_format", "unreadable", "busy", "not_stored"),
    body=PICTURE,
)
def send_card_picture(box_id: BoxId, card: CardId) -> Response:
    """Store the JPEG or PNG of a card that somebody photographed by itself."""
    require_boxes()
    with _problems_of_pictures(), upload_limiter().slot(retry_after=1):
        _require_faces().keep(box_id, card, card_in(_require_faces().decode(read_picture_bytes())))
        return _card_picture_json(box_id, card, taken=True)


@blueprint.post("/boxes/<box_id>/cards/<card>/picture")
@endpoint(
    "Take the picture of the card under the camera (`take`; `take_new` only where it is another one than the "
    "latest), or turn the one there is.",
    answers=Answer("What came of it.", CardPictureJson),
    problems=(*INSIDE, *SENDING, "no_card", "not_stored"),
    body=TAKE_PICTURE,
    counts_once=True,
)
def take_card_picture(box_id: BoxId, card: CardId) -> Response:
    """Photograph a card by the camera over the table, or turn the picture there is."""
    require_boxes()
    do = TAKE_PICTURE.read().do
    with _problems_of_pictures():
        if do == "turn":
            _require_faces().turn(box_id, card)
            taken = False
        elif do == "take_new":
            taken = _take_if_new(box_id, card)
        else:
            taken = _require_faces().keep(box_id, card, _require_place().card())
        return _card_picture_json(box_id, card, taken=taken)


@blueprint.delete("/boxes/<box_id>/cards/<card>/picture")
@endpoint(
    "Forget the picture of a card.",
    answers=Answer("Forgotten.", None, 204),
    problems=(*INSIDE, "cross_site"),
)
def forget_card_picture(box_id: BoxId, card: CardId) -> tuple[str, int]:
    """Forget the picture of a card."""
    require_boxes()
    with _problems_of_pictures():
        _require_faces().forget(box_id, card)
    return "", 204


def _take_if_new(box_id: str, card: str) -> bool:
    """Return whether a picture of another card was taken; an empty place, or a hand, is no error: clients poll."""
    try:
        return _require_faces().keep(box_id, card, _require_place().card(), new=True)
    except NoCard:
        return False


def _card_picture_json(box_id: str, card: str, *, taken: bool) -> Response:
    alike = _require_faces().alike(require_boxes().get(box_id), card)
    return jsonify({"card": card, "taken": taken, "alike": alike})


def _require_faces() -> CardArtPictures:
    return require(services().faces, "Nothing can be taught here: nothing is kept.")


def _require_place() -> CardPlace:
    place = services().card_place
    if place is None:
        raise NoCard("no_picture")
    return place


@contextmanager
def _problems_of_pictures() -> Iterator[None]:
    """Raise what cannot be done as a problem."""
    try:
        yield
    except UnknownBox:
        raise unknown_box_problem() from None
    except NoCard as why:
        raise Problem("no_card", SENTENCES[str(why)], why=str(why)) from None
    except ForeignPicture:
        sentence = Words(language()).say("A photograph has to be a JPEG or a PNG.")
        raise Problem("foreign_format", sentence) from None
    except UnreadablePicture as fault:
        raise Problem("unreadable", f"{fault}.", image="picture", error=str(fault)) from None
