"""The language of the caller, and refusals said in it."""

from collections.abc import Mapping
from typing import Any

from flask import request
from werkzeug.wrappers import Response

from companion.engine.errors import Refused
from companion.game_api.manifest import Manifest
from companion.words import Words, choose_language

# --- cookies
# Cookies, and by which names: those of secure pages are their own. Ports do not keep cookies apart, and a
# browser lets no plain page replace a cookie that a secure one has set: a device that was logged in over HTTPS
# once could never log in without it again. So secure pages put ``__Host-`` before the name (RFC 6265bis), with
# which no plain page can set one. They also read what a plain page has set: who is logged in there need not log
# in again.

PREFIX = "__Host-"
YEAR = 365 * 24 * 3600


def cookie(name: str, default: str = "") -> str:
    """Give the value of a cookie of this app, by the name of secure pages first where this is one."""
    return cookie_in(request.cookies, name, secure=request.is_secure) or default


def cookie_in(cookies: Mapping[str, str], name: str, *, secure: bool) -> str:
    """Give the value of a cookie among those that a request brought; empty: there is none."""
    own = cookies.get(PREFIX + name, "") if secure else ""
    return own or cookies.get(name, "")


def keep_cookie(answer: Response, name: str, value: str, seconds: int = YEAR, *, from_code: bool = True) -> None:
    """Let a browser keep a cookie for so long.  ``from_code``: the code of pages may read it."""
    secure = request.is_secure
    answer.set_cookie(
        PREFIX + name if secure else name,
        value,
        max_age=seconds,
        httponly=not from_code,
        samesite="Lax",
        secure=secure,
    )


def drop_cookie(answer: Response, name: str) -> None:
    """Let a browser forget a cookie, also what a plain page has set."""
    for one in (PREFIX + name, name) if request.is_secure else (name,):
        answer.delete_cookie(one, httponly=True, samesite="Lax", secure=request.is_secure)


LANGUAGE_COOKIE = "lang"


def language() -> str:
    """Give the language of the request: ``?lang=``, else the cookie, else what the browser prefers, else English."""
    browser = [wish for wish, _ in request.accept_languages]
    return choose_language(request.args.get("lang"), cookie(LANGUAGE_COOKIE), *browser)


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
