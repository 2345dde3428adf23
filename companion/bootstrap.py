"""The one place that knows every concrete class and every game."""

from collections.abc import Mapping
from pathlib import Path

from companion.adapters.catalog_files import chosen_catalog
from companion.adapters.catalog_shelf import CatalogShelf, OneCatalog
from companion.adapters.clock import SystemClock
from companion.adapters.master_builder import MasterBuilderEdition
from companion.adapters.memory_journal import MemoryJournal
from companion.games.master_builder.catalog import Catalog
from companion.service.ports import Edition
from companion.service.table import Table

MASTER_BUILDER = "master_builder"


def catalogs(folder: Path | None, instead: str | None = None) -> Mapping[str, Catalog]:
    """Give the catalogs by name; ``instead``: one name or file that stands in for all.  ``CatalogError``."""
    return CatalogShelf(folder) if instead is None else OneCatalog(chosen_catalog(instead, folder))


def editions(shelf: Mapping[str, Catalog]) -> dict[str, Edition]:
    """Give every game that this installation knows."""
    return {MASTER_BUILDER: MasterBuilderEdition(shelf)}


def passing_table(edition: Edition, table_id: str = "play") -> Table:
    """Set a table that is kept only as long as the program runs."""
    return Table(table_id, edition, MemoryJournal(), SystemClock())
