"""Sentences, money, lists and times in one language."""

import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Literal

from babel.dates import format_datetime
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal
from babel.units import format_unit

from companion.words.catalogues import translations

# In English the sign stands before the dollar: without the word joiner a line could end between them.
MONEY = {
    "en": "¤#,##0;\u2212\u2060¤#,##0",
    "fr": "#,##0\u00a0¤;\u2212#,##0\u00a0¤",
    "de": "#,##0\u00a0¤;\u2212#,##0\u00a0¤",
}

DAY = {"en": "d MMMM", "fr": "d MMMM", "de": "d. MMMM"}
WEEKDAY = {"en": "EEEE", "fr": "EEEE", "de": "EEEE,"}


class Phrases:
    """One language's words.  Sentences hold ``{names}`` for values; an unknown sentence is said as it is."""

    def __init__(self, language: str, game: Path | None = None, currency: str = "$") -> None:
        """Speak ``language`` (``en``, ``fr``, ``de``); ``KeyError`` for any other.

        ``game``: the folder of a game's own words, which count before the house's; ``currency`` its money's sign.
        """
        self.language = language
        self._known = translations(language, game)
        self._currency = currency

    def template(self, msgid: str, context: str = "") -> str:
        """Give a sentence with its places still open."""
        said = self._known.pgettext(context, msgid) if context else self._known.gettext(msgid)
        return str(said)

    def say(self, msgid: str, /, **values: object) -> str:
        """Say a sentence; the English one is its own id."""
        return self.template(msgid).format(**values)

    def say_in(self, context: str, msgid: str, /, **values: object) -> str:
        """Say a sentence that is known by an id within a context (``section``, ``worker``, ``refused`` ...)."""
        return self.template(msgid, context).format(**values)

    def named(self, context: str, msgid: str) -> str:
        """Say what an id is called within a context; one that nobody has named is written readably."""
        said = self.template(msgid, context)
        if said != msgid:
            return said
        spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", msgid).replace("_", " ").strip().lower()
        return spaced[:1].upper() + spaced[1:]

    def verb(self, do: str) -> str:
        """Say what a command does, in a word or two."""
        return self.named("command", do)

    def several(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Say a sentence that depends on a number, which it may name as ``{count}``."""
        return str(self._known.ngettext(one, many, count)).format(count=count, **values)

    def figure(self, value: float, places: int = 2) -> str:
        """Write a measure with so many places behind the point, or behind the comma."""
        return str(format_decimal(value, f"#,##0.{'0' * places}", locale=self.language))

    def money(self, amount: int, *, plus: bool = False) -> str:
        """Write whole dollars as people of this language do, or the game's own money; ``plus`` marks income."""
        return ("+" if plus and amount > 0 else "") + _amount(amount, self.language, self._currency)

    def listed(self, parts: Iterable[str], *, how: Literal["and", "or"] = "and") -> str:
        """Join parts as a sentence does."""
        given = list(parts)
        return str(format_list(given, style="or" if how == "or" else "standard", locale=self.language)) if given else ""

    def moment(self, at: str, how: Literal["time", "day", "day and time"] = "time") -> str:
        """Write an ISO moment in local time; what is no moment is written as nothing."""
        try:
            when = datetime.fromisoformat(at)
        except (TypeError, ValueError):
            return ""
        day = DAY[self.language]
        pattern = {"time": "HH:mm", "day": f"{day} yyyy", "day and time": f"{WEEKDAY[self.language]} {day}, HH:mm"}[how]
        return str(format_datetime(when.astimezone().replace(tzinfo=None), pattern, locale=self.language))

    def duration(self, minutes: int) -> str:
        """Write how long something took, in hours and minutes."""
        hours, rest = divmod(minutes, 60)
        parts = [(hours, "duration-hour"), (rest, "duration-minute")]
        written = [format_unit(number, unit, "short", locale=self.language) for number, unit in parts if number]
        return " ".join(written) or str(format_unit(0, "duration-minute", "short", locale=self.language))


@lru_cache(maxsize=1024)
def _amount(amount: int, language: str, currency: str) -> str:
    """Write an amount; the same few hundred are written again and again."""
    if currency != "$":
        number = str(format_decimal(abs(amount), "#,##0", locale=language))
        minus = "\u2212" if amount < 0 else ""
        return f"{minus}{number}\u00a0{currency}"
    written = format_currency(amount, "USD", MONEY[language], locale=language, currency_digits=False)
    return str(written).replace("$US", "$")
