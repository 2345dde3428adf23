"""Calibrating step by step: the lens by the board, the table by the mat; nothing is kept unless it is asked for."""

from typing import Any

from flask import Blueprint, Response, jsonify

from calibration.coverage import PARTS
from calibration.fiducials import Points
from calibration.lens import LensFit
from calibration.profile import KnownMat, Profile
from companion.service.camera.calibration import Calibrating, LensLooked, NothingToKeep, TableLooked
from companion.web.http.auth import services, the_banker
from companion.web.http.language import language
from companion.web.http.problems import Problem
from companion.web.http.strict_json import json_object
from companion.web.pages.calibrating_words import board_words, error_words, light_words, mat_words, missing_words
from companion.web.pages.zones_drawn import zones_in_picture
from companion.words import Words

LEAST_SQUARE_MM, MOST_SQUARE_MM = 5.0, 200.0

blueprint = Blueprint("calibration", __name__, url_prefix="/calibration")


@blueprint.get("")
def known() -> Response:
    """Say what is known of the camera."""
    found, furniture = _calibrating().known(), services().furniture
    about = {"camera": services().scanner.camera.name, "fault": found.fault, **_profile(found.profile)}
    lying = None if furniture is None else {"board": furniture.board_held, "mat": furniture.mat is not None}
    return jsonify({**about, "simulated": lying})


@blueprint.post("/lens")
def begin_lens() -> Response:
    """Take ``{}`` or ``{"square_mm": 36}``: begin anew with the board, whose squares are so wide."""
    calibrating, given = _calibrating(), json_object()
    square = given.get("square_mm")
    named = "square_mm" in given
    if given.keys() - {"square_mm"} or (named and not _is_side(square)):
        raise Problem(400, "malformed", 'Send {"square_mm": 36}, a number from 5 to 200, or {}.')
    calibrating.begin_lens(float(square) if named and square is not None else None)
    return jsonify({})


@blueprint.post("/lens/look")
def look_for_board() -> Response:
    """Take in the latest frame of the board; say what it showed and what is missing."""
    found = _calibrating().look_for_board()
    return jsonify(_nothing() if found is None else _board(found))


@blueprint.post("/lens/keep")
def keep_lens() -> Response:
    """Keep the lens that was found; it is used at once."""
    try:
        fit = _calibrating().keep_lens()
    except NothingToKeep:
        raise _not_yet("The lens is not known yet: more pictures of the board are wanted.") from None
    return jsonify({**_errors(fit), "views": fit.views})


@blueprint.post("/table/look")
def look_at_table() -> Response:
    """Look for the mat in the latest frame; say what is seen of it, and where its zones lie."""
    found = _calibrating().look_at_table()
    return jsonify(_nothing() if found is None else _table(found))


@blueprint.post("/table/keep")
def keep_table() -> Response:
    """Keep where the mat lies."""
    try:
        found = _calibrating().keep_table()
    except NothingToKeep:
        raise _not_yet("No mat was seen yet.") from None
    return jsonify({**_errors(found), "name": found.name})


def _calibrating() -> Calibrating:
    the_banker()
    found = services().calibrating
    if found is None:
        raise Problem(404, "not_found", "Nothing can be calibrated here: no camera is watched, or nothing is kept.")
    return found


def _not_yet(why: str) -> Problem:
    return Problem(409, "not_found_yet", why)


def _is_side(square: object) -> bool:
    numeric = isinstance(square, int | float) and not isinstance(square, bool)
    return numeric and LEAST_SQUARE_MM <= float(square) <= MOST_SQUARE_MM  # type: ignore[arg-type]


def _profile(profile: Profile | None) -> dict[str, Any]:
    lens = None if profile is None else profile.lens
    mat = None if profile is None else profile.mat
    return {
        "lens": None if lens is None else {**_errors(lens), "views": lens.views},
        "mat": None if mat is None else {**_errors(mat), "name": mat.name},
    }


def _errors(found: LensFit | KnownMat) -> dict[str, Any]:
    """Say how far off something is, as figures and in words."""
    words = error_words(Words(language()), found.error_px, found.error_mm)
    return {"error_px": round(found.error_px, 3), "error_mm": round(found.error_mm, 3), "words": words}


def _nothing() -> dict[str, Any]:
    state = str(services().scanner.sight("")["state"])
    state_named = "waiting" if state == "seeing" else state
    return {"picture": None, "words": {"seen": [Words(language()).say_in("camera state", state_named)]}}


def _board(found: LensLooked) -> dict[str, Any]:
    words, step, fit = Words(language()), found.step, found.fit
    coverage = step.coverage
    return {
        "picture": {"number": found.number, "width": found.width, "height": found.height},
        "corners": [] if step.view is None else _points(step.view.in_picture),
        "taken": step.taken,
        "glare": [list(spot) for spot in found.glare],
        "views": coverage.views,
        "missing": {
            "views": coverage.views_missing,
            "tilted": coverage.tilted_missing,
            "parts": [PARTS.index(part) for part in coverage.parts_missing],
        },
        "fit": None if fit is None else _errors(fit),
        "fault": found.fault,
        "words": {
            "seen": [board_words(words, step), *light_words(words, step.light)],
            "missing": missing_words(words, coverage),
        },
    }


def _table(found: TableLooked) -> dict[str, Any]:
    words, step = Words(language()), found.step
    mat = step.mat
    return {
        "picture": {"number": found.number, "width": found.width, "height": found.height},
        "mat": None
        if mat is None
        else {
            "name": mat.mat.name,
            "zones": zones_in_picture(words, mat),
            "words": error_words(words, mat.error_px, mat.error_mm),
        },
        "hidden": list(step.hidden),
        "glare": [list(spot) for spot in found.glare],
        "labels": found.labels,
        "good": mat is not None and step.light.good,
        "words": {"seen": [*mat_words(words, step, found.labels), *light_words(words, step.light)]},
    }


def _points(points: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]
