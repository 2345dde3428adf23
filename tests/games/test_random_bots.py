"""Bots that play by the offers alone play every game to its end."""

from dataclasses import replace
from typing import Any

import pytest

from companion.bootstrap import load_bundled_catalog
from companion.bot_games.games import GameResult, UnfinishedGameError, bots_of, play_game
from companion.engine.game import Refused
from companion.game_api.manifest import Manifest
from companion.games import master_builder, men_at_work, monopoly_builder
from tests.elsewhere.outsiders import flea_market
from tests.extent import by_night
from tests.games.acorns import original, with_rules

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


def test_a_game_that_stops_or_never_ends_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_offers(rules: Any, position: Any, player: str) -> Any:
        return () if position.state.hands.pairs else original(rules, "offers")(position, player)

    def sold_again(rules: Any, state: Any, event: Any) -> Any:
        return state if type(event).__name__ == "CardPlayed" else original(rules, "changed")(state, event)

    monkeypatch.setattr("companion.bot_games.games.MOST_COMMANDS", 60)
    deck = load_bundled_catalog(flea_market.GAME)
    for functions, said in (({"offers": no_offers}, r"no end after 1 commands"), ({"changed": sold_again}, "after 60")):
        endless = with_rules(flea_market.GAME, **functions)
        with pytest.raises(UnfinishedGameError, match=f"flea_market: the game of seed 1 has .*{said}"):
            play_game(endless, deck, 1, ("random", "random"))


def test_the_rounds_of_a_game_are_those_of_its_last_step_that_had_any() -> None:
    result = play_game(flea_market.GAME, load_bundled_catalog(flea_market.GAME), 1, ("random", "random"))

    assert result.rounds > 1
