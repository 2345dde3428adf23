"""Catalogs that people pass on: checked before they are taken in, compared field by field, given away as files."""

import os
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.adapters.catalog_files import load_catalog
from companion.gamekit.cards import Cards
from companion.gamekit.faults import CatalogError

LARGEST_SHARED = 200_000
"""Bytes of a file that is taken in; a whole box takes about 20,000."""
MOST_DOTS = 10
"""Dots in a row of keys: what nobody writes by hand only takes time to read."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_DOTTED = re.compile(rb"^[^\n\"'#=]*(?:\.[^\n\"'#=.]*){%d}" % MOST_DOTS, re.MULTILINE)
KEYS = ("id", "number", "player")
"""By which of its fields an item of a list is known."""


def taken_in(path: Path, name: str, cards: Cards, folder: Path) -> Path:
    """Check a catalog file and keep it under a name; ``CatalogError`` with every fault, and nothing is kept."""
    if not _NAME.fullmatch(name):
        raise CatalogError([f"{name[:40]!r} is no name for a catalog: small letters, digits, - and _"])
    target = folder / f"{name}.toml"
    if name in cards.bundled or target.exists():
        raise CatalogError([f"a catalog is called {name} already: give this one another name"])
    checked(path, cards)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
        part.write(path.read_bytes())
        part.flush()
        os.fsync(part.fileno())
    Path(part.name).replace(target)
    return target


def checked(path: Path, cards: Cards) -> Any:
    """Load a file that somebody else wrote, within tight bounds; ``CatalogError`` with every fault of it."""
    try:
        with path.open("rb") as file:
            start = file.read(LARGEST_SHARED + 1)
    except OSError as error:
        raise CatalogError([f"{path}: {error.strerror}"]) from error
    if len(start) > LARGEST_SHARED:
        raise CatalogError([f"{path}: larger than {LARGEST_SHARED} bytes: this is no catalog"])
    if _DOTTED.search(start):
        raise CatalogError([f"{path}: more than {MOST_DOTS} dots in a key: this is no catalog"])
    return load_catalog(path, cards)


def differences(one: Path, other: Path, cards: Cards) -> Iterator[dict[str, Any]]:
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
            named = next((one[key] for key in KEYS if key in one), number)
            found |= _leaves(one, f"{place} {named}")
        return found
    return {place: value}
