"""Calibration step by step: the lens by the board, the table by the mat; and the quality of the camera's picture.

Results are stored on request only.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import AfterValidator

from calibration.fiducials import Points
from calibration.lens import PARTS, LensFit
from calibration.profile import CalibratedMat, Profile
from companion.game_api.manifest import Manifest
from companion.service.camera.calibration import CalibrationService, LensFrame, NotCalibrated, TableLooked
from companion.service.camera.preview import FrameCheck
from companion.web.api.shapes import FrameSizeJson, PixelCorners
from companion.web.game_ui import main_game
from companion.web.http.auth import services
from companion.web.http.endpoint import (
    FOR_BANKER,
    INSIDE,
    JPEG,
    LANGUAGE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    JsonObject,
    Omittable,
    Parameter,
    Shape,
    described,
    endpoint,
)
from companion.web.http.language import language, words_of
from companion.web.http.problems import Problem, require
from companion.web.pages.camera import (
    board_words,
    distance_words,
    error_words,
    light_words,
    mat_words,
    missing_words,
    zones_in_picture,
)
from companion.words import Words

LEAST_SQUARE_MM, MOST_SQUARE_MM = 5.0, 200.0

blueprint = Blueprint("calibration", __name__)


class ErrorsJson(Shape):
    """How far off corners are in the picture and on the table, and in a sentence."""

    error_px: float
    error_mm: float
    words: str


class LensJson(ErrorsJson, extra="forbid"):
    """A lens: how far off the corners of the board are with it."""

    views: int


class MatJson(ErrorsJson, extra="forbid"):
    """A mat: how far off its corners are."""

    name: str


class SimulatedJson(Shape):
    """Contents of the simulated table."""

    board: bool
    mat: bool


class CalibrationJson(Shape):
    """Calibration of the camera."""

    camera: str
    fault: str | None
    lens: LensJson | None
    mat: MatJson | None
    simulated: SimulatedJson | None


def _is_side(square: float) -> float:
    if not LEAST_SQUARE_MM <= square <= MOST_SQUARE_MM:
        raise ValueError
    return square


class BeginLens(ClosedShape):
    """How wide the squares of the board are; without it, as they are printed."""

    square_mm: Omittable[Annotated[float, AfterValidator(_is_side)]] = None


class MissingViewsJson(Shape):
    """Which views of the board are missing."""

    views: int
    tilted: int
    parts: list[int]


class BoardSeenJson(Shape):
    """Result for a frame of the board; without a frame only ``picture`` (null) and ``words``."""

    picture: FrameSizeJson | None
    words: JsonObject
    corners: Omittable[PixelCorners] = None
    taken: Omittable[bool] = None
    glare: Omittable[list[list[int]]] = None
    views: Omittable[int] = None
    missing: Omittable[MissingViewsJson] = None
    fit: ErrorsJson | None = None
    fault: str | None = None


class MatZoneJson(Shape):
    """A zone of the mat in the picture."""

    zone: str
    title: str
    corners: PixelCorners


class MatSeenJson(Shape):
    """The mat in the picture."""

    name: str
    words: str
    zones: list[MatZoneJson]


class TableSeenJson(Shape):
    """Result for a frame of the table; without a frame only ``picture`` (null) and ``words``."""

    picture: FrameSizeJson | None
    words: JsonObject
    mat: MatSeenJson | None = None
    hidden: Omittable[list[str]] = None
    glare: Omittable[list[list[int]]] = None
    labels: Omittable[int] = None
    good: Omittable[bool] = None


BEGIN_LENS = Body[BeginLens](BeginLens, 'Send {"square_mm": 36}, a number from 5 to 200, or {}.')


@blueprint.get("/calibration")
@endpoint(
    "What is known of the camera: lens, mat, or why its profile cannot be used; for the organiser.",
    answers=Answer("The profile.", CalibrationJson),
    problems=INSIDE,
    parameters=(LANGUAGE,),
)
def show_calibration() -> Response:
    """Return what is known of the camera."""
    calibration, simulated_table = _require_calibrating().known_profile(), services().simulated_table
    about = {"camera": services().scanner.camera.name, "fault": calibration.fault, **_profile_json(calibration.profile)}
    lying = (
        None
        if simulated_table is None
        else {"board": simulated_table.board_held, "mat": simulated_table.mat is not None}
    )
    return jsonify({**about, "simulated": lying})


@blueprint.post("/calibration/lens")
@endpoint(
    "Begin anew with the calibration board; what was kept stays.",
    answers=Answer("Begun.", JsonObject),
    problems=(*INSIDE, *SENDING),
    body=BEGIN_LENS,
)
def begin_lens() -> Response:
    """Begin anew with the board, whose squares are so wide."""
    calibrating = _require_calibrating()
    calibrating.begin_lens(BEGIN_LENS.read().square_mm)
    return jsonify({})


@blueprint.post("/calibration/lens/look")
@endpoint(
    "Take in the latest frame: the corners of the board, whether it is one more view, and what is missing; "
    "`parts` are the ninths of the picture, row by row from 0.",
    answers=Answer("What was seen; without a frame only `picture` (null) and `words`.", BoardSeenJson),
    problems=(*INSIDE, "cross_site"),
    parameters=(LANGUAGE,),
)
def look_for_board() -> Response:
    """Evaluate the latest frame of the board; return what it showed and what is missing."""
    result = _require_calibrating().look_for_board()
    return jsonify(_no_frame_json() if result is None else _board_json(result))


@blueprint.post("/calibration/lens/keep")
@endpoint(
    "Keep the lens that was found in the camera's profile, and use it at once.",
    answers=Answer("The lens.", LensJson),
    problems=(*INSIDE, "cross_site", "not_found_yet"),
    parameters=(LANGUAGE,),
)
def keep_lens() -> Response:
    """Store the lens that was found; it is used at once."""
    try:
        fit = _require_calibrating().keep_lens()
    except NotCalibrated:
        raise _not_found_yet("The lens is not known yet: more pictures of the board are wanted.") from None
    return jsonify({**_errors_json(fit), "views": fit.views})


@blueprint.post("/calibration/table/look")
@endpoint(
    "Look for the mat in the latest frame: its zones in the picture, and which corner markers are hidden.",
    answers=Answer("What was seen; without a frame only `picture` (null) and `words`.", TableSeenJson),
    problems=(*INSIDE, "cross_site"),
    parameters=(LANGUAGE,),
)
def look_at_table() -> Response:
    """Look for the mat in the latest frame; return what is seen of it, and where its zones are."""
    result = _require_calibrating().look_at_table()
    return jsonify(_no_frame_json() if result is None else _table_json(result))


@blueprint.post("/calibration/table/keep")
@endpoint(
    "Keep in the camera's profile how the mat lies.",
    answers=Answer("The mat.", MatJson),
    problems=(*INSIDE, "cross_site", "not_found_yet"),
    parameters=(LANGUAGE,),
)
def keep_mat() -> Response:
    """Store the pose of the mat."""
    try:
        mat = _require_calibrating().keep_table()
    except NotCalibrated:
        raise _not_found_yet("No mat was seen yet.") from None
    return jsonify({**_errors_json(mat), "name": mat.name})


def _require_calibrating() -> CalibrationService:
    return require(services().calibrating, "Nothing can be calibrated here: no camera is watched, or nothing is kept.")


def _not_found_yet(why: str) -> Problem:
    return Problem("not_found_yet", why)


def _profile_json(profile: Profile | None) -> dict[str, Any]:
    lens = None if profile is None else profile.lens
    mat = None if profile is None else profile.mat
    return {
        "lens": None if lens is None else {**_errors_json(lens), "views": lens.views},
        "mat": None if mat is None else {**_errors_json(mat), "name": mat.name},
    }


def _errors_json(fit: LensFit | CalibratedMat) -> dict[str, Any]:
    """Return how far off something is, as figures and in words."""
    words = error_words(Words(language()), fit.error_px, fit.error_mm)
    return {"error_px": round(fit.error_px, 3), "error_mm": round(fit.error_mm, 3), "words": words}


def _no_frame_json() -> dict[str, Any]:
    state = str(services().scanner.state_json("")["state"])
    state_named = "waiting" if state == "seeing" else state
    return {"picture": None, "words": {"seen": [Words(language()).say_in("camera state", state_named)]}}


def _board_json(result: LensFrame) -> dict[str, Any]:
    words, step, fit = Words(language()), result.step, result.fit
    coverage = step.coverage
    return {
        "picture": {"number": result.number, "width": result.width, "height": result.height},
        "corners": [] if step.view is None else _points_json(step.view.in_picture),
        "taken": step.taken,
        "glare": [list(spot) for spot in result.glare],
        "views": coverage.views,
        "missing": {
            "views": coverage.views_missing,
            "tilted": coverage.tilted_missing,
            "parts": [PARTS.index(part) for part in coverage.parts_missing],
        },
        "fit": None if fit is None else _errors_json(fit),
        "fault": result.fault,
        "words": {
            "seen": [board_words(words, step), *light_words(words, step.light)],
            "missing": missing_words(words, coverage),
        },
    }


def _table_json(result: TableLooked) -> dict[str, Any]:
    words, step = Words(language()), result.step
    mat = step.mat
    return {
        "picture": {"number": result.number, "width": result.width, "height": result.height},
        "mat": None
        if mat is None
        else {
            "name": mat.mat.name,
            "zones": zones_in_picture(words, mat),
            "words": error_words(words, mat.error_px, mat.error_mm),
        },
        "hidden": list(step.hidden),
        "glare": [list(spot) for spot in result.glare],
        "labels": result.labels,
        "good": mat is not None and step.light.is_good,
        "words": {"seen": [*mat_words(words, step, result.labels), *light_words(words, step.light)]},
    }


def _points_json(points: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


# Quality of the camera's picture, as ids and in sentences; with or without a table.


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
    "and the card nearest to the middle; for the organiser, with or without a table.",
    answers=Answer("What the latest frame is like.", CameraCheckJson),
    problems=FOR_BANKER,
    parameters=(LANGUAGE,),
)
def check_camera() -> Response:
    """Judge what the camera sees now: light, glare, focus, distance, and the first card read."""
    camera = services().scanner.state_json("")
    checking = services().check
    checked = checking.check_latest() if checking is not None and camera["state"] == "seeing" else None
    state = "waiting" if checked is None and camera["state"] == "seeing" else camera["state"]
    about = {"camera": camera["camera"], "state": state, "problem": camera["problem"]}
    about["simulated"] = services().simulated_table is not None
    return jsonify({**about, **_check_json(checked, str(state))})


@blueprint.get("/camera/live.jpg")
@endpoint(
    "What the camera sees; for the organiser.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
    parameters=(Parameter("number", "The frame that was judged, while it is remembered.", int),),
)
def show_camera() -> Response:
    """Return the latest frame; ``?number=`` gives the one that was judged under this number, while it is remembered."""
    number = request.args.get("number", type=int)
    checking = services().check
    picture = services().scanner.live_picture() if checking is None else checking.live_picture(number)
    return _jpeg_response(picture, "No camera takes pictures now.")


@blueprint.get("/camera/cards/<card>.jpg")
@endpoint(
    "The piece of the picture in which the check read a card; for the organiser.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
)
def show_checked_card(card: Annotated[str, "The id of the card."]) -> Response:
    """Return the piece of the picture in which a card was read by the check."""
    checking = services().check
    return _jpeg_response(None if checking is None else checking.crop(card), "This card was not read by the check.")


def _jpeg_response(picture: bytes | None, missing: str) -> Response:
    if picture is None:
        raise Problem("not_found", missing)
    return Response(picture, mimetype="image/jpeg")


def _check_json(checked: FrameCheck | None, state: str) -> dict[str, Any]:
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


def _card_json(checked: FrameCheck) -> dict[str, Any] | None:
    """Return the card that was read nearest to the middle of the picture."""
    if not checked.cards:
        return None
    card, seen = min(checked.cards, key=lambda read: _squared_distance_from_middle(read[1].centre, checked))
    game, catalog = _deck_of_check(checked)
    named = words_of(game).card(card, catalog)
    title = named if card in named else f"{named} ({card})"
    return {
        "card": card,
        "title": title,
        "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners],
        "picture": f"/api/v1/camera/cards/{card}.jpg",
    }


def _deck_of_check(checked: FrameCheck) -> tuple[Manifest, Mapping[str, Any] | None]:
    """Return game and cards of the deck that was read: a sample's, or those of the table that the camera looks at."""
    attached, sample = services().scanner.attached_to, checked.sample
    if sample is not None:
        return services().tables.games[sample.game].manifest, sample.cards()
    if attached is None:  # a moment ago there was one
        return main_game(services()), None
    table = services().tables.get(attached)
    return table.game.manifest, table.catalog_json()


def _squared_distance_from_middle(at: tuple[float, float], checked: FrameCheck) -> float:
    return (at[0] - checked.width / 2) ** 2 + (at[1] - checked.height / 2) ** 2
