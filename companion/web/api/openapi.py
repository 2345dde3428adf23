"""The description of the JSON interface, for programs and for those who write them."""

from flask import Blueprint, Response, jsonify

from companion.web.http.auth import LOGIN_COOKIE, services
from companion.web.openapi.parts import Part, problem_responses, schema
from companion.web.openapi.paths import PATHS
from companion.web.openapi.schemas import SCHEMAS

blueprint = Blueprint("openapi", __name__)


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """Describe every call, as OpenAPI 3.1."""
    return jsonify(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Companion",
                "version": services().version,
                "summary": "The banker of a real board-game table.",
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "security": [{"bearer": []}, {"cookie": []}],
            "paths": PATHS,
            "components": {
                "securitySchemes": {
                    "bearer": {"type": "http", "scheme": "bearer"},
                    "cookie": {"type": "apiKey", "in": "cookie", "name": LOGIN_COOKIE},
                },
                "schemas": {**SCHEMAS, **_commands()},
                "responses": problem_responses(),
            },
        }
    )


def _commands() -> Part:
    """Describe what may be asked for: the commands of every game, and those that the house answers in all of them."""
    described = services().command_schemas()
    command = {
        "description": "A command of the game that the table plays, or one that every game has. Of those, players give "
        "no other than the undo of their own latest act.",
        "anyOf": [schema(name) for name in described.commands],
    }
    return {"Command": command, **described.parts}
