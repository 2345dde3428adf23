"""Taking the fields of one TOML table strictly: nothing is converted, nothing unknown is passed over.

A field that cannot be read is noted as a fault and stands for something harmless, so that reading goes on
and every fault of a file comes to light at once.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias, TypeVar

# Faults of a catalog, each with its place in the file.

Place: TypeAlias = "tuple[str | int, ...]"
"""Keys and list positions (from 0) that lead to a value of a file, such as ``("house", 3, "price")``."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and the mend.

    ``rests_on`` is a part of the data and a field that must be readable everywhere in it for the fault to
    mean anything: that a type is missing rests on the ``type`` of every card.
    """

    place: Place
    words: str
    rests_on: tuple[Place, str] | None = None


class CatalogError(Exception):
    """A catalog cannot be used; ``faults`` has one line for each reason, in the order of the file.

    ``placed``: the same as line of the file, place as it is spoken, and words; empty where the file cannot be read.
    """

    def __init__(self, faults: Sequence[str], placed: "Sequence[tuple[int, str, str]]" = ()) -> None:
        """Keep every line."""
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)
        self.placed = tuple(placed)


Translations: TypeAlias = "tuple[tuple[str, str], ...]"
"""Pairs of a language and the words in it."""

MAX_MENDS = 200
"""Faults of a file up to which a similar key is looked for: it takes longer than all other reading."""
LARGEST = 1_000_000
"""No number on a card comes near; a larger one is a slip (and might not fit where it goes)."""

_LANGUAGE = re.compile(r"[a-z]{2}")
_SHOWN = 40

Word = TypeVar("Word", bound=str)


class Fields:
    """The fields of one table, taken one by one.

    ``place`` is where the table stands; ``faults`` collects what is wrong; ``finish`` reports what nobody
    took.
    """

    def __init__(self, values: object, place: Place, faults: list[Fault]) -> None:
        """Anything but a table is one fault, and then counts as an empty one that is not examined."""
        self.place = place
        self.faults = faults
        self.values: Mapping[str, object] = {}
        self.keys_taken: list[str] = []
        if isinstance(values, dict):
            self.values = values
        else:
            self.wrong((), f"{shown(values)} is no table: write keys and values here")
            self.faults = []

    def wrong(self, keys: Place, words: str) -> None:
        """Note what is wrong with a field, and the mend."""
        self.faults.append(Fault((*self.place, *keys), words))

    def take(self, key: str, missing: str = "") -> object:
        """Read the bare value, or None; ``missing`` says what to write where it may not be left out."""
        self.keys_taken.append(key)
        if key not in self.values and missing:
            self.wrong((key,), f"missing: write {key} = {missing}")
        return self.values.get(key)

    def words(self, key: str) -> str:
        """Read a string that must be there."""
        value = self.take(key, '"..."')
        return self._string((key,), value) if value is not None else ""

    def flag(self, key: str) -> bool:
        """Read true or false; false when left out."""
        value = self.take(key)
        if value is not None and not isinstance(value, bool):
            self.wrong((key,), f"{shown(value)} is neither true nor false: write one of them, without quotes")
        return value is True

    def whole(self, key: str, example: str = "") -> int | None:
        """Read a whole number; without an example it may be left out."""
        value = self.take(key, example)
        return self._whole((key,), value) if value is not None else None

    def whole_numbers(self, key: str, count: int, example: str) -> tuple[int, ...]:
        """Read exactly ``count`` whole numbers."""
        value = self.take(key, example)
        if value is None:
            return (0,) * count
        if not isinstance(value, list) or len(value) != count:
            self.wrong((key,), f"{shown(value)} is not a list of {count} whole numbers: write {example}")
            return (0,) * count
        return tuple(self._whole((key, index), item) or 0 for index, item in enumerate(value))

    def one_of(self, key: str, choices: tuple[Word, ...], default: Word | None = None) -> Word:
        """Read one of these words; it may be left out if there is a default."""
        value = self.take(key, "" if default else f'"{choices[0]}"')
        if value is None:
            return default or choices[0]
        word = self._choice((key,), value, choices)
        return word or choices[0]

    def some_of(self, key: str, choices: tuple[Word, ...], example: str = "") -> tuple[Word, ...] | None:
        """Read a list of these words; without an example it may be left out."""
        value = self.take(key, example)
        return self.choices((key,), value, choices) if value is not None else None

    def choices(self, keys: Place, value: object, choices: tuple[Word, ...]) -> tuple[Word, ...]:
        """Read the same out of a value already taken."""
        if not isinstance(value, list):
            self.wrong(keys, f'{shown(value)} is no list: write some of {" ".join(choices)}, such as ["{choices[0]}"]')
            return ()
        words = (self._choice((*keys, index), item, choices) for index, item in enumerate(value))
        return tuple(word for word in words if word is not None)

    def translations(self, key: str) -> Translations:
        """Read ``{fr = "...", de = "..."}``; may be left out."""
        value = self.take(key)
        if value is None:
            return ()
        if not isinstance(value, dict):
            self.wrong((key,), f'{shown(value)} is no table: write {key} = {{fr = "...", de = "..."}}')
            return ()
        for language in value:
            if not _LANGUAGE.fullmatch(language):
                self.wrong((key, language), "no language: write its two small letters, such as fr")
        return tuple((language, self._string((key, language), value[language])) for language in sorted(value))

    def subtables(self, key: str) -> "list[Fields]":
        """Return the items of a list of tables, each with its place, to be read field by field."""
        place = (*self.place, key)
        return [Fields(table, (*place, index), self.faults) for index, table in enumerate(self.tables(key))]

    def tables(self, key: str) -> list[object]:
        """Read the items of a list of tables; none when left out (how many belong there is checked later)."""
        value = self.take(key)
        if value is not None and not isinstance(value, list):
            self.wrong((key,), f"{shown(value)} is no list of tables")
        return value if isinstance(value, list) else []

    def finish(self) -> None:
        """Report every key that nobody asked for."""
        for key in self.values:
            if key not in self.keys_taken:
                near = get_close_matches(key, self.keys_taken, 1) if len(self.faults) < MAX_MENDS else []
                mend = (
                    f"did you mean {near[0]}?" if near else f"take it out; known here are {' '.join(self.keys_taken)}"
                )
                self.wrong((key,), f"unknown key: {mend}")

    def _string(self, keys: Place, value: object) -> str:
        if isinstance(value, str):
            return value
        self.wrong(keys, f"{shown(value)} is no text: put it into quotes")
        return ""

    def _whole(self, keys: Place, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(keys, f"{shown(value)} is no whole number: write digits only, such as 5_000 or 2")
        elif abs(value) > LARGEST:
            self.wrong(keys, f"larger than {LARGEST}: no card says that")
        else:
            return value
        return 0

    def _choice(self, keys: Place, value: object, choices: tuple[Word, ...]) -> Word | None:
        for word in choices:
            if value == word:
                return word
        self.wrong(keys, f"{shown(value)} is none of {' '.join(choices)}: write one of them in quotes")
        return None


def catalog_fields(data: Mapping[str, object], game: str) -> Fields:
    """Return the fields of a catalog file, after a check that it is one of this game."""
    fields = Fields(dict(data), (), [])
    named = fields.words("game")
    if named != game and isinstance(data.get("game"), str):
        fields.wrong(("game",), f'{shown(named)} is another game: write game = "{game}"')
    return fields


def shown(value: object) -> str:
    """Write a value of a file as it may stand in a line of a report: short, printable."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > LARGEST:
        return "a very large number"
    written = repr(value) if isinstance(value, str) else str(value)
    return written if len(written) <= _SHOWN else f"{written[: _SHOWN - 3]}..."


def spoken(keys: Place) -> str:
    """Return a place as ``sections.roof-1``; positions in lists count from 1."""
    said = (str(key + 1) if isinstance(key, int) else key for key in keys)
    return ".".join(key if key.isprintable() else repr(key) for key in said)


_LONGEST_ID = 60


def spoken_item(place: Place, data: Mapping[str, object], key: str = "id") -> str:
    """Return a place with its card named as people know it: ``house 8, sections.roof-1``.

    ``key`` is the field that names an item of the list of tables; without a usable one its number counts from 1.
    """
    head, rest = spoken(place[:1]), place[1:]
    table = data.get(str(place[0])) if place else None
    if rest and isinstance(rest[0], int) and isinstance(table, list):
        item = table[rest[0]]
        named = item.get(key) if isinstance(item, dict) else None
        head = f"{head} {named}" if _names_item(named) else f"{head} no. {rest[0] + 1}"
        rest = rest[1:]
    return f"{head}, {spoken(rest)}" if rest else head


def _names_item(value: object) -> bool:
    if isinstance(value, str):
        return value.isprintable() and 0 < len(value) <= _LONGEST_ID
    return isinstance(value, int) and abs(value) <= LARGEST
