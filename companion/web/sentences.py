"""The language of the caller, and refusals said in it."""

from collections.abc import Mapping
from typing import Any

from flask import request

from companion.engine.errors import Refused
from companion.gamekit.manifest import Manifest
from companion.web.cookies import cookie
from companion.words import Words, chosen_language

LANGUAGE_COOKIE = "lang"


def language() -> str:
    """Give the language of the request: ``?lang=``, else the cookie, else what the browser prefers, else English."""
    browser = [wish for wish, _ in request.accept_languages]
    return chosen_language(request.args.get("lang"), cookie(LANGUAGE_COOKIE), *browser)


def words_of(game: Manifest | None) -> Words:
    """Speak the caller's language, with the words of a game before those of the house."""
    return Words(language(), game)


def refusal(
    refused: Refused,
    names: Mapping[str, str],
    catalog: Mapping[str, Any] | None = None,
    game: Manifest | None = None,
) -> str:
    """Say a refusal to the caller.  ``names``: player ids to the names people go by."""
    return words_of(game).refusal(refused.rule, refused.details, names, catalog)


def faults_told(
    refused: Refused,
    names: Mapping[str, str],
    catalog: Mapping[str, Any] | None = None,
    game: Manifest | None = None,
) -> list[str]:
    """Say to the caller, one by one, the faults of a refusal that has several."""
    return words_of(game).faults(refused.details, names, catalog)
