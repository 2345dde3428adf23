"""What the household's printer is out by: a photograph of its sheet says so.  For the banker alone."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from calibration.printer_sheet import Printed, PrinterSheetError
from companion.service.camera.sheet_check import NoSheet
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.printer import Printer
from companion.web.http.auth import services, the_banker
from companion.web.http.problems import Problem
from companion.web.http.strict_json import picture_bytes
from companion.web.http.upload_limiter import gate

blueprint = Blueprint("printer", __name__, url_prefix="/printer")


@blueprint.get("")
def known() -> Response:
    """Give what is known of each side."""
    return jsonify({"sides": {side: _json(one) for side, one in _printer().known().items()}})


@blueprint.put("")
def look() -> Response:
    """Take the JPEG or PNG of a printed sheet that lies on something dark."""
    printer = _printer()
    try:
        with gate().passed(retry_after=1):
            found = printer.look(picture_bytes())
    except PrinterSheetError as why:
        raise Problem(422, "no_sheet", f"{why}.") from None
    except ForeignPicture as fault:
        raise Problem(415, "foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        raise Problem(422, "unreadable", f"{fault}.", image="picture", error=str(fault)) from None
    return jsonify({"side": found.side, **_json(found)})


@blueprint.post("/check")
def check() -> Response:
    """Take the JPEG or PNG of a printed sheet; ``?game=``, ``catalog=``, ``kind=`` (cards or a stock), ``paper=``."""
    the_banker()
    checks, asked = services().check_sheet, request.args
    if checks is None:
        raise Problem(404, "not_found", "Nothing is kept here.")
    wish = {name: asked.get(name, usual) for name, usual in (("game", ""), ("kind", "cards"), ("paper", "a4"))}
    try:
        with gate().passed(retry_after=2):
            found = checks(picture_bytes(), catalog=asked.get("catalog"), **wish)
    except NoSheet:
        raise Problem(422, "no_sheet", "No label of this deck can be read in it.") from None
    except ForeignPicture as fault:
        raise Problem(415, "foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        raise Problem(422, "unreadable", f"{fault}.", image="picture", error=str(fault)) from None
    except ValueError as fault:
        raise Problem(400, "malformed", f"{fault}.") from None
    return jsonify(found.as_json())


@blueprint.delete("")
def forget() -> tuple[str, int]:
    """Print as if it were exact again."""
    _printer().forget()
    return "", 204


def _printer() -> Printer:
    the_banker()
    found = services().printer
    if found is None:
        raise Problem(404, "not_found", "Nothing is kept here.")
    return found


def _json(one: Printed) -> dict[str, Any]:
    figures = {"right": one.right, "down": one.down, "across": one.across, "along": one.along}
    return {"paper": one.paper, **{name: round(value, 4) for name, value in figures.items()}}
