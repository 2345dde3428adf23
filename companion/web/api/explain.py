"""Why a figure is what it is: the entries and rules behind it."""

from flask import Blueprint, Response, jsonify, request

from companion.service.table.explain import explain, explanation_json
from companion.web.http.auth import current_caller, open_table
from companion.web.http.language import words_of
from companion.web.http.problems import Problem

blueprint = Blueprint("explain", __name__)


@blueprint.get("/tables/<table_id>/explain")
def explained(table_id: str) -> Response:
    """Explain ``?account=player:blue`` (``bank``, ``contract:C03``, ``wages:blue``, ``owes:blue``, ``worth:blue``)."""
    table, viewer = open_table(table_id), current_caller().viewer
    account = request.args.get("account")
    if not account:
        raise Problem(400, "malformed", "Say which account to explain, such as ?account=player:blue.")
    found = explain(table, account, viewer)
    words, names, catalog = words_of(table.edition.manifest), table.names(), table.catalog_json()
    return jsonify(
        explanation_json(
            found,
            event=lambda event: words.event(event, names, catalog),
            rule=lambda rule: words.say_in("rulebook", rule),
        )
    )
