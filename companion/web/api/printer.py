"""Calibration of the printer by a photograph of its test sheet, and checks of printed sheets.  For the banker."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from flask import Blueprint, Response, jsonify, request

from calibration.printer_sheet import PrinterOffset, PrinterSheetError
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.printer import NoSheet, Printer, SheetSettingError
from companion.web.http.auth import services
from companion.web.http.capacity import upload_limiter
from companion.web.http.endpoint import (
    INSIDE,
    PICTURE,
    SENDING,
    Answer,
    ClosedShape,
    JsonObject,
    Parameter,
    described,
    endpoint,
    read_picture_bytes,
)
from companion.web.http.problems import Problem, callers_words, require

blueprint = Blueprint("printer", __name__, url_prefix="/printer")

Paper = Literal["a4", "letter"]
QueryNumber = TypeVar("QueryNumber", int, float)


class PrinterJson(ClosedShape):
    """Offsets of the printer, side by side."""

    sides: JsonObject


class PrinterSideJson(ClosedShape):
    """Offset of a side of the printer."""

    side: Literal["front", "back"]
    paper: Paper
    right: Annotated[float, described("Millimetres by which everything is printed too far to the right.")]
    down: Annotated[float, described("Millimetres by which everything is printed too low.")]
    across: Annotated[float, described("How much it is stretched across, 1 is not at all.")]
    along: Annotated[float, described("How much it is stretched along.")]


class CheckedSheetJson(ClosedShape):
    """Result for a photograph of a printed sheet."""

    sheet: int
    of: int
    cards: list[str]
    missing: list[str]
    strange: list[str]


@blueprint.get("")
@endpoint(
    "What the printer is out by, side by side, as far as it was measured.",
    answers=Answer("What is known.", PrinterJson),
    problems=INSIDE,
)
def show_printer() -> Response:
    """Return what is known of each side."""
    return jsonify({"sides": {side: _side_json(printed) for side, printed in _require_printer().offsets().items()}})


@blueprint.put("")
@endpoint(
    "Measure a photograph (JPEG or PNG, at most 16 million pixels) of the printer sheet, and keep what its "
    "side is out by: labels and cards are printed with it undone.",
    answers=Answer("What it is out by.", PrinterSideJson),
    problems=(*INSIDE, *SENDING, "no_sheet", "foreign_format", "unreadable", "busy", "not_stored"),
    body=PICTURE,
)
def measure_printer() -> Response:
    """Measure the JPEG or PNG of a printed sheet that lies on something dark."""
    printer = _require_printer()
    try:
        with upload_limiter().slot(retry_after=1):
            printed = printer.measure_sheet(read_picture_bytes())
    except PrinterSheetError as error:
        raise Problem("no_sheet", _sheet_sentence(error)) from None
    except ForeignPicture:
        sentence = callers_words().say("A photograph has to be a JPEG or a PNG.")
        raise Problem("foreign_format", sentence) from None
    except UnreadablePicture as fault:
        raise Problem("unreadable", f"{fault}.", image="picture", error=str(fault)) from None
    return jsonify({"side": printed.side, **_side_json(printed)})


def _sheet_sentence(error: PrinterSheetError) -> str:
    words = callers_words()
    match error.why:
        case "no_mark":
            return words.say("A mark near an edge is not to be seen: photograph the whole sheet.")
        case "no_edge":
            return words.say("An edge of the paper does not stand out: lay the sheet on something dark and plain.")
        case _:
            return words.say("No printer sheet is to be seen: photograph the whole sheet, straight from above.")


@blueprint.post("/check")
@endpoint(
    "Hold a photograph (JPEG or PNG, at most 16 million pixels) of a printed sheet against what was printed.",
    answers=Answer(
        "Which sheet it is, the labels on it, those that cannot be read, and texts that belong elsewhere. A label has "
        "the name of its card (`I07`), a back `I07-back`; where only some of several equal labels can be read, each "
        "that cannot has the names of all (`I03-back/I07-back`).",
        CheckedSheetJson,
    ),
    problems=(*INSIDE, *SENDING, "no_sheet", "foreign_format", "unreadable", "busy"),
    body=PICTURE,
    parameters=(
        Parameter("game", "The game whose deck was printed."),
        Parameter("catalog", "The catalog; the one that comes with the game where none is named."),
        Parameter("kind", "`cards`, or the stock of stickers."),
        Parameter("paper", "The paper.", Paper),
        Parameter("bleed", "Of cards: millimetres of colour beyond their edges.", float),
        Parameter("start", "Of labels: the first free place on the first sheet.", int),
        Parameter("only", "The cards that were printed, with commas between them; all where none is named."),
    ),
)
def check_sheet() -> Response:
    """Check the JPEG or PNG of a printed sheet, which was printed as the query says."""
    checks, asked = services().check_sheet, request.args
    if checks is None:
        raise Problem("not_found", "Nothing is kept here.")
    wish = {name: asked.get(name, usual) for name, usual in (("game", ""), ("kind", "cards"), ("paper", "a4"))}
    try:
        with upload_limiter().slot(retry_after=2):
            sheet = checks(
                read_picture_bytes(),
                catalog=asked.get("catalog"),
                bleed=_require_number(float, "bleed", 0.0),
                start=_require_number(int, "start", 1),
                only=[card.strip().upper() for card in asked.get("only", "").split(",") if card.strip()],
                **wish,
            )
    except NoSheet:
        raise Problem("no_sheet", callers_words().say("No label of this deck can be read in it.")) from None
    except ForeignPicture:
        sentence = callers_words().say("A photograph has to be a JPEG or a PNG.")
        raise Problem("foreign_format", sentence) from None
    except UnreadablePicture as fault:
        raise Problem("unreadable", f"{fault}.", image="picture", error=str(fault)) from None
    except SheetSettingError as fault:
        raise Problem("malformed", _setting_sentence(fault)) from None
    except ValueError as fault:
        raise Problem("malformed", f"{fault}.") from None
    return jsonify(sheet.as_json())


@blueprint.delete("")
@endpoint(
    "Print as if the printer were exact.",
    answers=Answer("Forgotten.", None, 204),
    problems=(*INSIDE, "cross_site", "not_stored"),
)
def forget_printer() -> tuple[str, int]:
    """Forget what was measured."""
    _require_printer().forget()
    return "", 204


def _require_number(kind: Callable[[str], QueryNumber], name: str, usual: QueryNumber) -> QueryNumber:
    """Return a number of the query, the usual one where it has none; raise ``Problem`` for what is no number."""
    text = request.args.get(name, "").replace(",", ".")
    try:
        return kind(text) if text else usual
    except ValueError:
        sentence = callers_words().say("{text} is not a number that can stand here.", text=text[:40])
        raise Problem("malformed", sentence) from None


def _setting_sentence(fault: SheetSettingError) -> str:
    words = callers_words()
    match fault.setting:
        case "only":
            return words.say("{card} is not among these cards.", card=fault.limit)
        case "start":
            return words.say("The stickers of a sheet are numbered from 1 to {count}.", count=fault.limit)
        case "bleed":
            return words.say("A bleed is 0 to {most} mm.", most=fault.limit)


def _require_printer() -> Printer:
    return require(services().printer, "Nothing is kept here.")


def _side_json(printed: PrinterOffset) -> dict[str, Any]:
    figures = {"right": printed.right, "down": printed.down, "across": printed.across, "along": printed.along}
    return {"paper": printed.paper, **{name: round(value, 4) for name, value in figures.items()}}
