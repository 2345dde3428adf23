"""The HTML pages: lobby, tablet, big screen, phones, and those beside them; one blueprint a module."""

import re
from collections.abc import Iterable
from functools import partial

from flask import Flask

from companion.game_api.seating import LONGEST_NAME
from companion.service.services import Services
from companion.web.game_ui import ui_for
from companion.web.http.caches import draw_fragment
from companion.web.pages import assets, events, general, join, lobby, shared_tablet, story, tables, teach
from companion.web.pages.ending import figure_in_words, width
from companion.web.pages.templates import TemplateCache, Templates, Unindented

PAGES = (assets, events, general, join, lobby, shared_tablet, story, tables, teach)
LONG_WORD = 10
"""Letters of a word from which on a name is set smaller beside a figure."""

NAME_UNITS = 2 * LONGEST_NAME
"""UTF-16 units that a field for a name takes: any name fits, and the rules refuse a longer one with their reason."""

NAME_SIZES = (3.8, 3.4, 3, 2.5, 2.1)
"""Of the names on the seats of a big screen, in hundredths of 1920 pixels; each is a class of the style sheets."""
_ROOM = {4: 27, 5: 23}
_ROOM_OF_FEW, _ROOM_OF_MANY = 41, 21
"""Beside the badge of a seat, in the same unit, of four and five seats, of fewer and of more."""
_WHOLE_NAME = (12, 14, 16)
"""Letters up to which a name has one line of a seat, in the first three sizes; two or three seats hold more."""
_MORE_OF_FEW = 7
_WORD_WITHOUT_BREAKS = re.compile(r"[^\s\-\u2e80-\uffef]+")
"""A word that a browser does not divide: scripts without blanks are divided anywhere."""


def name_step(names: Iterable[str], seats: int) -> int:
    """Return by how many steps the names on so many seats are set smaller, so that their words stay whole."""
    called = list(names)
    more = _MORE_OF_FEW if seats < min(_ROOM) else 0
    longest = max(map(len, called), default=0)
    room = _ROOM.get(seats, _ROOM_OF_FEW if seats < min(_ROOM) else _ROOM_OF_MANY)
    words = (width(word, 1) for name in called for word in _WORD_WITHOUT_BREAKS.findall(name))
    # What has no room in the smallest size either is divided in any.
    widest = max((wide for wide in words if wide * NAME_SIZES[-1] <= room), default=0)
    too_wide = sum(widest * size > room for size in NAME_SIZES[:-1])
    return max(sum(longest > most + more for most in _WHOLE_NAME), too_wide)


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
    app.jinja_env.filters["name_step"] = name_step
    app.jinja_env.globals["figure_in_words"] = figure_in_words
    app.jinja_env.globals["name_units"] = NAME_UNITS
    app.jinja_env.globals["draw_fragment"] = partial(draw_fragment, app)
    for game in services.tables.games.values():
        app.jinja_env.filters.update(ui_for(game.manifest).filters)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
