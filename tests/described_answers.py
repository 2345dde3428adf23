"""Every answer of the JSON interface that a test provokes is compared with the description of its endpoint."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import jsonschema_rs
from flask import Blueprint, Response, current_app, request

from companion.bootstrap import installation
from companion.bootstrap.games import load_game
from companion.web import api
from companion.web.api import openapi
from companion.web.http.endpoint import MOST_COMMAND_BYTES, Endpoint
from companion.web.http.problems import KINDS
from tests.opened import installed_games

FORM = "application/x-www-form-urlencoded"

undescribed: list[str] = []
exercised: set[str] = set()
_blueprint = api.blueprint


def watched_blueprint() -> Blueprint:
    """Return the JSON interface with a look at each answer."""
    whole = _blueprint()
    whole.before_request(_keep_body)
    whole.after_request(_compare)
    return whole


@contextmanager
def compared_answers() -> Iterator[None]:
    """Compare the answers of applications made meanwhile.  Raise ``AssertionError`` at the end if any differed."""
    with patch.object(api, "blueprint", watched_blueprint):
        yield
    result, undescribed[:] = list(undescribed), []
    if result:
        raise AssertionError("\n".join(result))


def faults_of(endpoint: Endpoint, operation: dict[str, Any], answer: Response) -> Iterator[str]:
    """Yield how an answer differs from the description of its endpoint."""
    if answer.status_code >= 400:
        yield from _faults_of_problem(endpoint, answer)
        return
    described = operation["responses"].get(str(answer.status_code))
    if described is None:
        yield f"status {answer.status_code} is not described"
    elif "content" not in described:
        if not answer.is_streamed and answer.get_data():
            yield "a body is not described"
    elif answer.mimetype not in described["content"]:
        yield f"{answer.mimetype} is not described"
    elif answer.mimetype == "application/json":
        yield from _faults_of_json(described["content"]["application/json"]["schema"], answer.get_data())
        yield from _faults_of_body(operation)


def _keep_body() -> None:
    """Read a JSON body so that it can be read once more after the handler."""
    if _is_json() and (request.content_length or 0) < MOST_COMMAND_BYTES:
        request.get_data()


def _is_json() -> bool:
    return request.mimetype in {"", "application/json"}


def _compare(answer: Response) -> Response:
    rule = request.url_rule
    endpoint = getattr(current_app.view_functions[rule.endpoint], "described", None) if rule else None
    # Forms come from pages, which are no programs: they are led back to where they were.
    if rule is None or request.method in {"HEAD", "OPTIONS"} or request.mimetype == FORM:
        return answer
    name = f"{request.method} {openapi.template_of(rule)}"
    if not isinstance(endpoint, Endpoint):
        undescribed.append(f"{name} is not described at all")
        return answer
    operation = _document()["paths"][openapi.template_of(rule)][request.method.lower()]
    exercised.add(operation["operationId"])
    undescribed.extend(f"{name}: {fault}" for fault in faults_of(endpoint, operation, answer))
    return answer


def _faults_of_problem(endpoint: Endpoint, answer: Response) -> Iterator[str]:
    if answer.mimetype != "application/problem+json":
        yield f"{answer.status_code} is no problem document"
        return
    body = answer.get_data()
    problem = json.loads(body)
    kind = problem["type"].rpartition("/")[2] if "#/components/" in problem["type"] else "refused"
    if kind not in {*endpoint.problems, *openapi.ANYWHERE}:
        yield f"the problem {kind} is not described"
    if answer.status_code != KINDS[kind].status:
        yield f"{kind} is answered with {answer.status_code}"
    described = _document()["components"]["responses"][kind]
    yield from _faults_of_json(described["content"]["application/problem+json"]["schema"], body)


def _faults_of_body(operation: dict[str, Any]) -> Iterator[str]:
    """Yield how a body that was taken differs from what is described."""
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if schema is not None and _is_json():
        yield from _faults_of_json(schema, request.get_data())


def _faults_of_json(schema: dict[str, Any], body: bytes) -> Iterator[str]:
    for fault in _validator(json.dumps(schema)).iter_errors(json.loads(body)):
        yield f"{'/'.join(map(str, fault.instance_path))}: {fault.message[:300]}"


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({**json.loads(schema), "components": _document()["components"]})


@cache
def _document() -> dict[str, Any]:
    """Return the description with what all games give to it; endpoints are the same in all applications."""
    games = {name: load_game(manifest, {}) for name, manifest in installed_games().manifests.items()}
    commands = installation.describe_commands(games)
    described = openapi.document(commands.commands, commands.parts, tuple(games.values()))
    result: dict[str, Any] = json.loads(json.dumps(described))
    return result
