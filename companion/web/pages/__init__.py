"""The HTML pages: lobby, tablet, big screen, phones, and those beside them; one blueprint a module."""

import re
from functools import partial

from flask import Flask

from companion.game_api.seating import LONGEST_NAME
from companion.service.services import Services
from companion.web.game_ui import ui_for
from companion.web.http.caches import draw_fragment
from companion.web.pages import assets, events, general, join, lobby, shared_tablet, story, tables, teach
from companion.web.pages.templates import TemplateCache, Templates, Unindented

PAGES = (assets, events, general, join, lobby, shared_tablet, story, tables, teach)
LONG_WORD = 10
"""Letters of a word from which on a name is set smaller beside a figure."""

NAME_UNITS = 2 * LONGEST_NAME
"""UTF-16 units that a field for a name takes: any name fits, and the rules refuse a longer one with their reason."""


def name_class(name: str) -> str:
    """Return the CSS classes of a player's name."""
    return "name long" if max(map(len, re.split(r"[\s-]+", name))) >= LONG_WORD else "name"


def register_pages(app: Flask, services: Services) -> None:
    """Register the pages and the Jinja filters of the games."""
    app.jinja_environment = Templates
    # All templates are kept, in a dictionary without the lock of Jinja's bounded cache, for which threads would wait.
    app.jinja_options = {**app.jinja_options, "cache_size": -1}
    app.jinja_env.add_extension(Unindented)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.bytecode_cache = TemplateCache()
    app.jinja_env.filters["name_class"] = name_class
    app.jinja_env.globals["name_units"] = NAME_UNITS
    app.jinja_env.globals["draw_fragment"] = partial(draw_fragment, app)
    for game in services.tables.games.values():
        app.jinja_env.filters.update(ui_for(game.manifest).filters)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
