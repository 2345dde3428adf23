"""Games opened for tests as the program opens them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from companion import bootstrap
from companion.adapters.catalogs import load_catalog
from companion.bootstrap.games import InstalledGames, find_games, load_game
from companion.game_api.manifest import LoadedGame
from companion.games.master_builder import GAME
from companion.games.master_builder.bots.dealer import Piles
from companion.games.master_builder.cards.reading import MasterBuilderCards
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.simulation import MasterBuilderBots
from companion.vision.label.tag import Deck

CARDS = MasterBuilderCards()


def master_builder(catalogs: Mapping[str, Any]) -> LoadedGame:
    """Open Master Builder over these catalogs."""
    return load_game(GAME, catalogs)


@cache
def installed_games() -> InstalledGames:
    """Return the installed games, found and checked once for all tests."""
    return find_games()


@cache
def house_deck() -> Catalog:
    """The bundled deck."""
    result: Catalog = load_catalog(CARDS.bundled["house"], CARDS)
    return result


def house_texts() -> dict[str, str]:
    """The text on the label of every card of the bundled deck."""
    return bootstrap.label_texts(GAME, house_deck())


def house_labels() -> Deck:
    """The bundled deck as readers know it."""
    return bootstrap.create_deck(GAME, house_deck())


def shuffled(catalog: Catalog, seed: int) -> Piles:
    """The piles of a box, shuffled by a seed."""
    return MasterBuilderBots().shuffled(catalog, seed)


def start_command(players: int, seed: int) -> dict[str, Any]:
    """The command that seats bots."""
    return MasterBuilderBots().beginning(players, seed)


def house_games() -> dict[str, LoadedGame]:
    """The games of an installation that has the bundled deck alone."""
    return {GAME.name: master_builder({"house": house_deck()})}
