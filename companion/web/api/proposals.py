"""Proposals of the camera: their list, their pictures, and the answers to them."""

from typing import Annotated, Literal

from flask import Blueprint, Response, jsonify

from companion.engine.game import Refused
from companion.service.access.logins import Caller
from companion.service.ports import Forbidden
from companion.web.api.commands import refusal_problem
from companion.web.api.shapes import AnsweredJson, AskedJson
from companion.web.http.auth import current_caller, open_table, require_banker, services
from companion.web.http.endpoint import (
    INSIDE,
    JPEG,
    LANGUAGE,
    SENDING,
    Answer,
    Body,
    ClosedShape,
    TableId,
    endpoint,
)
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem
from companion.web.http.request import request_key
from companion.web.stream_state import snapshot_of

blueprint = Blueprint("proposals", __name__)

ProposalNumber = Annotated[int, "The id of the proposal."]


class AnswerProposal(ClosedShape):
    """The answer to a proposal."""

    answer: Literal["yes", "no", "again"]


ANSWER_PROPOSAL = Body[AnswerProposal](AnswerProposal, 'Send {"answer": "yes"}, "no" or "again", and nothing else.')


def require_participant() -> Caller:
    """Return the caller.  Raise ``Forbidden`` for a spectator.

    The banker answers everything, a player what their own device asks.
    """
    caller = current_caller()
    if caller.actor is None:
        raise Forbidden
    return caller


@blueprint.get("/tables/<table_id>/proposals")
@endpoint(
    "What the camera asks and sees, and what one asks of another.",
    answers=Answer(
        "Proposals (for a player those of his own device), sight, and the agreements that concern the caller.",
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
    actor = require_participant().viewer
    answer = ANSWER_PROPOSAL.read().answer
    try:
        key = request_key(actor)
        before = table.stored_under(key)
        entry = before or services().proposals.answer(table_id, number, answer, actor=actor, key=key)
    except Refused as refused:
        metrics().count("commands", outcome="refused")
        metrics().count("refusals", rule=refused.rule)
        raise refusal_problem(refused, table) from None
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
    viewer = require_participant().viewer
    return Response(services().proposals.picture(table_id, number, viewer), mimetype="image/jpeg")


@blueprint.get("/tables/<table_id>/live.jpg")
@endpoint(
    "The latest picture of the camera that looks at this table; for the banker.",
    answers=Answer("A JPEG.", JPEG),
    problems=INSIDE,
)
def show_live_picture(table_id: TableId) -> Response:
    """Return the latest picture of the camera that looks at this table."""
    open_table(table_id)
    require_banker()
    scanner = services().scanner
    latest = scanner.live_picture() if scanner.attached_to == table_id else None
    if latest is None:
        raise Problem("not_found", "No camera looks at this table now.")
    return Response(latest, mimetype="image/jpeg")
