"""Whole games at three phones, a tablet and a big screen, by taps alone: bots say what to do, and people tap it."""

import random
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion import bootstrap
from tests.browser.plain_evening import PlainEvening, open_table
from tests.browser.screens import Troubles
from tests.extent import of_all
from tests.opened import installed_games

NAMES = ("Bartholomew", "Anne-Sophie", "Maximilian")
GAMES = {
    "men_at_work": (("blue", "grey", "red"), 21, {"turn_card", "done", "accident"}),
    "monopoly_builder": (("red", "green", "yellow"), 19, {"roll", "buy", "build", "end_turn", "bid", "trade"}),
}
"""The seats of a game, the seed of its bots, and commands that such a game has."""
AMONG_PICTURES = {("turn_card", False), ("draw_chance", False)}
"""Where one scrolls: among the pictures of all cards, which a camera or a scanner spares, while no back is known."""
FIRST_COMMANDS = 4
LOOKED_AT = of_all(1, 40)


@pytest.mark.parametrize("game", ["men_at_work", pytest.param("monopoly_builder", marks=pytest.mark.nightly)])
def test_a_game_is_played_at_three_phones_a_tablet_and_a_big_screen(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    # given bots that say what to do, and people who tap it at their phones
    seats, seed, wanted = GAMES[game]
    players = [{"id": seat, "name": name} for seat, name in zip(seats, NAMES, strict=True)]
    start = {"do": "start_game", "game": game, "first": seats[0], "players": players}
    troubles = Troubles()
    with open_table(browser, tmp_path, start, troubles) as at:
        # when they play: the first turns each day, and by night to the end
        done = played(at, game, seed, of_all(FIRST_COMMANDS, None))

        # then each tap was an entry on every screen, nothing was cut, and an ordinary turn needed no scrolling
        at.nothing_is_cut()
        assert at.scrolled <= AMONG_PICTURES
        assert troubles.seen == []
        if of_all(daily=False, everything=True):
            assert at.at("finished")
            assert wanted <= done


def played(at: PlainEvening, game: str, seed: int, most: int | None) -> set[str]:
    """Tap what bots would do, to the end or so many commands far; return which commands these were."""
    lots, done = random.Random(seed), set[str]()
    manifest = installed_games().manifest(game)
    assert manifest.bots is not None
    bots = manifest.bots()
    piles = bots.shuffled(bootstrap.load_bundled_catalog(manifest), seed)
    strengths = dict.fromkeys(at.phones, bots.strengths[-1])
    for number in count():
        assert at.table.position is not None
        act = None if number == most else bots.next_act(at.table.position, piles, strengths, lots.randrange)
        if act is None:
            return done
        command = at.table.game.codec.command_json(act.command)
        waiting = at.at("waiting_for")
        # who is on turn turns up the cards that are nobody's, too
        at.tap(command.get("player") or (waiting[0] if waiting else None), command)
        done.add(command["do"])
        if number % LOOKED_AT == 0:
            at.nothing_is_cut()
    raise AssertionError("unreachable")
