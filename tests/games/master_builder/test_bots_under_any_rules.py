"""Bots are never stuck and never refused, whatever rules and variants are played."""

import pytest

from tests.extent import of_all
from tests.games.master_builder.bot_games import game_by_lot

A_PART = 100


@pytest.mark.parametrize("seed", range(of_all(8, 24)))
def test_a_game_under_rules_by_lot_ends_without_a_refusal(seed: int) -> None:
    played = game_by_lot(seed)

    assert played.refusals == 0
    assert 1 in {seat.rank for seat in played.seats}


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(100))
def test_ten_thousand_games_keep_money_and_cards_together(part: int) -> None:
    first = 1_000 + part * A_PART
    assert sum(game_by_lot(seed).refusals for seed in range(first, first + A_PART)) == 0
