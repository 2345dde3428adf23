"""The web application: pages for people, a JSON interface for pages and programs."""

from flask import Blueprint, Flask

from companion.resources import packaged, templates_folder
from companion.service.notes import NoteBooks
from companion.service.services import Services
from companion.web import (
    api_agreements,
    api_calibration,
    api_camera,
    api_camera_check,
    api_commands,
    api_devices,
    api_dial,
    api_differences,
    api_explain,
    api_forecast,
    api_invitations,
    api_journal,
    api_logins,
    api_notes,
    api_openapi,
    api_preparation,
    api_proposals,
    api_reading,
    api_stream,
    api_tables,
    api_worth,
    entrances,
    health,
    installable,
)
from companion.web.auth import register_auth
from companion.web.figures import Figures
from companion.web.headers import register_headers
from companion.web.once import Answers
from companion.web.packing import register_packing
from companion.web.pages import register_pages
from companion.web.pages.drawn import Drawn
from companion.web.problems import register_problems
from companion.web.shown import Shown
from companion.web.streams import Streams
from companion.web.strict_json import MOST_COMMAND_BYTES

_API = (
    api_logins,
    api_tables,
    api_commands,
    api_forecast,
    api_journal,
    api_explain,
    api_worth,
    api_notes,
    api_stream,
    api_proposals,
    api_dial,
    api_preparation,
    api_camera,
    api_camera_check,
    api_calibration,
    api_differences,
    api_devices,
    api_reading,
    api_agreements,
    api_invitations,
    api_openapi,
)


def create_app(services: Services) -> Flask:
    """Put the application together.  It starts nothing: no camera, no thread, no socket."""
    app = Flask(__name__, template_folder=str(templates_folder()), static_folder=str(packaged("web", "static")))
    app.config["MAX_CONTENT_LENGTH"] = MOST_COMMAND_BYTES
    app.config["HEARTBEAT_SECONDS"] = api_stream.HEARTBEAT_SECONDS
    app.extensions["companion"] = services
    app.extensions["companion.answers"] = Answers()
    app.extensions["companion.drawn"] = Drawn()
    app.extensions["companion.figures"] = Figures()
    app.extensions["companion.notes"] = NoteBooks()
    app.extensions["companion.shown"] = Shown()
    app.extensions["companion.streams"] = Streams(services.screens)
    _speak_json_as_it_is(app)
    register_problems(app)
    register_auth(app)
    register_headers(app)
    register_packing(app)
    api = Blueprint("api", __name__, url_prefix="/api/v1")
    for module in _API:
        api.register_blueprint(module.blueprint)
    app.register_blueprint(api)
    app.register_blueprint(entrances.blueprint)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(installable.blueprint)
    register_pages(app, services)
    return app


def _speak_json_as_it_is(app: Flask) -> None:
    """Keep the order of members, which says the order of turns, and write names with their accents."""
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.compact = True  # type: ignore[attr-defined]
