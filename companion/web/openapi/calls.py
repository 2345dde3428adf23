"""What the descriptions of calls are put together from."""

from typing import Any

from companion.web.openapi.parts import (
    NUMBER,
    TEXT,
    Part,
    content,
    either_null,
    in_header,
    in_path,
    in_query,
    problems,
    thing,
)

TABLE_ID = in_path("table_id", TEXT, "The id of the table.")
PROPOSAL_NUMBER = in_path("number", NUMBER, "The id of the proposal.")
LANGUAGE = in_query("lang", {"enum": ["en", "fr", "de"]}, "The language of refusals, before Accept-Language.")
INSIDE = ("login_needed", "forbidden", "not_found", "internal")
SENDING = ("malformed", "cross_site", "too_large")
KEY = in_header("Idempotency-Key", TEXT, "The same key again gives the same answer.")
ETAG: Part = {"ETag": {"description": "The version, in double quotes.", "schema": TEXT}}
JPEG = content({"type": "string", "format": "binary"}, "image/jpeg")
TOKEN: Part = thing(
    {
        "token": TEXT,
        "role": {"enum": ["banker", "player", "spectator"]},
        "player": either_null(TEXT),
        "table": either_null(TEXT),
    }
)
SEEN = in_header("If-Match", TEXT, "The version seen, bare or in double quotes.", required=True)
INVITATION: Part = thing({"token": TEXT, "address": TEXT, "qr": TEXT})


def call(operation: str, summary: str, answers: Part, kinds: tuple[str, ...], **more: object) -> Part:
    """Describe a call: its name, what it does, its good answers, and the kinds of problems that it may answer."""
    return {"operationId": operation, "summary": summary, **more, "responses": {**answers, **problems(*kinds)}}


def call_once(operation: str, summary: str, answers: Part, kinds: tuple[str, ...], **more: Any) -> Part:
    """Describe a call that counts once, however often it is sent with the same ``Idempotency-Key``."""
    parameters = [*more.pop("parameters", ()), KEY]
    return call(operation, summary, answers, (*kinds, "key_reused"), parameters=parameters, **more)


def body(of: Part, mimetype: str = "application/json") -> Part:
    """Describe a body that must be sent."""
    return {"required": True, "content": content(of, mimetype)}


def ok(meaning: str, shape: Part, status: int = 200, headers: Part | None = None) -> Part:
    """Describe a good answer."""
    return {str(status): {"description": meaning, "content": shape, **({"headers": headers} if headers else {})}}
