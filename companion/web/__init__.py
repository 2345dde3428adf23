"""The web application: pages for people, a JSON interface for pages and programs."""

from flask import Flask

from companion.resources import packaged_path, templates_folder
from companion.service.runtime import VersionCache
from companion.service.services import Services
from companion.service.table.notes import NoteBooks
from companion.web import api, installable, typefaces
from companion.web.api.stream import HEARTBEAT_SECONDS
from companion.web.captive import register_captive
from companion.web.http import health, login_routes
from companion.web.http.auth import register_auth, register_hosts
from companion.web.http.caches import MOST_BYTES_IN_A_HALL, MOST_BYTES_OF_FRAGMENTS, ViewTexts
from companion.web.http.capacity import Streams, UploadLimiter
from companion.web.http.endpoint import MOST_COMMAND_BYTES, ResponseCache
from companion.web.http.metrics import Metrics, register_timing
from companion.web.http.problems import register_problems, register_storage_errors
from companion.web.http.responses import register_compression, register_headers, register_soft_breaks
from companion.web.pages import register_pages


def create_app(services: Services) -> Flask:
    """Put the application together.  It starts nothing: no camera, no thread, no socket."""
    app = Flask(__name__, template_folder=str(templates_folder()), static_folder=str(packaged_path("web", "static")))
    attach(app, services)
    _speak_json_as_it_is(app)
    register_problems(app, installable.render_nothing_here)
    register_storage_errors(app, installable.render_not_now)
    if services.captive:
        register_captive(app)
    register_timing(app)
    register_hosts(app)
    register_auth(app)
    register_headers(app)
    register_soft_breaks(app)
    register_compression(app)
    app.register_blueprint(api.blueprint())
    app.register_blueprint(login_routes.blueprint)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(installable.blueprint)
    app.register_blueprint(typefaces.blueprint)
    register_pages(app, services)
    return app


def attach(app: Flask, services: Services) -> None:
    """Attach services, settings and empty caches to an application."""
    app.config["MAX_CONTENT_LENGTH"] = MOST_COMMAND_BYTES
    app.config["HEARTBEAT_SECONDS"] = HEARTBEAT_SECONDS
    app.extensions["companion"] = services
    app.extensions["companion.response_cache"] = ResponseCache(shared=services.answers)
    app.extensions["companion.metrics"] = Metrics()
    is_hall = services.answers is not None
    app.extensions["companion.fragments"] = VersionCache(MOST_BYTES_IN_A_HALL if is_hall else MOST_BYTES_OF_FRAGMENTS)
    app.extensions["companion.upload_limiter"] = UploadLimiter()
    app.extensions["companion.notes"] = NoteBooks()
    app.extensions["companion.streams"] = Streams(services.screens)
    app.extensions["companion.secure_port"] = 0
    app.extensions["companion.view_texts"] = ViewTexts()


def _speak_json_as_it_is(app: Flask) -> None:
    """Keep the order of members, which says the order of turns, and write names with their accents."""
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.compact = True  # type: ignore[attr-defined]
