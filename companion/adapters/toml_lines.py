"""Find the line on which each table, key and list item of a TOML file begins.

``tomllib`` reports no positions for valid input.  The text has already been parsed by it, so this scanner checks
nothing: it only walks over strings, lists and tables.
"""

import re
from collections.abc import Set as AbstractSet

from calibration.bounded_toml import STRING
from companion.game_api.catalog_parsing import Place

_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_STRING = re.compile(STRING, re.DOTALL)
_KEY = re.compile(r"[ \t]*(?:([A-Za-z0-9_-]+)|\"((?:\\.|[^\"\\])*)\"|'([^']*)')[ \t]*")
_SCALAR = re.compile(r"[^,\]}#\n]*")


def find_lines(text: str, wanted: AbstractSet[Place] | None = None) -> dict[Place, int]:
    """Return the line (from 1) on which each place, such as ``("house", 6, "price")``, begins.

    List items count from 0.  ``text`` must be valid TOML; very deep nesting raises ``RecursionError``.
    ``wanted``: the places that matter; ``None``: all.
    """
    walk = _Walk(text, wanted)
    walk.document()
    return walk.lines


class _Walk:
    """One pass over a text; ``at`` is the offset of the next character."""

    def __init__(self, text: str, wanted: AbstractSet[Place] | None) -> None:
        self.text = text
        self.at = 0
        self.wanted = wanted
        self.marked_at, self.line = 0, 1
        self.counts: dict[Place, int] = {}
        self.lines: dict[Place, int] = {}

    def document(self) -> None:
        """Walk over headers and the keys under them."""
        table: Place = ()
        while not self.blank_to_end():
            if self.skip("[["):
                table = self.item(self.key())
                self.skip("]]")
            elif self.skip("["):
                table = self.resolve(self.key())
                self.mark(table)
                self.skip("]")
            else:
                self.pair(table)

    def pair(self, table: Place) -> None:
        """Walk over ``key = value``; each part of a dotted key gets its place."""
        start = self.at
        keys = self.key()
        for length in range(1, len(keys) + 1):
            self.mark(table + keys[:length], start)
        self.skip("=")
        self.value(table + keys)

    def value(self, place: Place) -> None:
        """Walk over the value that begins here."""
        self.blank_to_end()
        start = self.at
        if self.skip("["):
            self.several(place, "]")
        elif self.skip("{"):
            self.several(place, "}")
        elif not self.match(_STRING):
            self.match(_SCALAR)
        if self.at == start:  # never in valid TOML; otherwise the loop would not end
            self.at += 1

    def several(self, place: Place, end: str) -> None:
        """Walk over the inside of a list (``]``) or of an inline table (``}``)."""
        number = 0
        while not self.blank_to_end() and not self.skip(end):
            if self.skip(","):
                continue
            if end == "}":
                self.pair(place)
            else:
                self.mark((*place, number))
                self.value((*place, number))
                number += 1

    def item(self, keys: tuple[str, ...]) -> Place:
        """Begin another ``[[table]]`` of this name and return its place."""
        listed = (*self.resolve(keys[:-1]), keys[-1])
        self.mark(listed)
        number = self.counts.get(listed, 0)
        self.counts[listed] = number + 1
        self.mark((*listed, number))
        return (*listed, number)

    def resolve(self, keys: tuple[str, ...]) -> Place:
        """Return the place that a header means: below a ``[[table]]`` the latest one of that name."""
        place: Place = ()
        for key in keys:
            place = (*place, key)
            if place in self.counts:
                place = (*place, self.counts[place] - 1)
        return place

    def key(self) -> tuple[str, ...]:
        """Walk over a bare, quoted or dotted key and return its parts."""
        parts: list[str] = []
        while key := _KEY.match(self.text, self.at):
            self.at = key.end()
            parts.append(next(part for part in key.groups() if part is not None))
            if not self.skip("."):
                break
        return tuple(parts)

    def mark(self, place: Place, at: int | None = None) -> None:
        """Record the line of a place, if it is its first."""
        if place not in self.lines and (self.wanted is None or place in self.wanted):
            at = self.at if at is None else at
            self.line += self.text.count("\n", self.marked_at, at)
            self.marked_at = at
            self.lines[place] = self.line

    def blank_to_end(self) -> bool:
        """Skip blanks and comments; return whether the text has ended."""
        self.match(_BLANK)
        return self.at >= len(self.text)

    def skip(self, word: str) -> bool:
        """Step over a word if it is next; return whether it was."""
        is_next = self.text.startswith(word, self.at)
        if is_next:
            self.at += len(word)
        return is_next

    def match(self, pattern: re.Pattern[str]) -> bool:
        """Step over a match of a pattern; return whether there was one."""
        matched = pattern.match(self.text, self.at)
        if matched:
            self.at = matched.end()
        return matched is not None
