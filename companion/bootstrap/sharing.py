"""Catalogs as files that people pass on, for whichever game they are of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.adapters.catalog_files import catalog_names, game_of, is_catalog_file
from companion.adapters.catalog_sharing import checked, differences, taken_in
from companion.bootstrap.games import Installed
from companion.gamekit.faults import CatalogError
from companion.gamekit.manifest import Manifest


def manifest_of(games: Installed, path: Path) -> Manifest:
    """Say whose cards a file holds; ``CatalogError`` where no game here knows it."""
    name = game_of(path)
    if name is not None and name in games.manifests:
        return games.manifests[name]
    if not path.is_file():
        raise CatalogError([f"{path}: no such file"])
    known = ", ".join(games.manifests)
    raise CatalogError([f'{path}: it does not say for which game it is: write game = "...", one of {known}'])


def check(games: Installed, path: Path) -> str:
    """Check a file; give its title.  ``CatalogError`` with every fault."""
    cards = manifest_of(games, path).cards()
    return cards.title(checked(path, cards))


def take_in(games: Installed, path: Path, name: str, folder: Path) -> Manifest:
    """Check a file and keep it under a name; give its game.  ``CatalogError`` with every fault."""
    manifest = manifest_of(games, path)
    taken_in(path, name, manifest.cards(), folder)
    return manifest


def files_of(games: Installed, wish: str, folder: Path) -> dict[str, Path]:
    """Find the files of a catalog by game: those of its name, or the one file that is named; ``CatalogError``."""
    found: dict[str, Path] = {}
    for manifest in games.manifests.values():
        cards = manifest.cards()
        if wish in cards.bundled:
            found[manifest.name] = cards.bundled[wish]
        elif wish in catalog_names(cards, folder, manifest.name):
            found[manifest.name] = folder / f"{wish}.toml"
    if not found and is_catalog_file(wish):
        found = {manifest_of(games, Path(wish)).name: Path(wish)}
    if not found:
        raise CatalogError([f"no catalog is called {wish[:40]!r}"])
    return found


def compare(games: Installed, one: str, other: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Say where two catalogs differ, named or as files; ``CatalogError`` where they are of different games."""
    first, second = files_of(games, one, folder), files_of(games, other, folder)
    game = next((name for name in first if name in second), None)
    if game is None:
        raise CatalogError([f"{other[:200]}: of another game than {one[:200]}"])
    return differences(first[game], second[game], games.manifests[game].cards())
