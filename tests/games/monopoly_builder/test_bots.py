"""Bots of Monopoly Builder: never refused, always at an end, and the stronger ones ahead."""

import random
from collections import Counter
from typing import Any

import pytest

from companion.bootstrap.games import load_game
from companion.bot_games.demonstration import create_simulation
from companion.bot_games.games import play_game
from companion.engine.game import Position, Refused
from companion.engine.timeline import decide_and_settle, fold
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.rules.accounting import cash, chips, on_spaces, tray
from companion.games.monopoly_builder.rules.catalog import KINDS
from companion.games.monopoly_builder.simulation import MonopolyBuilderBots
from tests.extent import ALL, of_all
from tests.games.monopoly_builder.town import house_board

BOTS = MonopolyBuilderBots()


def sound(position: Position[Any]) -> None:
    """See that money and chips are all there, and nobody is below nothing."""
    seats = position.state.seats
    assert sum(cash(position, seat) for seat in seats) + position.ledger.balance("bank") == 13_700
    assert min(cash(position, seat) for seat in seats) >= 0
    heaps = [tray(position), *(chips(position, seat) for seat in seats)]
    heaps += on_spaces(position).values()
    for kind in KINDS:
        assert sum(heap.get(kind, 0) for heap in heaps) == 20
        assert min(heap.get(kind, 0) for heap in heaps) >= 0
    assert min(position.state.blocks(seat) for seat in seats) >= 0


@pytest.mark.parametrize("seed", range(of_all(6, 40)))
def test_bots_under_any_rules_are_never_refused_and_lose_nothing(seed: int) -> None:
    lots = random.Random(seed)
    strengths = [lots.choice(BOTS.strengths) for _ in range(lots.randint(2, 4))]
    played = play_game(GAME, house_board(), seed, strengths, BOTS.drawn_rulebook(lots), sound)
    assert played.refusals == 0
    assert min(seat.rank for seat in played.seats) == 1


def test_a_command_leads_where_folding_its_events_leads() -> None:
    # given a game of bots, whose rules record each event before they think of the next
    lots, catalog = random.Random(3), house_board()
    game = load_game(GAME, {"house": catalog}).rules
    begin = load_game(GAME, {"house": catalog}).codec.command({**BOTS.beginning(4), "catalog": "house"})
    piles = BOTS.shuffled(catalog, 3)
    _, position = decide_and_settle(game, None, begin)
    strengths = dict.fromkeys(game.overview(position).seats, "strong")
    acts = 0

    while (act := BOTS.next_act(position, piles, strengths, lots.randrange)) is not None:
        # when a command is decided, then whoever reads its events stands where the rules stood
        events, after = decide_and_settle(game, position, act.command)
        assert fold(game, position, events) == after
        position, acts = after, acts + 1

    assert acts > 100


@pytest.mark.nightly
def test_five_thousand_games_of_bots() -> None:
    for seed in range(1_000, 6_000):
        test_bots_under_any_rules_are_never_refused_and_lose_nothing(seed)


def test_the_stronger_are_ahead() -> None:
    games = [play_game(GAME, house_board(), seed, ["strong", "middle", "random"]) for seed in range(24)]
    first = Counter(seat.strength for game in games for seat in game.seats if seat.rank == 1)
    ahead = sum(
        next(seat.rank for seat in game.seats if seat.strength == "middle")
        < next(seat.rank for seat in game.seats if seat.strength == "random")
        for game in games
    )
    assert first["strong"] > 14
    assert ahead > 13


def test_rules_are_read_from_words() -> None:
    assert BOTS.rulebook(["rent=auto", "decliner_bids=false"]) == {"rules": {"rent": "auto", "decliner_bids": False}}
    for wrong in ("rent=never", "speed"):
        with pytest.raises(Refused):
            BOTS.rulebook([wrong])


@pytest.mark.skipif(not ALL, reason="a whole game under the camera; its lines count, as those of nightly tests do not")
def test_chance_cards_are_drawn_and_dice_thrown_under_the_camera() -> None:
    # given bots who tap what is tapped, and lay Chance cards and throw dice under the simulated camera
    running = create_simulation(GAME, house_board(), seed=4, players=3)

    # when they play to the end
    running.demonstration.play()

    # then every card and every throw came through pixels
    position = running.table.position_json("banker")
    assert position is not None
    assert position["finished"]
    drawn = [entry for entry in running.table.entries if entry.command["do"] == "draw_chance"]
    assert drawn
    assert {entry.source for entry in drawn} == {"camera"}
    rolled = [entry for entry in running.table.entries if "dice" in entry.command]
    assert len(rolled) > 20
    assert sum(entry.source == "camera" for entry in rolled) >= 0.9 * len(rolled)
