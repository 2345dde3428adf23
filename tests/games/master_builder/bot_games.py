"""Games of bots under rules drawn by lot, and what holds at every moment of them."""

import random

from companion.bot_games.games import GameResult, bots_of, play_game
from companion.engine.ledger import BANK, BOX
from companion.games.master_builder import GAME
from companion.games.master_builder.rules.setup import MONEY
from companion.games.master_builder.rules.state import GamePosition, cash
from tests.opened import house_deck

STRENGTHS = ("random", "middle", "strong")


def game_by_lot(seed: int) -> GameResult:
    """Play a game whose rules, variants, players and strengths this seed draws; check every position of it."""
    lots = random.Random(seed)
    strengths = [lots.choice(STRENGTHS) for _ in range(2 + seed % 3)]
    return play_game(GAME, house_deck(), seed, strengths, bots_of(GAME).drawn_rulebook(lots), watch=holds)


def holds(position: GamePosition) -> None:
    """Money and cards are conserved, nobody is below zero (MB-71 to MB-77)."""
    state, ledger = position.state, position.ledger
    money = [cash(position, player.id) for player in state.players]
    assert min(money) >= 0
    assert sum(money) + ledger.balance(BANK) + ledger.starting_with("contract:") == MONEY == -ledger.balance(BOX)
    employed = [worker.id for player in state.players for worker in player.crew]
    assert len(employed) == len(set(employed)) <= 40
    lying = [
        card for player in state.players for card in (*(site.contract for site in player.sites), *player.completed)
    ]
    lying += [*state.display, *state.removed]
    assert len(lying) == len(set(lying))
    assert sorted(lying) == sorted(state.seen)
    assert len(lying) + state.deck + (4 if len(state.players) == 2 else 0) == 12
    assert all(len(cards) == len(set(cards)) for cards in (state.turned_events, state.turned_economy))
