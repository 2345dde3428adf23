"""Cards that were seen by the camera, by phones and tablets, or by hand scanners; proposals, and their answers."""

from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import Field

from companion.engine.game import Refused
from companion.service.ports import ForeignPicture, UnreadablePicture
from companion.service.table.table import Table
from companion.web.api.camera import TagJson
from companion.web.api.commands import counted_refusal, refusal_problem
from companion.web.api.shapes import AnsweredJson, AskedJson, CommandShownJson, EntryJson, ProposalJson
from companion.web.http.auth import current_caller, open_table, services
from companion.web.http.capacity import upload_limiter
from companion.web.http.endpoint import (
    INSIDE,
    JPEG,
    LANGUAGE,
    PICTURE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    Parameter,
    Shape,
    TableId,
    described,
    described_only,
    endpoint,
    read_picture_bytes,
    request_key,
)
from companion.web.http.language import refusal
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem
from companion.web.table_state import snapshot_of, visible_proposals, with_picture_address

blueprint = Blueprint("proposals", __name__)

ProposalNumber = Annotated[int, "The id of the proposal."]


class AnswerProposal(ClosedShape):
    """The answer to a proposal."""

    answer: Literal["yes", "no", "again"]


ANSWER_PROPOSAL = Body[AnswerProposal](AnswerProposal, 'Send {"answer": "yes"}, "no" or "again", and nothing else.')


@blueprint.get("/tables/<table_id>/proposals")
@endpoint(
    "What the camera asks and sees, and what one asks of another.",
    answers=Answer(
        "Proposals (for a player those of their own device), sight, and the agreements that concern the caller.",
        AskedJson,
    ),
    problems=INSIDE,
)
def list_proposals(table_id: TableId) -> Response:
    """Return the open proposals, what the camera sees, and what players ask of each other."""
    return jsonify(snapshot_of(services(), open_table(table_id), current_caller()))


@blueprint.post("/tables/<table_id>/proposals/<int:number>")
@endpoint(
    "Say yes or no, or let the camera ask again; for the banker, and the player whose device saw the card.",
    answers=Answer("Answered; the entry that a yes led to.", AnsweredJson),
    problems=(*INSIDE, *SENDING, "stale", "refused"),
    body=ANSWER_PROPOSAL,
    parameters=(LANGUAGE,),
    counts_once=True,
)
def answer_proposal(table_id: TableId, number: ProposalNumber) -> Response:
    """Answer a proposal; return the entry that a yes led to."""
    table = open_table(table_id)
    actor = current_caller().viewer
    answer = ANSWER_PROPOSAL.read().answer
    try:
        key = request_key(f"{actor}:proposal {number}")  # with a blank, so that it is that of no command
        before = table.stored_under(key)
        entry = before or services().proposals.answer(table_id, number, answer, actor=actor, key=key)
    except Refused as refused:
        raise counted_refusal(refused, table) from None
    if entry is not None:
        metrics().count("commands", outcome="done")
    return jsonify({"answer": answer, "entry": entry})


@blueprint.get("/tables/<table_id>/proposals/<int:number>/picture")
@endpoint(
    "The piece of the picture that a proposal is about; for whom may answer it.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
)
def show_proposal_picture(table_id: TableId, number: ProposalNumber) -> Response:
    """Return the piece of the camera's picture that a proposal is about."""
    open_table(table_id)
    viewer = current_caller().viewer
    return Response(services().proposals.picture(table_id, number, viewer), mimetype="image/jpeg")


@blueprint.get("/tables/<table_id>/live.jpg")
@endpoint(
    "The latest picture of the camera that looks at this table; for the banker.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
    parameters=(Parameter("number", "The frame that `viewCamera` tells of, while it is remembered.", int),),
)
def show_live_picture(table_id: TableId) -> Response:
    """Return the latest picture of the camera that looks at this table; ``?number=``: that frame while remembered."""
    open_table(table_id)
    scanner, checking = services().scanner, services().check
    if scanner.attached_to != table_id:
        raise Problem("not_found", "No camera looks at this table now.")
    number = request.args.get("number", type=int)
    picture = scanner.live_picture() if checking is None else checking.live_picture(number)
    if picture is None:
        raise Problem("not_found", "No camera looks at this table now.")
    return Response(picture, mimetype="image/jpeg")


# Frames from the cameras of phones and tablets, and codes from hand scanners.

LONGEST_NAME = 40
PICTURE_TYPES = frozenset(
    {
        *("", "image/jpeg", "image/jpg", "image/pjpeg", "image/png"),
        *("application/octet-stream", "application/x-www-form-urlencoded"),
    }
)
"""Media types of pictures.  The last is what ``curl --data-binary`` sends by default."""


class CardRefusedJson(Shape):
    """Why a card leads to nothing."""

    rule: str
    detail: str


class TagShownJson(TagJson):
    """A tag in a frame, with what it means now."""

    placed: Annotated[bool, described("Whether it has lain still for the inertia time of half a second.")]
    command: Annotated[CommandShownJson | None, described("What it means now to the caller.")]
    refusal: Annotated[CardRefusedJson | None, described("Why it leads to nothing.")]


class FrameJson(Shape, title="Frame"):
    """Labels in a frame, and the proposals for the caller."""

    image: str
    width: int
    height: int
    ms: float
    tags: list[TagShownJson]
    proposals: list[ProposalJson]


class PostScan(ClosedShape):
    """Text typed by a hand scanner."""

    text: Annotated[str, Field(max_length=200)]
    keys: Annotated[
        str,
        Field(max_length=200),
        described("The same as the keys of an American keyboard, which counts where the text names no card."),
    ] = ""


class ScanJson(Shape, title="Scan"):
    """Outcome of a scanned card."""

    card: str
    proposal: ProposalJson | None
    did: Annotated[
        str | None,
        described("What a command card says: yes, no, pass, undo, suggest, or a game's word."),
    ]
    entry: Annotated[
        EntryJson | None,
        described("What was done at once, by a command card or at the level automatic."),
    ]


POST_SCAN = Body[PostScan](PostScan, 'Send {"text": "MB1W07"}, with "keys" if need be, and nothing else.')


@blueprint.post("/tables/<table_id>/frames")
@endpoint(
    "Show a table a JPEG or PNG of at most 20 MB and 16 million pixels, from a phone's or tablet's camera; "
    "not for spectators. What a player shows is asked of them and of the banker, and only their own commands.",
    answers=Answer("What is in it, what each card means now, and what the caller is asked.", FrameJson),
    problems=(*INSIDE, *SENDING, "foreign_format", "unreadable", "busy"),
    body=PICTURE,
    parameters=(
        LANGUAGE,
        Parameter(
            "device",
            "Tells several cameras of one caller apart.",
            Annotated[str, described_only(maxLength=LONGEST_NAME)],
        ),
    ),
)
def post_frame(table_id: TableId) -> Response:
    """Read a JPEG or PNG from the camera of a phone or tablet; ``?device=`` tells several of one caller apart.

    Return what is in it, what each card means now to the caller, and what they are asked.
    """
    table = open_table(table_id)
    viewer = current_caller().viewer
    device = request.args.get("device", "")
    if len(device) > LONGEST_NAME or not device.isprintable():
        raise Problem("malformed", f"The name of a device has at most {LONGEST_NAME} characters.")
    if request.mimetype not in PICTURE_TYPES:
        raise Problem("foreign_format", "Send the bytes of a JPEG or a PNG.")
    seen = _read_frame(table, viewer, device)
    tags = [{**tag, "refusal": _refusal_json(tag["refusal"], table)} for tag in seen["tags"]]
    return jsonify({**seen, "tags": tags, "proposals": visible_proposals(services().proposals, table_id, viewer)})


@blueprint.post("/tables/<table_id>/scans")
@endpoint(
    "Say which card a hand scanner has read, by its label's text or its number; not for spectators.",
    answers=Answer("The question it led to, or the entry of what was done at once.", ScanJson),
    problems=(*INSIDE, *SENDING, "refused"),
    body=POST_SCAN,
    parameters=(LANGUAGE,),
    counts_once=True,
)
def post_scan(table_id: TableId) -> Response:
    """Look up the card that a hand scanner read, or whose number somebody typed."""
    table = open_table(table_id)
    viewer = current_caller().viewer
    scan = POST_SCAN.read()
    if not scan.text:
        raise Problem("malformed", POST_SCAN.expects)
    try:
        done = services().devices.scan(table, viewer, scan.text, request_key(f"{viewer}:a scan"), scan.keys)
    except Refused as refused:
        metrics().count("refusals", rule=refused.rule)
        raise refusal_problem(refused, table) from None
    asked = done["proposal"]
    return jsonify({**done, "proposal": None if asked is None else with_picture_address(asked, table_id)})


def _read_frame(table: Table, viewer: str, device: str) -> dict[str, Any]:
    try:
        with upload_limiter().slot(retry_after=1):
            seen = services().devices.process_picture(table, viewer, device, read_picture_bytes())
    except ForeignPicture as fault:
        metrics().count("pictures", outcome="unreadable")
        raise Problem("foreign_format", f"{fault}.") from None
    except UnreadablePicture as fault:
        metrics().count("pictures", outcome="unreadable")
        name = device or "frame"
        raise Problem("unreadable", f"{fault}.", image=name, error=str(fault)) from None
    metrics().count("pictures", outcome="read")
    return seen


def _refusal_json(refused: Refused | None, table: Table) -> dict[str, Any] | None:
    if refused is None:
        return None
    said = refusal(refused, table.names(), table.catalog_json(), table.game.manifest)
    return {"rule": refused.rule, "detail": said}
