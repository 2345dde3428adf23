"""Pages for people: lobby, the banker's tablet, the display, the rules, the words, the login."""

from flask import Flask

from companion.web.pages import calibrate, entrance, glossary, lobby, rules, tables, take_over, welcome
from companion.web.pages.compounds import breakable


def register_pages(app: Flask) -> None:
    """Put the pages on the application."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["breakable"] = breakable
    for module in (calibrate, entrance, glossary, lobby, rules, tables, take_over, welcome):
        app.register_blueprint(module.blueprint)
