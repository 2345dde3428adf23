"""The catalogs of one game by name, read when they are first asked for."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.adapters.catalog_files import catalog_names, named_catalog
from companion.engine.errors import Refused
from companion.gamekit.cards import Cards
from companion.gamekit.faults import CatalogError


class CatalogShelf(Mapping[str, Any]):
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
            return named_catalog(name, self._cards, self._folder, self._game)
        except CatalogError as error:
            raise Refused("catalog_faulty", name=name, fault=error.faults[0]) from error

    def __contains__(self, name: object) -> bool:
        """Say whether a name is known, without checking the file."""
        return name in catalog_names(self._cards, self._folder, self._game)

    def __iter__(self) -> Iterator[str]:
        """Name them, those that come with the game first."""
        return iter(catalog_names(self._cards, self._folder, self._game))

    def __len__(self) -> int:
        """Count them."""
        return len(catalog_names(self._cards, self._folder, self._game))


class OneCatalog(Mapping[str, Any]):
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
