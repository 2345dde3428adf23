"""Looking ahead: what a player's money will come to, what a bid would change, and the best plan."""

import re

from flask import Blueprint, Response, jsonify, request

from companion.engine.errors import Refused
from companion.web.api.commands import as_problem
from companion.web.http.auth import current_caller, open_table
from companion.web.http.problems import Problem

blueprint = Blueprint("forecast", __name__)


@blueprint.get("/tables/<table_id>/forecast")
def forecast(table_id: str) -> Response:
    """Look ahead for ``player``; with ``contract`` say which bids are safe, with ``bid`` what that one leads to."""
    table = open_table(table_id)
    contract = request.args.get("contract")
    bid = _amount(request.args.get("bid"))
    if bid is not None and contract is None:
        raise Problem(400, "malformed", "Say for which contract the bid is: ?contract=C03&bid=9000.")
    try:
        return jsonify(table.advice.forecast(current_caller().viewer, _player(), contract, bid))
    except Refused as refused:
        raise as_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/suggestion")
def suggestion(table_id: str) -> Response:
    """Give the best plan for ``player`` as a command, what it earns, and the reasons."""
    table = open_table(table_id)
    try:
        return jsonify(table.advice.suggestion(current_caller().viewer, _player()))
    except Refused as refused:
        raise as_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/needs")
def needs(table_id: str) -> Response:
    """Say what ``player`` still needs for his contracts; ``contract``: one that counts as his."""
    table = open_table(table_id)
    try:
        return jsonify(table.advice.needs(_player(), request.args.get("contract")))
    except Refused as refused:
        raise as_problem(refused, table) from None


def _player() -> str:
    player = request.args.get("player")
    if not player:
        raise Problem(400, "malformed", "Say which player: ?player=blue.")
    return player


def _amount(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Problem(400, "malformed", "A bid is a whole number of dollars.")
    return int(text)
