"""In which language and colours a page is shown, and the words that templates speak with."""

from collections.abc import Callable
from typing import Any

from flask import Response, request
from markupsafe import Markup, escape

from companion.game_api.manifest import Manifest
from companion.service.table.table import Table
from companion.web.game_ui import game_asked, manifest_face
from companion.web.http.auth import services
from companion.web.http.language import LANGUAGE_COOKIE, keep_cookie, words_of
from companion.web.http.markup import filled
from companion.web.pages.dress import DARK_WHEN, Dress
from companion.web.pages.laying import cards_to_lay
from companion.words import LANGUAGES, Words

THEME_COOKIE = "theme"
THEMES = frozenset({"light", "dark"})


def theme() -> str:
    """Give ``light`` or ``dark`` where somebody chose, else nothing: then the device decides."""
    wish = request.cookies.get(THEME_COOKIE, "")
    return wish if wish in THEMES else ""


def remember_language(answer: Response) -> Response:
    """Keep a language that was asked for in the address."""
    if request.args.get("lang") in LANGUAGES:
        keep_cookie(answer, LANGUAGE_COOKIE, request.args["lang"])
    return answer


def spoken(words: Words) -> dict[str, Callable[..., Any]]:
    """Give what templates call: sentences are escaped, values that are markup stay so."""

    def say(msgid: str, /, **values: object) -> Markup:
        return filled(words.template(msgid), values)

    def say_in(context: str, msgid: str, /, **values: object) -> Markup:
        return filled(words.template(msgid, context), values)

    def several(one: str, many: str, count: int, /, **values: object) -> Markup:
        return escape(words.several(one, many, count, **values))

    return {"say": say, "say_in": say_in, "several": several, "money": words.money, "listed": words.listed}


def page_values(table: Table | None = None, of: Manifest | None = None) -> tuple[Words, dict[str, Any]]:
    """Give the words of the request and what every page's frame needs; ``table``: the one that the page shows.

    ``of``: the game that a page is about, where it shows no table.

    A page of the house speaks of the game that it is asked about, and wears what that brings.
    """
    manifest = (of or game_asked(services(), request.args)) if table is None else table.edition.manifest
    words, dress = words_of(manifest), Dress(manifest)
    values: dict[str, Any] = {
        "language": words.language,
        "languages": LANGUAGES,
        "theme": theme(),
        "words": words,
        "manifest": manifest,
        "emblems": f"{manifest_face(manifest).folder}/emblems.html",
        "face_folder": manifest_face(manifest).folder,
        "cards_to_lay": cards_to_lay,
        "styles": dress.styles,
        "style_addresses": dress.addresses,
        "sheets_text": dress.sheets_text,
        "scripts": dress.scripts,
        "game_file": dress.game_file,
        "dark_when": DARK_WHEN[theme()],
        **spoken(words),
    }
    return words, values
