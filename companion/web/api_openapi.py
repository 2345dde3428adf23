"""The description of the JSON interface, for programs and for those who write them."""

from flask import Blueprint, Response, jsonify

from companion.web.auth import LOGIN_COOKIE, services
from companion.web.openapi_parts import problem_responses
from companion.web.openapi_paths import PATHS
from companion.web.openapi_schemas import SCHEMAS

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
                "schemas": SCHEMAS,
                "responses": problem_responses(),
            },
        }
    )
