"""The one place that knows every concrete class and every game.

Here is what every command of the program may need; what looks at a table or serves pages is in
``installation``, because loading OpenCV takes longer than deciding a whole game.
"""

import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.adapters.catalog_files import chosen_catalog, named_catalog
from companion.adapters.catalog_shelf import CatalogShelf, OneCatalog
from companion.adapters.clock import SystemClock
from companion.adapters.master_builder import MasterBuilderEdition, card_ids, catalog_json
from companion.adapters.memory_journal import MemoryJournal
from companion.engine.errors import Refused
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.logins import Logins
from companion.service.ports import Edition, Journal
from companion.service.table import Table
from companion.service.tables import Tables
from companion.vision.tag import COMMAND_CARDS, Deck, playing_deck, tag_text
from companion.vision.tag import MASTER_BUILDER as MB

MASTER_BUILDER = "master_builder"
PRINT_RUN = 1


def catalogs(folder: Path | None, instead: str | None = None) -> Mapping[str, Catalog]:
    """Give the catalogs by name; ``instead``: one name or file that stands in for all.  ``CatalogError``."""
    return CatalogShelf(folder) if instead is None else OneCatalog(chosen_catalog(instead, folder))


def editions(shelf: Mapping[str, Catalog]) -> dict[str, Edition]:
    """Give every game that this installation knows."""
    return {MASTER_BUILDER: MasterBuilderEdition(shelf)}


def passing_table(edition: Edition, table_id: str = "play") -> Table:
    """Set a table that is kept only as long as the program runs."""
    return Table(table_id, edition, MemoryJournal(), SystemClock())


def label_texts(catalog: Catalog) -> dict[str, str]:
    """Give the text on the label of every card of a deck."""
    return {card: tag_text(MB, PRINT_RUN, card) for card in card_ids(catalog)}


def deck_of(catalog: Catalog) -> Deck:
    """Give a deck as the readers know it, the command cards with it."""
    return playing_deck(MB, card_ids(catalog))


def command_card_texts() -> dict[str, str]:
    """Give the text on the label of every command card."""
    return {card: tag_text(MB, PRINT_RUN, card) for card in COMMAND_CARDS}


def house_deck() -> Catalog:
    """Give the bundled deck."""
    return named_catalog("house")


def described_catalogs(shelf: Mapping[str, Catalog]) -> list[dict[str, Any]]:
    """Describe the decks to choose from, with their workers by id; a faulty one says so by its missing title."""
    told: list[dict[str, Any]] = []
    for name in shelf:
        try:
            deck = shelf[name]
        except Refused as refused:
            told.append({"name": name, "title": None, "fault": refused.details.get("fault")})
        else:
            cards = catalog_json(deck)["workers"]
            told.append({"name": name, "title": deck.name, "invented": deck.invented, "workers": cards})
    return told


def new_table_id() -> str:
    """Make up an id that is short in an address and never given twice."""
    return secrets.token_hex(4)


def tables(shelf: Mapping[str, Catalog], journal: Journal) -> Tables:
    """Resume every table of a journal."""
    return Tables(editions(shelf), journal, SystemClock(), new_table_id, lambda: described_catalogs(shelf))


def passing_logins() -> tuple[Logins, str]:
    """Make up a PIN and a key that are forgotten when the program ends."""
    pin = f"{secrets.randbelow(10_000):04}"
    return Logins(pin, secrets.token_hex(32), time.monotonic), pin
