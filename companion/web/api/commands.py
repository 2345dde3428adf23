"""Commands: the one way in which a screen moves a game on."""

import re
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.engine.errors import Refused
from companion.engine.game import BANKER
from companion.service.access.consents import consent_of
from companion.service.ports import Forbidden, KeyReused, Stale
from companion.service.table.amend import in_words, is_amend, is_confirmed
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, open_table, services, source
from companion.web.http.idempotency import request_key
from companion.web.http.language import words_of
from companion.web.http.metrics import figures
from companion.web.http.problems import Problem, refused_problem
from companion.web.http.strict_json import json_object

blueprint = Blueprint("commands", __name__)


@blueprint.post("/tables/<table_id>/commands")
def submit(table_id: str) -> Response:
    """Give a command to a table; answers the entry, once it is durable, or the preview of an amend.

    What needs somebody else's yes answers 202 with the question to him.
    """
    table = open_table(table_id)
    outcome = "malformed"
    try:
        answered = _submit(table)
    except Refused as refused:
        outcome = "refused"
        figures().count("refusals", rule=refused.rule)
        raise as_problem(refused, table) from None
    except Stale:
        outcome = "stale"
        raise
    except Forbidden:
        outcome = "forbidden"
        raise
    except KeyReused:
        outcome = "key_reused"
        raise
    else:
        outcome = "previewed" if "preview" in answered else "done"
    finally:
        figures().count("commands", outcome=outcome)
    answer = jsonify(answered)
    if "asked" in answered:
        answer.status_code = 202
        return answer
    answer.set_etag(str(answered["preview"]["version"] if "preview" in answered else answered["seq"]))
    return answer


def as_problem(refused: Refused, table: Table) -> Problem:
    """Say a refusal with the names and cards of this table."""
    return refused_problem(refused, table.names(), table.catalog_json(), table.edition.manifest)


def _submit(table: Table) -> dict[str, Any]:
    actor = current_caller().actor
    if actor is None:
        raise Forbidden
    seen, key, command = version_seen(), request_key(actor), json_object()
    if is_amend(command) and not is_confirmed(command):
        preview = table.preview(command, actor=actor, seen=seen, key=key)
        words, names, catalog = words_of(table.edition.manifest), table.names(), table.catalog_json()
        return {"preview": in_words(preview, lambda rule, details: words.refusal(rule, details, names, catalog))}
    if actor != BANKER and consent_of(table, command) is not None:
        made = services().agreements.ask(table, command, asker=actor, seen=seen)
        return {"asked": made.as_json() if made else None}
    return table.submit(command, actor=actor, source=source(), seen=seen, key=key)


def version_seen() -> int:
    """Give the version that the sender had on screen; every command must name it."""
    header = request.headers.get("If-Match", "").strip()
    if not header:
        detail = "Send the version that was on the screen in the header If-Match."
        raise Problem(428, "version_needed", detail)
    version = re.fullmatch(r'"([0-9]{1,15})"|([0-9]{1,15})', header)
    if version is None:
        raise Problem(400, "malformed", "If-Match must be one version: a whole number, bare or in double quotes.")
    return int(version[1] or version[2])
