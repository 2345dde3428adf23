"""Catalogs as files that people exchange: check, import, export and compare them, whatever their game."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.adapters.catalogs import (
    compare_catalogs,
    import_catalog,
    is_catalog_file,
    list_catalog_names,
    load_catalog,
    load_named_catalog,
    load_shared_catalog,
    parse_catalog_file,
    read_declared_game,
)
from companion.bootstrap.games import InstalledGames
from companion.game_api.catalog_parsing import CatalogError, shown
from companion.game_api.manifest import Manifest
from companion.service.catalogs import CatalogFile, FaultyCatalog, UnknownCatalog


def require_manifest(games: InstalledGames, path: Path) -> Manifest:
    """Return the game of a catalog file; raise ``CatalogError`` where it declares no known game."""
    name = read_declared_game(path)
    if name is not None and name in games.manifests:
        return games.manifests[name]
    declared = parse_catalog_file(path).get("game")  # what is no text or no TOML is reported as that
    mend = f'write game = "...", one of {", ".join(games.manifests)}'
    other = "" if declared is None else f"{shown(declared)} is no game here; "
    raise CatalogError([f"{path}: it does not say for which game it is: {other}{mend}"])


def check_file(games: InstalledGames, path: Path) -> str:
    """Return the title of a valid file; raise ``CatalogError`` with every fault."""
    cards = require_manifest(games, path).cards()
    return cards.title(load_shared_catalog(path, cards))


def find_fault_when_restored(games: InstalledGames, name_or_file: str, data: Path, unpacked: Path) -> str | None:
    """Return why the catalog of ``serve --catalog`` could not be used once ``unpacked`` is the data folder.

    ``None``: it could; a file outside the data folder outlives every restore.
    """
    catalog_names = (
        list_catalog_names(game.cards(), data / "catalogs", game.name) for game in games.manifests.values()
    )
    if is_catalog_file(name_or_file) and not any(name_or_file in names for names in catalog_names):
        path = Path(name_or_file).resolve()
        if not path.is_relative_to(data.resolve()):
            return None
        name_or_file = str(unpacked / path.relative_to(data.resolve()))
    try:
        files = find_files(games, name_or_file, unpacked / "catalogs")
        first = games.manifest().name
        owner = first if first in files else next(iter(files))
        load_catalog(files[owner], games.manifests[owner].cards())
    except CatalogError as error:
        return f"it lacks the catalog with which this companion serves ({error.faults[0]})"
    return None


def import_file(games: InstalledGames, path: Path, name: str, folder: Path) -> Manifest:
    """Copy a valid file into a folder under a name and return its game; raise ``CatalogError`` with every fault."""
    manifest = require_manifest(games, path)
    import_catalog(path, name, manifest.cards(), folder)
    return manifest


def find_files(games: InstalledGames, name_or_file: str, folder: Path) -> dict[str, Path]:
    """Return the files of a catalog by game; raise ``CatalogError`` for an unknown name or file."""
    files: dict[str, Path] = {}
    for manifest in games.manifests.values():
        cards = manifest.cards()
        if name_or_file in cards.bundled:
            files[manifest.name] = cards.bundled[name_or_file]
        elif name_or_file in list_catalog_names(cards, folder, manifest.name):
            files[manifest.name] = folder / f"{name_or_file}.toml"
    if not files and is_catalog_file(name_or_file):
        files = {require_manifest(games, Path(name_or_file)).name: Path(name_or_file)}
    if not files:
        raise CatalogError([f"no catalog is called {name_or_file[:40]!r}"])
    return files


def compare_files(games: InstalledGames, left: str, right: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the differences of two catalogs, given by name or file; raise ``CatalogError`` for different games."""
    first, second = find_files(games, left, folder), find_files(games, right, folder)
    game = next((name for name in first if name in second), None)
    if game is None:
        raise CatalogError([f"{right[:200]}: of another game than {left[:200]}"])
    return compare_catalogs(first[game], second[game], games.manifests[game].cards())


class CatalogFiles:
    """The catalogs of an installation, for its pages.  Thread-safe."""

    def __init__(self, games: InstalledGames, folder: Path) -> None:
        """Store the games, and the folder, which need not exist."""
        self._games, self._folder = games, folder

    def all(self) -> list[CatalogFile]:
        """Return all catalogs, the bundled ones of each game first."""
        manifests: Mapping[str, Manifest] = self._games.manifests
        return [
            self._about(manifest, name)
            for manifest in manifests.values()
            for name in list_catalog_names(manifest.cards(), self._folder, manifest.name)
        ]

    def text(self, game: str, name: str) -> bytes:
        """Return the text of a catalog's file."""
        return self._path(game, name).read_bytes()

    def take_in(self, name: str, text: bytes) -> CatalogFile:
        """Store a valid catalog under a name; raise ``FaultyCatalog``."""
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "shared.toml"
            path.write_bytes(text)
            try:
                return self._about(import_file(self._games, path, name, self._folder), name)
            except CatalogError as error:
                whole = [(0, "", words.replace(str(path), f"{name}.toml")) for words in error.faults]
                raise FaultyCatalog(error.placed or whole) from error

    def copy(self, game: str, name: str, new_name: str) -> CatalogFile:
        """Store a catalog under another name as well."""
        return self.take_in(new_name, self.text(game, name))

    def compare(self, game: str, name: str, other: str) -> list[dict[str, Any]]:
        """Return the differences of two catalogs; raise ``FaultyCatalog``."""
        left, right = self._path(game, name), self._path(game, other)
        try:
            return list(compare_catalogs(left, right, self._games.manifests[game].cards()))
        except CatalogError as error:
            raise FaultyCatalog(error.placed or [(0, "", error.faults[0])]) from error

    def _path(self, game: str, name: str) -> Path:
        manifest = self._games.manifests.get(game)
        if manifest is None or name not in list_catalog_names(manifest.cards(), self._folder, game):
            raise UnknownCatalog(name)
        bundled = manifest.cards().bundled
        return bundled[name] if name in bundled else self._folder / f"{name}.toml"

    def _about(self, manifest: Manifest, name: str) -> CatalogFile:
        cards = manifest.cards()
        own = name not in cards.bundled
        try:
            title = cards.title(load_named_catalog(name, cards, self._folder, manifest.name))
        except CatalogError as error:
            return CatalogFile(manifest.name, name, name, own, error.faults[0])
        return CatalogFile(manifest.name, name, title, own)
