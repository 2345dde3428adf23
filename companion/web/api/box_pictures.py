"""Pictures of the cards of a box that is taught: taken under the camera or sent by a phone.  For the banker alone."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, Response, jsonify

from companion.service.camera.preview import CardPlace, NoCard, card_in
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.teaching.boxes import UnknownBox
from companion.service.teaching.card_art import Faces
from companion.web.api.boxes import boxes, unknown
from companion.web.http.auth import services, the_banker
from companion.web.http.idempotency import once
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object, picture_bytes
from companion.web.http.upload_limiter import gate

blueprint = Blueprint("box_pictures", __name__)
WHY = {
    "no_picture": "The camera gives no picture now.",
    "place_unknown": "First say how the place looks when no card lies there.",
    "nothing_there": "No card lies there.",
    "moving": "Something moves there.",
    "unclear": "No card can be made out: lay it alone on something plain, and let it fill the picture.",
}


@blueprint.post("/camera/place")
@once
def place() -> Response:
    """Take in that no card lies under the camera: what comes to lie there from now on is one."""
    the_banker()
    with _made_out():
        _place().is_empty_now()
    return jsonify({"known": True})


@blueprint.get("/boxes/<box_id>/cards/<card>/picture")
def show(box_id: str, card: str) -> Response:
    """Give the picture of a card as JPEG."""
    boxes()
    with _made_out():
        jpeg = _faces().picture(box_id, card)
    if jpeg is None:
        raise Problem(404, "not_found", "There is no picture of this card.")
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.put("/boxes/<box_id>/cards/<card>/picture")
def put(box_id: str, card: str) -> Response:
    """Keep the JPEG or PNG of a card that somebody photographed by itself."""
    boxes()
    with _made_out(), gate().passed(retry_after=1):
        _faces().keep(box_id, card, card_in(_faces().decoded(picture_bytes())))
        return _told(box_id, card, taken=True)


@blueprint.post("/boxes/<box_id>/cards/<card>/picture")
@once
def take(box_id: str, card: str) -> Response:
    """Take ``{"do": "take"}``, ``{"do": "take_new"}`` or ``{"do": "turn"}``: by the camera over the table."""
    boxes()
    do = json_object()
    with _made_out():
        match do:
            case {"do": "take"} if len(do) == 1:
                taken = _faces().keep(box_id, card, _place().card())
            case {"do": "take_new"} if len(do) == 1:
                taken = _taken_if_new(box_id, card)
            case {"do": "turn"} if len(do) == 1:
                _faces().turn(box_id, card)
                taken = False
            case _:
                raise Problem(400, "malformed", 'Send {"do": "take"}, {"do": "take_new"} or {"do": "turn"}.')
        return _told(box_id, card, taken=taken)


@blueprint.delete("/boxes/<box_id>/cards/<card>/picture")
def forget(box_id: str, card: str) -> tuple[str, int]:
    """Forget the picture of a card."""
    boxes()
    with _made_out():
        _faces().forget(box_id, card)
    return "", 204


def _taken_if_new(box_id: str, card: str) -> bool:
    """Look whether another card lies there; nothing, or a hand, is no fault: somebody asks again and again."""
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
        raise Problem(404, "not_found", "Nothing can be taught here: nothing is kept.")
    return found


def _place() -> CardPlace:
    found = services().card_place
    if found is None:
        raise NoCard("no_picture")
    return found


@contextmanager
def _made_out() -> Iterator[None]:
    """Answer what cannot be done."""
    try:
        yield
    except UnknownBox:
        raise unknown() from None
    except NoCard as why:
        raise Problem(422, "no_card", WHY[str(why)], why=str(why)) from None
    except ForeignPicture as fault:
        raise Problem(415, "foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        raise Problem(422, "unreadable", f"{fault}.", image="picture", error=str(fault)) from None
