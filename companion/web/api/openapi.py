"""The description of the JSON interface, collected from its endpoints, for programs and for those who write them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from flask import Blueprint, Response, current_app, jsonify
from pydantic import TypeAdapter, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema
from werkzeug.routing import Rule

from companion.game_api.manifest import LoadedGame
from companion.service.access.logins import LOGIN_COOKIE
from companion.web.http.access import Reach
from companion.web.http.auth import reach_of, services
from companion.web.http.endpoint import (
    Answer,
    Body,
    ByGames,
    Content,
    Endpoint,
    JsonObject,
    Shape,
    WithMembers,
    endpoint,
)
from companion.web.http.problems import KINDS, ProblemKind

REFS = "#/components/schemas/{model}"
ANYWHERE = ("misdirected", "internal", "busy", "not_stored")
"""Kinds of problems that say something about the machine, its disk or its database, which any endpoint may answer."""

blueprint = Blueprint("openapi", __name__)


class ProblemJson(Shape, title="Problem"):
    """An answer that is an error, by RFC 9457."""

    type: str
    title: str
    status: int
    detail: str


@blueprint.get("/openapi.json")
@endpoint("This description.", answers=Answer("OpenAPI 3.1.", JsonObject))
def describe() -> Response:
    """Return the description of every endpoint, as OpenAPI 3.1."""
    extensions = current_app.extensions
    if "companion.openapi" not in extensions:
        commands = services().command_schemas()
        games = tuple(services().tables.games.values())
        extensions["companion.openapi"] = document(commands.commands, commands.parts, games)
    return jsonify(extensions["companion.openapi"])


def endpoints() -> Iterator[tuple[Rule, str, Any, Endpoint]]:
    """Yield the rule, the method, the view and the description of each endpoint of the running application."""
    for rule in current_app.url_map.iter_rules():
        view = current_app.view_functions[rule.endpoint]
        about = getattr(view, "described", None)
        if isinstance(about, Endpoint):
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            yield rule, method, view, about


def template_of(rule: Rule) -> str:
    """Return the path of a rule as OpenAPI writes it."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)


def document(commands: Iterable[str], parts: Mapping[str, Any], games: Sequence[LoadedGame]) -> JsonObject:
    """Return the description of the running application's endpoints.

    Args:
        commands: The names of the schemas of commands.
        parts: The schemas of commands and what they consist of, by name.
        games: The games, which describe their capabilities.

    """
    schemas = _Schemas(games)
    schemas.of(ProblemJson)
    paths: dict[str, JsonObject] = {}
    for rule, method, view, about in endpoints():
        about_games = about.for_games(game.can for game in games)
        paths.setdefault(template_of(rule), {})[method.lower()] = _operation(
            view, about_games, schemas, reach_of(rule.endpoint)
        )
    responses = {name: _problem_response(kind, schemas) for name, kind in KINDS.items()}
    command = {
        "description": "A command of the game that the table plays, or one that every game has. Of those, players give "
        "no other than the undo of their own latest act.",
        "anyOf": [{"$ref": REFS.format(model=name)} for name in commands],
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": services().version,
            "summary": "The banker of a real board-game table.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"bearer": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": LOGIN_COOKIE},
            },
            "schemas": {**schemas.published, "Command": command, **parts},
            "responses": responses,
        },
    }


def _operation(view: Any, about: Endpoint, schemas: "_Schemas", reach: Reach) -> JsonObject:
    hints = get_type_hints(view, include_extras=True)
    in_path = [(name, *get_args(hint)) for name, hint in hints.items() if get_origin(hint) is Annotated]
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schemas.of(kind), "description": meaning}
        for name, kind, meaning in in_path
        if name != "return"
    ]
    parameters += [
        {
            "name": parameter.name,
            "in": parameter.place,
            "required": parameter.required,
            "schema": schemas.of(parameter.shape),
            "description": parameter.meaning,
        }
        for parameter in about.parameters
    ]
    first, *rest = view.__name__.split("_")
    described: JsonObject = {"operationId": first + "".join(map(str.title, rest)), "summary": about.summary}
    if parameters:
        described["parameters"] = parameters
    if about.body is not None:
        described["requestBody"] = _body(about.body, schemas)
    described["x-least-role"] = reach
    if reach == "stranger":
        described["security"] = []
    answers = {str(answer.status): _answer(answer, schemas) for answer in about.answers}
    described["responses"] = {**answers, **_problems(dict.fromkeys((*about.problems, *ANYWHERE)))}
    return described


def _body(body: Any, schemas: "_Schemas") -> JsonObject:
    shape = body.shape if isinstance(body, Body) else body
    note = {"description": body.note} if isinstance(body, Content) and body.note else {}
    return {"required": True, "content": schemas.content(shape), **note}


def _answer(answer: Answer, schemas: "_Schemas") -> JsonObject:
    described: JsonObject = {"description": answer.meaning}
    if answer.shape is not None:
        described["content"] = schemas.content(answer.shape)
    if answer.headers:
        text = {"type": "string"}
        described["headers"] = {
            name: {"description": meaning, "schema": text} for name, meaning in answer.headers.items()
        }
    return described


def _problems(kinds: Iterable[str]) -> JsonObject:
    """Return the responses of kinds of problems; kinds that share a status share its entry."""
    by_status: dict[str, list[str]] = {}
    for kind in kinds:
        by_status.setdefault(str(KINDS[kind].status), []).append(kind)
    return {status: _one_of(group) for status, group in by_status.items()}


def _one_of(kinds: list[str]) -> JsonObject:
    if len(kinds) == 1:
        return {"$ref": f"#/components/responses/{kinds[0]}"}
    titles = "; or: ".join(KINDS[kind].title for kind in kinds)
    return {"description": f"{titles}.", "content": _problem_content({"$ref": REFS.format(model="Problem")})}


def _problem_response(kind: ProblemKind, schemas: "_Schemas") -> JsonObject:
    """Return the response of one kind; the ``type`` of a problem points here, that of a refusal to its rule."""
    schema: JsonObject = {"$ref": REFS.format(model="Problem")}
    if kind.members:
        members: dict[str, Any] = {
            name.removesuffix("?"): (shape, None if name.endswith("?") else ...) for name, shape in kind.members.items()
        }
        schema = {"allOf": [schema, schemas.of(create_model("Members", __base__=Shape, **members))]}
    return {"description": f"{kind.status}: {kind.title}.", "content": _problem_content(schema)}


def _problem_content(schema: JsonObject) -> JsonObject:
    return {"application/problem+json": {"schema": schema}}


class _Generator(GenerateJsonSchema):
    """Writes a union of objects as ``oneOf``: each has members that no other has."""

    def union_schema(self, schema: core_schema.UnionSchema) -> JsonSchemaValue:
        union = super().union_schema(schema)
        return {"oneOf": union.pop("anyOf"), **union} if "anyOf" in union else union

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """Leave out the docstring, which is for readers of the code, as that of a ``Shape`` is."""
        described = super().typed_dict_schema(schema)
        described.pop("description", None)
        return described


class _Schemas:
    """JSON schemas of types, and those of titled models, which are published by their titles."""

    def __init__(self, games: Sequence[LoadedGame]) -> None:
        self.published: dict[str, JsonObject] = {}
        self.games = games

    def content(self, shape: Any) -> JsonObject:
        types = shape.types if isinstance(shape, Content) else {"application/json": shape}
        return {mimetype: {"schema": self.of(body)} for mimetype, body in types.items()}

    def of(self, shape: Any) -> JsonObject:
        """Return the schema of a type; models in it are written in their places, but for published ones."""
        if isinstance(shape, ByGames):
            shape = shape.shape(self.games)
        if isinstance(shape, WithMembers):
            return self._with_members(shape)
        made: JsonObject = TypeAdapter(shape).json_schema(schema_generator=_Generator)
        parts = made.pop("$defs", {})
        titles = {name: part["title"] for name, part in parts.items() if part.get("title", name) != name}
        if made.get("title", name := getattr(shape, "__name__", "")) != name:
            titles[name], parts[name], made = made["title"], made, {"$ref": f"#/$defs/{name}"}
        for name, title in titles.items():
            if title not in self.published:
                self.published[title] = {}
                self.published[title] = _plain(parts[name], parts, titles)
        plain: JsonObject = _plain(made, parts, titles)
        return plain

    def _with_members(self, shape: WithMembers) -> JsonObject:
        """Return the schema of a model of the house with the members that each game adds."""
        house = self.of(shape.shape)
        title = _published_title(house)
        schemas = [self._extended(self._whole(house), *added) for added in shape.added]
        extended = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        if title is None:
            return extended
        self.published[title] = extended
        return house

    def _extended(self, house: JsonObject, shape: Any, note: str) -> JsonObject:
        added = {} if shape is None else self._whole(self.of(shape))
        about = {"description": note} if note else {}
        members = {**house["properties"], **added.get("properties", {})}
        return {**house, **about, "properties": members, "required": [*house["required"], *added.get("required", ())]}

    def _whole(self, schema: JsonObject) -> JsonObject:
        """Return what a schema points to, where it is published."""
        title = _published_title(schema)
        return schema if title is None else self.published[title]


def _published_title(schema: JsonObject) -> str | None:
    pointer = schema.get("$ref")
    return None if pointer is None else str(pointer).rpartition("/")[2]


def _plain(schema: Any, parts: JsonObject, titles: JsonObject) -> Any:
    """Return a schema without what says nothing: pydantic's titles and defaults, types beside listed values."""
    if isinstance(schema, list):
        return [_plain(item, parts, titles) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        rest = {key: part for key, part in schema.items() if key not in ("$ref", "default")}
        if name in titles:
            return {"$ref": REFS.format(model=titles[name]), **rest}
        return {**_plain(parts[name], parts, titles), **rest}
    idle = {"title", "default"} | ({"type"} if {"enum", "const"} & set(schema) else set())
    return {
        key: {name: _plain(member, parts, titles) for name, member in part.items()}
        if key == "properties"
        else _plain(part, parts, titles)
        for key, part in schema.items()
        if key not in idle and (key, part) != ("additionalProperties", True)
    }
