"""Pictures of the cards of a box that is taught: taken under the camera or sent by a phone.  For the banker alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from flask import Blueprint, Response, jsonify

from companion.service.camera.preview import CardPlace, NoCard, card_in
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.teaching.boxes import UnknownBox
from companion.service.teaching.card_art import Faces
from companion.web.api.boxes import BoxId, CardId, boxes, unknown
from companion.web.http.auth import require_banker, services
from companion.web.http.endpoint import (
    INSIDE,
    JPEG,
    PICTURE,
    SENDING,
    Answer,
    Body,
    Closed,
    described,
    endpoint,
)
from companion.web.http.problems import Problem
from companion.web.http.strict_json import picture_bytes
from companion.web.http.upload_limiter import upload_limiter

blueprint = Blueprint("box_pictures", __name__)
WHY = {
    "no_picture": "The camera gives no picture now.",
    "place_unknown": "First say how the place looks when no card lies there.",
    "nothing_there": "No card lies there.",
    "moving": "Something moves there.",
    "unclear": "No card can be made out: lay it alone on something plain, and let it fill the picture.",
}


class PlaceJson(Closed):
    """Whether it is known how the place looks without a card."""

    known: bool


class TakePicture(Closed):
    """What is to be done about the picture of a card."""

    do: Literal["take", "take_new", "turn"]


class CardPictureJson(Closed):
    """What came of it."""

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
    with _made_out():
        _place().is_empty_now()
    return jsonify({"known": True})


@blueprint.get("/boxes/<box_id>/cards/<card>/picture")
@endpoint(
    "The picture of a card, as it was taken while the box was taught.",
    answers=Answer("The picture.", JPEG),
    problems=INSIDE,
)
def show_card_picture(box_id: BoxId, card: CardId) -> Response:
    """Return the picture of a card as JPEG."""
    boxes()
    with _made_out():
        jpeg = _faces().picture(box_id, card)
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
    boxes()
    with _made_out(), upload_limiter().slot(retry_after=1):
        _faces().keep(box_id, card, card_in(_faces().decoded(picture_bytes())))
        return _told(box_id, card, taken=True)


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
    """Take the picture of a card by the camera over the table, or turn the one there is."""
    boxes()
    do = TAKE_PICTURE.read().do
    with _made_out():
        if do == "turn":
            _faces().turn(box_id, card)
            taken = False
        elif do == "take_new":
            taken = _taken_if_new(box_id, card)
        else:
            taken = _faces().keep(box_id, card, _place().card())
        return _told(box_id, card, taken=taken)


@blueprint.delete("/boxes/<box_id>/cards/<card>/picture")
@endpoint(
    "Forget the picture of a card.",
    answers=Answer("Forgotten.", None, 204),
    problems=(*INSIDE, "cross_site"),
)
def forget_card_picture(box_id: BoxId, card: CardId) -> tuple[str, int]:
    """Forget the picture of a card."""
    boxes()
    with _made_out():
        _faces().forget(box_id, card)
    return "", 204


def _taken_if_new(box_id: str, card: str) -> bool:
    """Take a picture if another card lies there; nothing, or a hand, is no fault: clients ask repeatedly."""
    try:
        return _faces().keep(box_id, card, _place().card(), new=True)
    except NoCard:
        return False


def _told(box_id: str, card: str, *, taken: bool) -> Response:
    alike = _faces().alike(boxes().get(box_id), card)
    return jsonify({"card": card, "taken": taken, "alike": alike})


def _faces() -> Faces:
    found = services().faces
    if found is None:
        raise Problem("not_found", "Nothing can be taught here: nothing is kept.")
    return found


def _place() -> CardPlace:
    found = services().card_place
    if found is None:
        raise NoCard("no_picture")
    return found


@contextmanager
def _made_out() -> Iterator[None]:
    """Raise what cannot be done as a problem."""
    try:
        yield
    except UnknownBox:
        raise unknown() from None
    except NoCard as why:
        raise Problem("no_card", WHY[str(why)], why=str(why)) from None
    except ForeignPicture as fault:
        raise Problem("foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        raise Problem("unreadable", f"{fault}.", image="picture", error=str(fault)) from None
