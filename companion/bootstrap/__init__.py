"""The one place that knows every concrete class, and through the registry every game.

Here is what every command of the program may need; what looks at a table or serves pages is in
``installation``, because loading OpenCV takes longer than deciding a whole game.
"""

import secrets
import time
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from companion.adapters.catalogs import (
    CatalogFolder,
    SingleCatalog,
    is_catalog_file,
    load_catalog,
    load_chosen_catalog,
    read_declared_game,
)
from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.system import SystemClock
from companion.bootstrap.games import InstalledGames, find_games, load_game
from companion.engine.errors import Refused
from companion.game_api.cards import Label, codes_of_backs
from companion.game_api.manifest import Edition, Manifest
from companion.service.access.logins import Logins
from companion.service.ports import Journal
from companion.service.table.registry import Tables
from companion.service.table.summaries import Summaries
from companion.service.table.table import Table
from companion.vision.label.tag import COMMAND_CARDS, Deck, build_deck, format_tag

PRINT_RUN = 1


def open_catalogs(manifest: Manifest, folder: Path | None, instead: str | None = None) -> Mapping[str, Any]:
    """Return a game's catalogs by name; ``instead``: one name or file that stands in for all.  ``CatalogError``."""
    cards = manifest.cards()
    if instead is None:
        return CatalogFolder(cards, manifest.name, folder)
    catalog = load_chosen_catalog(instead, cards, folder, manifest.name)
    return SingleCatalog(catalog, cards.title(catalog))


def choose_catalog(manifest: Manifest, folder: Path | None, wish: str | None = None) -> Any:
    """Return a catalog by name or file, or the one bundled with the game; raise ``CatalogError``."""
    return load_chosen_catalog(wish or default_catalog_name(manifest), manifest.cards(), folder, manifest.name)


def default_catalog_name(manifest: Manifest) -> str:
    """Name the catalog that comes with a game."""
    return next(iter(manifest.cards().bundled))


def load_games(games: InstalledGames, folder: Path | None, instead: str | None = None) -> dict[str, Edition]:
    """Open every game.

    ``instead``: a catalog that stands in for all of its game's; a file says whose it is, a name counts for the games
    that know it.  ``CatalogError`` where it cannot be used.
    """
    whose = None
    if instead is not None:
        whose = read_declared_game(Path(instead)) if is_catalog_file(instead) else None
        if whose not in games.manifests:
            whose = _knowing(games, folder, instead).name
    return {
        name: load_game(manifest, open_catalogs(manifest, folder, instead if name == whose else None))
        for name, manifest in games.manifests.items()
    }


def _knowing(games: InstalledGames, folder: Path | None, name: str) -> Manifest:
    """Return the game that has a catalog of this name; the default one where none has, which then says so."""
    first = games.manifest()
    order = (first, *(one for one in games.manifests.values() if one is not first))
    return next((one for one in order if name in CatalogFolder(one.cards(), one.name, folder)), first)


def create_in_memory_table(opened: Edition, table_id: str = "play") -> Table:
    """Set a table that is kept only as long as the program runs."""
    return Table(table_id, opened, InMemoryJournal(), SystemClock())


def label_texts(manifest: Manifest, deck: Any) -> dict[str, str]:
    """Return the text on the label of every card of a catalog, and of every kind of back by its code."""
    return {label.card if label.side == "front" else label.code: text for label, text in list_labels(manifest, deck)}


def list_labels(manifest: Manifest, deck: Any) -> list[tuple[Label, str]]:
    """Return every label of a catalog, card by card, with its text; several may have the same one."""
    labels = manifest.cards().labels(deck)
    return [(label, format_tag(manifest.label_code, PRINT_RUN, label.code)) for label in labels]


def create_deck(manifest: Manifest, deck: Any) -> Deck:
    """Return a catalog as the readers know it, the command cards with it; a back that several cards bear is one."""
    cards = manifest.cards()
    ids, shared = {*cards.ids(deck), *manifest.command_cards}, codes_of_backs(cards.labels(deck))
    return build_deck(manifest.label_code, ids, shared)


def command_card_texts(manifest: Manifest) -> dict[str, str]:
    """Return the text on the label of every command card of a game."""
    return {
        card: format_tag(manifest.label_code, PRINT_RUN, card) for card in (*COMMAND_CARDS, *manifest.command_cards)
    }


def load_bundled_catalog(manifest: Manifest) -> Any:
    """Return the first catalog that comes with a game."""
    cards = manifest.cards()
    return load_catalog(next(iter(cards.bundled.values())), cards)


def describe_catalogs(opened: Iterable[Edition]) -> list[dict[str, Any]]:
    """Describe the decks to choose from, each with its ``game``; a faulty one says so by its missing title."""
    described: list[dict[str, Any]] = []
    for one in opened:
        cards = one.cards
        for name in one.catalogs:
            about = {"game": one.name, "name": name}
            try:
                deck = one.catalogs[name]
            except Refused as refused:
                described.append({**about, "title": None, "fault": refused.details.get("fault")})
            else:
                shown = {"title": cards.title(deck), "invented": cards.is_invented(deck)}
                described.append({**about, **shown, "cards": cards.as_json(deck)})
    return described


def generate_table_id() -> str:
    """Make up an id that is short in an address and never given twice."""
    return secrets.token_hex(4)


def open_tables(opened: Mapping[str, Edition], journal: Journal, summaries: Summaries | None = None) -> Tables:
    """Return every table of a journal; ``summaries`` are those of earlier starts."""
    catalogs = partial(describe_catalogs, opened.values())
    return Tables(opened, journal, SystemClock(), generate_table_id, catalogs, summaries=summaries)


def create_temporary_logins() -> tuple[Logins, str]:
    """Make up a PIN and a key that are forgotten when the program ends."""
    pin = f"{secrets.randbelow(10_000):04}"
    return Logins(pin, secrets.token_hex(32), time.monotonic), pin


__all__ = ["find_games"]
