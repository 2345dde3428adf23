"""Bots that play by the offers alone play every game to its end."""

from dataclasses import replace
from typing import Any

import pytest

from companion.bootstrap import load_bundled_catalog
from companion.bot_games.games import GameResult, bots_of, play_game
from companion.engine.game import Refused
from companion.game_api.manifest import Manifest
from companion.games import master_builder, men_at_work, monopoly_builder
from tests.extent import by_night

GAMES = {module.GAME.name: module.GAME for module in (master_builder, men_at_work, monopoly_builder)}


def without_bots(game: str) -> Manifest:
    """Return a game as if it brought no bots."""
    manifest: Manifest = replace(GAMES[game], bots=None)
    return manifest


def played(game: str, seed: int) -> GameResult:
    """Let random bots play a game."""
    manifest = without_bots(game)
    return play_game(manifest, load_bundled_catalog(manifest), seed, ("random",) * 3)


@pytest.mark.parametrize("game", ["master_builder", "men_at_work", *by_night("monopoly_builder")])
def test_a_game_without_bots_is_played_to_its_end_by_what_it_offers(game: str) -> None:
    for seed in (1, 2):
        # when a game is played by random bots, then it ends, no command is refused, and everybody has a rank
        result = played(game, seed)
        assert result.commands > 10
        assert result.refusals == 0
        assert min(seat.rank for seat in result.seats) == 1
        assert all(seat.figures for seat in result.seats)


def test_the_same_seed_gives_the_same_game() -> None:
    assert played("master_builder", 4) == played("master_builder", 4) != played("master_builder", 5)


def test_they_play_by_the_rules_that_the_game_lets_tables_choose() -> None:
    bots = bots_of(without_bots("monopoly_builder"))

    assert bots.rulebook(["money=hidden"]) == {"rules": {"money": "hidden"}}
    for unknown, rule in (
        ("moon=full", "unknown_rule"),
        ("money=blue", "unknown_rule_value"),
        ("flying", "unknown_variant"),
    ):
        with pytest.raises(Refused, match=rule):
            bots.rulebook([unknown])


def test_a_mistake_of_a_game_ends_the_games_of_bots() -> None:
    class Rules:
        """Rules that decide nothing."""

        def __init__(self, catalogs: object) -> None:
            self.catalogs = catalogs

        def decide(self, position: object, command: object) -> object:
            raise ZeroDivisionError(position, command)

    rules: Any = Rules
    manifest = replace(without_bots("master_builder"), rules=rules)

    with pytest.raises(ZeroDivisionError):
        play_game(manifest, load_bundled_catalog(manifest), 1, ("random",) * 3)
