"""The catalogs of an installation by name, read when they are first asked for."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.adapters.catalog_files import catalog_names, named_catalog
from companion.engine.errors import Refused
from companion.games.master_builder.cards.checks import CatalogError
from companion.games.master_builder.rules.catalog import Catalog


class CatalogShelf(Mapping[str, Catalog]):
    """``house`` and every ``NAME.toml`` of a folder.  A faulty one is refused with its first fault."""

    def __init__(self, folder: Path | None) -> None:
        """Take the folder; ``None``: only the bundled deck."""
        self._folder = folder

    def __getitem__(self, name: str) -> Catalog:
        """Read a catalog; ``KeyError`` for an unknown name."""
        if name not in catalog_names(self._folder):
            raise KeyError(name)
        try:
            return named_catalog(name, self._folder)
        except CatalogError as error:
            raise Refused("catalog_faulty", name=name, fault=error.faults[0]) from error

    def __contains__(self, name: object) -> bool:
        """Say whether a name is known, without reading the file."""
        return name in catalog_names(self._folder)

    def __iter__(self) -> Iterator[str]:
        """Name them, ``house`` first."""
        return iter(catalog_names(self._folder))

    def __len__(self) -> int:
        """Count them."""
        return len(catalog_names(self._folder))


class OneCatalog(Mapping[str, Catalog]):
    """One catalog that stands in for whatever is named (``--catalog FILE``)."""

    def __init__(self, catalog: Catalog) -> None:
        """Take it."""
        self._catalog = catalog

    def __getitem__(self, name: str) -> Catalog:
        """Give it under any name."""
        return self._catalog

    def __contains__(self, name: object) -> bool:
        """Know every name."""
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        """Name it."""
        return iter((self._catalog.name,))

    def __len__(self) -> int:
        """Count one."""
        return 1
