"""One application for all tests of a worker: its routes and templates cost more to build than most tests to run."""

from flask import Flask

from companion.service.services import Services
from companion.web import api, attach, create_app

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
