"""Catalogs as TOML files: those that come with a game, those of the installation, and any file one names.

A file that is no sound catalog raises CatalogError with every fault in it, each with its line:
``box.toml:31: contract 8, sections.roof-1: ... and the mend``.  Lists are counted from 1 there.
"""

import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.adapters.toml_lines import lines_of
from companion.gamekit.cards import Cards
from companion.gamekit.faults import CatalogError, Place

LARGEST_FILE = 1_000_000
"""Bytes.  A whole box takes about 20,000."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_GAME = re.compile(r"""^\s*game\s*=\s*["']([a-z][a-z0-9_]*)["']""", re.MULTILINE)


def load_catalog(path: Path, cards: Cards) -> Any:
    """Read and check a catalog file of a game; CatalogError with every fault of it otherwise."""
    text = _text(path)
    try:
        data = tomllib.loads(text)
        lines = lines_of(text)
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


def named_catalog(name: str, cards: Cards, folder: Path | None = None, game: str | None = None) -> Any:
    """Load a catalog known to the installation: a bundled one, or ``folder/NAME.toml``."""
    if name in cards.bundled:
        return load_catalog(cards.bundled[name], cards)
    if folder is not None and name in catalog_names(cards, folder, game):
        return load_catalog(folder / f"{name}.toml", cards)
    known = ", ".join(catalog_names(cards, folder, game))
    raise CatalogError([f"no catalog is called {name[:40]!r}: known are {known}"])


def chosen_catalog(name_or_file: str, cards: Cards, folder: Path | None = None, game: str | None = None) -> Any:
    """Load what ``--catalog`` says: a name where one is known, a file otherwise."""
    if is_catalog_file(name_or_file) and name_or_file not in catalog_names(cards, folder, game):
        return load_catalog(Path(name_or_file), cards)
    return named_catalog(name_or_file, cards, folder, game)


def catalog_names(cards: Cards, folder: Path | None = None, game: str | None = None) -> tuple[str, ...]:
    """Every name that ``named_catalog`` knows, the bundled ones first.

    ``game``: only files of that game, and those that do not say whose they are.
    """
    found = sorted(folder.glob("*.toml")) if folder is not None else []
    own = (path for path in found if game is None or game_of(path) in (None, game))
    return (*cards.bundled, *(one.stem for one in own if _NAME.fullmatch(one.stem) and one.stem not in cards.bundled))


def game_of(path: Path) -> str | None:
    """Say which game's cards a file holds, by its line ``game = "..."``; ``None`` where it does not say."""
    try:
        with path.open("rb") as file:
            found = _GAME.search(file.read(LARGEST_FILE).decode("utf-8", "replace"))
    except OSError:
        return None  # whoever loads it is told why
    return found[1] if found else None


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
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError as error:
        raise CatalogError([f"{path}: no such file"]) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CatalogError([f"{path}: cannot be read: {reason}"]) from error
    if len(content) > LARGEST_FILE:
        raise CatalogError([f"{path}: larger than {LARGEST_FILE} bytes: this is no catalog"])
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
