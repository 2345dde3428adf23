"""Looking ahead: what a player's money will come to, what a bid would change, what is needed, and the best plan."""

import re

from flask import Blueprint, Response, jsonify, request

from companion.engine.game import Refused
from companion.web.api.commands import refusal_problem
from companion.web.api.shapes import CommandShownJson
from companion.web.http.auth import current_caller, open_table
from companion.web.http.endpoint import (
    INSIDE,
    LANGUAGE,
    Answer,
    OfGames,
    Parameter,
    Shape,
    TableId,
    endpoint,
)
from companion.web.http.problems import Problem

blueprint = Blueprint("advice", __name__)


class ForecastJson(Shape, title="Forecast"):
    """Forecast of a player's money; the rest is the game's."""

    version: int


class SuggestionJson(Shape, title="Suggestion"):
    """The best command for a player; the rest is the game's."""

    version: int
    command: CommandShownJson


class NeedsJson(Shape):
    """Needs of a player; the rest is the game's."""

    version: int


@blueprint.get("/tables/<table_id>/forecast")
@endpoint(
    OfGames("forecast", {"card": str, "amount": int}),
    answers=Answer("", ForecastJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Whose money; must be given.")),
)
def look_ahead(table_id: TableId) -> Response:
    """Return a forecast for ``player``; with a card, and with an amount, what that leads to."""
    table = open_table(table_id)
    description = table.game.can.description("forecast")
    asked_card, asked_amount = description.argument("card"), description.argument("amount")
    card = request.args.get(asked_card.name)
    amount = _parse_amount(request.args.get(asked_amount.name), asked_amount.expects)
    if amount is not None and card is None:
        raise Problem("malformed", asked_card.expects)
    try:
        return jsonify(table.advice.forecast(current_caller().viewer, _required_player(), card, amount))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/suggestion")
@endpoint(
    OfGames("advice"),
    answers=Answer("", SuggestionJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Who plans; must be given.")),
)
def suggest_plan(table_id: TableId) -> Response:
    """Return the best command for ``player``, and the reasons."""
    table = open_table(table_id)
    try:
        return jsonify(table.advice.suggestion(current_caller().viewer, _required_player()))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/needs")
@endpoint(
    OfGames("needs", {"card": str}),
    answers=Answer("", NeedsJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Who; must be given.")),
)
def tell_needs(table_id: TableId) -> Response:
    """Return what ``player`` still needs; with a card, as if that were theirs."""
    table = open_table(table_id)
    asked_card = table.game.can.description("needs").argument("card")
    try:
        return jsonify(table.advice.needs(_required_player(), request.args.get(asked_card.name)))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


def _required_player() -> str:
    player = request.args.get("player")
    if not player:
        raise Problem("malformed", "Say which player: ?player=blue.")
    return player


def _parse_amount(text: str | None, expects: str) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Problem("malformed", expects)
    return int(text)
