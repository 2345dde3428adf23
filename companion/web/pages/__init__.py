"""Pages for people: lobby, the banker's tablet, the display, the rules, the words, the login."""

from flask import Flask

from companion.service.services import Services
from companion.web.faces import manifest_face
from companion.web.pages import calibrate, dress, entrance, glossary, lobby, rules, tables, take_over, welcome


def register_pages(app: Flask, services: Services) -> None:
    """Put the pages on the application, with what the games' templates use."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    for edition in services.tables.editions.values():
        app.jinja_env.filters.update(manifest_face(edition.manifest).filters)
    for module in (calibrate, dress, entrance, glossary, lobby, rules, tables, take_over, welcome):
        app.register_blueprint(module.blueprint)
