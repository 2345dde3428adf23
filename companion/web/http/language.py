"""The caller's language and time zone, refusals in that language, and cookies.

Cookies of HTTPS pages have names of their own.  Ports do not separate cookies, and browsers let no plain HTTP page
replace a cookie that an HTTPS page has set: a device that was logged in over HTTPS once could not log in over HTTP
again.  So HTTPS pages put ``__Host-`` before the name (RFC 6265bis), which plain pages cannot set.  They also read the
cookies of plain pages, so that a login there counts.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flask import request
from werkzeug.wrappers import Response

from companion.engine.game import Refused
from companion.game_api.manifest import Manifest
from companion.service.access.logins import SECURE_PREFIX
from companion.words import Words, choose_language

YEAR = 365 * 24 * 3600


def cookie(name: str, default: str = "") -> str:
    """Return the value of a cookie of this app; on HTTPS pages their own cookie comes first."""
    return cookie_in(request.cookies, name, secure=request.is_secure) or default


def cookie_in(cookies: Mapping[str, str], name: str, *, secure: bool) -> str:
    """Return the value of a cookie among those of a request; empty if there is none."""
    own = cookies.get(SECURE_PREFIX + name, "") if secure else ""
    return own or cookies.get(name, "")


def set_cookie(answer: Response, name: str, value: str, seconds: int = YEAR, *, from_code: bool = True) -> None:
    """Set a cookie.

    Args:
        answer: The response that sets it.
        name: Its name on plain pages.
        value: Its value.
        seconds: How long browsers keep it.
        from_code: Whether scripts of pages may read it.
    """
    secure = request.is_secure
    answer.set_cookie(
        SECURE_PREFIX + name if secure else name,
        value,
        max_age=seconds,
        httponly=not from_code,
        samesite="Lax",
        secure=secure,
    )


def delete_cookie(answer: Response, name: str) -> None:
    """Delete a cookie, and on HTTPS pages that of plain pages too."""
    for cookie in (SECURE_PREFIX + name, name) if request.is_secure else (name,):
        answer.delete_cookie(cookie, httponly=True, samesite="Lax", secure=request.is_secure)


LANGUAGE_COOKIE = "lang"


def language() -> str:
    """Return the language of the request: ``?lang=``, else the cookie, else the browser's preference, else English."""
    browser = [wish for wish, _ in request.accept_languages]
    return choose_language(request.args.get("lang"), cookie(LANGUAGE_COOKIE), *browser)


TIMEZONE_COOKIE = "timezone"
"""Set by scripts of pages (`core/timezone.js`): the name of the time zone in which the device is."""
TIMEZONE_NAME = re.compile(r"[A-Za-z][\w+-]{0,31}(?:/[A-Za-z][\w+-]{0,31}){0,2}", re.ASCII)


def timezone() -> ZoneInfo | None:
    """Return the caller's time zone; ``None`` where it is unknown: times are then those of this machine."""
    return _timezone_named(cookie(TIMEZONE_COOKIE))


def utc_offset() -> int:
    """Return the minutes by which the caller's clocks are ahead of UTC now."""
    offset = datetime.now(UTC).astimezone(timezone()).utcoffset()
    return 0 if offset is None else round(offset.total_seconds() / 60)


@lru_cache(maxsize=64)
def _timezone_named(name: str) -> ZoneInfo | None:
    if not TIMEZONE_NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # also a folder of zones
        return None


def words_of(game: Manifest | None) -> Words:
    """Return the words of the caller's language and time zone, those of a game before the general ones."""
    return _words(language(), game, timezone())


_words = lru_cache(64)(Words)


def seat_names(words: Words, names: Mapping[str, str]) -> dict[str, str]:
    """Return the names at seats as people read them: where nobody has said one, the rules put the seat's English id."""
    return {
        seat: name if name and name.casefold() != seat else words.say_in("place", seat) for seat, name in names.items()
    }


def table_title(name: str) -> str:
    """Return what people call a table of an event: by its number, or as its name is."""
    return words_of(None).say("Table {number}", number=name) if name.isdecimal() else name


def refusal(
    refused: Refused,
    names: Mapping[str, str],
    catalog: Mapping[str, Any] | None = None,
    game: Manifest | None = None,
) -> str:
    """Return a refusal as a sentence for the caller.  ``names``: player ids to names."""
    return words_of(game).refusal(refused.rule, refused.details, names, catalog)


def fault_sentences(
    refused: Refused,
    names: Mapping[str, str],
    catalog: Mapping[str, Any] | None = None,
    game: Manifest | None = None,
) -> list[str]:
    """Return the faults of a refusal that has several, each as a sentence for the caller."""
    return words_of(game).faults(refused.details, names, catalog)
