"""Catalogs as TOML files: bundled with a game, in a folder of the installation, or any file.

An invalid file raises ``CatalogError`` with every fault and its line,
``box.toml:31: house 8, sections.roof-1: ...``; list items are counted from 1 there.
"""

import re
import stat
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, NamedTuple

from calibration.bounded_toml import STRING, is_utf16, parse_toml
from companion.adapters.stores import write_atomically
from companion.adapters.system import os_error_reason
from companion.engine.game import Refused
from companion.game_api.cards import Cards
from companion.game_api.catalog_parsing import CatalogError, Fault, Place
from companion.service.runtime import BoundedCache

# The line on which each table, key and list item of a TOML file begins. ``tomllib`` reports no positions for
# valid input. The text has already been parsed by it, so this scanner checks nothing: it only walks over strings,
# lists and tables.

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


MAX_FILE_BYTES = 1_000_000
"""Bytes; a whole box takes about 20,000."""
MAX_SHARED_BYTES = 200_000
"""Of a catalog that somebody else wrote."""
MAX_FAULTS = 200
"""Faults that are reported one by one; of more only their number."""
MAX_ITEMS = 2_000
"""Items of one list, and keys of one table: a game may compare each with every other."""
ITEM_KEYS = ("id", "number", "player")
"""The fields by which an item of a list is named."""

_LOST_LETTER = "\N{REPLACEMENT CHARACTER}".encode()
"""What programs write in place of bytes that are no UTF-8."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_GAME = re.compile(r"""^[ \t]*+game[ \t]*+=[ \t]*+["']([a-z][a-z0-9_]*+)["']""", re.MULTILINE)


# Read, list, import and compare catalogs.


class _FileState(NamedTuple):
    """Attributes that change when a file is modified or replaced; times in nanoseconds."""

    modified_ns: int
    changed_ns: int
    size: int
    inode: int

    def is_settled(self) -> bool:
        """Return whether a later change must show: file systems count time in steps of ``CLOCK_GRAIN_NS``."""
        return abs(time.time_ns() - self.changed_ns) > CLOCK_GRAIN_NS


class _ReadFile(NamedTuple):
    state: _FileState
    catalog: Any


CLOCK_GRAIN_NS = 2_000_000_000
MAX_CACHE_BYTES, BYTES_A_BYTE = 8_000_000, 20
"""Size of the cache of catalogs, and the memory that a byte of a file takes there, about."""
_CATALOGS = BoundedCache[_ReadFile](MAX_CACHE_BYTES, lambda read: BYTES_A_BYTE * read.state.size)
_GAMES = BoundedCache[tuple[_FileState, str | None]](MAX_CACHE_BYTES, lambda _: 1_000)


def load_catalog(path: Path, cards: Cards) -> Any:
    """Return the catalog in a file, from the cache unless the file has changed.

    Raises:
        CatalogError: for an invalid catalog; it names every fault.

    """
    key, state = (type(cards), path), _state_of(path)
    cached = _CATALOGS.get(key)
    if cached is not None and state is not None and cached.state == state:
        return cached.catalog
    catalog = _read_catalog(path, cards)
    if state is not None and state.is_settled():
        _CATALOGS.put(key, _ReadFile(state, catalog))
    return catalog


def _read_catalog(path: Path, cards: Cards) -> Any:
    text = read_catalog_text(path)
    data = _parse_text(path, text)
    if _has_many_items(data):
        raise CatalogError([f"{path}: more than {MAX_ITEMS} items in a list or table: this is no catalog"])
    catalog, faults = cards.parse(data)
    if faults:
        placed = _place_faults(faults, text, cards, data)
        raise CatalogError([f"{path}:{line}: {place}: {words}" for line, place, words in placed], placed)
    return catalog


def parse_catalog_file(path: Path) -> Mapping[str, object]:
    """Return the tables of a file; raise ``CatalogError`` where it has no text, or the text is no TOML."""
    return _parse_text(path, read_catalog_text(path))


def _parse_text(path: Path, text: str) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogError([_syntax_error(path, text, str(error))]) from error
    except ValueError as error:
        raise CatalogError([f"{path}: no TOML: {error}"]) from error


def _has_many_items(value: object) -> bool:
    """Return whether a list or table within a value has more than ``MAX_ITEMS`` items."""
    if not isinstance(value, dict | list):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return len(value) > MAX_ITEMS or any(map(_has_many_items, parts))


def _place_faults(
    faults: Sequence[Fault], text: str, cards: Cards, data: Mapping[str, object]
) -> list[tuple[int, str, str]]:
    """Return line, place and words of the first ``MAX_FAULTS`` faults in the order of the file."""
    reported = faults[:MAX_FAULTS]
    places = {fault.place[:length] for fault in reported for length in range(1, len(fault.place) + 1)}
    lines = find_lines(text, places)
    rows = [(_line_of(fault.place, lines), cards.spoken(fault.place, data), fault.words) for fault in reported]
    placed = sorted(rows, key=lambda row: row[0])
    if len(faults) > len(reported):
        placed.append(
            (placed[-1][0], placed[-1][1], f"and {len(faults) - len(reported)} more faults: mend these first")
        )
    return placed


def load_named_catalog(name: str, cards: Cards, folder: Path | None = None, game: str | None = None) -> Any:
    """Return a catalog of the installation: a bundled one, or ``folder/NAME.toml``."""
    if name in cards.bundled:
        return load_catalog(cards.bundled[name], cards)
    if folder is not None and name in list_catalog_names(cards, folder, game):
        return load_catalog(folder / f"{name}.toml", cards)
    names = ", ".join(list_catalog_names(cards, folder, game))
    raise CatalogError([f"no catalog is called {name[:40]!r}: known are {names}"])


def load_chosen_catalog(name_or_file: str, cards: Cards, folder: Path | None = None, game: str | None = None) -> Any:
    """Return the catalog that ``--catalog`` means: a known name, or else a file."""
    if is_catalog_file(name_or_file) and name_or_file not in list_catalog_names(cards, folder, game):
        return load_catalog(Path(name_or_file), cards)
    return load_named_catalog(name_or_file, cards, folder, game)


def list_catalog_names(cards: Cards, folder: Path | None = None, game: str | None = None) -> tuple[str, ...]:
    """Return every name that ``load_named_catalog`` knows, the bundled ones first.

    ``game``: only files of that game, and those that declare none.
    """
    files = sorted(folder.glob("*.toml")) if folder is not None else []
    own = (path.stem for path in files if game is None or read_declared_game(path) in (None, game))
    return (*cards.bundled, *(name for name in own if _NAME.fullmatch(name) and name not in cards.bundled))


def read_declared_game(path: Path) -> str | None:
    """Return the game that a catalog file declares (``game = "..."``); ``None`` where it declares none."""
    state = _state_of(path)
    cached = _GAMES.get(path)
    if cached is not None and cached[0] == state:
        return cached[1]
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE_BYTES).decode("utf-8-sig", "replace")
        match = _GAME.search(text)
        declared = match[1] if match else parse_toml(text).get("game")  # the key may be quoted
    except (OSError, ValueError):
        return None  # loading it reports the reason
    game = declared if isinstance(declared, str) and _NAME.fullmatch(declared) else None
    if state is not None and state.is_settled():
        _GAMES.put(path, (state, game))
    return game


def is_catalog_file(name_or_file: str) -> bool:
    """Return whether a value of ``--catalog`` means a file rather than the name of a catalog."""
    return not _NAME.fullmatch(name_or_file) or Path(name_or_file).exists()


def _state_of(path: Path) -> _FileState | None:
    """Return the state of a file; ``None`` where it cannot be examined."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return _FileState(about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino)


def read_catalog_text(path: Path) -> str:
    """Return the text of a file; raise ``CatalogError`` where it has none."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise CatalogError([f"{path}: is a folder, not a file"])
        if not stat.S_ISREG(kind):
            raise CatalogError([f"{path}: not an ordinary file: name a TOML file"])
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise CatalogError([f"{path}: no such file"]) from error
    except (OSError, ValueError) as error:
        reason = os_error_reason(error) if isinstance(error, OSError) else str(error)
        raise CatalogError([f"{path}: cannot be read: {reason}"]) from error
    if len(content) > MAX_FILE_BYTES:
        raise CatalogError([f"{path}: larger than {MAX_FILE_BYTES} bytes: this is no catalog"])
    if is_utf16(content):
        raise CatalogError([f"{path}:1: UTF-16, not UTF-8: save the file as UTF-8"])
    if b"\0" in content:
        raise CatalogError([f"{path}: no text, but a picture, an archive or the like: name a TOML file"])
    try:
        return content.decode("utf-8-sig")  # editors on Windows like to write the mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CatalogError([f"{path}:{line}: not UTF-8: save the file as UTF-8"]) from error


def _syntax_error(path: Path, text: str, message: str) -> str:
    at = _AT_LINE.search(message)
    reason = _AT_LINE.sub("", message)
    if at and at[1]:
        return f"{path}:{at[1]}: no TOML: {reason} (column {at[2]}): mend this first"
    return f"{path}:{text.rstrip().count(chr(10)) + 1}: no TOML: {reason} (at the end): mend this first"


def _line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """Return the line of a place, or of the nearest table or list around it that is in the file."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return 1


class CatalogFolder(Mapping[str, Any]):
    """The catalogs of one game by name: bundled ones, and every ``NAME.toml`` of a folder.

    A catalog is read each time it is looked up.  A faulty one raises ``Refused`` with its first fault.
    """

    def __init__(self, cards: Cards, game: str, folder: Path | None) -> None:
        """Store the game's cards and name, and the folder; ``None``: only bundled catalogs."""
        self._cards = cards
        self._game = game
        self._folder = folder

    def __getitem__(self, name: str) -> Any:
        """Return a catalog; raise ``KeyError`` for an unknown name."""
        if name not in self:
            raise KeyError(name)
        try:
            return load_named_catalog(name, self._cards, self._folder, self._game)
        except CatalogError as error:
            raise Refused("catalog_faulty", name=name, fault=error.faults[0]) from error

    def __contains__(self, name: object) -> bool:
        """Return whether a name is known; the file is not checked."""
        return name in list_catalog_names(self._cards, self._folder, self._game)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, the bundled ones first."""
        return iter(list_catalog_names(self._cards, self._folder, self._game))

    def __len__(self) -> int:
        """Return the number of catalogs."""
        return len(list_catalog_names(self._cards, self._folder, self._game))


class SingleCatalog(Mapping[str, Any]):
    """A mapping that returns one catalog under every name (``--catalog FILE``)."""

    def __init__(self, catalog: Any, title: str) -> None:
        """Store the catalog and its title."""
        self._catalog = catalog
        self._title = title

    def __getitem__(self, name: str) -> Any:
        """Return the catalog."""
        return self._catalog

    def __contains__(self, name: object) -> bool:
        """Return whether this is a name at all."""
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        """Iterate over its title alone."""
        return iter((self._title,))

    def __len__(self) -> int:
        """Return 1."""
        return 1


def import_catalog(path: Path, name: str, cards: Cards, folder: Path) -> Path:
    """Copy a valid catalog file into a folder and return the copy; raise ``CatalogError`` with every fault."""
    if not _NAME.fullmatch(name):
        raise CatalogError([f"{name[:40]!r} is no name for a catalog: small letters, digits, - and _"])
    target = folder / f"{name}.toml"
    taken = f"a catalog is called {name} already: give this one another name"
    if name in cards.bundled or target.exists():
        raise CatalogError([taken])
    load_shared_catalog(path, cards)
    try:
        write_atomically(target, path.read_bytes(), new_only=True)
    except FileExistsError:  # somebody else's, a moment ago
        raise CatalogError([taken]) from None
    return target


def load_shared_catalog(path: Path, cards: Cards) -> Any:
    """Return a catalog that somebody else wrote, within tight limits; raise ``CatalogError`` with every fault."""
    try:
        with path.open("rb") as file:
            start = file.read(MAX_SHARED_BYTES + 1)
    except OSError as error:
        raise CatalogError([f"{path}: {os_error_reason(error)}"]) from error
    if len(start) > MAX_SHARED_BYTES:
        raise CatalogError([f"{path}: larger than {MAX_SHARED_BYTES} bytes: this is no catalog"])
    before, lost, _ = start.partition(_LOST_LETTER)
    if lost:
        line = before.count(b"\n") + 1
        raise CatalogError([f"{path}:{line}: letters were lost here (U+FFFD): save the original file as UTF-8"])
    return load_catalog(path, cards)


def compare_catalogs(left: Path, right: Path, cards: Cards) -> Iterator[dict[str, Any]]:
    """Yield where two valid catalogs of a game differ: ``place``, values ``a`` and ``b`` (``None``: missing)."""
    for path in (left, right):
        load_catalog(path, cards)
    first, second = (_flatten(parse_toml(path.read_text("utf-8-sig"))) for path in (left, right))
    for place in dict.fromkeys((*first, *second)):
        if first.get(place) != second.get(place):
            yield {"place": place, "a": first.get(place), "b": second.get(place)}


def _flatten(value: object, place: str = "") -> dict[str, Any]:
    """Return the scalars of a file by place; items of lists by their id, number or player."""
    if isinstance(value, Mapping):
        leaves: dict[str, Any] = {}
        for key, inner in value.items():
            leaves |= _flatten(inner, f"{place}, {key}" if place else str(key))
        return leaves
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        leaves = {}
        for number, item in enumerate(value, 1):
            name = next((item[key] for key in ITEM_KEYS if key in item), number)
            leaves |= _flatten(item, f"{place} {name}")
        return leaves
    return {place: value}
