"""Quality of the camera's picture, as ids and in sentences; with or without a table."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify, request

from companion.game_api.manifest import Manifest
from companion.service.camera.preview import Checked
from companion.web.api.shapes import FrameSizeJson, PixelCorners
from companion.web.game_ui import main_game
from companion.web.http.auth import require_banker, services
from companion.web.http.endpoint import (
    FOR_BANKER,
    INSIDE,
    JPEG,
    LANGUAGE,
    Answer,
    ClosedShape,
    Parameter,
    Shape,
    described,
    endpoint,
)
from companion.web.http.language import language, words_of
from companion.web.http.problems import Problem
from companion.web.pages.camera import distance_words
from companion.words import Words

blueprint = Blueprint("camera_check", __name__)


class CheckedCardJson(ClosedShape):
    """The card nearest to the middle of the picture."""

    card: str
    title: str
    corners: PixelCorners
    picture: str


class CameraCheckJson(Shape):
    """Quality of the latest frame."""

    camera: str
    state: Literal["none", "lost", "waiting", "seeing"]
    problem: str | None
    simulated: bool
    picture: FrameSizeJson | None
    light: Literal["good", "too_dark", "too_bright"] | None
    glare: list[list[int]] | None
    focus: Literal["sharp", "soft", "blurred"] | None
    distance: Literal["good", "far", "near"] | None
    pixels_a_mm: float | None
    card: CheckedCardJson | None
    good: Annotated[bool, described("Whether nothing is wrong and a card was read.")]
    words: Annotated[dict[str, str], described("Each judgement in a sentence.")]


@blueprint.get("/camera/check")
@endpoint(
    "Judge what the camera sees now: light, glare (left, top, width, height of its spots), focus, distance "
    "and the card nearest to the middle; for the banker, with or without a table.",
    answers=Answer("What the latest frame is like.", CameraCheckJson),
    problems=FOR_BANKER,
    parameters=(LANGUAGE,),
)
def check_camera() -> Response:
    """Judge what the camera sees now: light, glare, focus, distance, and the first card read."""
    require_banker()
    camera = services().scanner.state_json("")
    checking = services().check
    checked = checking.check_latest() if checking is not None and camera["state"] == "seeing" else None
    state = "waiting" if checked is None and camera["state"] == "seeing" else camera["state"]
    about = {"camera": camera["camera"], "state": state, "problem": camera["problem"]}
    about["simulated"] = services().furniture is not None
    return jsonify({**about, **_check_json(checked, str(state))})


@blueprint.get("/camera/live.jpg")
@endpoint(
    "What the camera sees; for the banker.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
    parameters=(Parameter("number", "The frame that was judged, while it is remembered.", int),),
)
def show_camera() -> Response:
    """Return the latest frame; ``?number=`` gives the one that was judged under this number, while it is remembered."""
    require_banker()
    number = request.args.get("number", type=int)
    checking = services().check
    picture = services().scanner.live_picture() if checking is None else checking.live_picture(number)
    return _jpeg_response(picture, "No camera takes pictures now.")


@blueprint.get("/camera/cards/<card>.jpg")
@endpoint(
    "The piece of the picture in which the check read a card; for the banker.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
)
def show_checked_card(card: Annotated[str, "The id of the card."]) -> Response:
    """Return the piece of the picture in which a card was read by the check."""
    require_banker()
    checking = services().check
    return _jpeg_response(None if checking is None else checking.crop(card), "This card was not read by the check.")


def _jpeg_response(picture: bytes | None, missing: str) -> Response:
    if picture is None:
        raise Problem("not_found", missing)
    return Response(picture, mimetype="image/jpeg")


def _check_json(checked: Checked | None, state: str) -> dict[str, Any]:
    """Return what was found: the judgements as ids for programs, and each in a sentence for people."""
    say = Words(language()).say_in
    if checked is None:
        nothing = dict.fromkeys(("picture", "light", "glare", "focus", "distance", "pixels_a_mm", "card"))
        return {**nothing, "good": False, "words": {"state": say("camera state", state)}}
    judged, card = checked.picture, _card_json(checked)
    return {
        "picture": {"number": checked.number, "width": checked.width, "height": checked.height},
        "light": judged.light,
        "glare": [list(spot) for spot in judged.glare],
        "focus": judged.focus,
        "distance": judged.distance,
        "pixels_a_mm": None if judged.pixels_a_mm is None else round(judged.pixels_a_mm, 2),
        "card": card,
        "good": judged.is_good and card is not None,
        "words": {
            "state": say("camera state", state),
            "light": say("camera light", judged.light),
            "glare": say("camera glare", "here" if judged.glare else "none"),
            "focus": say("camera focus", judged.focus or "unknown"),
            "distance": distance_words(Words(language()), judged.distance, judged.pixels_a_mm),
            "card": say("camera card", "read" if card else "none", card=card["title"] if card else ""),
        },
    }


def _card_json(checked: Checked) -> dict[str, Any] | None:
    """Return the card that was read nearest to the middle of the picture."""
    if not checked.cards:
        return None
    card, seen = min(checked.cards, key=lambda read: _squared_distance_from_middle(read[1].centre, checked))
    named = words_of(_game_of_camera()).card(card, _catalog_of_camera())
    title = named if card in named else f"{named} ({card})"
    return {
        "card": card,
        "title": title,
        "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners],
        "picture": f"/api/v1/camera/cards/{card}.jpg",
    }


def _catalog_of_camera() -> Mapping[str, Any] | None:
    """Return the cards of the table that the camera looks at, or else of the deck that the check looks for."""
    attached, checking = services().scanner.attached_to, services().check
    if attached is not None:
        return services().tables.get(attached).catalog_json()
    return None if checking is None else checking.catalog


def _game_of_camera() -> Manifest:
    """Return the game of the table that the camera looks at, or else the one whose deck the check looks for."""
    attached = services().scanner.attached_to
    return main_game(services()) if attached is None else services().tables.get(attached).game.manifest


def _squared_distance_from_middle(at: tuple[float, float], checked: Checked) -> float:
    return (at[0] - checked.width / 2) ** 2 + (at[1] - checked.height / 2) ** 2
