"""The catalogues of words: one ``.po`` file a language, read when first needed, no compile step."""

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "fr": "Français", "de": "Deutsch"})
"""The languages there are, each by its own name; the first is spoken where no other was asked for."""

FOLDER = Path(__file__).parent / "po"


@cache
def translations(language: str, game: Path | None = None) -> Translations:
    """Read one language's words, with those of a game before them; ``KeyError`` for a language that there is not.

    A game that has no words in this language speaks English, as far as it speaks.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    known = _read(FOLDER / f"{language}.po", language)
    if game is not None:
        own = game / f"{language}.po"
        spoken = own if own.is_file() else game / f"{next(iter(LANGUAGES))}.po"
        if spoken.is_file():
            known.merge(_read(spoken, language))
    return known


def _read(file: Path, language: str) -> Translations:
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return Translations(compiled)


def chosen_language(*wishes: str | None) -> str:
    """Take the first wish that can be met: an address, a cookie, a browser's preference (``de-AT`` is ``de``)."""
    for wish in wishes:
        short = (wish or "").strip().lower().replace("_", "-").split("-")[0]
        if short in LANGUAGES:
            return short
    return next(iter(LANGUAGES))
