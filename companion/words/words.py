"""What the companion says in one language: cards, refusals, and the journal in words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from babel.dates import format_datetime
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal
from babel.support import Translations
from babel.units import format_unit

from companion.engine.journal import Json
from companion.game_api.fields import Card, FieldType, Holds, Person, by_name, field_types
from companion.game_api.manifest import Manifest
from companion.game_api.ui import Describes, Speaks, Telling, Tells

# --- catalogues
# The catalogues of words: one ``.po`` file a language, read when first needed, no compile step.

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "fr": "Français", "de": "Deutsch"})
"""The languages there are, each by its own name; the first is spoken where no other was asked for."""

FOLDER = Path(__file__).parent / "po"


@cache
def load_translations(language: str, game: Path | None = None) -> Translations:
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


def choose_language(*wishes: str | None) -> str:
    """Take the first wish that can be met: an address, a cookie, a browser's preference (``de-AT`` is ``de``)."""
    for wish in wishes:
        short = (wish or "").strip().lower().replace("_", "-").split("-")[0]
        if short in LANGUAGES:
            return short
    return next(iter(LANGUAGES))


# --- phrases
# Sentences, money, lists and times in one language.

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
        self._known = load_translations(language, game)
        self._currency = currency

    def template(self, msgid: str, context: str = "") -> str:
        """Return a sentence with its places still open."""
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


# --- vocabulary
# What the words of sentences stand for: the field types of the house's refusals and of a game's messages.


@dataclass(frozen=True, slots=True)
class Details:
    """What the details of the house's refusals and questions hold."""

    player: Person
    card: Card
    waiting: tuple[Person, ...]


class DefaultTells:
    """What is told of a game that says no more than its field types."""

    def variant(self, event: Json) -> str:
        """Know one sentence an event."""
        del event
        return ""

    def record(self, of: str, held: Any, telling: Telling) -> str:
        """Write a record as it is."""
        del of, telling
        return str(held)

    def card(self, card: str, catalog: Json, words: Speaks) -> str | None:
        """Know no more than the catalog."""
        del card, catalog, words
        return None


class Vocabulary:
    """The field types that one game's sentences are told by; without a game, the house's alone."""

    def __init__(self, game: Manifest | None) -> None:
        """Take the game; its messages are loaded when the first sentence wants them."""
        self._game = game

    @cached_property
    def tells(self) -> Tells:
        """What the game says of its own."""
        return self._game.tells() if self._game is not None and self._game.tells is not None else DefaultTells()

    @cached_property
    def describes(self) -> Describes | None:
        """How the game puts positions into words; ``None``: not at all."""
        return self._game.describes() if self._game is not None and self._game.describes is not None else None

    @cached_property
    def _events(self) -> Mapping[str, type]:
        return {} if self._game is None else {kind.__name__: kind for kind in self._game.messages().events}

    @cached_property
    def _details(self) -> Mapping[str, Mapping[str, FieldType]]:
        if self._game is None:
            return {"": field_types(Details)}
        messages = self._game.messages()
        named = {rule: field_types(kind) for rule, kind in messages.details.items()}
        return {**named, "": {**by_name((*messages.commands, *messages.events, Details)), **named.get("", {})}}

    def of_event(self, event: str) -> Mapping[str, FieldType]:
        """Return the field types of an event; none of one that is the house's or unknown."""
        kind = self._events.get(event)
        return MappingProxyType({}) if kind is None else field_types(kind)

    def of_refusal(self, rule: str) -> Mapping[str, FieldType]:
        """Return the field types of a refusal's details."""
        known = self._details
        return {**known[""], **known.get(rule, {})}


@cache
def vocabulary(game: Manifest | None) -> Vocabulary:
    """Return the vocabulary of a game, made once."""
    return Vocabulary(game)


# --- telling
# Turns the ids and figures of refusals and events into words, before a sentence takes them in.

FieldTypes: TypeAlias = Mapping[str, FieldType]

MISSING = "\u2013"
"""What a sentence says for a figure that nobody gave."""
SEVERAL = "faults"
"""The detail of a refusal that holds refusals."""


class SentenceBuilder:
    """Knows who is called what, and what the cards are called."""

    def __init__(
        self, words: Speaks, vocabulary: Vocabulary, names: Mapping[str, str], catalog: Json | None = None
    ) -> None:
        """Speak with ``words``; ``names`` are the players', ``catalog`` the cards as JSON."""
        self._words = words
        self._vocabulary = vocabulary
        self._names = names
        self._catalog = catalog or {}

    def refusal(self, rule: str, details: Json) -> str:
        """Say why something is not possible; a rule that nobody has put into words is said as its id, readably."""
        template = self._words.template(rule, "refused")
        if template == rule:
            return rule.replace("_", " ")
        return self._filled(template, details, self._vocabulary.of_refusal(rule))

    def event(self, event: Json) -> str:
        """Say what happened, choosing the sentence that fits the figures."""
        name = str(event.get("event", ""))
        types, fields = self._vocabulary.of_event(name), {key: held for key, held in event.items() if key != "event"}
        for known in (name + self._vocabulary.tells.variant(event), name):
            template = self._words.template(known, "event")
            if template != known:
                return self._filled(template, fields, types)
        return self._unworded(name, fields, types)

    def _filled(self, template: str, fields: Json, types: FieldTypes) -> str:
        places = {field for _, field, _, _ in Formatter().parse(template) if field}
        sentence = template.format_map({place: self._place(place, fields, types) for place in places})
        return sentence[:1].upper() + sentence[1:]

    def _place(self, place: str, fields: Json, types: FieldTypes) -> str:
        """Put into words what stands in a place of a sentence; ``from_`` is ``from``, as Python spells it."""
        key = place.removesuffix("_")
        return self.value(types.get(key), key, fields[key]) if key in fields else MISSING

    def _unworded(self, name: str, fields: Json, types: FieldTypes) -> str:
        """Say an event that nobody has put into words: its name readably, and what it holds."""
        held = [
            f"{self._words.named('field', key).lower()} {self.value(types.get(key), key, one)}"
            for key, one in fields.items()
            if one not in (None, "", []) and ((key in types and types[key].holds is not None) or _is_plain(one))
        ]
        said = self._words.named("event", name)
        return f"{said}: {', '.join(held)}" if held else said

    def value(self, field: FieldType | None, key: str, held: Any) -> str:
        """Put one field into words, by what it holds."""
        if key == SEVERAL and not isinstance(held, str):
            return " ".join(self.faults(held))
        holds = None if field is None else field.holds
        if holds is not None and holds.kind == "record":
            return self._vocabulary.tells.record(holds.of, held, self.telling())
        if isinstance(held, Iterable) and not isinstance(held, str | Mapping):
            return self._words.listed(self._one(holds, one) for one in held)
        return self._one(holds, held)

    def _one(self, holds: Holds | None, held: Any) -> str:
        if holds is None or held is None:
            return str(held)
        match holds.kind:
            case "money" if isinstance(held, int):
                return self._words.money(held)
            case "thousands" if isinstance(held, int):
                return str(held // 1000)
            case "person" | "place":
                return self.person(str(held))
            case "card":
                return self.card(str(held))
            case "seat" if isinstance(held, Mapping):
                return str(held.get("name") or self.person(str(held.get("id"))))
            case "choice":
                return self._words.say_in(holds.of, str(held))
            case _:
                return str(held)

    def telling(self) -> Telling:
        """Return what a game tells its own things with."""
        return Telling(words=self._words, card=self.card, person=self.person, catalog=self._catalog)

    def faults(self, held: Iterable[Json]) -> list[str]:
        """Say several refusals that came as one."""
        return [self.refusal(str(one["rule"]), one["details"]) for one in held]

    def person(self, who: str) -> str:
        """Name a player, or a place that something can be put to."""
        return self._names[who] if who in self._names else self._words.say_in("place", who)

    def card(self, card: str) -> str:
        """Name a card by what stands on it in this language, as its game names it, or by its id."""
        for table in self._catalog.values():
            known = table.get(card) if isinstance(table, Mapping) else None
            if isinstance(known, Mapping) and "name" in known:
                return str(known.get("names", {}).get(self._words.language) or known["name"])
        said = self._vocabulary.tells.card(card, self._catalog, self._words)
        if said is not None:
            return said
        return self._words.template(card, "command card")  # its id, where it is none: whatever somebody has typed


def _is_plain(held: Any) -> bool:
    """Return whether something can be said as it is: no object, and no list of objects."""
    if isinstance(held, Mapping):
        return False
    return not isinstance(held, list | tuple) or all(_is_plain(one) for one in held)


Names: TypeAlias = Mapping[str, str]


class Words(Phrases):
    """One language's words, with the names of cards and players put in."""

    def __init__(self, language: str, game: Manifest | None = None) -> None:
        """Speak ``language`` (``en``, ``fr``, ``de``); ``KeyError`` for any other.

        ``game``: whose words count before the house's, and whose events and refusals can be told.
        """
        super().__init__(language, None if game is None else game.words, "$" if game is None else game.currency)
        self._vocabulary = vocabulary(game)

    def card(self, card: str, catalog: Json | None = None) -> str:
        """Name a card: *Foreman W26*, *Inn*; without a catalog its id."""
        return SentenceBuilder(self, self._vocabulary, {}, catalog).card(card)

    def described_figure(self, key: str, held: Any, names: Names, catalog: Json) -> str | None:
        """Put a figure of a position into words as its game does; ``None`` where it says nothing of its own."""
        describes = self._vocabulary.describes
        return None if describes is None else describes.figure(key, held, self._telling(names, catalog))

    def described_moment(self, position: Json, names: Names, catalog: Json) -> str:
        """Say what is to be done now, as its game does; ``""`` where it says nothing of its own."""
        describes = self._vocabulary.describes
        return "" if describes is None else describes.moment(position, self._telling(names, catalog))

    def _telling(self, names: Names, catalog: Json) -> Telling:
        return SentenceBuilder(self, self._vocabulary, names, catalog).telling()

    def refusal(self, rule: str, details: Json, names: Names, catalog: Json | None = None) -> str:
        """Say why something is not possible now."""
        return SentenceBuilder(self, self._vocabulary, names, catalog).refusal(rule, details)

    def faults(self, details: Json, names: Names, catalog: Json | None = None) -> list[str]:
        """Say the faults of a refusal one by one; none where it has only itself."""
        return SentenceBuilder(self, self._vocabulary, names, catalog).faults(details.get("faults", ()))

    def event(self, event: Json, names: Names, catalog: Json | None = None) -> str:
        """Say what happened, one event of a journal entry."""
        return SentenceBuilder(self, self._vocabulary, names, catalog).event(event)
