"""Pages for people: lobby, the banker's tablet, the display, the rules, the words, the login."""

import re
from collections.abc import MutableMapping
from typing import Any

from flask import Flask
from flask.templating import Environment
from jinja2.ext import Extension

from companion.service.services import Services
from companion.web.game_ui import manifest_face
from companion.web.pages import (
    backups,
    calibrate,
    catalogs,
    dress,
    entrance,
    glossary,
    lobby,
    own_screen,
    rules,
    shared_tablet,
    story,
    tables,
    take_over,
    teach,
    trust,
    welcome,
    who,
)

PAGES = (
    backups,
    calibrate,
    catalogs,
    dress,
    entrance,
    glossary,
    lobby,
    own_screen,
    rules,
    shared_tablet,
    story,
    tables,
    take_over,
    teach,
    trust,
    welcome,
    who,
)
LONG_WORD = 10
"""So many letters without a place for a line's end are written smaller beside a figure."""


def name_class(name: str) -> str:
    """Give the class that a player's name is written with."""
    return "name long" if max(map(len, re.split(r"[\s-]+", name))) >= LONG_WORD else "name"


class Templates(Environment):
    """Templates whose globals are one dictionary: each import asks which of them it lacks, hundreds of times a page."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Give the globals of a template; what is registered later is not among them."""
        return {**self.globals, **(d or {})}


class Unindented(Extension):
    """Templates are indented for those who write them; the indentation is half of a page, and no browser needs it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Let every line begin at its first sign; behind a tag, whose line end goes too, one space stays."""
        del name, filename
        return re.sub(r"\n[ \t]+", "\n", re.sub(r"(?<=[%#]})\n[ \t]+", "\n\v", source)).replace("\v", " ")


def register_pages(app: Flask, services: Services) -> None:
    """Put the pages on the application, with what the games' templates use."""
    app.jinja_environment = Templates
    app.jinja_env.add_extension(Unindented)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["name_class"] = name_class
    for edition in services.tables.editions.values():
        app.jinja_env.filters.update(manifest_face(edition.manifest).filters)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
