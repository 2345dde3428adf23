"""The composition root: the only package that knows every concrete class and, through ``games``, every game.

This module holds what every command may need.  Camera and pages are in ``installation``, because loading OpenCV takes
longer than deciding a whole game.
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
from companion.bootstrap.games import InstalledGames, find_games, load_game
from companion.engine.game import Refused
from companion.game_api.cards import Label, codes_of_backs
from companion.game_api.manifest import LoadedGame, Manifest
from companion.service.access.logins import Logins
from companion.service.ports import Changes, Journal
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables
from companion.service.table.table import Table
from companion.vision.label.tag import COMMAND_CARDS, Deck, build_deck, format_tag

PRINT_RUN = 1


def open_catalogs(manifest: Manifest, folder: Path | None, instead: str | None = None) -> Mapping[str, Any]:
    """Return a game's catalogs by name; ``instead``: a name or file that replaces all.  Raises ``CatalogError``."""
    cards = manifest.cards()
    if instead is None:
        return CatalogFolder(cards, manifest.name, folder)
    catalog = load_chosen_catalog(instead, cards, folder, manifest.name)
    return SingleCatalog(catalog, cards.title(catalog))


def choose_catalog(manifest: Manifest, folder: Path | None, name_or_file: str | None = None) -> Any:
    """Return a catalog by name or file, or the one bundled with the game; raise ``CatalogError``."""
    return load_chosen_catalog(name_or_file or default_catalog_name(manifest), manifest.cards(), folder, manifest.name)


def default_catalog_name(manifest: Manifest) -> str:
    """Return the name of the catalog that is bundled with a game."""
    return next(iter(manifest.cards().bundled))


def load_games(games: InstalledGames, folder: Path | None, instead: str | None = None) -> dict[str, LoadedGame]:
    """Return every game with its catalogs, by name.

    ``instead``: a catalog that replaces all of its game; a file declares its game, a name means the first game that
    has a catalog of that name.  Raises ``CatalogError`` where it cannot be used.
    """
    owner = declared_game_of(instead)
    if instead is not None and owner not in games.manifests:
        owner = _find_owner(games, folder, instead).name
    return {
        name: load_game(manifest, open_catalogs(manifest, folder, instead if name == owner else None))
        for name, manifest in games.manifests.items()
    }


def declared_game_of(catalog: str | None) -> str | None:
    """Return the game that a catalog declares which is given as a file; ``None`` for a name."""
    return read_declared_game(Path(catalog)) if catalog is not None and is_catalog_file(catalog) else None


def _find_owner(games: InstalledGames, folder: Path | None, name: str) -> Manifest:
    """Return the game that has a catalog of this name, or the default game, which then reports the unknown name."""
    first = games.manifest()
    order = (first, *(manifest for manifest in games.manifests.values() if manifest is not first))
    return next((game for game in order if name in CatalogFolder(game.cards(), game.name, folder)), first)


def create_in_memory_table(opened: LoadedGame, table_id: str = "play") -> Table:
    """Return a table that is lost when the program ends."""
    return Table(table_id, opened, InMemoryJournal(), SystemClock())


def label_texts(manifest: Manifest, deck: Any) -> dict[str, str]:
    """Return the label text of every card of a catalog, and of every kind of back by its code."""
    return {label.card if label.side == "front" else label.code: text for label, text in list_labels(manifest, deck)}


def list_labels(manifest: Manifest, deck: Any) -> list[tuple[Label, str]]:
    """Return every label of a catalog, card by card, with its text, which several may share."""
    labels = manifest.cards().labels(deck)
    return [(label, format_tag(manifest.label_code, PRINT_RUN, label.code)) for label in labels]


def create_deck(manifest: Manifest, deck: Any) -> Deck:
    """Return the deck that readers need for a catalog: its cards, shared backs and command cards."""
    cards = manifest.cards()
    ids, shared = {*cards.ids(deck), *manifest.command_cards}, codes_of_backs(cards.labels(deck))
    return build_deck(manifest.label_code, ids, shared)


def command_card_texts(manifest: Manifest) -> dict[str, str]:
    """Return the label text of every command card of a game."""
    return {
        card: format_tag(manifest.label_code, PRINT_RUN, card) for card in (*COMMAND_CARDS, *manifest.command_cards)
    }


def load_bundled_catalog(manifest: Manifest) -> Any:
    """Return the first catalog that is bundled with a game."""
    cards = manifest.cards()
    return load_catalog(next(iter(cards.bundled.values())), cards)


def describe_catalogs(opened: Iterable[LoadedGame]) -> list[dict[str, Any]]:
    """Return the available catalogs, each with its ``game``; a faulty one has ``title`` ``None`` and a ``fault``."""
    described: list[dict[str, Any]] = []
    for game in opened:
        cards = game.cards
        for name in game.catalogs:
            described_as = {"game": game.name, "name": name}
            try:
                deck = game.catalogs[name]
            except Refused as refused:
                described.append({**described_as, "title": None, "fault": refused.details.get("fault")})
            else:
                shown = {"title": cards.title(deck), "invented": cards.is_invented(deck)}
                described.append({**described_as, **shown, "cards": cards.as_json(deck)})
    return described


def generate_table_id() -> str:
    """Return a random id of 48 bits that is short enough for a URL."""
    return secrets.token_hex(6)


def open_tables(opened: Mapping[str, LoadedGame], journal: Journal, changes: Changes | None = None) -> Tables:
    """Return every table of a journal; ``changes`` are for those who wait for news (``None``: of this process)."""
    catalogs = partial(describe_catalogs, opened.values())
    return Tables(opened, journal, SystemClock(), generate_table_id, catalogs, changes)


def create_temporary_logins() -> tuple[Logins, str]:
    """Return logins with a generated PIN and key that are lost when the program ends, and the PIN."""
    pin = f"{secrets.randbelow(10_000):04}"
    return Logins(pin, secrets.token_hex(32), time.monotonic), pin


__all__ = ["find_games"]  # of another module, beside the public functions of this one
