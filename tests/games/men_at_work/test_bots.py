"""Bots of Men at Work: they take only what is offered, come to every end, and steadier hands win more often."""

import random
from collections import Counter
from typing import Any

import pytest

from companion.bot_games.demonstration import create_simulation
from companion.bot_games.games import play_game
from companion.engine.game import Position, Refused
from companion.games.men_at_work import GAME
from companion.games.men_at_work.rules.catalog import PIECES
from companion.games.men_at_work.rules.state import State
from companion.games.men_at_work.simulation import MenAtWorkBots
from tests.extent import of_all
from tests.games.men_at_work.building_site import house_deck, plain_boss

BOTS = MenAtWorkBots()


def sound(position: Position[Any]) -> None:
    """See that pieces, cards and awards are all there, and nothing is below nothing."""
    state: State = position.state
    assert all(state.reserve[piece] >= 0 and state.site[piece] >= 0 for piece in PIECES) or not state.rules.counts
    hands = sum(player.hand for player in state.players)
    assert state.deck + len(state.discard) + hands + state.on_duty == 37
    assert sum(player.awards for player in state.players) + state.awards_left == state.catalog.box.awards
    assert len(set(state.discard)) == len(state.discard)


@pytest.mark.parametrize("seed", range(of_all(8, 60)))
def test_mw_55_bots_under_any_rules_are_never_refused_and_come_to_an_end(seed: int) -> None:
    lots = random.Random(seed)
    strengths = [lots.choice(BOTS.strengths) for _ in range(lots.randint(2, 5))]
    deck = plain_boss() if seed % 4 == 0 else house_deck()
    played = play_game(GAME, deck, seed, strengths, BOTS.drawn_rulebook(lots), sound)
    assert played.refusals == 0
    assert {seat.rank for seat in played.seats} <= set(range(1, 6))


@pytest.mark.nightly
def test_mw_55_two_thousand_games_of_bots() -> None:
    for seed in range(1_000, 3_000):
        test_mw_55_bots_under_any_rules_are_never_refused_and_come_to_an_end(seed)


def test_games_come_to_every_end() -> None:
    ends: Counter[str] = Counter()

    def watch(position: Position[Any]) -> None:
        ends.update([position.state.ended_by] if position.state.ended_by else [])

    for seed in range(60):
        play_game(GAME, house_deck(), seed, ["steady", "trembling", "middle"][: 2 + seed % 2], {}, watch)
    assert set(ends) == {"awards", "last_standing", "exhausted"}


def test_steady_hands_win_more_often() -> None:
    games = [play_game(GAME, house_deck(), seed, ["trembling", "steady"]) for seed in range(80)]
    wins = Counter(seat.strength for game in games for seat in game.seats if seat.rank == 1)
    assert wins["steady"] > 1.5 * wins["trembling"]


def test_rules_are_read_from_words() -> None:
    words = ["counts=false", "expert_certificates=1", "boss_at=half", "crane"]
    rules = {"counts": False, "expert_certificates": 1, "boss_at": "half"}
    assert BOTS.rulebook(words) == {"rules": rules, "variants": ["crane"]}
    with pytest.raises(Refused):
        BOTS.rulebook(["wind=strong"])


@pytest.mark.nightly
@pytest.mark.parametrize("mat", [None, "site"])
def test_a_whole_game_is_played_by_cards_under_the_camera(mat: str | None) -> None:
    # given bots who lay each front, and each back that the pile shows, under the simulated camera; on a mat in its zone
    running = create_simulation(GAME, house_deck(), seed=4, players=3, mat=mat)

    # when they play
    running.demonstration.play()

    # then every card came through pixels, and the game is over
    position = running.table.position_json("banker")
    assert position is not None
    assert position["finished"]
    laid = [entry for entry in running.table.entries if entry.command["do"] in ("turn_card", "show_back")]
    assert len(laid) > 30
    assert {entry.source for entry in laid} == {"camera"}
