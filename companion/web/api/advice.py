"""Looking ahead: what a player's money will come to, what a bid would change, what is needed, and the best plan."""

import re
from typing import Literal

from flask import Blueprint, Response, jsonify, request

from companion.engine.game import Refused
from companion.web.api.commands import refusal_problem
from companion.web.api.shapes import CommandShownJson
from companion.web.http.auth import current_caller, open_table
from companion.web.http.endpoint import (
    INSIDE,
    LANGUAGE,
    Answer,
    ClosedShape,
    JsonObject,
    Omittable,
    Parameter,
    Shape,
    TableId,
    endpoint,
)
from companion.web.http.problems import Problem

blueprint = Blueprint("advice", __name__)


class MovementJson(Shape):
    """A dated movement of money, with the cash after it."""

    round: int
    phase: Literal["contracts", "income"]
    why: Literal["contract", "premium", "price", "loan", "wages"]
    amount: int
    cash: int
    card: Omittable[str] = None
    loan: Omittable[Literal["small", "large"]] = None


class ShortageJson(Shape):
    """The first shortage of wages."""

    round: int
    amount: int


class LoansJson(Shape):
    """How many loans of each kind."""

    small: int
    large: int


class LowJson(Shape):
    """The lowest cash until a moment, with the loans forced until then."""

    cash: int
    round: int
    short: int
    loans: LoansJson


class DebtJson(Shape):
    """Cost of paying loans back now and at the end."""

    early: int
    late: int
    late_is_certain: bool


class SafeBidsJson(Shape):
    """The highest bids that force no loan."""

    next: int | None
    end: int | None


class RoundBidJson(Shape):
    """The highest bid for a round's wages."""

    round: int
    most: int


class BidJson(Shape):
    """Outcome of a bid for a contract."""

    contract: str
    amount: int | None
    least: int
    most: int
    safe: SafeBidsJson
    rounds: list[RoundBidJson]


class ForecastJson(
    Shape,
    title="Forecast",
    json_schema_extra={
        "description": "Dated movements with the cash after each; the first shortage of wages; the lowest point until "
        "the next wages are paid and until the end, below 0 by what has to be borrowed, with the loans forced until "
        "then. `bid.safe`: the highest bids that force no loan until then; `bid.rounds`: the highest for each round's "
        "wages."
    },
):
    """Forecast of a player's money."""

    version: int
    player: str
    cash: int
    movements: list[MovementJson]
    short: ShortageJson | None
    next: LowJson | None
    end: LowJson
    unfinished: int
    owes: DebtJson
    worth: int
    bid: BidJson | None


class ReasonJson(Shape):
    """Why a plan does what it does with a contract."""

    why: Literal["finishes", "continues", "begins", "others_first", "no_team"]
    contract: str
    sections: list[str]
    left: int
    price: int


class SuggestionJson(Shape, title="Suggestion"):
    """The best plan for a player's workers."""

    version: int
    command: CommandShownJson
    earns: int
    reasons: list[ReasonJson]
    idle: list[str]


class WantsJson(ClosedShape):
    """Whom a contract still asks for."""

    contract: str
    wants: JsonObject


class DoneJson(ClosedShape):
    """Work that is done in a round."""

    sections: int
    finished: list[str]


class NeedsJson(Shape):
    """Needs of a player."""

    version: int
    player: str
    contracts: list[WantsJson]
    now: DoneJson
    then: dict[str, DoneJson]


@blueprint.get("/tables/<table_id>/forecast")
@endpoint(
    "What a player's money comes to until the end, if he goes on as he is; with a contract, which bids force "
    "no loan; with a bid too, what that one leads to. Where money is hidden only his own, and the banker's.",
    answers=Answer("The forecast.", ForecastJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(
        LANGUAGE,
        Parameter("player", "Whose money; must be given."),
        Parameter("contract", "A contract on display, before or while contracts are chosen."),
        Parameter("bid", "What is paid for it.", int),
    ),
)
def look_ahead(table_id: TableId) -> Response:
    """Return a forecast for ``player``; with ``contract`` which bids are safe, with ``bid`` what that one leads to."""
    table = open_table(table_id)
    contract = request.args.get("contract")
    bid = _parse_amount(request.args.get("bid"))
    if bid is not None and contract is None:
        raise Problem("malformed", "Say for which contract the bid is: ?contract=C03&bid=9000.")
    try:
        return jsonify(table.advice.forecast(current_caller().viewer, _required_player(), contract, bid))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/suggestion")
@endpoint(
    "The best plan for a player's workers: most income now, then most progress. For himself and the banker.",
    answers=Answer("A command that may be given as it is, what it earns, and why.", SuggestionJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Who plans; must be given.")),
)
def suggest_plan(table_id: TableId) -> Response:
    """Return the best plan for ``player`` as a command, what it earns, and the reasons."""
    table = open_table(table_id)
    try:
        return jsonify(table.advice.suggestion(current_caller().viewer, _required_player()))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/needs")
@endpoint(
    "Whom a player's contracts still ask for, what his workers get done this round, and what with one more of "
    "each type; out of what everybody sees.",
    answers=Answer("What he needs.", NeedsJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(
        LANGUAGE,
        Parameter("player", "Who; must be given."),
        Parameter("contract", "A contract that counts as if it were his."),
    ),
)
def tell_needs(table_id: TableId) -> Response:
    """Return what ``player`` still needs for their contracts; ``contract``: one that counts as theirs."""
    table = open_table(table_id)
    try:
        return jsonify(table.advice.needs(_required_player(), request.args.get("contract")))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


def _required_player() -> str:
    player = request.args.get("player")
    if not player:
        raise Problem("malformed", "Say which player: ?player=blue.")
    return player


def _parse_amount(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Problem("malformed", "A bid is a whole number of dollars.")
    return int(text)
