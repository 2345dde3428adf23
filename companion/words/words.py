"""Text in one language: sentences, money, lists and times, cards, refusals, and events of the journal."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache, cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from babel.core import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal
from babel.support import Translations
from babel.units import format_unit

from companion.engine.journal import Json
from companion.game_api.guard import load_part
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Card, Count, Dollars, FieldType, Holds, Messages, Person, by_name, field_types
from companion.game_api.ui import EventTexts, Language, PositionTexts, TextContext

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "fr": "Français", "de": "Deutsch"})
"""The languages, each by its own name; the first is the default."""

FOLDER = Path(__file__).parent / "po"
STEPS = Path(__file__).parent / "steps"
"""What steps of play say (``game_api/steps``), in any game that says nothing else."""


@cache
def load_translations(language: str, game: Path | None = None) -> Translations:
    """Return the messages of a language, those of steps of play among them, with those of a game taking precedence.

    ``game``: the folder of the game's ``.po`` files; English stands in for what it lacks of a language.

    Raises:
        KeyError: for an unknown language.

    """
    if language not in LANGUAGES:
        raise KeyError(language)
    messages = _read(FOLDER / f"{language}.po", language)
    messages.merge(_read(STEPS / f"{language}.po", language))
    if game is not None:
        own, english = (game / f"{name}.po" for name in (language, next(iter(LANGUAGES))))
        if own.is_file():
            messages.merge(_read(own, language))
        if english.is_file() and own != english:
            messages.add_fallback(_read(english, language))
    return messages


def _read(file: Path, language: str) -> Translations:
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return Translations(compiled)


def choose_language(*preferences: str | None) -> str:
    """Return the first known language among preferences such as ``de-AT``, or the default."""
    for preference in preferences:
        short = (preference or "").strip().lower().replace("_", "-").split("-")[0]
        if short in LANGUAGES:
            return short
    return next(iter(LANGUAGES))


# In English the minus precedes the dollar sign; the word joiner prevents a line break between them.
MONEY = {
    "en": "¤#,##0;\u2212\u2060¤#,##0",
    "fr": "#,##0\u00a0¤;\u2212#,##0\u00a0¤",
    "de": "#,##0\u00a0¤;\u2212#,##0\u00a0¤",
}

DAY = {"en": "d MMMM", "fr": "d MMMM", "de": "d. MMMM"}
WEEKDAY = {"en": "EEEE", "fr": "EEEE", "de": "EEEE,"}

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"


def isolate(value: object) -> object:
    """Return a text with right-to-left letters so that its neighbours keep their order; others and markup as is."""
    if type(value) is not str or value.isascii() or ISOLATE in value or not _RIGHT_TO_LEFT.search(value):
        return value
    return f"{ISOLATE}{value}{END_OF_ISOLATE}"


def _isolated(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the values of a sentence, each of which keeps to itself."""
    return {name: isolate(value) for name, value in values.items()}


class Phrases:
    """One language's sentences, with ``{names}`` for values; an unknown sentence is returned as it is."""

    def __init__(
        self, language: str, game: Path | None = None, currency: str = "$", timezone: tzinfo | None = None
    ) -> None:
        """Load a language.

        Args:
            language: ``en``, ``fr`` or ``de``; ``KeyError`` for any other.
            game: the folder of a game's own words, which take precedence.
            currency: the sign of the game's money.
            timezone: of the reader, in which times are written; ``None``: that of this machine.

        """
        self.language = language
        self._timezone = timezone
        self._messages = load_translations(language, game)
        self._locale = _locale(language)
        self._currency = currency

    def template(self, msgid: str, context: str = "") -> str:
        """Return a sentence with its placeholders."""
        return _template(self._messages, msgid, context)

    def say(self, msgid: str, /, **values: object) -> str:
        """Return a sentence with values; the English sentence is the id.  Without values braces are plain text."""
        return self.template(msgid).format(**_isolated(values)) if values else self.template(msgid)

    def say_in(self, context: str, msgid: str, /, **values: object) -> str:
        """Return a sentence with values, by an id within a context (``section``, ``zone``, ``refused`` ...)."""
        return self.template(msgid, context).format(**_isolated(values)) if values else self.template(msgid, context)

    def named(self, context: str, msgid: str) -> str:
        """Return the name of an id within a context; an unnamed id is made readable."""
        said = self.template(msgid, context)
        if said != msgid:
            return said
        spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", msgid).replace("_", " ").strip().lower()
        return spaced[:1].upper() + spaced[1:]

    def verb(self, do: str) -> str:
        """Return a command's name, in a word or two."""
        return self.named("command", do)

    def several(self, msgid: str, msgid_plural: str, count: int, /, **values: object) -> str:
        """Return a sentence that depends on a number, which it may hold as ``{count}``."""
        return str(self._messages.ngettext(msgid, msgid_plural, count)).format(count=count, **_isolated(values))

    def figure(self, value: float, places: int = 2) -> str:
        """Return a number rounded to some decimal places."""
        return str(format_decimal(value, f"#,##0.{'0' * places}", locale=self._locale))

    def money(self, amount: int, *, plus: bool = False) -> str:
        """Return an amount of the game's money; ``plus`` adds a sign to income."""
        return ("+" if plus and amount > 0 else "") + _amount(amount, self.language, self._currency)

    def listed(self, parts: Iterable[str], *, how: Literal["and", "or"] = "and") -> str:
        """Return parts joined by commas and *and* or *or*."""
        items = list(parts)
        if len(items) == 1:
            return str(items[0])
        items = [str(isolate(item)) for item in items]
        return str(format_list(items, style="or" if how == "or" else "standard", locale=self._locale)) if items else ""

    def moment(self, at: str, how: Literal["time", "day", "day and time"] = "time") -> str:
        """Return an ISO 8601 time in the reader's time zone; one without a zone as it stands.

        An empty string for invalid text, and for a time that the reader's zone does not have.
        """
        try:
            when = datetime.fromisoformat(at)
            shown = when if when.tzinfo is None else when.astimezone(self._timezone).replace(tzinfo=None)
        except (TypeError, ValueError, OverflowError):
            return ""
        day = DAY[self.language]
        pattern = {"time": "HH:mm", "day": f"{day} yyyy", "day and time": f"{WEEKDAY[self.language]} {day}, HH:mm"}[how]
        return str(format_datetime(shown, pattern, locale=self._locale))

    def duration(self, minutes: int) -> str:
        """Return a duration in hours and minutes."""
        hours, rest = divmod(minutes, 60)
        parts = [(hours, "duration-hour"), (rest, "duration-minute")]
        written = [format_unit(number, unit, "short", locale=self._locale) for number, unit in parts if number]
        return " ".join(written) or str(format_unit(0, "duration-minute", "short", locale=self._locale))


MOST_TEMPLATES = 8192
"""Sentences that are kept: those of three languages and three games are half as many."""


@lru_cache(MOST_TEMPLATES)
def _template(messages: Translations, msgid: str, context: str) -> str:
    """Return a sentence with its placeholders; a page asks for a hundred, mostly for those of the page before."""
    return str(messages.pgettext(context, msgid) if context else messages.gettext(msgid))


@cache
def _locale(language: str) -> Locale:
    """Return the customs of a language; read once, because they are needed for every figure."""
    return Locale.parse(language)


@lru_cache(maxsize=1024)
def _amount(amount: int, language: str, currency: str) -> str:
    """Return an amount; cached, because the same few hundred occur again and again."""
    if currency != "$":
        number = str(format_decimal(abs(amount), "#,##0", locale=_locale(language)))
        minus = "\u2212" if amount < 0 else ""
        return f"{minus}{number}\u00a0{currency}"
    written = format_currency(amount, "USD", MONEY[language], locale=_locale(language), currency_digits=False)
    return str(written).replace("$US", "$")


@dataclass(frozen=True, slots=True)
class Details:
    """Field types of the details in refusals and consent requests that belong to no game."""

    player: Person
    card: Card
    waiting: tuple[Person, ...]
    least_amount: Dollars
    refused_amount: Dollars
    step_amount: Dollars


@dataclass(frozen=True, slots=True)
class Bounds:
    """Field types of refusals that count: no amounts, whatever fields of these names hold in the game's messages."""

    least: Count
    most: Count


COUNTED = dict.fromkeys(("number_of_players", "too_few", "too_many"), Bounds)
"""Refusals of the house whose bounds are numbers of anything."""


class DefaultTells:
    """Stands in for a game that declares no more than its field types."""

    def variant(self, event: Json) -> str:
        """Return no variant: one sentence for each event."""
        del event
        return ""

    def record(self, of: str, value: Any, telling: TextContext) -> str:
        """Return a record as it is."""
        del of, telling
        return str(value)

    def card(self, card: str, catalog: Json, words: Language) -> str | None:
        """Return ``None``: the catalog has all names."""
        del card, catalog, words
        return None


class Vocabulary:
    """The field types of one game's messages, by which figures are put into sentences."""

    def __init__(self, game: Manifest | None) -> None:
        """Store the game; its messages are loaded when a sentence first needs them."""
        self._game = game

    @cached_property
    def tells(self) -> EventTexts:
        """The game's own wording."""
        return (None if self._game is None else load_part(self._game, "event_texts")) or DefaultTells()

    @cached_property
    def describes(self) -> PositionTexts | None:
        """The game's descriptions of positions; ``None``: it has none."""
        return None if self._game is None else load_part(self._game, "position_texts")

    @cached_property
    def _messages(self) -> Messages | None:
        return None if self._game is None else self._game.messages()

    @cached_property
    def _events(self) -> Mapping[str, type]:
        return {} if self._messages is None else {kind.__name__: kind for kind in self._messages.events}

    @cached_property
    def _details(self) -> Mapping[str, Mapping[str, FieldType]]:
        messages = self._messages
        if messages is None:
            return {"": field_types(Details)}
        named = {rule: field_types(kind) for rule, kind in {**COUNTED, **messages.details}.items()}
        return {**named, "": {**by_name((*messages.commands, *messages.events, Details)), **named.get("", {})}}

    def of_event(self, event: str) -> Mapping[str, FieldType]:
        """Return the field types of an event; empty for events of no game."""
        kind = self._events.get(event)
        return MappingProxyType({}) if kind is None else field_types(kind)

    @cached_property
    def _money_fields(self) -> frozenset[str]:
        types = by_name(self._events.values())
        return frozenset(name for name, field in types.items() if field.holds and field.holds.kind == "money")

    def is_money(self, key: str) -> bool:
        """Return whether a figure of this name is an amount of money: as a purse, or as in the game's events."""
        return key in ("cash", "bank") or key in self._money_fields

    def is_held_back(self, event: Json) -> bool:
        """Return whether an event lacks figures that its viewer may not see."""
        return self._messages is not None and self._messages.is_held_back(event)

    def of_refusal(self, rule: str) -> Mapping[str, FieldType]:
        """Return the field types of a refusal's details."""
        return {**self._details[""], **self._details.get(rule, {})}


@cache
def vocabulary(game: Manifest | None) -> Vocabulary:
    """Return the vocabulary of a game, cached."""
    return Vocabulary(game)


FieldTypes: TypeAlias = Mapping[str, FieldType]

MISSING = "\u2013"
"""Stands for a missing figure in a sentence."""
COVERED = ".covered"
"""Appended to the name of an event: its sentence for viewers from whom its figures are held back."""
SEVERAL = "faults"
"""The detail of a refusal that holds refusals."""


class SentenceBuilder:
    """Builds sentences from refusals and events, with the names of players and cards."""

    def __init__(
        self, words: Language, vocabulary: Vocabulary, names: Mapping[str, str], catalog: Json | None = None
    ) -> None:
        """Store a language's sentences, the players' names by id, and the cards as JSON."""
        self._words, self._vocabulary = words, vocabulary
        self._names, self._catalog = names, catalog or {}

    def refusal(self, rule: str, details: Json) -> str:
        """Return why something is not possible; a rule without a sentence is returned as its readable id.

        A game may have another sentence for where a figure is told, under the rule's name and the figure's.
        """
        variants = (f"{rule}.{name}" for name in details)
        variant = next((msgid for msgid in variants if self._words.template(msgid, "refused") != msgid), rule)
        template = self._words.template(variant, "refused")
        if template == rule:
            return rule.replace("_", " ")
        return self._fill(template, details, self._vocabulary.of_refusal(rule))

    def event(self, event: Json) -> str:
        """Return an event as a sentence, by the variant that fits its figures."""
        name = str(event.get("event", ""))
        types, fields = self._vocabulary.of_event(name), {key: value for key, value in event.items() if key != "event"}
        covered = self._vocabulary.is_held_back(event)
        for msgid in (name + (COVERED if covered else self._vocabulary.tells.variant(event)), name):
            template = self._words.template(msgid, "event")
            if template != msgid:
                return self._fill(template, fields, types, self._words.say("covered") if covered else MISSING)
        return self._describe_fields(name, fields, types)

    def _fill(self, template: str, fields: Json, types: FieldTypes, missing: str = MISSING) -> str:
        places = {field for _, field, _, _ in Formatter().parse(template) if field}
        sentence = template.format_map({place: self._placeholder(place, fields, types, missing) for place in places})
        return sentence[:1].upper() + sentence[1:]

    def _placeholder(self, place: str, fields: Json, types: FieldTypes, missing: str) -> str:
        """Return the value of a placeholder as text; ``from_`` is ``from``, ``give+pay`` lists what both hold."""
        keys = [name.removesuffix("_") for name in place.split("+")]
        if len(keys) > 1:
            full = [(key, value if isinstance(value, list) else [value]) for key in keys if (value := fields.get(key))]
            parts = (self.value(types.get(key), key, part) for key, several in full for part in several)
            return self._words.listed(parts) or self._words.say("nothing")
        return self.value(types.get(keys[0]), keys[0], fields[keys[0]]) if keys[0] in fields else missing

    def _describe_fields(self, name: str, fields: Json, types: FieldTypes) -> str:
        """Return an event without a sentence as its readable name and its fields."""
        parts = [
            f"{self._words.named('field', key).lower()} {self.value(types.get(key), key, value)}"
            for key, value in fields.items()
            if value not in (None, "", []) and ((key in types and types[key].holds is not None) or _is_plain(value))
        ]
        title = self._words.named("event", name)
        return f"{title}: {', '.join(parts)}" if parts else title

    def value(self, field: FieldType | None, key: str, value: Any) -> str:
        """Return one field as text, by its type."""
        if key == SEVERAL and not isinstance(value, str):
            return " ".join(self.faults(value))
        holds = None if field is None else field.holds
        if holds is not None and holds.kind == "record":
            return self._vocabulary.tells.record(holds.of, value, self.telling())
        if isinstance(value, Mapping) and all(type(count) is int for count in value.values()):
            of = holds.of if holds is not None and holds.kind == "choice" else "value"
            kinds = ((count, self._names.get(kind) or self._words.named(of, kind)) for kind, count in value.items())
            return self._words.listed(f"{count} {kind}" for count, kind in kinds if count) or self._words.say("nothing")
        if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
            return self._words.listed(self._scalar(holds, item) for item in value) or self._words.say("nothing")
        return self._scalar(holds, value)

    def _scalar(self, holds: Holds | None, value: Any) -> str:
        if holds is None or value is None:
            return str(value)
        match holds.kind:
            case "money" if isinstance(value, int):
                return self._words.money(value)
            case "thousands" if isinstance(value, int):
                return str(value // 1000)
            case "person" | "place":
                return self.person(str(value))
            case "card":
                return self.card(str(value))
            case "seat" if isinstance(value, Mapping):
                return str(isolate(value.get("name")) or self.person(str(value.get("id"))))
            case "choice":
                return self._words.say_in(holds.of, str(value))
            case _:
                return str(value)

    def telling(self) -> TextContext:
        """Return the context in which a game words its own things."""
        return TextContext(words=self._words, card=self.card, person=self.person, catalog=self._catalog)

    def faults(self, faults: Iterable[Json]) -> list[str]:
        """Return the sentences of refusals that were raised as one."""
        return [self.refusal(str(fault["rule"]), fault["details"]) for fault in faults]

    def person(self, person: str) -> str:
        """Return the name of a player, or of a place."""
        return str(isolate(self._names[person])) if person in self._names else self._words.say_in("place", person)

    def card(self, card: str) -> str:
        """Return a card's name: the one in the catalog, the one that its game builds, or its id."""
        for table in self._catalog.values():
            row = table.get(card) if isinstance(table, Mapping) else None
            if isinstance(row, Mapping) and "name" in row:
                return str(row.get("names", {}).get(self._words.language) or row["name"])
        name = self._vocabulary.tells.card(card, self._catalog, self._words)
        if name is not None:
            return name
        return self._words.template(card, "command card")  # the id for anything that is no command card


def _is_plain(value: Any) -> bool:
    """Return whether a JSON value holds no object."""
    return not isinstance(value, Mapping) and (not isinstance(value, list | tuple) or all(map(_is_plain, value)))


Names: TypeAlias = Mapping[str, str]


class Words(Phrases):
    """One language's sentences, with the names of cards and players."""

    def __init__(self, language: str, game: Manifest | None = None, timezone: tzinfo | None = None) -> None:
        """Load a language (``en``, ``fr``, ``de``; ``KeyError`` for any other), with the words of a game.

        ``timezone``: of the reader; ``None``: that of this machine.
        """
        words, currency = (None, "$") if game is None else (game.words, game.currency)
        super().__init__(language, words, currency, timezone)
        self._vocabulary = vocabulary(game)

    def card(self, card: str, catalog: Json | None = None) -> str:
        """Return a card's name: *Chance C06*, *Inn*; without a catalog its id."""
        return SentenceBuilder(self, self._vocabulary, {}, catalog).card(card)

    def described_figure(self, key: str, value: Any, names: Names, catalog: Json) -> str | None:
        """Return a figure of a position in the game's own words; ``None`` where it has none.

        Of a game that words no positions an amount of money is written as money.
        """
        describes = self._vocabulary.describes
        if describes is not None:
            return describes.figure(key, value, self._telling(names, catalog))
        return self.money(value) if isinstance(value, int) and self._vocabulary.is_money(key) else None

    def described_moment(self, position: Json, names: Names, catalog: Json) -> str:
        """Return what is to be done now in the game's own words; an empty string where it has none."""
        describes = self._vocabulary.describes
        return "" if describes is None else describes.moment(position, self._telling(names, catalog))

    def _telling(self, names: Names, catalog: Json) -> TextContext:
        return SentenceBuilder(self, self._vocabulary, names, catalog).telling()

    def refusal(self, rule: str, details: Json, names: Names, catalog: Json | None = None) -> str:
        """Return why something is not possible now."""
        return SentenceBuilder(self, self._vocabulary, names, catalog).refusal(rule, details)

    def faults(self, details: Json, names: Names, catalog: Json | None = None) -> list[str]:
        """Return the sentences of the refusals within a refusal; empty for a single one."""
        return SentenceBuilder(self, self._vocabulary, names, catalog).faults(details.get("faults", ()))

    def event(self, event: Json, names: Names, catalog: Json | None = None) -> str:
        """Return an event of a journal entry as a sentence."""
        return SentenceBuilder(self, self._vocabulary, names, catalog).event(event)
