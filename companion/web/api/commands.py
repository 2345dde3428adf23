"""Commands, by which clients change a game."""

import re
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, request
from pydantic import Field, RootModel

from companion.engine.game import BANKER, Refused
from companion.service.access.consents import consent_of
from companion.service.ports import Forbidden, KeyReused, Stale
from companion.service.table.amend import in_words, is_confirmed
from companion.service.table.history import is_amend
from companion.service.table.table import Request, Table
from companion.web.api.shapes import AgreementAskedJson, CommandShownJson, EntryJson, Events, PositionJson
from companion.web.http.auth import command_source, current_caller, open_table, services
from companion.web.http.endpoint import (
    ETAG,
    INSIDE,
    KEY,
    LANGUAGE,
    SEEN,
    SENDING,
    Answer,
    ClosedShape,
    JsonObject,
    Shape,
    TableId,
    endpoint,
    read_json_object,
    request_key,
)
from companion.web.http.language import words_of
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem, problem_of_refusal

blueprint = Blueprint("commands", __name__)


class CommandJson(RootModel[JsonObject], title="Command"):
    """A command; what may stand in it is described by the games."""


COMMAND = CommandJson


class AmendedEntryJson(Shape):
    """A later entry, as it was before an amend."""

    seq: int
    command: CommandShownJson
    before: Events


class ChangedEntryJson(AmendedEntryJson):
    """A later entry that changes by an amend."""

    becomes: CommandShownJson | None
    after: Events


class RefusedEntryJson(AmendedEntryJson):
    """A later entry that the rules refuse after an amend."""

    refused: str
    rule: str
    details: JsonObject


class CashChangeJson(Shape):
    """A player's cash before and after an amend."""

    before: int | None
    after: int | None


class PreviewJson(Shape, title="Preview"):
    """Preview of an amend."""

    seq: int
    with_: Annotated[CommandShownJson | None, Field(alias="with")]
    version: int
    changes: list[ChangedEntryJson]
    refused: list[RefusedEntryJson]
    money: dict[str, CashChangeJson]
    position: PositionJson


class PreviewedJson(ClosedShape):
    """The answer to an amend that is not confirmed."""

    preview: PreviewJson


@blueprint.post("/tables/<table_id>/commands")
@endpoint(
    "Give a command; the answer comes once the entry is durable. An amend without confirm is only previewed.",
    answers=(
        Answer("The entry; or what an amend would lead to.", EntryJson | PreviewedJson, headers=ETAG),
        Answer("Somebody is asked for their consent.", AgreementAskedJson, 202),
    ),
    problems=(*INSIDE, *SENDING, "stale", "refused", "key_reused", "version_needed"),
    body=COMMAND,
    parameters=(LANGUAGE, SEEN, KEY),
)
def give_command(table_id: TableId) -> Response:
    """Execute a command at a table; return the entry, once it is durable, or the preview of an amend.

    What needs somebody else's consent is answered by 202 with the question to them.
    """
    table = open_table(table_id)
    outcome = "malformed"
    try:
        answered = _submit(table)
    except Refused as refused:
        outcome = "refused"
        metrics().count("refusals", rule=refused.rule)
        raise refusal_problem(refused, table) from None
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
        metrics().count("commands", outcome=outcome)
    answer = jsonify(answered)
    if "asked" in answered:
        answer.status_code = 202
        return answer
    answer.set_etag(str(answered["preview"]["version"] if "preview" in answered else answered["seq"]))
    return answer


def counted_refusal(refused: Refused, table: Table) -> Problem:
    """Return a refusal of a command as a problem, and count it."""
    metrics().count("commands", outcome="refused")
    metrics().count("refusals", rule=refused.rule)
    return refusal_problem(refused, table)


def refusal_problem(refused: Refused, table: Table) -> Problem:
    """Return a refusal as a problem, with the names and cards of this table."""
    return problem_of_refusal(refused, table.names(), table.catalog_json(), table.game.manifest)


def _submit(table: Table) -> dict[str, Any]:
    actor = current_caller().viewer
    version, key = seen_version(), request_key(actor)
    wish = Request(read_json_object(), actor, command_source(), version, key)
    if is_amend(wish.command) and not is_confirmed(wish.command):
        preview = table.preview(wish)
        words, names, catalog = words_of(table.game.manifest), table.names(), table.catalog_json()
        return {"preview": in_words(preview, lambda rule, details: words.refusal(rule, details, names, catalog))}
    if actor != BANKER and consent_of(table, wish.command) is not None:
        made = services().consents.ask(table, wish)
        return {"asked": made.as_json() if made else None}
    return table.submit(wish)


def seen_version() -> int:
    """Return the version that the sender had on screen; every command must name it."""
    header = request.headers.get("If-Match", "").strip()
    if not header:
        detail = "Send the version that was on the screen in the header If-Match."
        raise Problem("version_needed", detail)
    version = re.fullmatch(r'"([0-9]{1,15})"|([0-9]{1,15})', header)
    if version is None:
        raise Problem("malformed", "If-Match must be one version: a whole number, bare or in double quotes.")
    return int(version[1] or version[2])
