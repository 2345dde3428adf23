"""Catalogs as TOML files: those that come with a game, those of the installation, and any file one names.

A file that is no sound catalog raises CatalogError with every fault in it, each with its line:
``box.toml:31: contract 8, sections.roof-1: ... and the mend``.  Lists are counted from 1 there.
"""

import os
import re
import stat
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from companion.adapters.toml_lines import find_lines
from companion.engine.errors import Refused
from companion.game_api.cards import Cards
from companion.game_api.catalog_parsing import CatalogError, Place
from companion.service.caches import BoundedCache

MAX_FILE_BYTES = 1_000_000
"""Bytes.  A whole box takes about 20,000."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_GAME = re.compile(r"""^\s*game\s*=\s*["']([a-z][a-z0-9_]*)["']""", re.MULTILINE)


def load_catalog(path: Path, cards: Cards) -> Any:
    """Return the catalog of a file of a game, read anew where the file has changed.

    Raises:
        CatalogError: the file holds no sound catalog; it names every fault.

    """
    key, state = (type(cards), path), _state_of(path)
    known = _CATALOGS.get(key)
    if known is not None and state is not None and known.state == state:
        return known.catalog
    catalog = _read_catalog(path, cards)
    if state is not None and state.is_settled():
        _CATALOGS.put(key, _ReadFile(state, catalog))
    return catalog


class _FileState(NamedTuple):
    """What shows that a file was changed: its times in nanoseconds, its size, and whether it is the same file."""

    modified_ns: int
    changed_ns: int
    size: int
    inode: int

    def is_settled(self) -> bool:
        """Return whether a change after this state would show: not within the grain of the file system's clock."""
        return abs(time.time_ns() - self.changed_ns) > CLOCK_GRAIN_NS


class _ReadFile(NamedTuple):
    state: _FileState
    catalog: Any


CLOCK_GRAIN_NS = 2_000_000_000
MOST_BYTES, BYTES_A_BYTE = 8_000_000, 20
"""Of catalogs that are remembered: how many, and how many a byte of the file takes in memory, about."""
_CATALOGS = BoundedCache[_ReadFile](MOST_BYTES, lambda read: BYTES_A_BYTE * read.state.size)
_GAMES = BoundedCache[tuple[_FileState, str | None]](MOST_BYTES, lambda _: 1_000)


def _state_of(path: Path) -> _FileState | None:
    """Return the state of a file; ``None`` where there is none, or nobody may look."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return _FileState(about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino)


def _read_catalog(path: Path, cards: Cards) -> Any:
    text = _text(path)
    try:
        data = tomllib.loads(text)
        lines = find_lines(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogError([_broken(path, text, str(error))]) from error
    except ValueError as error:
        raise CatalogError([f"{path}: no TOML: {error}"]) from error
    except RecursionError as error:
        raise CatalogError([f"{path}: no catalog: brackets within brackets without end"]) from error
    catalog, faults = cards.parse(data)
    if faults:
        found = [(_line(fault.place, lines), cards.spoken(fault.place, data), fault.words) for fault in faults]
        placed = sorted(found, key=lambda each: each[0])
        raise CatalogError([f"{path}:{line}: {place}: {words}" for line, place, words in placed], placed)
    return catalog


def load_named_catalog(name: str, cards: Cards, folder: Path | None = None, game: str | None = None) -> Any:
    """Load a catalog known to the installation: a bundled one, or ``folder/NAME.toml``."""
    if name in cards.bundled:
        return load_catalog(cards.bundled[name], cards)
    if folder is not None and name in list_catalog_names(cards, folder, game):
        return load_catalog(folder / f"{name}.toml", cards)
    known = ", ".join(list_catalog_names(cards, folder, game))
    raise CatalogError([f"no catalog is called {name[:40]!r}: known are {known}"])


def load_chosen_catalog(name_or_file: str, cards: Cards, folder: Path | None = None, game: str | None = None) -> Any:
    """Load what ``--catalog`` says: a name where one is known, a file otherwise."""
    if is_catalog_file(name_or_file) and name_or_file not in list_catalog_names(cards, folder, game):
        return load_catalog(Path(name_or_file), cards)
    return load_named_catalog(name_or_file, cards, folder, game)


def list_catalog_names(cards: Cards, folder: Path | None = None, game: str | None = None) -> tuple[str, ...]:
    """Every name that ``named_catalog`` knows, the bundled ones first.

    ``game``: only files of that game, and those that do not say whose they are.
    """
    found = sorted(folder.glob("*.toml")) if folder is not None else []
    own = (path for path in found if game is None or read_declared_game(path) in (None, game))
    return (*cards.bundled, *(one.stem for one in own if _NAME.fullmatch(one.stem) and one.stem not in cards.bundled))


def read_declared_game(path: Path) -> str | None:
    """Say which game's cards a file holds, by its line ``game = "..."``; ``None`` where it does not say."""
    state = _state_of(path)
    known = _GAMES.get(path)
    if known is not None and known[0] == state:
        return known[1]
    try:
        with path.open("rb") as file:
            found = _GAME.search(file.read(MAX_FILE_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None  # whoever loads it is told why
    game = found[1] if found else None
    if state is not None and state.is_settled():
        _GAMES.put(path, (state, game))
    return game


def is_catalog_file(words: str) -> bool:
    """Say whether ``--catalog`` names a file, and not a catalog by its name."""
    return not _NAME.fullmatch(words) or Path(words).exists()


def _text(path: Path) -> str:
    """Read the file as text; everything that is none is one clear line."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise CatalogError([f"{path}: a folder: name the file in it"])
        if not stat.S_ISREG(kind):
            raise CatalogError([f"{path}: not an ordinary file: name a TOML file"])
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise CatalogError([f"{path}: no such file"]) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CatalogError([f"{path}: cannot be read: {reason}"]) from error
    if len(content) > MAX_FILE_BYTES:
        raise CatalogError([f"{path}: larger than {MAX_FILE_BYTES} bytes: this is no catalog"])
    try:
        return content.decode("utf-8-sig")  # editors on Windows like to write the mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CatalogError([f"{path}:{line}: not UTF-8: save the file as UTF-8"]) from error


def _broken(path: Path, text: str, message: str) -> str:
    at = _AT_LINE.search(message)
    reason = _AT_LINE.sub("", message)
    if at and at[1]:
        return f"{path}:{at[1]}: no TOML: {reason} (column {at[2]}): mend this first"
    return f"{path}:{text.rstrip().count(chr(10)) + 1}: no TOML: {reason} (at the end): mend this first"


def _line(place: Place, lines: Mapping[Place, int]) -> int:
    """Find the line of the place, or of the nearest thing around it that is in the file."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return 1


# --- catalog_shelf
# The catalogs of one game by name, read when they are first asked for.


class CatalogFolder(Mapping[str, Any]):
    """The bundled catalogs of a game and every ``NAME.toml`` of a folder that holds its cards.

    A faulty one is refused with its first fault.
    """

    def __init__(self, cards: Cards, game: str, folder: Path | None) -> None:
        """Take the game's cards, its name, and the folder; ``None``: only what comes with the game."""
        self._cards = cards
        self._game = game
        self._folder = folder

    def __getitem__(self, name: str) -> Any:
        """Read a catalog; ``KeyError`` for an unknown name."""
        if name not in self:
            raise KeyError(name)
        try:
            return load_named_catalog(name, self._cards, self._folder, self._game)
        except CatalogError as error:
            raise Refused("catalog_faulty", name=name, fault=error.faults[0]) from error

    def __contains__(self, name: object) -> bool:
        """Say whether a name is known, without checking the file."""
        return name in list_catalog_names(self._cards, self._folder, self._game)

    def __iter__(self) -> Iterator[str]:
        """Name them, those that come with the game first."""
        return iter(list_catalog_names(self._cards, self._folder, self._game))

    def __len__(self) -> int:
        """Count them."""
        return len(list_catalog_names(self._cards, self._folder, self._game))


class SingleCatalog(Mapping[str, Any]):
    """One catalog that stands in for whatever is named (``--catalog FILE``)."""

    def __init__(self, catalog: Any, title: str) -> None:
        """Take it, and what it is called."""
        self._catalog = catalog
        self._title = title

    def __getitem__(self, name: str) -> Any:
        """Give it under any name."""
        return self._catalog

    def __contains__(self, name: object) -> bool:
        """Know every name."""
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        """Name it."""
        return iter((self._title,))

    def __len__(self) -> int:
        """Count one."""
        return 1


# --- catalog_sharing
# Catalogs that people pass on: checked before they are taken in, compared field by field, given away as files.

MAX_SHARED_BYTES = 200_000
"""Bytes of a file that is taken in; a whole box takes about 20,000."""
MAX_KEY_DOTS = 10
"""Dots in a row of keys: what nobody writes by hand only takes time to read."""
_DOTTED = re.compile(rb"^[^\n\"'#=]*(?:\.[^\n\"'#=.]*){%d}" % MAX_KEY_DOTS, re.MULTILINE)
ITEM_KEYS = ("id", "number", "player")
"""By which of its fields an item of a list is known."""


def import_catalog(path: Path, name: str, cards: Cards, folder: Path) -> Path:
    """Check a catalog file and keep it under a name; ``CatalogError`` with every fault, and nothing is kept."""
    if not _NAME.fullmatch(name):
        raise CatalogError([f"{name[:40]!r} is no name for a catalog: small letters, digits, - and _"])
    target = folder / f"{name}.toml"
    if name in cards.bundled or target.exists():
        raise CatalogError([f"a catalog is called {name} already: give this one another name"])
    load_shared_catalog(path, cards)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
        part.write(path.read_bytes())
        part.flush()
        os.fsync(part.fileno())
    Path(part.name).replace(target)
    return target


def load_shared_catalog(path: Path, cards: Cards) -> Any:
    """Load a file that somebody else wrote, within tight bounds; ``CatalogError`` with every fault of it."""
    try:
        with path.open("rb") as file:
            start = file.read(MAX_SHARED_BYTES + 1)
    except OSError as error:
        raise CatalogError([f"{path}: {error.strerror}"]) from error
    if len(start) > MAX_SHARED_BYTES:
        raise CatalogError([f"{path}: larger than {MAX_SHARED_BYTES} bytes: this is no catalog"])
    if _DOTTED.search(start):
        raise CatalogError([f"{path}: more than {MAX_KEY_DOTS} dots in a key: this is no catalog"])
    return load_catalog(path, cards)


def compare_catalogs(one: Path, other: Path, cards: Cards) -> Iterator[dict[str, Any]]:
    """Say where two sound catalogs of a game differ: the place, and what stands there in either (null: nothing)."""
    for path in (one, other):
        load_catalog(path, cards)
    mine, theirs = (_leaves(tomllib.loads(path.read_text("utf-8-sig"))) for path in (one, other))
    for place in dict.fromkeys((*mine, *theirs)):
        if mine.get(place) != theirs.get(place):
            yield {"place": place, "a": mine.get(place), "b": theirs.get(place)}


def _leaves(value: object, place: str = "") -> dict[str, Any]:
    """Lay a file out as places and what stands there; items of lists by what they are called."""
    if isinstance(value, Mapping):
        found: dict[str, Any] = {}
        for key, inner in value.items():
            found |= _leaves(inner, f"{place}, {key}" if place else str(key))
        return found
    if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        found = {}
        for number, one in enumerate(value, 1):
            named = next((one[key] for key in ITEM_KEYS if key in one), number)
            found |= _leaves(one, f"{place} {named}")
        return found
    return {place: value}
