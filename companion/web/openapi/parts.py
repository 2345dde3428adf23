"""The shapes that the description of the HTTP interface is made of."""

from typing import Any

from companion.web.http.problems import TITLES

Part = dict[str, Any]

TEXT: Part = {"type": "string"}
NUMBER: Part = {"type": "integer"}
YES_NO: Part = {"type": "boolean"}
ANYTHING: Part = {}


def listed(of: Part) -> Part:
    """Describe a list."""
    return {"type": "array", "items": of}


def thing(required: dict[str, Part], optional: dict[str, Part] | None = None, *, closed: bool = False) -> Part:
    """Describe an object; ``closed``: with no other members."""
    described: Part = {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}
    return {**described, "additionalProperties": False} if closed else described


def either_null(of: Part) -> Part:
    """Describe something that may be null."""
    return {"anyOf": [of, {"type": "null"}]}


def schema(name: str) -> Part:
    """Point at a schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def content(of: Part, mimetype: str = "application/json") -> Part:
    """Describe a body."""
    return {mimetype: {"schema": of}}


def in_path(name: str, of: Part, meaning: str) -> Part:
    """Describe a part of the address."""
    return {"name": name, "in": "path", "required": True, "schema": of, "description": meaning}


def in_query(name: str, of: Part, meaning: str) -> Part:
    """Describe a parameter behind the question mark."""
    return {"name": name, "in": "query", "required": False, "schema": of, "description": meaning}


def in_header(name: str, of: Part, meaning: str, *, required: bool = False) -> Part:
    """Describe a header of a request."""
    return {"name": name, "in": "header", "required": required, "schema": of, "description": meaning}


SOMETIMES = frozenset({"faults", "line"})
"""Members of refusals that are not always there: several reasons, each in a sentence; the line of a play file."""

STATUS_OF_KIND = {
    "malformed": 400,
    "login_needed": 401,
    "wrong_pin": 401,
    "forbidden": 403,
    "cross_site": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "stale": 409,
    "not_found_yet": 409,
    "too_large": 413,
    "misdirected": 421,
    "refused": 422,
    "key_reused": 422,
    "foreign_format": 415,
    "unreadable": 422,
    "version_needed": 428,
    "locked_out": 429,
    "internal": 500,
    "busy": 503,
    "not_stored": 507,
    "unteachable": 422,
    "no_card": 422,
    "no_sheet": 422,
    "unfinished": 422,
    "catalog_faulty": 422,
    "backup_unfit": 422,
}


def problems(*kinds: str) -> Part:
    """Describe the problems that a call may answer; kinds that share a status share its entry."""
    by_status: dict[str, list[str]] = {}
    for kind in kinds:
        by_status.setdefault(str(STATUS_OF_KIND[kind]), []).append(kind)
    return {status: _one_of(found) for status, found in by_status.items()}


def _one_of(kinds: list[str]) -> Part:
    if len(kinds) == 1:
        return {"$ref": f"#/components/responses/{kinds[0]}"}
    said = "; or: ".join(TITLES[kind] for kind in kinds)
    return {"description": f"{said}.", "content": content(schema("Problem"), "application/problem+json")}


def problem_responses() -> Part:
    """Describe every kind of problem; the ``type`` of a problem points here, that of a refusal to its rule."""
    extra: dict[str, dict[str, Part]] = {
        "stale": {"version": NUMBER},
        "refused": {"rule": TEXT, "details": {"type": "object"}, "faults": listed(TEXT), "line": NUMBER},
        "unreadable": {"image": TEXT, "error": TEXT},
        "internal": {"reference": TEXT},
        "unteachable": {"field": TEXT},
        "no_card": {"why": TEXT},
        "catalog_faulty": {"faults": listed(thing({"line": NUMBER, "place": TEXT, "detail": TEXT}, closed=True))},
    }
    return {
        kind: {
            "description": f"{STATUS_OF_KIND[kind]}: {title}.",
            "content": content(
                {"allOf": [schema("Problem"), thing(*_apart(extra[kind]))]} if kind in extra else schema("Problem"),
                "application/problem+json",
            ),
        }
        for kind, title in TITLES.items()
    }


def _apart(members: dict[str, Part]) -> tuple[dict[str, Part], dict[str, Part]]:
    """Tell members that are always there from those that may be."""
    always = {name: part for name, part in members.items() if name not in SOMETIMES}
    return always, {name: part for name, part in members.items() if name in SOMETIMES}
