"""On which line of a TOML file each table, key and list item begins.

``tomllib`` keeps no places, and whoever types in a deck wants to know where to look.  The text has
already been accepted by ``tomllib``, so nothing is checked here: strings, lists and tables are only walked.
"""

import re
from bisect import bisect_left
from typing import TypeAlias

Place: TypeAlias = "tuple[str | int, ...]"

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'",
    re.DOTALL,
)
_KEY = re.compile(r"[ \t]*(?:([A-Za-z0-9_-]+)|\"((?:\\.|[^\"\\])*)\"|'([^']*)')[ \t]*")
_SCALAR = re.compile(r"[^,\]}#\n]*")


def find_lines(text: str) -> dict[Place, int]:
    """Say for each place, such as ``("worker", 6, "wage")``, the line (from 1) on which it begins.

    Items of lists count from 0.  ``text`` must be valid TOML; very deep nesting raises RecursionError.
    """
    walk = _Walk(text)
    walk.document()
    return walk.lines


class _Walk:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.breaks = [match.start() for match in re.finditer("\n", text)]
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
        """Walk over whatever stands here."""
        self.blank_to_end()
        start = self.at
        if self.skip("["):
            self.several(place, "]")
        elif self.skip("{"):
            self.several(place, "}")
        elif not self.match(_STRING):
            self.match(_SCALAR)
        if self.at == start:  # never in valid TOML, and then not for ever
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
        """Begin one more ``[[table]]`` of this name."""
        listed = (*self.resolve(keys[:-1]), keys[-1])
        self.mark(listed)
        number = self.counts.get(listed, 0)
        self.counts[listed] = number + 1
        self.mark((*listed, number))
        return (*listed, number)

    def resolve(self, keys: tuple[str, ...]) -> Place:
        """Find what a header means: under a ``[[table]]`` the latest one of that name."""
        place: Place = ()
        for key in keys:
            place = (*place, key)
            if place in self.counts:
                place = (*place, self.counts[place] - 1)
        return place

    def key(self) -> tuple[str, ...]:
        """Step over a bare, quoted or dotted key."""
        parts: list[str] = []
        while found := _KEY.match(self.text, self.at):
            self.at = found.end()
            parts.append(next(part for part in found.groups() if part is not None))
            if not self.skip("."):
                break
        return tuple(parts)

    def mark(self, place: Place, at: int | None = None) -> None:
        """Keep the first line on which a place is seen."""
        self.lines.setdefault(place, bisect_left(self.breaks, self.at if at is None else at) + 1)

    def blank_to_end(self) -> bool:
        """Skip blanks and comments, and say whether the text is over."""
        self.match(_BLANK)
        return self.at >= len(self.text)

    def skip(self, word: str) -> bool:
        """Step over a word if it stands here."""
        here = self.text.startswith(word, self.at)
        if here:
            self.at += len(word)
        return here

    def match(self, pattern: re.Pattern[str]) -> bool:
        """Step over what a pattern finds here."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found is not None
