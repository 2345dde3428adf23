"""One application for all tests of a worker: its routes and templates cost more to build than most tests to run.

Besides: what asks an application, and the real server around one.
"""

import threading
from collections.abc import Iterator

from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web import api, attach, create_app
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S

GAMES = {"master_builder"}
"""The games whose template filters the application has."""

_built: dict[object, Flask] = {}
"""By the function that makes the JSON interface, which some tests replace by one that checks every answer."""


def shared_app(services: Services) -> Flask:
    """Return the shared application with these services, as if it were new: nothing of an earlier test is kept.

    Services with other games or captive phones need other routes or filters: they get an application of their own.
    """
    if services.captive or set(services.tables.games) != GAMES:
        return create_app(services)
    if api.blueprint not in _built:
        _built[api.blueprint] = create_app(services)
    app = _built[api.blueprint]
    attach(app, services)
    return app


def client_of(app: Flask, services: Services, caller: Caller) -> FlaskClient:
    """Return a browser, or a program, with the token of a caller."""
    made = app.test_client()
    made.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {services.logins.token(caller)}"
    return made


def serve(server: Server) -> Iterator[Server]:
    """Let a server run while a fixture lasts."""
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server
    server.stop()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
