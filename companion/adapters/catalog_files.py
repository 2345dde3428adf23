"""Catalogs as TOML files: the bundled deck, those of the installation, and any file one names.

A file that is no sound catalog raises CatalogError with every fault in it, each with its line:
``box.toml:31: contract 8, sections.roof-1: ... and the mend``.  Lists are counted from 1 there.
"""

import re
import stat
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from companion.adapters.catalog_tables import catalog_from
from companion.adapters.toml_fields import LARGEST
from companion.adapters.toml_lines import lines_of
from companion.games.master_builder.cards.checks import LONGEST_NAME, CatalogError, Fault, Place, catalog_faults
from companion.games.master_builder.rules.catalog import Catalog

HOUSE = "house"
LARGEST_FILE = 1_000_000
"""Bytes.  A whole box takes about 20,000."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def house_deck_path() -> Path:
    """Find the bundled, invented deck, in a checkout as in a wheel."""
    return Path(str(files("companion.games.master_builder") / "data" / "house.toml"))


def load_catalog(path: Path) -> Catalog:
    """Read and check a catalog file; CatalogError with every fault of it otherwise."""
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
    catalog, unreadable = catalog_from(data)
    found = [*unreadable, *(fault for fault in catalog_faults(catalog) if not _silenced(fault, unreadable))]
    if found:
        placed = sorted(((_line(fault.place, lines), fault) for fault in found), key=lambda each: each[0])
        raise CatalogError([f"{path}:{line}: {_where(fault.place, data)}{fault.words}" for line, fault in placed])
    return catalog


def named_catalog(name: str, folder: Path | None = None) -> Catalog:
    """Load a catalog known to the installation: ``house``, or ``folder/NAME.toml``."""
    if name == HOUSE:
        return load_catalog(house_deck_path())
    if folder is not None and name in catalog_names(folder):
        return load_catalog(folder / f"{name}.toml")
    known = ", ".join(catalog_names(folder))
    raise CatalogError([f"no catalog is called {name[:40]!r}: known are {known}"])


def chosen_catalog(name_or_file: str, folder: Path | None = None) -> Catalog:
    """Load what ``--catalog`` says: a name where one is known, a file otherwise."""
    if name_or_file in catalog_names(folder) or not _is_file_name(name_or_file):
        return named_catalog(name_or_file, folder)
    return load_catalog(Path(name_or_file))


def catalog_names(folder: Path | None = None) -> tuple[str, ...]:
    """Every name that ``named_catalog`` knows, ``house`` first."""
    found = sorted(path.stem for path in folder.glob("*.toml")) if folder is not None else []
    return (HOUSE, *(name for name in found if _NAME.fullmatch(name) and name != HOUSE))


def _is_file_name(words: str) -> bool:
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


def _silenced(fault: Fault, unreadable: Sequence[Fault]) -> bool:
    """Drop what rests on something that could not be read: it is not known to be wrong."""
    for other in unreadable:
        if fault.place[: len(other.place)] == other.place:
            return True
        if fault.rests_on is not None:
            part, field = fault.rests_on
            whole_table = len(other.place) == len(part) + 1 and isinstance(other.place[-1], int)
            if other.place[: len(part)] == part and (whole_table or other.place[-1] == field):
                return True
    return False


def _line(place: Place, lines: Mapping[Place, int]) -> int:
    """Find the line of the place, or of the nearest thing around it that is in the file."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return 1


def _where(place: Place, data: Mapping[str, object]) -> str:
    """Say ``contract 8, sections.roof-1: `` (lists counted from 1), as far as the file says which card it is."""
    head, rest = _spoken(place[:1]), place[1:]
    table = data.get(str(place[0]))
    if rest and isinstance(rest[0], int) and isinstance(table, list):
        card = table[rest[0]]
        told = card.get("number" if place[0] == "contract" else "id") if isinstance(card, dict) else None
        head = f"{head} {told}" if _speakable(told) else f"{head} no. {rest[0] + 1}"
        rest = rest[1:]
    return f"{head}, {_spoken(rest)}: " if rest else f"{head}: "


def _speakable(told: object) -> bool:
    if isinstance(told, str):
        return told.isprintable() and 0 < len(told) <= LONGEST_NAME
    return isinstance(told, int) and abs(told) <= LARGEST


def _spoken(keys: Place) -> str:
    told = (str(key + 1) if isinstance(key, int) else key for key in keys)
    return ".".join(key if key.isprintable() else repr(key) for key in told)
