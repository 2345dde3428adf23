"""Language and colour theme of a page, and the functions that templates use for sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, zip_longest
from string import Formatter

from flask import Response, render_template, request
from jinja2 import Template
from markupsafe import Markup, escape

from companion.game_api.manifest import Manifest
from companion.service.table.table import Table
from companion.web.game_ui import requested_game, ui_for
from companion.web.http.auth import caller_if_any, services
from companion.web.http.language import LANGUAGE_COOKIE, set_cookie, utc_offset, words_of
from companion.web.pages.assets import DARK_WHEN, Assets
from companion.web.pages.camera import sample_cards
from companion.words import LANGUAGES, Words, isolate

MOST_KEPT = 8192
"""Cached sentences: enough for three languages of three games."""


def fill_markup(sentence: str, values: Mapping[str, object]) -> Markup:
    """Return a sentence as markup with values in its ``{places}``; sentence and values are escaped, markup is not.

    Equals ``escape(sentence).format(**values)`` of MarkupSafe; sentences that have only plain places, which is nearly
    all, are parsed once.
    """
    texts, places = _split_template(sentence)
    if texts is None:
        return escape(sentence).format(**{place: isolate(value) for place, value in values.items()})
    if not places:
        return texts[0]
    escaped = [escape(isolate(values[place])) for place in places]
    # Joined as plain text, which is quicker: all of it has been escaped.
    return Markup("".join(chain.from_iterable(zip_longest(texts, escaped, fillvalue=""))))  # noqa: S704


@lru_cache(MOST_KEPT)
def _split_template(sentence: str) -> tuple[tuple[Markup, ...] | None, tuple[str, ...]]:
    """Return the texts and the places between them; no texts if a place has a format, a conversion or no plain name."""
    parts = list(Formatter().parse(str(escape(sentence))))
    places = tuple(place for _, place, *_ in parts if place is not None)
    has_formats = any(spec or conversion for _, _, spec, conversion in parts) or not all(map(str.isidentifier, places))
    if has_formats or len(parts) > len(places) + 1:  # a doubled brace parts a text from the next
        return None, ()
    return tuple(Markup(text) for text, *_ in parts) or (Markup(),), places  # noqa: S704 - escaped above


THEME_COOKIE = "theme"
THEMES = frozenset({"light", "dark"})


def theme() -> str:
    """Return the chosen theme, ``light`` or ``dark``; empty if the device decides."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


def remember_language(answer: Response) -> Response:
    """Store the language of the address in a cookie of the response."""
    if request.args.get("lang") in LANGUAGES:
        set_cookie(answer, LANGUAGE_COOKIE, request.args["lang"])
    return answer


@dataclass(frozen=True, kw_only=True)
class PageFrame:
    """Values that every page is rendered with: its language and colours, the game it is about, and functions.

    ``utc_offset`` is that of the times on the page now, in minutes.
    ``say``, ``say_in`` and ``several`` return sentences with their values filled in; sentences and values are escaped,
    markup is not.  ``say_now`` leaves out *Waiting for*, which the place of the sentence says already.
    """

    language: str
    languages: Mapping[str, str]
    theme: str
    utc_offset: int
    words: Words
    manifest: Manifest
    emblems: str
    game_folder: str
    cards_to_lay: Callable[[], list[str]]
    styles: Callable[..., Markup]
    style_addresses: Callable[[str], tuple[str, ...]]
    sheets_text: Callable[[str], Markup]
    scripts: Callable[[str], Markup]
    game_file: Callable[[str], str]
    dark_when: str
    say: Callable[..., Markup]
    say_in: Callable[..., Markup]
    say_now: Callable[..., Markup]
    several: Callable[..., Markup]
    money: Callable[..., str]
    listed: Callable[..., str]

    def render(self, template: str | Template, /, **values: object) -> str:
        """Return a rendered template; ``values`` are what it needs besides the frame."""
        return render_template(template, **vars(self), **values)


def page_frame(table: Table | None = None, of: Manifest | None = None) -> PageFrame:
    """Return the frame of a page in the language of the request.

    Args:
        table: the table that the page shows.
        of: the game that a page is about which shows no table; without it the game of the address.

    """
    shown = of if table is None else table.game.manifest
    manifest = shown or requested_game(services(), request.args, caller_if_any())
    words, assets, folder = words_of(manifest), Assets(manifest), ui_for(manifest).folder

    def say(msgid: str, /, **values: object) -> Markup:
        return fill_markup(words.template(msgid), values)

    def say_in(context: str, msgid: str, /, **values: object) -> Markup:
        return fill_markup(words.template(msgid, context), values)

    def say_now(msgid: str, /, **values: object) -> Markup:
        template = words.template(msgid)
        says_waiting = msgid.startswith("Waiting for {player}:")
        return fill_markup(template[template.index("{player}") :] if says_waiting else template, values)

    def several(singular: str, plural: str, count: int, /, **values: object) -> Markup:
        return escape(words.several(singular, plural, count, **values))

    return PageFrame(
        language=words.language,
        languages=LANGUAGES,
        theme=theme(),
        utc_offset=utc_offset(),
        words=words,
        manifest=manifest,
        emblems=f"{folder}/emblems.html",
        game_folder=folder,
        cards_to_lay=sample_cards,
        styles=assets.styles,
        style_addresses=assets.addresses,
        sheets_text=assets.sheets_text,
        scripts=assets.scripts,
        game_file=assets.game_file,
        dark_when=DARK_WHEN[theme()],
        say=say,
        say_in=say_in,
        say_now=say_now,
        several=several,
        money=words.money,
        listed=words.listed,
    )
