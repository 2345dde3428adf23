"""Calibration step by step: the lens by the board, the table by the mat; results are stored on request only."""

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import AfterValidator

from calibration.coverage import PARTS
from calibration.fiducials import Points
from calibration.lens import LensFit
from calibration.profile import CalibratedMat, Profile
from companion.service.camera.calibration import Calibrating, LensLooked, NotCalibrated, TableLooked
from companion.web.api.shapes import FrameSizeJson, PixelCorners
from companion.web.http.auth import require_banker, services
from companion.web.http.endpoint import (
    INSIDE,
    LANGUAGE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    JsonObject,
    Omittable,
    Shape,
    endpoint,
)
from companion.web.http.language import language
from companion.web.http.problems import Problem, require
from companion.web.pages.camera import board_words, error_words, light_words, mat_words, missing_words, zones_in_picture
from companion.words import Words

LEAST_SQUARE_MM, MOST_SQUARE_MM = 5.0, 200.0

blueprint = Blueprint("calibration", __name__, url_prefix="/calibration")


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


@blueprint.get("")
@endpoint(
    "What is known of the camera: lens, mat, or why its profile cannot be used; for the banker.",
    answers=Answer("The profile.", CalibrationJson),
    problems=INSIDE,
    parameters=(LANGUAGE,),
)
def show_calibration() -> Response:
    """Return what is known of the camera."""
    calibration, furniture = _require_calibrating().known_profile(), services().furniture
    about = {"camera": services().scanner.camera.name, "fault": calibration.fault, **_profile_json(calibration.profile)}
    lying = None if furniture is None else {"board": furniture.board_held, "mat": furniture.mat is not None}
    return jsonify({**about, "simulated": lying})


@blueprint.post("/lens")
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


@blueprint.post("/lens/look")
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


@blueprint.post("/lens/keep")
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


@blueprint.post("/table/look")
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


@blueprint.post("/table/keep")
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


def _require_calibrating() -> Calibrating:
    require_banker()
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


def _board_json(result: LensLooked) -> dict[str, Any]:
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
