"""Pictures of the cards of a box that is being taught: taken by the camera or sent by a phone.  For the banker."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from flask import Blueprint, Response, jsonify

from companion.service.camera.preview import CardPlace, NoCard, card_in
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.teaching.boxes import UnknownBox
from companion.service.teaching.card_art import Faces
from companion.web.api.boxes import BoxId, CardId, require_boxes, unknown_box_problem
from companion.web.http.auth import require_banker, services
from companion.web.http.endpoint import (
    INSIDE,
    JPEG,
    PICTURE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    described,
    endpoint,
)
from companion.web.http.problems import Problem, require
from companion.web.http.request import read_picture_bytes
from companion.web.http.upload_limiter import upload_limiter

blueprint = Blueprint("box_pictures", __name__)
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
    require_banker()
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
        _require_faces().keep(box_id, card, card_in(_require_faces().decoded(read_picture_bytes())))
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


def _require_faces() -> Faces:
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
    except ForeignPicture as fault:
        raise Problem("foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        raise Problem("unreadable", f"{fault}.", image="picture", error=str(fault)) from None
