"""The catalogs of an installation, for its pages."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.adapters.catalog_files import catalog_names, named_catalog
from companion.adapters.catalog_sharing import differences
from companion.bootstrap import sharing
from companion.bootstrap.games import Installed
from companion.gamekit.faults import CatalogError
from companion.gamekit.manifest import Manifest
from companion.service.shared_catalogs import CatalogFile, FaultyCatalog, UnknownCatalog


class Shared:
    """Reads and writes the folder of catalogs; every call may come from any thread."""

    def __init__(self, games: Installed, folder: Path) -> None:
        """Take the games, and the folder, which need not be there yet."""
        self._games, self._folder = games, folder

    def all(self) -> list[CatalogFile]:
        """Give them, those that come with a game first."""
        manifests: Mapping[str, Manifest] = self._games.manifests
        return [
            self._about(manifest, name)
            for manifest in manifests.values()
            for name in catalog_names(manifest.cards(), self._folder, manifest.name)
        ]

    def text(self, game: str, name: str) -> bytes:
        """Give a catalog's file."""
        return self._path(game, name).read_bytes()

    def take_in(self, name: str, text: bytes) -> CatalogFile:
        """Check a file and keep it under a name."""
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "shared.toml"
            path.write_bytes(text)
            try:
                return self._about(sharing.take_in(self._games, path, name, self._folder), name)
            except CatalogError as error:
                whole = [(0, "", words.replace(str(path), f"{name}.toml")) for words in error.faults]
                raise FaultyCatalog(error.placed or whole) from error

    def copy(self, game: str, name: str, new_name: str) -> CatalogFile:
        """Keep a catalog under one more name."""
        return self.take_in(new_name, self.text(game, name))

    def compare(self, game: str, name: str, other: str) -> list[dict[str, Any]]:
        """Say where two differ."""
        one, two = self._path(game, name), self._path(game, other)
        try:
            return list(differences(one, two, self._games.manifests[game].cards()))
        except CatalogError as error:
            raise FaultyCatalog(error.placed or [(0, "", error.faults[0])]) from error

    def _path(self, game: str, name: str) -> Path:
        manifest = self._games.manifests.get(game)
        if manifest is None or name not in catalog_names(manifest.cards(), self._folder, game):
            raise UnknownCatalog(name)
        bundled = manifest.cards().bundled
        return bundled[name] if name in bundled else self._folder / f"{name}.toml"

    def _about(self, manifest: Manifest, name: str) -> CatalogFile:
        cards = manifest.cards()
        own = name not in cards.bundled
        try:
            title = cards.title(named_catalog(name, cards, self._folder, manifest.name))
        except CatalogError as error:
            return CatalogFile(manifest.name, name, name, own, error.faults[0])
        return CatalogFile(manifest.name, name, title, own)
